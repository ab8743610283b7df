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
from quiesce.eval.endings import has_non_pawn_material
from quiesce.eval.evaluate import FULL_PHASE
from quiesce.jit import kernel
from quiesce.search.frame import frame_of
from quiesce.search.reasons import REASON_INDEX, TRY_IT
from quiesce.search.scores import MATE_IN_STACK, is_mate_score
from quiesce.search.settings import PERCENT

COUNT = REASON_INDEX["count"]
EXCHANGE = REASON_INDEX["exchange"]
EXCHANGE_FUTILITY = REASON_INDEX["exchange_futility"]
FUTILITY = REASON_INDEX["futility"]
QUIET_EVASION = REASON_INDEX["quiet_evasion"]
UNDERPROMOTION = REASON_INDEX["underpromotion"]


@kernel
def is_q_limit_reached(w, ply, qply):
    """Has this call of quiescence searched too many plies or nodes?

    Why: a few positions have captures without end.
    Holds: not in check, where there is no stand pat.
    Worth: QSearchLimits not measured: on for correctness.
    Test: tests/search/test_qpruning.py::test_is_q_limit_reached
    """
    if not w.params.q_search_limits or w.stack[u64(ply)].checkers:
        return False
    return qply >= w.params.q_search_max_ply or w.nodes - w.q_start > w.params.q_search_max_nodes


@kernel
def is_stalemate(w, t, ply):
    """Is the mover stalemated? Asked only where it has nothing but king and pawns.

    Why: quiescence generates no quiet moves, so it would stand pat in a draw.
    Worth: QSearchStalemate -0.9 ± 1.8 Elo at 5,000 nodes (undecided); on for correctness.
    Test: tests/search/test_qpruning.py::test_is_stalemate
    """
    pos = w.stack[u64(ply)]
    if not w.params.q_search_stalemate or pos.checkers or has_non_pawn_material(pos):
        return False
    return count_legal(t, pos) == 0


@kernel
def blended_with_beta(value, beta, share):
    """A score at or above beta, moved towards beta by some percent; mates stay what they are."""
    if is_mate_score(value) or is_mate_score(beta):
        return value
    return value - (value - beta) * share // PERCENT


@kernel
def blended_stand_pat(w, score, beta):
    """A stand pat at or above beta, moved towards beta.

    Why: the evaluation is a guess, so that a cutoff by it says less than a searched score.
    Worth: QSearchStandPatBlend -7.2 ± 10.3 Elo at 5,000 nodes (undecided); off by default.
    Test: tests/search/test_qsearch.py::test_every_switch_does_something
    """
    if not w.params.q_search_stand_pat_blend:
        return score
    return blended_with_beta(score, beta, w.params.q_search_stand_pat_share)


@kernel
def blended_fail_high(w, score, beta):
    """The score of a move that cuts, moved towards beta.

    Why: the other side had more choice than was searched.
    Worth: QSearchFailHighBlend -0.4 ± 10.0 Elo at 5,000 nodes (undecided).
    Test: tests/search/test_qsearch.py::test_every_switch_does_something
    """
    if not w.params.q_search_fail_high_blend:
        return score
    return blended_with_beta(score, beta, w.params.q_search_fail_high_share)


@kernel
def is_about_to_promote(pos):
    """Has the mover a pawn one step from the last rank?"""
    us = u64(pos.turn)
    return (forward(pieces_of(pos, PAWN, us), us) & END_RANKS) != EMPTY


@kernel
def are_margins_off(w, pos):
    """Is it a position in which margins do not hold: pawns alone, or a pawn about to promote?"""
    if not w.params.q_search_phase_margin:
        return False
    only_pawns = (pos.colours[0] | pos.colours[1]) == pos.pieces[PAWN] | pos.pieces[KING]
    return only_pawns or is_about_to_promote(pos)


@kernel
def phase_margin(w, ply, margin):
    """A margin in points, wider the fewer pieces there are.

    Why: with few pieces the evaluation changes more with each capture.
    Worth: QSearchPhaseMargin -1.2 ± 10.2 Elo at 5,000 nodes (undecided).
    Test: tests/search/test_qpruning.py::test_phase_margins
    """
    if not w.params.q_search_phase_margin:
        return margin
    phase = min(np.int64(w.evaluator.accumulators[u64(ply)].phase), FULL_PHASE)
    return margin + w.params.q_search_phase_widening * (FULL_PHASE - phase) // FULL_PHASE


@kernel
def q_delta_prunes(w, t, ply, alpha):
    """Would even winning a queen and a margin leave the whole node at or below alpha (delta pruning)?

    Why: then no capture needs a look.
    Holds: not in check, alpha no mate, no pawn about to promote.
    Worth: QSearchDelta -1.9 ± 7.2 Elo at 5,000 nodes (undecided); it saves time.
    Test: tests/search/test_qpruning.py::test_q_delta_prunes
    """
    pos = w.stack[u64(ply)]
    if not w.params.q_search_delta or pos.checkers or is_mate_score(alpha) or is_about_to_promote(pos):
        return False
    if are_margins_off(w, pos):
        return False
    margin = t.piece_values[QUEEN] + phase_margin(w, ply, w.params.q_search_delta_margin)
    return frame_of(w, ply).static_eval + margin <= alpha


@kernel
def futility_value(w, t, ply, move):
    """Best score that a capture could lead to: the evaluation, what it wins, and a margin."""
    base = phase_margin(w, ply, w.params.q_search_futility_base)
    return frame_of(w, ply).static_eval + move_gain(t, w.stack[u64(ply)], move) + base


@kernel
def q_futility_prunes(w, t, ply, move, alpha):
    """Would what a capture wins, plus a margin, still leave the score at or below alpha?

    Why: searching a capture that cannot matter costs a whole subtree.
    Holds: no promotion, no check, alpha no mate.
    Worth: QSearchFutility +6.2 ± 12.8 Elo at 5,000 nodes (undecided).
    Test: tests/search/test_qpruning.py::test_skip_reason
    """
    return w.params.q_search_futility != 0 and futility_value(w, t, ply, move) <= alpha


@kernel
def q_exchange_futility_prunes(w, t, ply, move, alpha):
    """Would the exchange that a capture starts, plus a margin, still leave the score at or below alpha?

    Why: what the exchange wins is known without a search.
    Holds: no promotion, no check, alpha no mate.
    Worth: QSearchExchangeFutility +8.3 ± 11.0 Elo at 5,000 nodes (undecided).
    Test: tests/search/test_qpruning.py::test_skip_reason
    """
    if not w.params.q_search_exchange_futility:
        return False
    missing = alpha - frame_of(w, ply).static_eval - phase_margin(w, ply, w.params.q_search_exchange_base)
    return missing > 0 and not see_reaches(t, w.stack[u64(ply)], move, missing)


@kernel
def q_see_prunes(w, t, ply, move):
    """Does the exchange that a move starts lose more material than is allowed? The table's move is never pruned.

    Why: a capture that loses material rarely raises alpha, and standing pat is free.
    Worth: QSearchSEE +66.1 ± 12.9 Elo at 5,000 nodes.
    Test: tests/search/test_qpruning.py::test_skip_reason
    """
    if not w.params.q_search_see or move == frame_of(w, ply).tt_move:
        return False
    return not see_reaches(t, w.stack[u64(ply)], move, -w.params.q_search_see_floor)


@kernel
def is_recapture(w, ply, move):
    """Does it capture on the square that the opponent just moved to?"""
    before = frame_of(w, ply - 1).move
    return before != NO_MOVE and target_of(u64(before)) == target_of(move)


@kernel
def q_move_count_prunes(w, ply, move, number):
    """Have enough moves been tried, and is this one no recapture?

    Why: with good move ordering the later captures rarely matter.
    Worth: QSearchMoveCount -0.5 ± 8.4 Elo at 5,000 nodes (undecided); it saves time.
    Test: tests/search/test_qpruning.py::test_move_count
    """
    if not w.params.q_search_move_count or number < w.params.q_search_move_count_most:
        return False
    return not is_recapture(w, ply, move)


@kernel
def is_prunable_evasion(w, move, best):
    """Is it a quiet evasion, where another evasion is known not to be mated?

    Why: quiet evasions make trees of checks that hardly change the score.
    Worth: QSearchEvasions +3.7 ± 9.1 Elo at 5,000 nodes (undecided); it saves time.
    Test: tests/search/test_qpruning.py::test_evasions
    """
    return w.params.q_search_evasions != 0 and not is_noisy(move) and best > -MATE_IN_STACK


@kernel
def is_underpromotion_off(w, move):
    """Is it a promotion to rook or bishop, and are those switched off?

    Why: they matter only against stalemate.
    Worth: QSearchUnderpromotions +2.1 ± 8.0 Elo at 5,000 nodes (undecided); on for correctness.
    Test: tests/search/test_qpruning.py::test_skip_reason
    """
    if w.params.q_search_underpromotions or not is_promotion(move):
        return False
    kind = promoted_kind(move)
    return kind != QUEEN and kind != KNIGHT


@kernel
def is_prunable(t, pos, move, alpha):
    """May margins and counts prune this move? Never promotions, en passant, checks, nor near mates."""
    if is_promotion(move) or flag_of(move) == EN_PASSANT or is_mate_score(alpha):
        return False
    return not gives_check(t, pos, move)


@kernel
def skip_reason(w, t, ply, move, number, alpha, best):
    """Reason to skip a move, TRY_IT if there is none; `number` is how many were tried before."""
    pos = w.stack[u64(ply)]
    if pos.checkers:
        return QUIET_EVASION if is_prunable_evasion(w, move, best) else TRY_IT
    if is_underpromotion_off(w, move):
        return UNDERPROMOTION
    if is_noisy(move):
        small = q_futility_prunes(w, t, ply, move, alpha) and not are_margins_off(w, pos)
        if (small or q_move_count_prunes(w, ply, move, number)) and is_prunable(t, pos, move, alpha):
            return FUTILITY if small else COUNT
        if q_exchange_futility_prunes(w, t, ply, move, alpha) and not are_margins_off(w, pos):
            if is_prunable(t, pos, move, alpha):
                return EXCHANGE_FUTILITY
    return EXCHANGE if q_see_prunes(w, t, ply, move) else TRY_IT


@kernel
def best_after_skip(w, t, ply, move, reason, alpha, best):
    """Best score after a move was skipped: futility bounds what it could have scored, up to alpha."""
    if reason == FUTILITY:
        return max(best, min(futility_value(w, t, ply, move), alpha))
    return best
