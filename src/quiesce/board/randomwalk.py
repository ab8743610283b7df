"""Kernels. Random walks: random legal moves from a position, from a seed."""

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
    Field("draw", "u8", "state of the random number generator, never 0"),
    Field("line", (POSITION, (LONGEST_WALK + 1,)), "the position it starts from, then those after each move"),
    Field("moves", MOVE_LIST, "legal moves of one of them"),
)
WALK = record(*WALK_FIELDS)


@kernel
def random_below(walk, limit):
    """A random number below a limit."""
    number = walk.draw
    number ^= number << SHIFTS[0]
    number ^= number >> SHIFTS[1]
    number ^= number << SHIFTS[2]
    walk.draw = number
    return (number >> u64(16)) % limit


@kernel
def random_walk(t, walk, plies):
    """Play n random moves into `line`, fewer if the game ends; returns how many were played."""
    for ply in range(plies):
        count = u64(generate_all(t, walk.line[ply], walk.moves))
        if count == u64(0):
            return ply
        make_move(t, walk.line[ply], walk.line[ply + u64(1)], u64(walk.moves.moves[random_below(walk, count)]))
    return plies


@entry(TABLES, WALK, "u8", lazy=True)
def random_opening(t, walk, plies):
    """Play n random moves; returns how many were played, or -1 if the last position is in check or has no moves."""
    last = random_walk(t, walk, plies)
    pos = walk.line[last]
    if pos.checkers != 0 or generate_all(t, pos, walk.moves) == 0:
        return -1
    return int(last)
