"""Kernels. Perft: how many lines of legal moves there are to a depth. The generator's proof."""

# mypy: ignore-errors

import numpy as np

from quiesce.board.bits import EMPTY
from quiesce.board.makemove import make_move
from quiesce.board.movegen import count_legal, generate_all, generate_noisy
from quiesce.board.position import POSITION
from quiesce.board.tables import TABLES
from quiesce.board.types import MOVE_LIST, is_capture, is_promotion, u64
from quiesce.jit import entry, kernel, load_atomic
from quiesce.records import Field, record

MAX_PERFT_DEPTH = 31
STOP_DEPTH = 4
"""Depth from which the stop flag is read: often enough for people, too seldom to cost anything."""

PERFT = record(
    Field("stack", (POSITION, (MAX_PERFT_DEPTH + 1,)), "the position at each ply, the root first"),
    Field("lists", (MOVE_LIST, (MAX_PERFT_DEPTH + 1,)), "its legal moves"),
    Field("stop", ("i8", (1,)), "set by another thread to give up; the count is then worthless"),
)


QPERFT = record(
    Field("regular_nodes", "i8", "positions with moves still to be counted in full"),
    Field("quiescence_nodes", "i8", "positions in noisy lines, the ones they start from included"),
    Field("captures", "i8", "captures among the noisy moves"),
    Field("promotions", "i8", "promotions among them"),
    Field("checks", "i8", "noisy moves and evasions that give check"),
)
QPERFT_PLIES = 4
"""Noisy plies followed behind the regular ones; checks and evasions could go on for ever."""


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


@kernel
def note_noisy_move(counts, child, move):
    """Count what kind of noisy move led to `child`."""
    counts.captures += is_capture(move)
    counts.promotions += is_promotion(move)
    counts.checks += child.checkers != EMPTY


@entry(TABLES, PERFT, QPERFT, "i8", "i8")
def qperft(t, p, counts, ply, depth):
    """Count the nodes of all lines of `depth` plies, and of the noisy lines behind them; returns nothing of use.

    A noisy line takes captures and promotions, and every evasion in check, for QPERFT_PLIES plies.
    """
    pos, moves = p.stack[u64(ply)], p.lists[u64(ply)]
    if depth > 0:
        counts.regular_nodes += 1
    else:
        counts.quiescence_nodes += 1
    if depth <= -QPERFT_PLIES or load_atomic(p.stop) != 0:
        return np.int64(0)
    count = generate_all(t, pos, moves) if depth > 0 or pos.checkers else generate_noisy(t, pos, moves)
    for index in range(count):
        move = u64(moves.moves[index])
        child = p.stack[u64(ply + 1)]
        make_move(t, pos, child, move)
        if depth <= 0:
            note_noisy_move(counts, child, move)
        qperft(t, p, counts, ply + 1, depth - 1)
    return np.int64(0)
