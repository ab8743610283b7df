"""Kernels. What shells ask of a search: how full the table is."""

# mypy: ignore-errors

from quiesce.jit import entry
from quiesce.search.tt import TABLE, fullness


@entry(TABLE)
def table_fullness(tt):
    """Permille of the table used by this search."""
    return fullness(tt)
