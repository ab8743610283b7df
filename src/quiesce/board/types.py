"""Kernels. The words of chess as numbers: colours, kinds, pieces, squares and the 16-bit move.

Everything is an unsigned 64-bit number, so that the compiler never mixes signs.
"""

# mypy: ignore-errors

import numpy as np

from quiesce.jit import kernel
from quiesce.records import Field, record

u64 = np.uint64

WHITE, BLACK = u64(0), u64(1)
PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING, NO_KIND = (u64(kind) for kind in range(7))

KINDS = 6
PIECES = 12
NO_PIECE = u64(PIECES)
"""What an empty square holds; a piece is `2 * kind + colour`."""

SQUARES = 64
NO_SQUARE = u64(SQUARES)
"""Squares count a1 = 0, b1 = 1 ... h8 = 63."""

MOVE_SLOTS = 256
"""More than any position of at most 16 pieces a side has legal moves (218)."""

NO_MOVE = u64(0)
QUIET, DOUBLE_PUSH, CASTLE = u64(0), u64(1), u64(2)
CAPTURE, EN_PASSANT = u64(4), u64(5)
PROMOTION, PROMOTION_CAPTURE = u64(8), u64(12)
"""Flags of a move. A castling move goes from the king to its rook; to a promotion, 0-3 is added for
knight, bishop, rook, queen."""

PROMOTION_BIT, PROMOTED_BITS = u64(8), u64(3)
CAPTURE_BIT = u64(4)

MOVE_LIST = record(
    Field("moves", ("u2", (MOVE_SLOTS,)), "moves, in no order; how many is what the generator returned"),
    Field("scores", ("i4", (MOVE_SLOTS,)), "move ordering score of each"),
)

FLAG_SHIFT = u64(12)
"""Bits of a move below its flag: two squares."""
_ONE, _SQUARE_BITS, _SQUARE_MASK = u64(1), u64(6), u64(63)
_FILE_MASK, _RANK_SHIFT = u64(7), u64(3)


@kernel
def piece_of(kind, colour):
    """The piece of a kind and a colour."""
    return (kind << _ONE) | colour


@kernel
def kind_of(piece):
    """Kind of a piece; NO_KIND for an empty square."""
    return u64(piece) >> _ONE


@kernel
def colour_of(piece):
    """Colour of a piece; meaningless for an empty square."""
    return u64(piece) & _ONE


@kernel
def file_of(square):
    """File of a square, 0 = a."""
    return square & _FILE_MASK


@kernel
def rank_of(square):
    """Rank of a square, 0 = first."""
    return square >> _RANK_SHIFT


@kernel
def new_move(origin, target, flag):
    """The move from one square to another, of the kind its flag says."""
    return origin | (target << _SQUARE_BITS) | (flag << FLAG_SHIFT)


@kernel
def origin_of(move):
    """Square a move starts from; the king's in castling."""
    return u64(move) & _SQUARE_MASK


@kernel
def target_of(move):
    """Square a move ends on; the rook's in castling."""
    return (u64(move) >> _SQUARE_BITS) & _SQUARE_MASK


@kernel
def flag_of(move):
    """Flag of a move, which says what kind of move it is."""
    return u64(move) >> FLAG_SHIFT


@kernel
def is_capture(move):
    """Does it take something, en passant included?"""
    return (flag_of(move) & CAPTURE_BIT) != NO_MOVE


@kernel
def is_promotion(move):
    """Does a pawn become a piece?"""
    return (flag_of(move) & PROMOTION_BIT) != NO_MOVE


@kernel
def is_noisy(move):
    """Is it a capture or a promotion?"""
    return flag_of(move) >= CAPTURE


@kernel
def promoted_kind(move):
    """Kind that a promotion makes; KNIGHT for other moves."""
    return KNIGHT + (flag_of(move) & PROMOTED_BITS)
