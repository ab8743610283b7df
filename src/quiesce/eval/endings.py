"""Kernels. Endings: how much of an advantage stands, and how a bare king is driven to its mate."""

# mypy: ignore-errors

import numpy as np

from quiesce.board.attacks import king_square, pieces_of
from quiesce.board.bits import DARK_SQUARES, EMPTY, FILE_A, FILE_H, has, rest
from quiesce.board.types import BISHOP, BLACK, KING, KNIGHT, PAWN, QUEEN, ROOK, WHITE, file_of, rank_of, u64
from quiesce.eval.counting import PLACES, worth
from quiesce.eval.pawns import sign_of
from quiesce.jit import kernel, popcount

FULL_SCALE = 128
NO_WIN = 0
SCARCELY_WON = 16
"""No pawns and no more than a minor piece ahead."""
OPPOSITE_ALONE, OPPOSITE_STEP = 36, 10
"""Bishops of opposite colours and nothing else: the scale, and what each pawn of the stronger side adds."""
OPPOSITE_AMONG = 100
"""The same with more pieces on the board."""
FEW_BASE, FEW_STEP = 96, 8
"""What stands with no pawn of the stronger side, and what each pawn adds."""
EDGE, CORNER, KINGS = PLACES["mop_up_edge"], PLACES["mop_up_corner"], PLACES["mop_up_kings"]
FARTHEST = 7
MINOR_MEN, ROOK_MEN, QUEEN_MEN = 3, 5, 9
"""Pieces in units of pawns, for what can win without any."""
ALL_PIECES = 2 * (4 * MINOR_MEN + 2 * ROOK_MEN + QUEEN_MEN)
"""Pieces of both sides at the start, in these units."""
A8, H8 = u64(56), u64(63)


@kernel
def men_count(pos, side):
    """A side's pieces in units of pawns, pawns not counted."""
    own = pos.colours[side]
    minors = np.int64(popcount(own & (pos.pieces[KNIGHT] | pos.pieces[BISHOP])))
    rooks, queens = np.int64(popcount(own & pos.pieces[ROOK])), np.int64(popcount(own & pos.pieces[QUEEN]))
    return MINOR_MEN * minors + ROOK_MEN * rooks + QUEEN_MEN * queens


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
    """Are all pawns on one rook's file, the bishops unable to guard the corner, and the other king near it?"""
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
    """How much of the stronger side's advantage in the ending stands, of FULL_SCALE."""
    weak = strong ^ BLACK
    pawns = np.int64(popcount(pieces_of(pos, PAWN, strong)))
    men, other = men_count(pos, strong), men_count(pos, weak)
    if pawns == 0:
        if men < ROOK_MEN:
            return NO_WIN
        if men == 2 * MINOR_MEN and not pos.colours[strong] & ~(pos.pieces[KNIGHT] | pos.pieces[KING]):
            return NO_WIN
        if men - other <= MINOR_MEN:
            return SCARCELY_WON
    elif other == 0 and is_wrong_bishop(t, pos, strong):
        return NO_WIN
    if are_bishops_opposite(pos):
        if men == MINOR_MEN and other == MINOR_MEN:
            return min(OPPOSITE_ALONE + OPPOSITE_STEP * pawns, FULL_SCALE)
        return min(OPPOSITE_AMONG, FEW_BASE + FEW_STEP * pawns)
    return min(FULL_SCALE, FEW_BASE + FEW_STEP * pawns)


@kernel
def from_centre(square):
    """Steps of a square from the four in the middle, along files and ranks."""
    file, rank = np.int64(file_of(square)), np.int64(rank_of(square))
    return max(3 - file, file - 4) + max(3 - rank, rank - 4)


@kernel
def to_corner(pos, square, strong):
    """Diagonals between a square and the one that joins the corners the bishop cannot guard: 7 in those it can."""
    file, rank = np.int64(file_of(square)), np.int64(rank_of(square))
    is_dark = (pieces_of(pos, BISHOP, strong) & DARK_SQUARES) != EMPTY
    return abs(FARTHEST - file - rank) if is_dark else abs(file - rank)


@kernel
def needs_corner(pos, strong):
    """Has the stronger side a knight, and bishops of one colour only, so that it mates in their corner alone?"""
    bishops, own = pieces_of(pos, BISHOP, strong), pos.colours[strong]
    if own & (pos.pieces[ROOK] | pos.pieces[QUEEN]) or not own & pos.pieces[KNIGHT] or not bishops:
        return False
    return (bishops & DARK_SQUARES == EMPTY) != (bishops & ~DARK_SQUARES == EMPTY)


@kernel
def judge_bare_king(t, judge, ledger, pos):
    """Pair for driving a king that has nothing left to its mate, White's side."""
    for side in range(u64(2)):
        weak = side ^ BLACK
        if rest(pos.colours[weak]) == EMPTY and rest(pos.colours[side]) != EMPTY and not pieces_of(pos, PAWN, side):
            king, own = king_square(pos, weak), king_square(pos, side)
            pair = worth(judge, ledger, side, EDGE, np.int64(from_centre(king)))
            pair += worth(judge, ledger, side, KINGS, FARTHEST - np.int64(t.distance[king, own]))
            if needs_corner(pos, side):
                pair += worth(judge, ledger, side, CORNER, to_corner(pos, king, side))
            return sign_of(side) * pair
    return np.int64(0)
