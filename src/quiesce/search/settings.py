"""Shell. PARAMS: the switches and numbers of the search as kernels read them, made from the table in params.py."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from quiesce.records import Field, new, record
from quiesce.search.params import check_option, current_names, field_name, options

REDUCTION_ROWS = 64
PARTS = 1_024
"""Parts of a ply that reductions are counted in."""
PERCENT = 100

PARAMS_FIELDS = tuple(Field(field_name(name), "i8", why) for name, _, _, _, why in options())
PARAMS = record(
    *PARAMS_FIELDS,
    Field("reductions", ("i8", (REDUCTION_ROWS, REDUCTION_ROWS)), "parts of a ply to reduce by, by depth and move"),
)


DEFAULTS = {field_name(name): default for name, default, _, _, _ in options()}


def params(values: Mapping[str, int] | None = None) -> Any:
    """The numbers kernels read: defaults, changed by name."""
    filled = new(PARAMS)
    for field, default in DEFAULTS.items():
        filled[field] = default
    for name, value in current_names(values or {}).items():
        check_option(name, value)
        filled[field_name(name)] = value
    filled.reductions[1:, 1:] = reductions(
        int(filled.reduction_base), int(filled.reduction_divisor), bool(filled.reduction_fractions)
    )
    return filled


@lru_cache(maxsize=8)
def reductions(base: int, divisor: int, is_fine: bool) -> Any:
    """Parts of a ply to reduce by, growing with the logarithms of depth and move number; both numbers in hundredths.

    Whole plies, unless it is to be fine.
    """
    logarithms = np.log(np.arange(1, REDUCTION_ROWS))
    plies = base / PERCENT + np.outer(logarithms, logarithms) / (divisor / PERCENT)
    return (plies * PARTS).astype(np.int64) if is_fine else plies.astype(np.int64) * PARTS
