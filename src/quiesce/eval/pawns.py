"""Kernels. Pawns: their structure, kept in a hash table, and passed pawns."""

# mypy: ignore-errors

import numpy as np

from quiesce.board.attacks import king_square, occupied_squares, pieces_of
from quiesce.board.bits import EMPTY, FILE_A, bit, capture_east, capture_west, has, rest
from quiesce.board.types import BLACK, KING, PAWN, ROOK, WHITE, file_of, u64
from quiesce.eval.evaluator import PAWN_SLOTS
from quiesce.eval.sides import LAST_RANK, relative_rank, sign_of
from quiesce.eval.termscore import TERM_INDEX, term_score
from quiesce.jit import kernel, lsb, popcount

DOUBLED, ISOLATED, BACKWARD = TERM_INDEX["doubled"], TERM_INDEX["isolated"], TERM_INDEX["backward"]
PHALANX, SUPPORTED, CANDIDATE = TERM_INDEX["phalanx"], TERM_INDEX["supported"], TERM_INDEX["candidate"]
PASSED, BLOCKED, SAFE, FREE = (TERM_INDEX[name] for name in ("passed", "passed_blocked", "passed_safe", "passed_free"))
OWN_KING, ENEMY_KING = TERM_INDEX["passed_own_king"], TERM_INDEX["passed_enemy_king"]
ROOK_BEHIND, ROOK_AGAINST = TERM_INDEX["passed_rook_behind"], TERM_INDEX["passed_rook_against"]
UNSTOPPABLE = TERM_INDEX["unstoppable"]
FAR_RANK = 2
"""The kings' distances to a passed pawn count from this rank on, more with each rank."""
_SLOT_MASK = u64(PAWN_SLOTS - 1)


@kernel
def next_square(side, square):
    """The square in front of a pawn."""
    return square + u64(8) if side == WHITE else square - u64(8)


@kernel
def beside(square):
    """The squares left and right of a square."""
    own = bit(square)
    return ((own & ~FILE_A) >> u64(1)) | ((own << u64(1)) & ~FILE_A)


@kernel
def pawn_attacks_of(pawns, side):
    """Squares that a set of pawns attacks."""
    return capture_west(pawns, side) | capture_east(pawns, side)


@kernel
def is_backward(t, own, enemy, side, square):
    """Is the next square of this pawn attacked by an enemy pawn, and can no neighbour ever defend it?"""
    them, step = side ^ BLACK, next_square(side, square)
    return (t.flanks[them, step] & own) == EMPTY and (t.pawns[side, step] & enemy) != EMPTY


@kernel
def is_candidate(t, own, enemy, side, square):
    """Can it become a passed pawn: no pawn ahead on its file, and at least as many helpers as guards?"""
    if t.front[side, square] & enemy:
        return False
    guards = popcount(t.flanks[side, square] & enemy)
    return guards <= popcount(t.flanks[side ^ BLACK, next_square(side, square)] & own)


@kernel
def evaluate_pawn(t, evaluator, trace, entry, own, enemy, side, square):
    """Score of one pawn's place in the structure; a passed pawn is added to the entry."""
    rank = relative_rank(side, square)
    opposed = np.int64((t.front[side, square] & enemy) != EMPTY)
    neighbours = (t.flanks[side, square] | t.flanks[side ^ BLACK, square] | beside(square)) & own
    supporters = popcount(t.pawns[side ^ BLACK, square] & own)
    score = np.int64(0)
    if t.front[side, square] & own:
        score += term_score(evaluator, trace, side, DOUBLED, 1)
    if not neighbours:
        score += term_score(evaluator, trace, side, ISOLATED + opposed, 1)
    elif is_backward(t, own, enemy, side, square):
        score += term_score(evaluator, trace, side, BACKWARD + opposed, 1)
    if supporters:
        score += term_score(evaluator, trace, side, SUPPORTED + rank, np.int64(supporters))
    if beside(square) & own:
        score += term_score(evaluator, trace, side, PHALANX + rank, 1)
    if not ((t.front[side, square] | t.flanks[side, square]) & enemy) and not (t.front[side, square] & own):
        entry.passed[side] |= bit(square)
        score += term_score(evaluator, trace, side, PASSED + rank, 1)
    elif is_candidate(t, own, enemy, side, square):
        score += term_score(evaluator, trace, side, CANDIDATE + rank, 1)
    return score


@kernel
def evaluate_pawns(t, evaluator, trace, pos, entry):
    """Compute an entry of the pawn table."""
    entry.key = pos.pawn_key
    entry.kings = EMPTY
    entry.score = 0
    for side in range(u64(2)):
        own, enemy = pieces_of(pos, PAWN, side), pieces_of(pos, PAWN, side ^ BLACK)
        entry.passed[side] = EMPTY
        entry.reach[side] = pawn_attacks_of(own, side)
        left = own
        while left:
            square = lsb(left)
            left = rest(left)
            entry.reach[side] |= t.flanks[side, square]
            entry.score += sign_of(side) * evaluate_pawn(t, evaluator, trace, entry, own, enemy, side, square)


@kernel
def pawn_entry(t, evaluator, trace, pos):
    """Entry of the pawn table for this structure; with a trace it is always computed anew."""
    entry = evaluator.pawn_table[pos.pawn_key & _SLOT_MASK]
    if trace is not None:
        evaluate_pawns(t, evaluator, trace, pos, entry)
    elif entry.key != pos.pawn_key:
        evaluate_pawns(t, evaluator, None, pos, entry)
    return entry


@kernel
def is_unstoppable(t, pos, side, square):
    """Can a lone enemy king (pawns aside) no longer catch a pawn with a free path?"""
    them = side ^ BLACK
    if pos.colours[them] != pieces_of(pos, PAWN, them) | pieces_of(pos, KING, them):
        return False
    if t.front[side, square] & occupied_squares(pos):
        return False
    goal = file_of(square) + (u64(56) if side == WHITE else EMPTY)
    steps = min(LAST_RANK - relative_rank(side, square), 5)
    late = np.int64(t.distance[king_square(pos, them), goal]) - np.int64(u64(pos.turn) == them)
    return late > steps


@kernel
def evaluate_passed_pawn(t, evaluator, trace, pos, side, square):
    """Score of one passed pawn by what surrounds it."""
    them, rank, step = side ^ BLACK, relative_rank(side, square), next_square(side, square)
    occupied, attacked = occupied_squares(pos), evaluator.attacks.by_any[them]
    score = np.int64(0)
    if has(occupied, step):
        score += term_score(evaluator, trace, side, BLOCKED + rank, 1)
    elif not has(attacked, step):
        score += term_score(evaluator, trace, side, SAFE + rank, 1)
        if not t.front[side, square] & (occupied | attacked):
            score += term_score(evaluator, trace, side, FREE + rank, 1)
    if rank > FAR_RANK:
        own = np.int64(t.distance[king_square(pos, side), step]) * (rank - FAR_RANK)
        other = np.int64(t.distance[king_square(pos, them), step]) * (rank - FAR_RANK)
        score += term_score(evaluator, trace, side, OWN_KING, own) + term_score(
            evaluator, trace, side, ENEMY_KING, other
        )
    behind = t.front[them, square] & pos.pieces[ROOK]
    if behind & pos.colours[side]:
        score += term_score(evaluator, trace, side, ROOK_BEHIND, 1)
    if behind & pos.colours[them]:
        score += term_score(evaluator, trace, side, ROOK_AGAINST, 1)
    if is_unstoppable(t, pos, side, square):
        score += term_score(evaluator, trace, side, UNSTOPPABLE, 1)
    return score


@kernel
def evaluate_passed(t, evaluator, trace, pos, entry):
    """Score of all passed pawns by what surrounds them, White's side."""
    score = np.int64(0)
    for side in range(u64(2)):
        left = entry.passed[side]
        while left:
            square = lsb(left)
            left = rest(left)
            score += sign_of(side) * evaluate_passed_pawn(t, evaluator, trace, pos, side, square)
    return score
