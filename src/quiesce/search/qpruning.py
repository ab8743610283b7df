"""Kernels. The questions quiescence asks: is this enough, is it too much, which moves cannot matter."""

# mypy: ignore-errors

import numpy as np

from quiesce.board.attacks import pieces_of
from quiesce.board.bits import EMPTY, END_RANKS, forward
from quiesce.board.legality import gives_check
from quiesce.board.movegen import count_legal
from quiesce.board.see import move_gain, see_reaches
from quiesce.board.types import (
    EN_PASSANT,
    KING,
    KNIGHT,
    NO_MOVE,
    PAWN,
    QUEEN,
    flag_of,
    is_noisy,
    is_promotion,
    promoted_kind,
    target_of,
    u64,
)
from quiesce.eval.evaluate import FULL_PHASE
from quiesce.jit import kernel
from quiesce.search.history import frame_of
from quiesce.search.pruning import PERCENT, has_pieces
from quiesce.search.reasons import (
    COUNT,
    EXCHANGE,
    EXCHANGE_FUTILITY,
    FUTILITY,
    QUIET_EVASION,
    TRY_IT,
    UNDERPROMOTION,
)
from quiesce.search.scores import MATE_IN_STACK, is_mate_score


@kernel
def is_over_limit(w, ply, qply):
    """Limits: has this call of quiescence gone on for too long? Never in check: no score stands for itself there."""
    if not w.params.q_search_limits or w.stack[u64(ply)].checkers:
        return False
    return qply >= w.params.q_search_max_ply or w.nodes - w.q_start > w.params.q_search_max_nodes


@kernel
def is_stalemate(w, t, ply):
    """Stalemate: is the mover out of moves, asked only where it has nothing but king and pawns?"""
    pos = w.stack[u64(ply)]
    if not w.params.q_search_stalemate or pos.checkers or has_pieces(pos):
        return False
    return count_legal(t, pos) == 0


@kernel
def blended(value, beta, share):
    """A score at or above beta, drawn towards it by some percent; mates stay what they are."""
    if is_mate_score(value) or is_mate_score(beta):
        return value
    return value - (value - beta) * share // PERCENT


@kernel
def is_about_to_promote(pos):
    """Has the mover a pawn one step from the last rank?"""
    us = u64(pos.turn)
    return (forward(pieces_of(pos, PAWN, us), us) & END_RANKS) != EMPTY


@kernel
def are_margins_void(w, pos):
    """Phase margins: is it a position in which no margin is believed?"""
    if not w.params.q_search_phase_margin:
        return False
    only_pawns = (pos.colours[0] | pos.colours[1]) == pos.pieces[PAWN] | pos.pieces[KING]
    return only_pawns or is_about_to_promote(pos)


@kernel
def widened(w, ply, margin):
    """Phase margins: a margin, wider the fewer men there are."""
    if not w.params.q_search_phase_margin:
        return margin
    phase = min(np.int64(w.evaluator.accumulators[u64(ply)].phase), FULL_PHASE)
    return margin + w.params.q_search_phase_widening * (FULL_PHASE - phase) // FULL_PHASE


@kernel
def is_node_hopeless(w, t, ply, alpha):
    """Delta: would even a queen and a margin leave the whole node at or below alpha?

    Why: then no capture needs a look. Holds: not in check, alpha no mate, no pawn about to promote.
    """
    pos = w.stack[u64(ply)]
    if not w.params.q_search_delta or pos.checkers or is_mate_score(alpha) or is_about_to_promote(pos):
        return False
    if are_margins_void(w, pos):
        return False
    margin = t.piece_values[QUEEN] + widened(w, ply, w.params.q_search_delta_margin)
    return frame_of(w, ply).static_eval + margin <= alpha


@kernel
def futile_reach(w, t, ply, move):
    """The score a capture could lead to at best: the prize and a margin added to the evaluation."""
    base = widened(w, ply, w.params.q_search_futility_base)
    return frame_of(w, ply).static_eval + move_gain(t, w.stack[u64(ply)], move) + base


@kernel
def is_prize_too_small(w, t, ply, move, alpha):
    """Futility: would the prize plus a margin still leave us at or below alpha?

    Why: refuting a capture that cannot matter costs a whole subtree.
    """
    return w.params.q_search_futility != 0 and futile_reach(w, t, ply, move) <= alpha


@kernel
def is_exchange_too_small(w, t, ply, move, alpha):
    """Exchange futility: does the exchange bring less than what is missing to alpha?"""
    if not w.params.q_search_exchange_futility:
        return False
    missing = alpha - frame_of(w, ply).static_eval - widened(w, ply, w.params.q_search_exchange_base)
    return missing > 0 and not see_reaches(t, w.stack[u64(ply)], move, missing)


@kernel
def loses_material(w, t, ply, move):
    """SEE: does the exchange a move starts lose more than is allowed? The table move has proved itself."""
    if not w.params.q_search_see or move == frame_of(w, ply).table_move:
        return False
    return not see_reaches(t, w.stack[u64(ply)], move, -w.params.q_search_see_floor)


@kernel
def is_recapture(w, ply, move):
    """Does it take back where the other side just moved?"""
    before = frame_of(w, ply - 1).move
    return before != NO_MOVE and target_of(u64(before)) == target_of(move)


@kernel
def is_count_full(w, ply, move, number):
    """Move count: have enough moves been tried, and is this no recapture?"""
    if not w.params.q_search_move_count or number < w.params.q_search_move_count_most:
        return False
    return not is_recapture(w, ply, move)


@kernel
def is_idle_evasion(w, move, best):
    """Evasions: is it a quiet one, while another is known not to lose by force?"""
    return w.params.q_search_evasions != 0 and not is_noisy(move) and best > -MATE_IN_STACK


@kernel
def is_minor_promotion(w, move):
    """Underpromotions: is it one to rook or bishop, and are those switched off?"""
    if w.params.q_search_underpromotions or not is_promotion(move):
        return False
    kind = promoted_kind(move)
    return kind != QUEEN and kind != KNIGHT


@kernel
def may_be_left_out(t, pos, move, alpha):
    """May margins and counts judge this move? Never promotions, en passant, checks, nor near mates."""
    if is_promotion(move) or flag_of(move) == EN_PASSANT or is_mate_score(alpha):
        return False
    return not gives_check(t, pos, move)


@kernel
def why_skip(w, t, ply, move, number, alpha, best):
    """Reason to leave a move out, TRY_IT if there is none; `number` is how many were tried before."""
    pos = w.stack[u64(ply)]
    if pos.checkers:
        return QUIET_EVASION if is_idle_evasion(w, move, best) else TRY_IT
    if is_minor_promotion(w, move):
        return UNDERPROMOTION
    if is_noisy(move):
        small = is_prize_too_small(w, t, ply, move, alpha) and not are_margins_void(w, pos)
        if (small or is_count_full(w, ply, move, number)) and may_be_left_out(t, pos, move, alpha):
            return FUTILITY if small else COUNT
        if is_exchange_too_small(w, t, ply, move, alpha) and not are_margins_void(w, pos):
            if may_be_left_out(t, pos, move, alpha):
                return EXCHANGE_FUTILITY
    return EXCHANGE if loses_material(w, t, ply, move) else TRY_IT


@kernel
def best_after_skip(w, t, ply, move, reason, alpha, best):
    """The best score once a move was left out: by futility it might have come as far as that says, but not to alpha."""
    if reason == FUTILITY:
        return max(best, min(futile_reach(w, t, ply, move), alpha))
    return best
