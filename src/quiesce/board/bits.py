"""Kernels. Sets of squares as 64-bit numbers: bit 0 is a1, bit 63 is h8."""

# mypy: ignore-errors

from quiesce.board.types import WHITE, u64
from quiesce.jit import kernel

ONE = u64(1)
EMPTY = u64(0)
FULL = ~EMPTY
FILE_A = u64(0x0101010101010101)
FILE_H = FILE_A << u64(7)
RANK_1 = u64(0xFF)
RANK_8 = RANK_1 << u64(56)
RANK_3, RANK_6 = RANK_1 << u64(16), RANK_1 << u64(40)
END_RANKS = RANK_1 | RANK_8
DARK_SQUARES = u64(0xAA55AA55AA55AA55)

_RANK_STEP = u64(8)
_TOWARDS_A, _TOWARDS_H = u64(7), u64(9)


@kernel
def bit(square):
    """The set of one square."""
    return ONE << square


@kernel
def has(squares, square):
    """Is the square in the set?"""
    return (squares >> square) & ONE != EMPTY


@kernel
def rest(squares):
    """A set that is not empty, without its lowest square."""
    return squares & (squares - ONE)


@kernel
def has_several(squares):
    """Are there two squares or more in the set?"""
    return squares != EMPTY and rest(squares) != EMPTY


@kernel
def forward(squares, colour):
    """The set one rank on, as a colour's pawns walk."""
    return squares << _RANK_STEP if colour == WHITE else squares >> _RANK_STEP


@kernel
def capture_west(squares, colour):
    """Where a colour's pawns in the set capture towards the a-file."""
    inner = squares & ~FILE_A
    return inner << _TOWARDS_A if colour == WHITE else inner >> _TOWARDS_H


@kernel
def capture_east(squares, colour):
    """Where a colour's pawns in the set capture towards the h-file."""
    inner = squares & ~FILE_H
    return inner << _TOWARDS_H if colour == WHITE else inner >> _TOWARDS_A


@kernel
def home_rank(colour):
    """The rank a colour's pieces start on."""
    return RANK_1 if colour == WHITE else RANK_8
