"""Kernels. What shells ask of a search: how full the table is, how the root stands, how a line goes on."""

# mypy: ignore-errors

import numpy as np

from quiesce.board.legality import is_legal
from quiesce.board.makemove import make_move
from quiesce.board.tables import TABLES
from quiesce.board.types import MOVE_LIST, NO_MOVE, u64
from quiesce.jit import entry
from quiesce.search.node import evaluation_of
from quiesce.search.tt import TABLE, find, fullness, move_in
from quiesce.search.worker import WORKER


@entry(TABLE)
def table_fullness(tt):
    """Permille of the table used by this search."""
    return fullness(tt)


@entry(WORKER, TABLES)
def root_eval(w, t):
    """Static evaluation of the root, points from the mover's side; the search must have been started."""
    return evaluation_of(w, t, np.int64(0))


@entry(WORKER, TABLES, TABLE, MOVE_LIST, "i8", "i8")
def lengthen_line(w, t, tt, line, length, wanted):
    """Play a line from the root and let the table go on with it; returns how long it is now, `wanted` at most.

    The stack ends with the position behind the line. Only legal moves are taken from the table.
    """
    for ply in range(u64(wanted)):
        pos = w.stack[ply]
        if ply >= u64(length):
            move = move_in(find(tt, pos.key))
            if move == NO_MOVE or not is_legal(t, pos, move):
                return np.int64(ply)
            line.moves[ply] = move
        make_move(t, pos, w.stack[ply + u64(1)], u64(line.moves[ply]))
    return wanted
