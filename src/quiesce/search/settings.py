"""Shell. PARAMS: the switches and numbers of the search as kernels read them, made from the table in params.py."""

import math
from collections.abc import Mapping
from typing import Any

from quiesce.records import Field, new, record
from quiesce.search.params import check_option, field_name, options

REDUCTION_ROWS = 64
HUNDRED = 100

PARAMS_FIELDS = tuple(Field(field_name(name), "i8", why) for name, _, _, _, why in options())
PARAMS = record(
    *PARAMS_FIELDS,
    Field("reductions", ("i8", (REDUCTION_ROWS, REDUCTION_ROWS)), "plies to reduce by, by depth and move number"),
)


def params(values: Mapping[str, int] | None = None) -> Any:
    """The numbers kernels read: defaults, changed by name."""
    filled = new(PARAMS)
    for name, default, _, _, _ in options():
        filled[field_name(name)] = default
    for name, value in (values or {}).items():
        check_option(name, value)
        filled[field_name(name)] = value
    fill_reductions(filled)
    return filled


def fill_reductions(filled: Any) -> None:
    """Plies to reduce by, growing with the logarithms of depth and move number."""
    base, divisor = int(filled.reduction_base) / HUNDRED, int(filled.reduction_divisor) / HUNDRED
    logarithms = [math.log(number) for number in range(1, REDUCTION_ROWS)]
    filled.reductions[1:, 1:] = [[int(base + one * other / divisor) for other in logarithms] for one in logarithms]
