"""Kernels. Wandering: random legal moves from a position, decided by a number."""

# mypy: ignore-errors

from quiesce.board.makemove import make_move
from quiesce.board.movegen import generate_all
from quiesce.board.position import POSITION
from quiesce.board.tables import TABLES
from quiesce.board.types import MOVE_LIST, u64
from quiesce.jit import entry, kernel
from quiesce.records import Field, record

LONGEST_WALK = 16
SHIFTS = (u64(13), u64(7), u64(17))
"""Marsaglia's xorshift."""

WALK_FIELDS = (
    Field("draw", "u8", "state of the random numbers, never 0"),
    Field("line", (POSITION, (LONGEST_WALK + 1,)), "the position it starts from, then those after each move"),
    Field("moves", MOVE_LIST, "legal moves of one of them"),
)
WALK = record(*WALK_FIELDS)


@kernel
def drawn_below(walk, limit):
    """A random number below a limit."""
    number = walk.draw
    number ^= number << SHIFTS[0]
    number ^= number >> SHIFTS[1]
    number ^= number << SHIFTS[2]
    walk.draw = number
    return (number >> u64(16)) % limit


@kernel
def wander(t, walk, plies):
    """Play so many random moves, fewer where a game ends; returns how many: where the last position lies."""
    for ply in range(plies):
        count = u64(generate_all(t, walk.line[ply], walk.moves))
        if count == u64(0):
            return ply
        make_move(t, walk.line[ply], walk.line[ply + u64(1)], u64(walk.moves.moves[drawn_below(walk, count)]))
    return plies


@entry(TABLES, WALK, "u8", rare=True)
def walk_off(t, walk, plies):
    """`wander`, for shells; returns how many moves were played, or -1 if the last position has no move or is check."""
    last = wander(t, walk, plies)
    pos = walk.line[last]
    if pos.checkers != 0 or generate_all(t, pos, walk.moves) == 0:
        return -1
    return int(last)
