"""Kernels. What a network sees: each man is an input, by who looks at the board and how it is turned for him."""

# mypy: ignore-errors

from quiesce.board.attacks import king_square
from quiesce.board.types import BLACK, colour_of, kind_of, u64
from quiesce.jit import kernel

KINDS, SQUARES_A_KIND = u64(6), u64(64)
RANKS_TURNED, FILES_TURNED, RIGHT_HALF = u64(56), u64(7), u64(4)
"""What turns ranks and files round, and the bit of a square that says its file is e to h."""


@kernel
def plain_view_of(side):
    """How a side sees the board: what turns its own first rank down."""
    return RANKS_TURNED if side == BLACK else u64(0)


@kernel
def view_of(pos, side):
    """How a network sees the board for a side: its own first rank below, its own king on the files a to d."""
    return plain_view_of(side) | (FILES_TURNED if king_square(pos, side) & RIGHT_HALF else u64(0))


@kernel
def input_of(side, view, piece, square):
    """The input a man is, as a side sees the board: own men first, by kind, by square."""
    return ((colour_of(piece) ^ side) * KINDS + kind_of(piece)) * SQUARES_A_KIND + (square ^ view)
