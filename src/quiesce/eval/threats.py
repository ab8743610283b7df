"""Kernels. Threats: what is attacked by less, attacked and not defended, or about to be; and space."""

# mypy: ignore-errors

import numpy as np

from quiesce.board.attacks import occupied_squares, pieces_of
from quiesce.board.bits import EMPTY, RANK_3, RANK_6, forward
from quiesce.board.types import BISHOP, BLACK, KING, KNIGHT, PAWN, ROOK, WHITE, u64
from quiesce.eval.counting import PLACES, worth
from quiesce.eval.pawns import pawn_attacks_of, sign_of
from quiesce.jit import kernel, popcount

BY_PAWN, BY_MINOR, BY_ROOK = PLACES["threat_by_pawn"], PLACES["threat_by_minor"], PLACES["threat_by_rook"]
BY_KING, HANGING, BY_PUSH = PLACES["threat_by_king"], PLACES["hanging"], PLACES["threat_by_push"]
SPACE = PLACES["space"]
WHITE_SPACE, BLACK_SPACE = u64(0x000000003C3C3C00), u64(0x003C3C3C00000000)
"""Files c to f on ranks two to four of each side."""
SPACE_MEN = 8
"""Pieces of a side with which space counts in full."""


@kernel
def count_by_kind(judge, ledger, pos, side, targets, term, first):
    """Pair of targets by their kind, from a kind on."""
    pair = np.int64(0)
    for kind in range(first, KING):
        pair += worth(judge, ledger, side, term + np.int64(kind), np.int64(popcount(targets & pos.pieces[kind])))
    return pair


@kernel
def safe_pushes(judge, pos, side):
    """Squares a side's pawns can step to without being lost at once."""
    sight, them = judge.sight, side ^ BLACK
    empty = ~occupied_squares(pos)
    one = forward(pieces_of(pos, PAWN, side), side) & empty
    two = forward(one & (RANK_3 if side == WHITE else RANK_6), side) & empty
    unsafe = sight.by_kind[them, PAWN] | (sight.all_attacks[them] & ~sight.all_attacks[side])
    return (one | two) & ~unsafe


@kernel
def judge_side_threats(judge, ledger, pos, side):
    """Pair of what a side threatens."""
    sight, them = judge.sight, side ^ BLACK
    enemy, pawns = pos.colours[them] & ~pos.pieces[KING], sight.by_kind[side, PAWN]
    firm = sight.by_kind[them, PAWN] | (sight.twice[them] & ~sight.twice[side])
    weak = enemy & ~firm & sight.all_attacks[side]
    pair = count_by_kind(judge, ledger, pos, side, enemy & pawns, BY_PAWN, KNIGHT)
    minors = sight.by_kind[side, KNIGHT] | sight.by_kind[side, BISHOP]
    pair += count_by_kind(judge, ledger, pos, side, minors & (weak | (enemy & ~pos.pieces[PAWN])), BY_MINOR, PAWN)
    if weak:
        pair += count_by_kind(judge, ledger, pos, side, weak & sight.by_kind[side, ROOK], BY_ROOK, PAWN)
        pair += worth(judge, ledger, side, BY_KING, np.int64(weak & sight.by_kind[side, KING] != EMPTY))
        pair += worth(judge, ledger, side, HANGING, np.int64(popcount(weak & ~sight.all_attacks[them])))
    pushed = pawn_attacks_of(safe_pushes(judge, pos, side), side) & enemy & ~pos.pieces[PAWN] & ~pawns
    return pair + worth(judge, ledger, side, BY_PUSH, np.int64(popcount(pushed)))


@kernel
def judge_space(judge, ledger, pos, side):
    """Pair of a side's room in the centre."""
    zone = WHITE_SPACE if side == WHITE else BLACK_SPACE
    own = pieces_of(pos, PAWN, side)
    free = zone & ~own & ~judge.sight.by_kind[side ^ BLACK, PAWN]
    behind = forward(own, side ^ BLACK)
    behind |= forward(behind, side ^ BLACK)
    squares = popcount(free) + popcount(free & behind & ~judge.sight.all_attacks[side ^ BLACK])
    men = popcount(pos.colours[side] & ~pos.pieces[PAWN])
    return worth(judge, ledger, side, SPACE, np.int64(squares * men) // SPACE_MEN)


@kernel
def judge_threats(judge, ledger, pos):
    """Pair of threats and space, White's side."""
    pair = np.int64(0)
    for side in range(u64(2)):
        own = judge_side_threats(judge, ledger, pos, side) + judge_space(judge, ledger, pos, side)
        pair += sign_of(side) * own
    return pair
