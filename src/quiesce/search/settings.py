"""Shell. PARAMS: the switches and numbers of the search as kernels read them, made from the table in params.py."""

import math
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from quiesce.records import Field, new, record
from quiesce.search.params import check_option, field_name, options

REDUCTION_ROWS = 64
HUNDRED = 100

PARAMS_FIELDS = tuple(Field(field_name(name), "i8", why) for name, _, _, _, why in options())
PARAMS = record(
    *PARAMS_FIELDS,
    Field("reductions", ("i8", (REDUCTION_ROWS, REDUCTION_ROWS)), "plies to reduce by, by depth and move number"),
)


DEFAULTS = {field_name(name): default for name, default, _, _, _ in options()}


def params(values: Mapping[str, int] | None = None) -> Any:
    """The numbers kernels read: defaults, changed by name."""
    filled = new(PARAMS)
    for field, default in DEFAULTS.items():
        filled[field] = default
    for name, value in (values or {}).items():
        check_option(name, value)
        filled[field_name(name)] = value
    filled.reductions[1:, 1:] = reductions(int(filled.reduction_base), int(filled.reduction_divisor))
    return filled


@lru_cache(maxsize=8)
def reductions(base: int, divisor: int) -> Any:
    """Plies to reduce by, growing with the logarithms of depth and move number; both numbers in hundredths."""
    logarithms = [math.log(number) for number in range(1, REDUCTION_ROWS)]
    return np.array(
        [[int(base / HUNDRED + one * other / (divisor / HUNDRED)) for other in logarithms] for one in logarithms]
    )
