"""Kernels. Kings: shelter, pawn storms, and the danger from pieces."""

# mypy: ignore-errors

import numpy as np

from quiesce.board.attacks import bishop_attacks, king_square, occupied_squares, pieces_of, rook_attacks
from quiesce.board.bits import EMPTY, FILE_A, FULL
from quiesce.board.types import BISHOP, BLACK, KING, KNIGHT, PAWN, QUEEN, ROOK, WHITE, file_of, u64
from quiesce.eval.packedscore import mg_value, packed_eg
from quiesce.eval.sides import relative_rank, sign_of
from quiesce.eval.termscore import TERM_INDEX, term_score
from quiesce.jit import kernel, lsb, msb, popcount

SHELTER, STORM = TERM_INDEX["shelter"], TERM_INDEX["storm"]
DANGER_BASE, DANGER_WEAK, DANGER_CHECKS = (
    TERM_INDEX["danger_base"],
    TERM_INDEX["danger_weak"],
    TERM_INDEX["danger_checks"],
)
DANGER_NO_QUEEN, DANGER_SHELTER = TERM_INDEX["danger_no_queen"], TERM_INDEX["danger_shelter"]
DANGER_ATTACKERS = TERM_INDEX["danger_attackers"]
DANGER_SQUARED, DANGER_ENDING = 720, 20
"""Danger costs units squared over the first in the middlegame, and units over the second in the endgame."""
RANK_COUNT = 8
INNER_LOW, INNER_HIGH = 1, 6
KINGS_MARK = u64(1 << 16)
_BYTE, _RANK_BITS = u64(8), u64(56)


@kernel
def nearest_rank(side, pawns):
    """Rank, as `side` counts, of the pawn of a file set nearest to that side's home; 0 if there is none."""
    if not pawns:
        return np.int64(0)
    return relative_rank(side, lsb(pawns) if side == WHITE else msb(pawns))


@kernel
def ranks_from(side, square):
    """All squares level with a square or ahead of it."""
    back = square & _RANK_BITS
    return FULL << back if side == WHITE else FULL >> (_RANK_BITS - back)


@kernel
def evaluate_shelter(evaluator, trace, pos, side):
    """Score of the pawns before a side's king: its own, and those that storm it."""
    king = king_square(pos, side)
    ahead = ranks_from(side, king)
    own, enemy = pieces_of(pos, PAWN, side) & ahead, pieces_of(pos, PAWN, side ^ BLACK) & ahead
    centre = min(max(np.int64(file_of(king)), INNER_LOW), INNER_HIGH)
    score = np.int64(0)
    for file in range(centre - 1, centre + 2):
        squares = FILE_A << u64(file)
        shield, attack = nearest_rank(side, own & squares), nearest_rank(side, enemy & squares)
        where = RANK_COUNT if file != np.int64(file_of(king)) else 0
        score += term_score(evaluator, trace, side, SHELTER + where + shield, 1)
        if attack:
            blocked = RANK_COUNT if shield != 0 and shield == attack - 1 else 0
            score += term_score(evaluator, trace, side, STORM + blocked + attack, 1)
    return score


@kernel
def evaluate_shelters(evaluator, trace, pos, entry):
    """Score of both shelters, White's side; kept in the pawn table until a king moves."""
    kings = KINGS_MARK | king_square(pos, WHITE) | (king_square(pos, BLACK) << _BYTE)
    if entry.kings != kings:
        white, black = evaluate_shelter(evaluator, trace, pos, WHITE), evaluate_shelter(evaluator, trace, pos, BLACK)
        entry.kings = kings
        entry.shelter = white - black
    return entry.shelter


@kernel
def check_units(t, evaluator, trace, pos, side, safe):
    """Units of danger from safe checks: one weight for each kind of piece that has one."""
    attacks, them, king = evaluator.attacks, side ^ BLACK, king_square(pos, side)
    through = occupied_squares(pos) ^ pieces_of(pos, QUEEN, side)
    slant, straight = bishop_attacks(t, king, through) & safe, rook_attacks(t, king, through) & safe
    knight = t.knights[king] & safe & attacks.by_kind[them, KNIGHT]
    bishop, rook = slant & attacks.by_kind[them, BISHOP], straight & attacks.by_kind[them, ROOK]
    queen = (slant | straight) & attacks.by_kind[them, QUEEN]
    units = term_score(evaluator, trace, side, DANGER_CHECKS, np.int64(knight != EMPTY))
    units += term_score(evaluator, trace, side, DANGER_CHECKS + 1, np.int64(bishop != EMPTY))
    units += term_score(evaluator, trace, side, DANGER_CHECKS + 2, np.int64(rook != EMPTY))
    return units + term_score(evaluator, trace, side, DANGER_CHECKS + 3, np.int64(queen != EMPTY))


@kernel
def danger_units(t, evaluator, trace, pos, side):
    """Units of danger to a side's king; needs the attacks of every piece."""
    attacks, them = evaluator.attacks, side ^ BLACK
    own = attacks.by_any[side]
    thin = ~own | attacks.by_kind[side, KING] | attacks.by_kind[side, QUEEN]
    weak = attacks.by_any[them] & ~attacks.by_two[side] & thin
    safe = ~pos.colours[them] & (~own | (weak & attacks.by_two[them]))
    guards = attacks.king_ring[side] & pos.colours[side] & (pos.pieces[PAWN] | pos.pieces[KNIGHT] | pos.pieces[BISHOP])
    units = attacks.danger[side] + term_score(evaluator, trace, side, DANGER_BASE, 1)
    units += term_score(evaluator, trace, side, DANGER_WEAK, np.int64(popcount(weak & attacks.king_ring[side])))
    units += term_score(evaluator, trace, side, DANGER_SHELTER, np.int64(popcount(guards)))
    units += term_score(evaluator, trace, side, DANGER_NO_QUEEN, np.int64(pieces_of(pos, QUEEN, them) == EMPTY))
    units += check_units(t, evaluator, trace, pos, side, safe)
    return mg_value(units)


@kernel
def is_attack(evaluator, pos, side):
    """Do enough pieces attack a side's king ring: two, or one if there is a queen?"""
    has_queen = pieces_of(pos, QUEEN, side ^ BLACK) != EMPTY
    return evaluator.attacks.king_attackers[side] >= 2 - np.int64(has_queen)


@kernel
def clear_attacker_counts(trace, side):
    """Clear the trace's counts of attackers, where too few attack."""
    for index in range(DANGER_ATTACKERS, DANGER_WEAK):
        trace.counts[side, u64(index)] = 0


@kernel
def evaluate_danger(t, evaluator, trace, pos):
    """Score of the danger to both kings, White's side."""
    score = np.int64(0)
    for side in range(u64(2)):
        units = np.int64(0)
        if is_attack(evaluator, pos, side):
            units = max(np.int64(0), danger_units(t, evaluator, trace, pos, side))
        elif trace is not None:
            clear_attacker_counts(trace, side)
        if trace is not None:
            trace.danger[side] = units
        score -= sign_of(side) * (units * units // DANGER_SQUARED + packed_eg(units // DANGER_ENDING))
    return score
