"""Kernels. Pawns: their structure, remembered from one position to the next, and passed pawns."""

# mypy: ignore-errors

import numpy as np

from quiesce.board.attacks import king_square, occupied_squares, pieces_of
from quiesce.board.bits import EMPTY, FILE_A, bit, capture_east, capture_west, has, rest
from quiesce.board.types import BLACK, KING, PAWN, ROOK, WHITE, file_of, rank_of, u64
from quiesce.eval.counting import PLACES, worth
from quiesce.eval.judge import PAWN_SLOTS
from quiesce.jit import kernel, lsb, popcount

DOUBLED, ISOLATED, BACKWARD = PLACES["doubled"], PLACES["isolated"], PLACES["backward"]
PHALANX, SUPPORTED, CANDIDATE = PLACES["phalanx"], PLACES["supported"], PLACES["candidate"]
PASSED, BLOCKED, SAFE, FREE = (PLACES[name] for name in ("passed", "passed_blocked", "passed_safe", "passed_free"))
OWN_KING, ENEMY_KING = PLACES["passed_own_king"], PLACES["passed_enemy_king"]
ROOK_BEHIND, ROOK_AGAINST = PLACES["passed_rook_behind"], PLACES["passed_rook_against"]
UNSTOPPABLE = PLACES["unstoppable"]
FAR_RANK = 2
"""Ranks from here on count, one by one, for how much the kings' nearness to a passed pawn matters."""
LAST_RANK = 7
_SLOT_MASK = u64(PAWN_SLOTS - 1)


@kernel
def sign_of(side):
    """Plus one for White, minus one for Black."""
    return 1 - 2 * np.int64(side)


@kernel
def rank_for(side, square):
    """Rank of a square as a side counts it, 0 = its first."""
    return np.int64(rank_of(square)) if side == WHITE else LAST_RANK - np.int64(rank_of(square))


@kernel
def next_square(side, square):
    """The square before a pawn."""
    return square + u64(8) if side == WHITE else square - u64(8)


@kernel
def beside(square):
    """Squares left and right of a square."""
    own = bit(square)
    return ((own & ~FILE_A) >> u64(1)) | ((own << u64(1)) & ~FILE_A)


@kernel
def pawn_attacks_of(pawns, side):
    """Squares a set of pawns attacks."""
    return capture_west(pawns, side) | capture_east(pawns, side)


@kernel
def is_backward(t, own, enemy, side, square):
    """Can no neighbour ever support this pawn's step, which an enemy pawn watches?"""
    them, step = side ^ BLACK, next_square(side, square)
    return (t.flanks[them, step] & own) == EMPTY and (t.pawns[side, step] & enemy) != EMPTY


@kernel
def is_candidate(t, own, enemy, side, square):
    """Can it come to pass: no pawn ahead on its file, and as many helpers as there are guards?"""
    if t.front[side, square] & enemy:
        return False
    guards = popcount(t.flanks[side, square] & enemy)
    return guards <= popcount(t.flanks[side ^ BLACK, next_square(side, square)] & own)


@kernel
def one_pawn(t, judge, ledger, entry, own, enemy, side, square):
    """Pair of one pawn's place in the structure; a passed one is noted."""
    rank = rank_for(side, square)
    opposed = np.int64((t.front[side, square] & enemy) != EMPTY)
    neighbours = (t.flanks[side, square] | t.flanks[side ^ BLACK, square] | beside(square)) & own
    supporters = popcount(t.pawns[side ^ BLACK, square] & own)
    pair = np.int64(0)
    if t.front[side, square] & own:
        pair += worth(judge, ledger, side, DOUBLED, 1)
    if not neighbours:
        pair += worth(judge, ledger, side, ISOLATED + opposed, 1)
    elif is_backward(t, own, enemy, side, square):
        pair += worth(judge, ledger, side, BACKWARD + opposed, 1)
    if supporters:
        pair += worth(judge, ledger, side, SUPPORTED + rank, np.int64(supporters))
    if beside(square) & own:
        pair += worth(judge, ledger, side, PHALANX + rank, 1)
    if not ((t.front[side, square] | t.flanks[side, square]) & enemy) and not (t.front[side, square] & own):
        entry.passed[side] |= bit(square)
        pair += worth(judge, ledger, side, PASSED + rank, 1)
    elif is_candidate(t, own, enemy, side, square):
        pair += worth(judge, ledger, side, CANDIDATE + rank, 1)
    return pair


@kernel
def judge_pawns(t, judge, ledger, pos, entry):
    """Fill a slot of the pawn table from scratch."""
    entry.key = pos.pawn_key
    entry.kings = EMPTY
    entry.pair = 0
    for side in range(u64(2)):
        own, enemy = pieces_of(pos, PAWN, side), pieces_of(pos, PAWN, side ^ BLACK)
        entry.passed[side] = EMPTY
        entry.reach[side] = pawn_attacks_of(own, side)
        left = own
        while left:
            square = lsb(left)
            left = rest(left)
            entry.reach[side] |= t.flanks[side, square]
            entry.pair += sign_of(side) * one_pawn(t, judge, ledger, entry, own, enemy, side, square)


@kernel
def pawn_entry(t, judge, ledger, pos):
    """The slot of the pawn table that holds this structure; with a ledger it is filled anew."""
    entry = judge.pawn_table[pos.pawn_key & _SLOT_MASK]
    if ledger is not None:
        judge_pawns(t, judge, ledger, pos, entry)
    elif entry.key != pos.pawn_key:
        judge_pawns(t, judge, None, pos, entry)
    return entry


@kernel
def is_unstoppable(t, pos, side, square):
    """Does a free pawn run home before the other king, all that is left there but pawns, can catch it?"""
    them = side ^ BLACK
    if pos.colours[them] != pieces_of(pos, PAWN, them) | pieces_of(pos, KING, them):
        return False
    if t.front[side, square] & occupied_squares(pos):
        return False
    goal = file_of(square) + (u64(56) if side == WHITE else EMPTY)
    steps = min(LAST_RANK - rank_for(side, square), 5)
    late = np.int64(t.distance[king_square(pos, them), goal]) - np.int64(u64(pos.turn) == them)
    return late > steps


@kernel
def one_passed(t, judge, ledger, pos, side, square):
    """Pair of what surrounds one passed pawn."""
    them, rank, step = side ^ BLACK, rank_for(side, square), next_square(side, square)
    occupied, attacked = occupied_squares(pos), judge.sight.all_attacks[them]
    pair = np.int64(0)
    if has(occupied, step):
        pair += worth(judge, ledger, side, BLOCKED + rank, 1)
    elif not has(attacked, step):
        pair += worth(judge, ledger, side, SAFE + rank, 1)
        if not t.front[side, square] & (occupied | attacked):
            pair += worth(judge, ledger, side, FREE + rank, 1)
    if rank > FAR_RANK:
        own = np.int64(t.distance[king_square(pos, side), step]) * (rank - FAR_RANK)
        other = np.int64(t.distance[king_square(pos, them), step]) * (rank - FAR_RANK)
        pair += worth(judge, ledger, side, OWN_KING, own) + worth(judge, ledger, side, ENEMY_KING, other)
    behind = t.front[them, square] & pos.pieces[ROOK]
    if behind & pos.colours[side]:
        pair += worth(judge, ledger, side, ROOK_BEHIND, 1)
    if behind & pos.colours[them]:
        pair += worth(judge, ledger, side, ROOK_AGAINST, 1)
    if is_unstoppable(t, pos, side, square):
        pair += worth(judge, ledger, side, UNSTOPPABLE, 1)
    return pair


@kernel
def judge_passed(t, judge, ledger, pos, entry):
    """Pair of all passed pawns' surroundings, White's side."""
    pair = np.int64(0)
    for side in range(u64(2)):
        left = entry.passed[side]
        while left:
            square = lsb(left)
            left = rest(left)
            pair += sign_of(side) * one_passed(t, judge, ledger, pos, side, square)
    return pair
