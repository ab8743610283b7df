"""Kernels. Threats: pieces attacked by lesser pieces, not defended, or soon attacked by a pawn; and space."""

# mypy: ignore-errors

import numpy as np

from quiesce.board.attacks import occupied_squares, pieces_of
from quiesce.board.bits import EMPTY, RANK_3, RANK_6, forward
from quiesce.board.types import BISHOP, BLACK, KING, KNIGHT, PAWN, ROOK, WHITE, u64
from quiesce.eval.pawns import pawn_attacks_of
from quiesce.eval.sides import sign_of
from quiesce.eval.termscore import TERM_INDEX, term_score
from quiesce.jit import kernel, popcount

BY_PAWN, BY_MINOR, BY_ROOK = TERM_INDEX["threat_by_pawn"], TERM_INDEX["threat_by_minor"], TERM_INDEX["threat_by_rook"]
BY_KING, HANGING, BY_PUSH = TERM_INDEX["threat_by_king"], TERM_INDEX["hanging"], TERM_INDEX["threat_by_push"]
SPACE = TERM_INDEX["space"]
WHITE_SPACE, BLACK_SPACE = u64(0x000000003C3C3C00), u64(0x003C3C3C00000000)
"""Files c to f on ranks two to four of each side."""
SPACE_PIECES = 8
"""Pieces other than pawns with which space counts in full."""


@kernel
def count_by_kind(evaluator, trace, pos, side, targets, term, first):
    """Score of targets, one weight for each kind from `first` on."""
    score = np.int64(0)
    for kind in range(first, KING):
        score += term_score(
            evaluator, trace, side, term + np.int64(kind), np.int64(popcount(targets & pos.pieces[kind]))
        )
    return score


@kernel
def safe_pushes(evaluator, pos, side):
    """Squares that a side's pawns can push to without being lost."""
    attacks, them = evaluator.attacks, side ^ BLACK
    empty = ~occupied_squares(pos)
    one = forward(pieces_of(pos, PAWN, side), side) & empty
    two = forward(one & (RANK_3 if side == WHITE else RANK_6), side) & empty
    unsafe = attacks.by_kind[them, PAWN] | (attacks.by_any[them] & ~attacks.by_any[side])
    return (one | two) & ~unsafe


@kernel
def evaluate_side_threats(evaluator, trace, pos, side):
    """Score of what a side threatens."""
    attacks, them = evaluator.attacks, side ^ BLACK
    enemy, pawns = pos.colours[them] & ~pos.pieces[KING], attacks.by_kind[side, PAWN]
    firm = attacks.by_kind[them, PAWN] | (attacks.by_two[them] & ~attacks.by_two[side])
    weak = enemy & ~firm & attacks.by_any[side]
    score = count_by_kind(evaluator, trace, pos, side, enemy & pawns, BY_PAWN, KNIGHT)
    minors = attacks.by_kind[side, KNIGHT] | attacks.by_kind[side, BISHOP]
    score += count_by_kind(evaluator, trace, pos, side, minors & (weak | (enemy & ~pos.pieces[PAWN])), BY_MINOR, PAWN)
    if weak:
        score += count_by_kind(evaluator, trace, pos, side, weak & attacks.by_kind[side, ROOK], BY_ROOK, PAWN)
        score += term_score(evaluator, trace, side, BY_KING, np.int64(weak & attacks.by_kind[side, KING] != EMPTY))
        score += term_score(evaluator, trace, side, HANGING, np.int64(popcount(weak & ~attacks.by_any[them])))
    pushed = pawn_attacks_of(safe_pushes(evaluator, pos, side), side) & enemy & ~pos.pieces[PAWN] & ~pawns
    return score + term_score(evaluator, trace, side, BY_PUSH, np.int64(popcount(pushed)))


@kernel
def evaluate_space(evaluator, trace, pos, side):
    """Score of a side's space in the centre."""
    zone = WHITE_SPACE if side == WHITE else BLACK_SPACE
    own = pieces_of(pos, PAWN, side)
    free = zone & ~own & ~evaluator.attacks.by_kind[side ^ BLACK, PAWN]
    behind = forward(own, side ^ BLACK)
    behind |= forward(behind, side ^ BLACK)
    squares = popcount(free) + popcount(free & behind & ~evaluator.attacks.by_any[side ^ BLACK])
    pieces = popcount(pos.colours[side] & ~pos.pieces[PAWN])
    return term_score(evaluator, trace, side, SPACE, np.int64(squares * pieces) // SPACE_PIECES)


@kernel
def evaluate_threats(evaluator, trace, pos):
    """Score of threats and space, White's side."""
    score = np.int64(0)
    for side in range(u64(2)):
        own = evaluate_side_threats(evaluator, trace, pos, side) + evaluate_space(evaluator, trace, pos, side)
        score += sign_of(side) * own
    return score
