"""Kernels. What shells ask of a search: how full the table is, how the root stands."""

# mypy: ignore-errors

import numpy as np

from quiesce.board.tables import TABLES
from quiesce.jit import entry
from quiesce.search.node import evaluation_of
from quiesce.search.tt import TABLE, fullness
from quiesce.search.worker import WORKER


@entry(TABLE)
def table_fullness(tt):
    """Permille of the table used by this search."""
    return fullness(tt)


@entry(WORKER, TABLES)
def root_eval(w, t):
    """Static evaluation of the root, centipawns from the mover's side; the search must have been started."""
    return evaluation_of(w, t, np.int64(0))
