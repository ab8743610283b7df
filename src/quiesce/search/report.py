"""Kernels. What shells ask of a search: how full the table is, how the root stands."""

# mypy: ignore-errors

from quiesce.board.types import u64
from quiesce.eval.evaluate import static_eval
from quiesce.jit import entry
from quiesce.search.history import frame_of
from quiesce.search.tt import TABLE, fullness
from quiesce.search.worker import WORKER


@entry(TABLE)
def table_fullness(tt):
    """Permille of the table used by this search."""
    return fullness(tt)


@entry(WORKER)
def root_eval(w):
    """Static evaluation of the root, centipawns from the mover's side; the search must have been started."""
    return static_eval(frame_of(w, 0), w.stack[u64(0)])
