"""Kernels. Quiescence: search noisy moves until the position is quiet."""

# mypy: ignore-errors

import numpy as np

from quiesce.board.legality import is_legal
from quiesce.board.tables import TABLES
from quiesce.board.types import NO_MOVE, is_noisy, u64
from quiesce.jit import DEBUG, entry, kernel
from quiesce.search.frame import frame_of
from quiesce.search.history import cut_bonus, update_capture_history
from quiesce.search.invariants import assert_node, assert_result
from quiesce.search.node import (
    bound_decides,
    end_of_stack,
    enter,
    evaluate_node,
    is_draw,
    is_fifty_move_rule_near,
    lowered_beta,
    play,
    raised_alpha,
    refined,
    tt_score_within_50_moves,
    update_pv,
)
from quiesce.search.picker import NOISY_AND_CHECKS, NOISY_ONLY, TRY_QUIET, next_move, start_picker
from quiesce.search.qpruning import (
    best_after_skip,
    blended_fail_high,
    blended_stand_pat,
    is_q_limit_reached,
    is_stalemate,
    q_delta_prunes,
    skip_reason,
)
from quiesce.search.reasons import REASON_INDEX, TRY_IT
from quiesce.search.scores import DRAW, INFINITE, NO_SCORE, mated_in
from quiesce.search.trace import leave_quiet_node, open_quiet_node, trace_skip, trace_stand_pat
from quiesce.search.tt import BOUND_EXACT, BOUND_LOWER, BOUND_NONE, BOUND_UPPER, NOT_PV, TABLE, probe, store
from quiesce.search.worker import MAX_PLY, WORKER

ALL_TRIED = REASON_INDEX["all_tried"]
BETA_CUT = REASON_INDEX["beta_cut"]
DELTA_NODE = REASON_INDEX["delta_node"]
DRAWN_HERE = REASON_INDEX["draw"]
LIMIT = REASON_INDEX["limit"]
MATED_HERE = REASON_INDEX["mated"]
REPETITION = REASON_INDEX["repetition"]
STACK_END = REASON_INDEX["stack_end"]
STALEMATE = REASON_INDEX["stalemate"]
STAND_PAT = REASON_INDEX["stand_pat"]
STOPPED_HERE = REASON_INDEX["stopped"]
TABLE_CUT = REASON_INDEX["table_cut"]

Q_DEPTH = 0
"""Depth under which quiescence keeps its results; never enough for the main search."""
Q_BONUS_DEPTH = 1
"""Depth a cut in quiescence counts as in the capture history."""


@kernel
def probe_qsearch(w, t, tt, ply):
    """The table's entry, if quiescence may use it: move, score, evaluation, bound.

    The move is one that may be tried here: legal, and noisy unless we are in check.

    Why: the same position is reached by many orders of captures.
    Worth: QSearchTT +46.4 ± 12.5 Elo at 5,000 nodes.
    Test: tests/search/test_qsearch.py::test_every_switch_does_something
    """
    if not w.params.q_search_tt:
        return NO_MOVE, NO_SCORE, NO_SCORE, BOUND_NONE
    pos = w.stack[u64(ply)]
    move, score, evaluation, _depth, bound, _was_pv = probe(tt, pos.key, ply)
    score = tt_score_within_50_moves(w, pos, score, ply)
    w.q_probes += 1
    w.q_hits += bound != BOUND_NONE
    if move != NO_MOVE and not ((is_noisy(move) or pos.checkers) and is_legal(t, pos, move)):
        move = NO_MOVE
    return move, score, evaluation, bound


@kernel
def q_tt_cuts(w, ply, beta, is_pv, score, bound):
    """Does the table's score decide this window? Any depth will do, but not on the PV, where lines are wanted."""
    if is_pv or bound == BOUND_NONE or not bound_decides(bound, score, beta):
        return False
    return not is_fifty_move_rule_near(w, w.stack[u64(ply)])


@kernel
def stand_pat(w, t, ply, evaluation, score, bound):
    """Score of standing pat, refined by the table's score; -INFINITE in check, where standing pat is not allowed.

    Why: captures are optional, and a score from a search knows more than an evaluation.
    Worth: QSearchRefine +6.1 ± 12.4 Elo at 5,000 nodes (undecided).
    Test: tests/search/test_qsearch.py::test_every_switch_does_something
    """
    evaluate_node(w, t, ply, evaluation)
    if w.stack[u64(ply)].checkers:
        w.evasion_nodes += 1
        return np.int64(-INFINITE)
    static = np.int64(frame_of(w, ply).static_eval)
    value = np.int64(refined(static, score, bound)) if w.params.q_search_refine else static
    w.q_refined += value != static
    trace_stand_pat(w, ply, value)
    return value


@kernel
def store_qsearch(w, tt, ply, move, best, alpha, beta, is_pv):
    """Store the result of quiescence; `alpha` is the one it began with.

    Why: a score inside the window is exact, and may cut anywhere.
    Worth: QSearchExactBounds -1.6 ± 10.1 Elo at 5,000 nodes (undecided).
    Test: tests/search/test_qsearch.py::test_lines_do_not_spoil_the_table
    """
    if w.params.q_search_tt:
        exact = is_pv and best > alpha and w.params.q_search_exact_bounds
        bound = BOUND_LOWER if best >= beta else (BOUND_EXACT if exact else BOUND_UPPER)
        if bound == BOUND_UPPER and best > alpha:
            return
        raw = frame_of(w, ply).raw_eval
        w.q_stores += 1
        w.collisions += store(tt, w.stack[u64(ply)].key, ply, move, best, raw, Q_DEPTH, bound, is_pv)


@kernel
def store_eval(w, tt, ply, evaluation):
    """Store the evaluation of a position that the table does not know.

    Why: the next visit need not evaluate again.
    Worth: QSearchStoreEval 0.0 ± 0.0 Elo at 5,000 nodes (the same games); off by default, for it is 2 % slower.
    Test: tests/search/test_qsearch.py::test_evaluations_are_stored_on_a_miss
    """
    frame = frame_of(w, ply)
    if w.params.q_search_tt and w.params.q_search_store_eval and evaluation == NO_SCORE and frame.raw_eval != NO_SCORE:
        key = w.stack[u64(ply)].key
        w.collisions += store(tt, key, ply, NO_MOVE, DRAW, frame.raw_eval, Q_DEPTH, BOUND_NONE, NOT_PV)


@kernel
def q_picker_mode(w, qply):
    """Which moves are tried at this ply of quiescence, out of check.

    Why: a quiet check may win what no capture does.
    Worth: QSearchChecks +13.1 ± 10.3 Elo at 5,000 nodes.
    Test: tests/search/test_qsearch.py::test_every_switch_does_something
    """
    return NOISY_AND_CHECKS if w.params.q_search_checks and qply < w.params.q_search_check_plies else NOISY_ONLY


@kernel
def update_q_cut(w, ply, move, number):
    """Count a beta cutoff, and update the capture history.

    Why: captures that cut in quiescence are likely good in the main search.
    Worth: QSearchCaptureHistory +5.0 ± 12.3 Elo at 5,000 nodes (undecided); off by default.
    Test: tests/search/test_qsearch.py::test_every_switch_does_something
    """
    w.q_first_cuts += number == 1
    if w.params.q_search_capture_history and is_noisy(move):
        update_capture_history(w, ply, move, cut_bonus(Q_BONUS_DEPTH))


@entry(WORKER, TABLES, TABLE, "i8", "i8", "i8", "i8")
def qsearch(w, t, tt, ply, alpha, beta, qply):  # noqa: C901, PLR0912, PLR0915  (the search is one list of steps)
    """Score of the position once quiet: fail-soft, points from the mover's side; `qply` counts plies below its root.

    With every technique off it equals the plain quiescence in tests/oracles/plainsearch.py.
    """
    open_quiet_node(w, ply, alpha, beta, qply)
    if enter(w, ply):  # 1. stop, draw, end of the stack, certain bounds
        return leave_quiet_node(w, ply, qply, STOPPED_HERE, np.int64(DRAW))
    if is_draw(w, t, ply):
        return leave_quiet_node(w, ply, qply, DRAWN_HERE, np.int64(DRAW))
    if ply >= MAX_PLY:
        return leave_quiet_node(w, ply, qply, STACK_END, np.int64(end_of_stack(w, t, ply)))
    alpha, beta = np.int64(raised_alpha(w, t, ply, alpha)), np.int64(lowered_beta(w, ply, beta))
    if alpha >= beta:
        return leave_quiet_node(w, ply, qply, REPETITION, alpha)
    if DEBUG:
        assert_node(w, ply, alpha, beta)
    pos, is_pv, first_alpha = w.stack[u64(ply)], beta - alpha > 1, alpha
    known, score, evaluation, bound = probe_qsearch(w, t, tt, ply)  # 2. known already?
    if q_tt_cuts(w, ply, beta, is_pv, score, bound):
        return leave_quiet_node(w, ply, qply, TABLE_CUT, np.int64(score))
    if is_stalemate(w, t, ply):
        return leave_quiet_node(w, ply, qply, STALEMATE, np.int64(DRAW))
    best = stand_pat(w, t, ply, evaluation, score, bound)  # 3. enough as it stands, or beyond help?
    if best >= beta:
        best = np.int64(blended_stand_pat(w, best, beta))
        store_qsearch(w, tt, ply, NO_MOVE, best, first_alpha, beta, is_pv)
        return leave_quiet_node(w, ply, qply, STAND_PAT, best)
    store_eval(w, tt, ply, evaluation)
    if is_q_limit_reached(w, ply, qply):
        return leave_quiet_node(w, ply, qply, LIMIT, best)
    if q_delta_prunes(w, t, ply, alpha):
        return leave_quiet_node(w, ply, qply, DELTA_NODE, best)
    standing, alpha = best, max(alpha, best)
    best_move, number = NO_MOVE, np.int64(0)
    start_picker(w, ply, known, q_picker_mode(w, qply))  # 4. noisy moves, quiet checks or evasions
    while True:
        move = next_move(w, t, ply, TRY_QUIET)
        if move == NO_MOVE:
            break
        reason = skip_reason(w, t, ply, move, number, alpha, best)  # 5. what cannot matter
        if reason != TRY_IT:
            trace_skip(w, ply, move, reason)
            best = np.int64(best_after_skip(w, t, ply, move, reason, alpha, best))
            continue
        number += 1
        w.quiet_checks += pos.checkers == 0 and not is_noisy(move)
        play(w, t, tt, ply, move)
        value = -qsearch(w, t, tt, ply + 1, -beta, -alpha, qply + 1)
        if w.stop[0] != 0:  # what a stopped search says is not kept
            return leave_quiet_node(w, ply, qply, STOPPED_HERE, np.int64(DRAW))
        if value > best:  # 6. better, or good enough to stop
            best = value
            if value > alpha:
                best_move, alpha = move, value
                update_pv(w, ply, move)
                if alpha >= beta:
                    break
    if best == -INFINITE:  # 7. in check and nothing legal
        return leave_quiet_node(w, ply, qply, MATED_HERE, np.int64(mated_in(ply)))
    if best >= beta:
        update_q_cut(w, ply, best_move, number)
        best = np.int64(blended_fail_high(w, best, beta))
    if DEBUG:
        assert_result(w, ply, best, min(standing, best) if best >= beta else standing)
    store_qsearch(w, tt, ply, best_move, best, first_alpha, beta, is_pv)  # 8. remember
    return leave_quiet_node(w, ply, qply, BETA_CUT if best >= beta else ALL_TRIED, best)
