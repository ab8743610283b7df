"""Kernels. Kings: the pawns before them, the pawns that come at them, and the danger from pieces."""

# mypy: ignore-errors

import numpy as np

from quiesce.board.attacks import bishop_attacks, king_square, occupied_squares, pieces_of, rook_attacks
from quiesce.board.bits import EMPTY, FILE_A, FULL
from quiesce.board.types import BISHOP, BLACK, KING, KNIGHT, PAWN, QUEEN, ROOK, WHITE, file_of, u64
from quiesce.eval.counting import PLACES, worth
from quiesce.eval.pairs import middle_of, only_ending
from quiesce.eval.pawns import rank_for, sign_of
from quiesce.jit import kernel, lsb, msb, popcount

SHELTER, STORM = PLACES["shelter"], PLACES["storm"]
DANGER_BASE, DANGER_WEAK, DANGER_CHECKS = PLACES["danger_base"], PLACES["danger_weak"], PLACES["danger_checks"]
DANGER_NO_QUEEN, DANGER_SHELTER = PLACES["danger_no_queen"], PLACES["danger_shelter"]
DANGER_ATTACKERS = PLACES["danger_attackers"]
DANGER_SQUARED, DANGER_ENDING = 720, 20
"""Units of danger cost their square divided by the one in the middlegame, and divided by the other in the ending."""
RANK_COUNT = 8
INNER_LOW, INNER_HIGH = 1, 6
KINGS_MARK = u64(1 << 16)
_BYTE, _RANK_BITS = u64(8), u64(56)


@kernel
def nearest_rank(side, pawns):
    """Rank, as `side` counts, of the pawn of a file set nearest to that side's home; 0 if there is none."""
    if not pawns:
        return np.int64(0)
    return rank_for(side, lsb(pawns) if side == WHITE else msb(pawns))


@kernel
def ranks_from(side, square):
    """All squares level with a square or ahead of it."""
    back = square & _RANK_BITS
    return FULL << back if side == WHITE else FULL >> (_RANK_BITS - back)


@kernel
def judge_shelter(judge, ledger, pos, side):
    """Pair of the pawns before a side's king: its own and those that storm it."""
    king = king_square(pos, side)
    ahead = ranks_from(side, king)
    own, enemy = pieces_of(pos, PAWN, side) & ahead, pieces_of(pos, PAWN, side ^ BLACK) & ahead
    centre = min(max(np.int64(file_of(king)), INNER_LOW), INNER_HIGH)
    pair = np.int64(0)
    for file in range(centre - 1, centre + 2):
        squares = FILE_A << u64(file)
        shield, attack = nearest_rank(side, own & squares), nearest_rank(side, enemy & squares)
        where = RANK_COUNT if file != np.int64(file_of(king)) else 0
        pair += worth(judge, ledger, side, SHELTER + where + shield, 1)
        if attack:
            blocked = RANK_COUNT if shield != 0 and shield == attack - 1 else 0
            pair += worth(judge, ledger, side, STORM + blocked + attack, 1)
    return pair


@kernel
def judge_shelters(judge, ledger, pos, entry):
    """Pair of both shelters, White's side; remembered with the pawns as long as the kings stay."""
    kings = KINGS_MARK | king_square(pos, WHITE) | (king_square(pos, BLACK) << _BYTE)
    if entry.kings != kings:
        white, black = judge_shelter(judge, ledger, pos, WHITE), judge_shelter(judge, ledger, pos, BLACK)
        entry.kings = kings
        entry.shelter = white - black
    return entry.shelter


@kernel
def check_units(t, judge, ledger, pos, side, safe):
    """Units of the checks the other side has at hand: kinds of pieces that could safely go where they check."""
    sight, them, king = judge.sight, side ^ BLACK, king_square(pos, side)
    through = occupied_squares(pos) ^ pieces_of(pos, QUEEN, side)
    slant, straight = bishop_attacks(t, king, through) & safe, rook_attacks(t, king, through) & safe
    knight = t.knights[king] & safe & sight.by_kind[them, KNIGHT]
    bishop, rook = slant & sight.by_kind[them, BISHOP], straight & sight.by_kind[them, ROOK]
    queen = (slant | straight) & sight.by_kind[them, QUEEN]
    units = worth(judge, ledger, side, DANGER_CHECKS, np.int64(knight != EMPTY))
    units += worth(judge, ledger, side, DANGER_CHECKS + 1, np.int64(bishop != EMPTY))
    units += worth(judge, ledger, side, DANGER_CHECKS + 2, np.int64(rook != EMPTY))
    return units + worth(judge, ledger, side, DANGER_CHECKS + 3, np.int64(queen != EMPTY))


@kernel
def danger_units(t, judge, ledger, pos, side):
    """Units of danger to a side's king, once every piece has been looked at."""
    sight, them = judge.sight, side ^ BLACK
    own = sight.all_attacks[side]
    thin = ~own | sight.by_kind[side, KING] | sight.by_kind[side, QUEEN]
    weak = sight.all_attacks[them] & ~sight.twice[side] & thin
    safe = ~pos.colours[them] & (~own | (weak & sight.twice[them]))
    guards = sight.ring[side] & pos.colours[side] & (pos.pieces[PAWN] | pos.pieces[KNIGHT] | pos.pieces[BISHOP])
    units = sight.danger[side] + worth(judge, ledger, side, DANGER_BASE, 1)
    units += worth(judge, ledger, side, DANGER_WEAK, np.int64(popcount(weak & sight.ring[side])))
    units += worth(judge, ledger, side, DANGER_SHELTER, np.int64(popcount(guards)))
    units += worth(judge, ledger, side, DANGER_NO_QUEEN, np.int64(pieces_of(pos, QUEEN, them) == EMPTY))
    units += check_units(t, judge, ledger, pos, side, safe)
    return middle_of(units)


@kernel
def is_attack(judge, pos, side):
    """Do enough men attack a side's king? One alone is no attack, unless there is a queen."""
    has_queen = pieces_of(pos, QUEEN, side ^ BLACK) != EMPTY
    return judge.sight.attackers[side] >= 2 - np.int64(has_queen)


@kernel
def forget_attackers(ledger, side):
    """Take out of the ledger what was counted towards an attack that is none."""
    for index in range(DANGER_ATTACKERS, DANGER_WEAK):
        ledger.counts[side, u64(index)] = 0


@kernel
def judge_danger(t, judge, ledger, pos):
    """Pair of the danger to both kings, White's side."""
    pair = np.int64(0)
    for side in range(u64(2)):
        units = np.int64(0)
        if is_attack(judge, pos, side):
            units = max(np.int64(0), danger_units(t, judge, ledger, pos, side))
        elif ledger is not None:
            forget_attackers(ledger, side)
        if ledger is not None:
            ledger.danger[side] = units
        pair -= sign_of(side) * (units * units // DANGER_SQUARED + only_ending(units // DANGER_ENDING))
    return pair
