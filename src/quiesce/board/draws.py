"""Kernels. Draws by rule: repetition, a repetition about to come, the move clock, dead material."""

# mypy: ignore-errors

import numpy as np

from quiesce.board.attacks import occupied_squares
from quiesce.board.bits import DARK_SQUARES, EMPTY, bit, has_several
from quiesce.board.position import POSITION
from quiesce.board.tables import CUCKOO_HASHES
from quiesce.board.types import BISHOP, KNIGHT, NO_MOVE, PAWN, QUEEN, ROOK, origin_of, target_of, u64
from quiesce.jit import entry, kernel, popcount
from quiesce.records import Field, record

GAME_KEYS = 256
"""How much of the game before the root is remembered; a longer run without a capture is a draw long since."""
PATH_KEYS = GAME_KEYS + 256
"""Those, and one key for each ply of the deepest search."""

FIFTY_MOVES = 100
"""Plies without capture or pawn move after which either side may claim a draw."""
NEAREST_REPETITION = 4
"""Plies after which a position can first come again."""

PATH = record(
    Field("keys", ("u8", (PATH_KEYS,)), "keys of the positions of game and search, the current one last"),
)

_SHIFT_A, _SHIFT_B = (u64(shift) for shift, _ in CUCKOO_HASHES)
_CUCKOO_MASK = u64(CUCKOO_HASHES[0][1])


@kernel
def last_seen(path, index, reversible):
    """Plies since the position at `index` of the path stood on the board before, 0 if it never did."""
    reach = min(reversible, index)
    for back in range(NEAREST_REPETITION, reach + 1, 2):
        if path.keys[u64(index - back)] == path.keys[u64(index)]:
            return back
    return 0


@entry(PATH, "i8", "i8")
def times_seen(path, index, reversible):
    """How often the position at `index` of the path stood on the board before."""
    times, reach = 0, min(reversible, index)
    for back in range(NEAREST_REPETITION, reach + 1, 2):
        if path.keys[u64(index - back)] == path.keys[u64(index)]:
            times += 1
    return times


@kernel
def is_repetition(path, index, reversible, ply):
    """Is the position a draw for a search at `ply`: seen once since the root, or twice in all?"""
    back = last_seen(path, index, reversible)
    if back == 0:
        return False
    return back < ply or last_seen(path, index - back, reversible - back) != 0


@kernel
def reversible_move(t, change):
    """The reversible move, in either direction, that changes the key by this much; NO_MOVE if there is none."""
    slot = (change >> _SHIFT_A) & _CUCKOO_MASK
    if t.cuckoo_keys[slot] == change:
        return u64(t.cuckoo_moves[slot])
    slot = (change >> _SHIFT_B) & _CUCKOO_MASK
    if t.cuckoo_keys[slot] == change:
        return u64(t.cuckoo_moves[slot])
    return NO_MOVE


@kernel
def is_way_back(t, pos, move):
    """Does a piece of the side to move stand at one end of this reversible move, and nothing in between?"""
    ends = bit(origin_of(move)) | bit(target_of(move))
    if not ends & pos.colours[u64(pos.turn)]:
        return False
    return not t.between[origin_of(move), target_of(move)] & occupied_squares(pos)


@kernel
def can_repeat(t, pos, path, index, ply):
    """Has the side to move a reversible move back to a position that would then be a draw?

    Two positions whose keys differ by one reversible move, with nothing in its way, are one move
    apart. One met since the root is a draw when it comes again, one from before if it had come twice.
    """
    reversible = np.int64(pos.reversible)
    for back in range(NEAREST_REPETITION - 1, min(reversible, index) + 1, 2):
        move = reversible_move(t, pos.key ^ path.keys[u64(index - back)])
        if move != NO_MOVE and is_way_back(t, pos, move):
            if back < ply or last_seen(path, index - back, reversible - back) != 0:
                return True
    return False


@entry(POSITION)
def is_move_clock_full(pos):
    """Have fifty moves of each side gone by without capture or pawn move? Mate on the board counts first."""
    return pos.halfmove >= FIFTY_MOVES


@kernel
def has_mating_man(pos):
    """Is there a pawn, rook or queen?"""
    return (pos.pieces[PAWN] | pos.pieces[ROOK] | pos.pieces[QUEEN]) != EMPTY


@entry(POSITION)
def is_dead_material(pos):
    """Is it one of the dead positions FIDE names: bare kings, one minor piece, or one bishop each of one colour?"""
    if has_mating_man(pos):
        return False
    knights, bishops = pos.pieces[KNIGHT], pos.pieces[BISHOP]
    if popcount(knights | bishops) <= u64(1):
        return True
    one_each = popcount(bishops & pos.colours[0]) == 1 and popcount(bishops & pos.colours[1]) == 1
    return not knights and one_each and are_bishops_alike(pos)


@kernel
def are_bishops_alike(pos):
    """Do all bishops stand on squares of one colour?"""
    bishops = pos.pieces[BISHOP]
    return not bishops & DARK_SQUARES or not bishops & ~DARK_SQUARES


@entry(POSITION)
def is_insufficient_material(pos):
    """Can neither side mate whatever is played, as python-chess sees it: a lone knight, or bishops of one colour?"""
    if has_mating_man(pos):
        return False
    knights, bishops = pos.pieces[KNIGHT], pos.pieces[BISHOP]
    if knights:
        return not bishops and not has_several(knights)
    return are_bishops_alike(pos)
