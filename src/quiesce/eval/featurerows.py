"""Kernels. The features of many positions at once, for arrays of rows (`board/rows.py`)."""

# mypy: ignore-errors

from quiesce.board.attacks import king_square, occupied_squares
from quiesce.board.bits import ONE, rest
from quiesce.board.rows import GOOD_ROW, MOST_PIECES, ROW, SHEET, unpack_row
from quiesce.board.tables import TABLES
from quiesce.board.types import BLACK, u64
from quiesce.eval.features import FEATURES, FILE_FLIP, RIGHT_HALF, SQUARES
from quiesce.jit import Many, entry, kernel, lsb

A_SIDE, A_PIECE = u64(FEATURES), u64(SQUARES)
FLIPPED_FILES, RIGHT_FILES = u64(FILE_FLIP), u64(RIGHT_HALF)


@kernel
def feature_at(feature_index, perspective, pos, square):
    """Feature of the piece on a square, before it is mirrored; `feature_index` is FEATURE_INDEX in one row."""
    return u64(feature_index[perspective * A_SIDE + u64(pos.board[square]) * A_PIECE + square])


@kernel
def mirror_flip(pos, perspective):
    """What mirrors the features of a perspective: the own king is seen on the files a to d."""
    return FLIPPED_FILES if king_square(pos, perspective) & RIGHT_FILES else u64(0)


@entry(
    TABLES,
    SHEET,
    Many(ROW, is_read=True),
    Many("u1"),
    "i8",
    "i8",
    Many("u2", is_read=True),
    Many("i2"),
    Many("i2"),
    lazy=True,
)
def list_features(t, sheet, rows, bad, first, end, feature_index, mover, other):
    """Features of the side to move and of the other side: MOST_PIECES places a row, those left over not touched."""
    for index in range(u64(first), u64(end)):
        pos = sheet.pos
        bad[index] = unpack_row(t, rows[index], pos)
        if bad[index] == GOOD_ROW:
            at, squares, us = u64(MOST_PIECES) * index, occupied_squares(pos), u64(pos.turn)
            our_flip, other_flip = mirror_flip(pos, us), mirror_flip(pos, us ^ BLACK)
            while squares:
                square = lsb(squares)
                mover[at] = feature_at(feature_index, us, pos, square) ^ our_flip
                other[at] = feature_at(feature_index, us ^ BLACK, pos, square) ^ other_flip
                squares = rest(squares)
                at += ONE


@entry(TABLES, SHEET, Many(ROW, is_read=True), Many("u1"), "i8", "i8", Many("u2", is_read=True), Many("u1"), lazy=True)
def list_planes(t, sheet, rows, bad, first, end, feature_index, planes):
    """Twelve boards a row, a byte a square: own pieces by kind, then the enemy's, as the side to move sees them."""
    for index in range(u64(first), u64(end)):
        pos = sheet.pos
        bad[index] = unpack_row(t, rows[index], pos)
        if bad[index] == GOOD_ROW:
            start, squares = A_SIDE * index, occupied_squares(pos)
            while squares:
                planes[start + feature_at(feature_index, u64(pos.turn), pos, lsb(squares))] = 1
                squares = rest(squares)
