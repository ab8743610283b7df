"""Kernels. Perft: how many lines of legal moves there are to a depth. The generator's proof."""

# mypy: ignore-errors

import numpy as np

from quiesce.board.makemove import make_move
from quiesce.board.movegen import count_legal, generate_all
from quiesce.board.position import POSITION
from quiesce.board.tables import TABLES
from quiesce.board.types import MOVE_LIST, u64
from quiesce.jit import entry, load_atomic
from quiesce.records import Field, record

MAX_PERFT_DEPTH = 31
STOP_DEPTH = 4
"""Depth from which the stop flag is read: often enough for people, too seldom to cost anything."""

PERFT = record(
    Field("stack", (POSITION, (MAX_PERFT_DEPTH + 1,)), "the position at each ply, the root first"),
    Field("lists", (MOVE_LIST, (MAX_PERFT_DEPTH + 1,)), "its legal moves"),
    Field("stop", ("i8", (1,)), "set by another thread to give up; the count is then worthless"),
)


@entry(TABLES, PERFT, "i8", "i8")
def perft(t, p, ply, depth):
    """Number of lines of `depth` plies from the position at `ply`; the last ply is counted, not played."""
    if depth == 0:
        return np.int64(1)
    pos, moves = p.stack[u64(ply)], p.lists[u64(ply)]
    if depth == 1:
        return np.int64(count_legal(t, pos))
    count = generate_all(t, pos, moves)
    total = np.int64(0)
    for index in range(count):
        make_move(t, pos, p.stack[u64(ply + 1)], u64(moves.moves[index]))
        total += perft(t, p, ply + 1, depth - 1)
        if depth >= STOP_DEPTH and load_atomic(p.stop) != 0:
            break
    return total
