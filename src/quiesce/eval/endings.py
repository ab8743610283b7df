"""Kernels. Endings: how much of an endgame advantage counts, and how a bare king is driven to its mate."""

# mypy: ignore-errors

import numpy as np

from quiesce.board.attacks import king_square, pieces_of
from quiesce.board.bits import DARK_SQUARES, EMPTY, FILE_A, FILE_H, has, rest
from quiesce.board.types import BISHOP, BLACK, KING, KNIGHT, PAWN, QUEEN, ROOK, WHITE, file_of, rank_of, u64
from quiesce.eval.sides import sign_of
from quiesce.eval.termscore import TERM_INDEX, term_score
from quiesce.jit import kernel, popcount

FULL_SCALE = 128
NO_WIN = 0
SCARCELY_WON = 16
"""Scale without pawns, no more than a minor piece ahead."""
OPPOSITE_ALONE, OPPOSITE_STEP = 36, 10
"""Bishops of opposite colours and nothing else: the scale, and what each pawn of the stronger side adds."""
OPPOSITE_AMONG = 100
"""The same with more pieces on the board."""
FEW_BASE, FEW_STEP = 96, 8
"""The scale with no pawn of the stronger side, and what each pawn adds."""
EDGE, CORNER, KINGS = TERM_INDEX["mop_up_edge"], TERM_INDEX["mop_up_corner"], TERM_INDEX["mop_up_kings"]
FARTHEST = 7
MINOR_VALUE, ROOK_VALUE, QUEEN_VALUE = 3, 5, 9
"""Pieces in units of pawns."""
FULL_NON_PAWN_MATERIAL = 2 * (4 * MINOR_VALUE + 2 * ROOK_VALUE + QUEEN_VALUE)
"""Non-pawn material of both sides at the start."""
A8, H8 = u64(56), u64(63)


@kernel
def non_pawn_material(pos, side):
    """A side's non-pawn material in units of pawns."""
    own = pos.colours[side]
    minors = np.int64(popcount(own & (pos.pieces[KNIGHT] | pos.pieces[BISHOP])))
    rooks, queens = np.int64(popcount(own & pos.pieces[ROOK])), np.int64(popcount(own & pos.pieces[QUEEN]))
    return MINOR_VALUE * minors + ROOK_VALUE * rooks + QUEEN_VALUE * queens


@kernel
def has_non_pawn_material(pos):
    """Has the mover more than king and pawns? Without, a null move may well be best (zugzwang)."""
    us = u64(pos.turn)
    return pos.colours[us] != pieces_of(pos, PAWN, us) | pieces_of(pos, KING, us)


@kernel
def are_bishops_opposite(pos):
    """Has each side one bishop, on different colours?"""
    bishops = pos.pieces[BISHOP]
    white, black = bishops & pos.colours[0], bishops & pos.colours[1]
    if white == EMPTY or black == EMPTY or rest(white) or rest(black):
        return False
    return ((white & DARK_SQUARES) == EMPTY) != ((black & DARK_SQUARES) == EMPTY)


@kernel
def is_wrong_bishop(t, pos, strong):
    """Are all pawns on one rook file, is the bishop of the wrong colour for its corner, and the other king near it?"""
    pawns, own = pieces_of(pos, PAWN, strong), pos.colours[strong]
    if own & (pos.pieces[KNIGHT] | pos.pieces[ROOK] | pos.pieces[QUEEN]):
        return False
    if pawns & ~FILE_A and pawns & ~FILE_H:
        return False
    corner = (A8 if pawns & FILE_A else H8) ^ (EMPTY if strong == WHITE else A8)
    bishops = own & pos.pieces[BISHOP]
    if bishops & (DARK_SQUARES if has(DARK_SQUARES, corner) else ~DARK_SQUARES):
        return False
    king = king_square(pos, strong ^ BLACK)
    return bishops != EMPTY and t.distance[king, corner] <= u64(1)


@kernel
def ending_scale(t, pos, strong):
    """How much of the stronger side's endgame score counts, of FULL_SCALE."""
    weak = strong ^ BLACK
    pawns = np.int64(popcount(pieces_of(pos, PAWN, strong)))
    material, other = non_pawn_material(pos, strong), non_pawn_material(pos, weak)
    if pawns == 0:
        if material < ROOK_VALUE:
            return NO_WIN
        if material == 2 * MINOR_VALUE and not pos.colours[strong] & ~(pos.pieces[KNIGHT] | pos.pieces[KING]):
            return NO_WIN
        if material - other <= MINOR_VALUE:
            return SCARCELY_WON
    elif other == 0 and is_wrong_bishop(t, pos, strong):
        return NO_WIN
    if are_bishops_opposite(pos):
        if material == MINOR_VALUE and other == MINOR_VALUE:
            return min(OPPOSITE_ALONE + OPPOSITE_STEP * pawns, FULL_SCALE)
        return min(OPPOSITE_AMONG, FEW_BASE + FEW_STEP * pawns)
    return min(FULL_SCALE, FEW_BASE + FEW_STEP * pawns)


@kernel
def from_centre(square):
    """Steps of a square from the centre, along files and ranks."""
    file, rank = np.int64(file_of(square)), np.int64(rank_of(square))
    return max(3 - file, file - 4) + max(3 - rank, rank - 4)


@kernel
def to_corner(pos, square, strong):
    """Diagonals between a square and the bishop's other long diagonal: 7 in the corners of its colour."""
    file, rank = np.int64(file_of(square)), np.int64(rank_of(square))
    is_dark = (pieces_of(pos, BISHOP, strong) & DARK_SQUARES) != EMPTY
    return abs(FARTHEST - file - rank) if is_dark else abs(file - rank)


@kernel
def needs_corner(pos, strong):
    """Has the stronger side knight and bishops of one colour, so that it mates only in a corner of that colour?"""
    bishops, own = pieces_of(pos, BISHOP, strong), pos.colours[strong]
    if own & (pos.pieces[ROOK] | pos.pieces[QUEEN]) or not own & pos.pieces[KNIGHT] or not bishops:
        return False
    return (bishops & DARK_SQUARES == EMPTY) != (bishops & ~DARK_SQUARES == EMPTY)


@kernel
def evaluate_bare_king(t, evaluator, trace, pos):
    """Score for driving a bare king to its mate, White's side."""
    for side in range(u64(2)):
        weak = side ^ BLACK
        if rest(pos.colours[weak]) == EMPTY and rest(pos.colours[side]) != EMPTY and not pieces_of(pos, PAWN, side):
            king, own = king_square(pos, weak), king_square(pos, side)
            score = term_score(evaluator, trace, side, EDGE, np.int64(from_centre(king)))
            score += term_score(evaluator, trace, side, KINGS, FARTHEST - np.int64(t.distance[king, own]))
            if needs_corner(pos, side):
                score += term_score(evaluator, trace, side, CORNER, to_corner(pos, king, side))
            return sign_of(side) * score
    return np.int64(0)
