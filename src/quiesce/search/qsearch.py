"""Kernels. Quiescence: search noisy moves until the position is quiet."""

# mypy: ignore-errors

import numpy as np

from quiesce.board.legality import is_legal
from quiesce.board.tables import TABLES
from quiesce.board.types import NO_MOVE, is_noisy, u64
from quiesce.jit import DEBUG, entry, kernel
from quiesce.search.history import cut_bonus, frame_of, note_noisy
from quiesce.search.invariants import assert_node, assert_result
from quiesce.search.node import (
    believed,
    clipped_alpha,
    clipped_beta,
    does_bound_hold,
    end_of_stack,
    enter,
    evaluate_node,
    is_clock_high,
    is_draw,
    note_line,
    play,
    refined,
)
from quiesce.search.picker import NOISY_AND_CHECKS, NOISY_ONLY, TRY_QUIET, next_move, start_picker
from quiesce.search.qpruning import (
    best_after_skip,
    blended,
    is_node_hopeless,
    is_over_limit,
    is_stalemate,
    why_skip,
)
from quiesce.search.reasons import (
    ALL_TRIED,
    BETA_CUT,
    DELTA_NODE,
    DRAWN_HERE,
    LIMIT,
    MATED_HERE,
    REPETITION,
    STACK_END,
    STALEMATE,
    STAND_PAT,
    STOPPED_HERE,
    TABLE_CUT,
    TRY_IT,
)
from quiesce.search.scores import DRAW, INFINITE, NO_SCORE, mated_in
from quiesce.search.trace import leave_quiet_node, note_skip, note_stand_pat, open_quiet_node
from quiesce.search.tt import BOUND_EXACT, BOUND_LOWER, BOUND_NONE, BOUND_UPPER, NOT_PV, TABLE, probe, store
from quiesce.search.worker import MAX_PLY, WORKER

Q_DEPTH = 0
"""Depth under which quiescence keeps its results; never enough for the main search."""
Q_BONUS_DEPTH = 1
"""Depth a cut in quiescence counts as in the capture history."""


@kernel
def probe_quiet(w, t, tt, ply):
    """What the table knows, if quiescence may ask it: move, score, evaluation, bound.

    The move is one that may be tried here: legal, and noisy unless we are in check.
    """
    if not w.params.q_search_tt:
        return NO_MOVE, NO_SCORE, NO_SCORE, BOUND_NONE
    pos = w.stack[u64(ply)]
    move, score, evaluation, _depth, bound, _was_pv = probe(tt, pos.key, ply)
    score = believed(w, pos, score, ply)
    w.q_probes += 1
    w.q_hits += bound != BOUND_NONE
    if move != NO_MOVE and not ((is_noisy(move) or pos.checkers) and is_legal(t, pos, move)):
        move = NO_MOVE
    return move, score, evaluation, bound


@kernel
def does_quiet_table_cut(w, ply, beta, is_pv, score, bound):
    """Does what the table knows settle this window? Any depth will do, but on the PV lines are wanted."""
    if is_pv or bound == BOUND_NONE or not does_bound_hold(bound, score, beta):
        return False
    return not is_clock_high(w, w.stack[u64(ply)])


@kernel
def stand_pat(w, t, ply, evaluation, score, bound):
    """Score of leaving everything as it is, bettered by the table where it can; in check there is no such right."""
    evaluate_node(w, t, ply, evaluation)
    if w.stack[u64(ply)].checkers:
        w.evasion_nodes += 1
        return np.int64(-INFINITE)
    static = np.int64(frame_of(w, ply).static_eval)
    value = np.int64(refined(static, score, bound)) if w.params.q_search_refine else static
    w.q_refined += value != static
    note_stand_pat(w, ply, value)
    return value


@kernel
def keep_quiet(w, tt, ply, move, best, alpha, beta, is_pv):
    """Store what quiescence found; `alpha` is the one it began with."""
    if w.params.q_search_tt:
        exact = is_pv and best > alpha and w.params.q_search_exact_bounds
        bound = BOUND_LOWER if best >= beta else (BOUND_EXACT if exact else BOUND_UPPER)
        if bound == BOUND_UPPER and best > alpha:
            return
        raw = frame_of(w, ply).raw_eval
        w.q_stores += 1
        w.collisions += store(tt, w.stack[u64(ply)].key, ply, move, best, raw, Q_DEPTH, bound, is_pv)


@kernel
def keep_eval(w, tt, ply, evaluation):
    """Store the evaluation of a position the table did not know."""
    frame = frame_of(w, ply)
    if w.params.q_search_tt and w.params.q_search_store_eval and evaluation == NO_SCORE and frame.raw_eval != NO_SCORE:
        key = w.stack[u64(ply)].key
        w.collisions += store(tt, key, ply, NO_MOVE, DRAW, frame.raw_eval, Q_DEPTH, BOUND_NONE, NOT_PV)


@kernel
def moves_wanted(w, qply):
    """Which moves are tried at this ply of quiescence, out of check."""
    return NOISY_AND_CHECKS if w.params.q_search_checks and qply < w.params.q_search_check_plies else NOISY_ONLY


@kernel
def note_quiet_cut(w, ply, move, number):
    """Count a beta cut, and learn from it."""
    w.q_first_cuts += number == 1
    if w.params.q_search_capture_history and is_noisy(move):
        note_noisy(w, ply, move, cut_bonus(Q_BONUS_DEPTH))


@entry(WORKER, TABLES, TABLE, "i8", "i8", "i8", "i8")
def qsearch(w, t, tt, ply, alpha, beta, qply):  # noqa: C901, PLR0912, PLR0915  (the search is one list of steps)
    """Score of the position once it is quiet: fail-soft, centipawns, mover's side; `qply` counts plies below its root.

    With every technique off it equals the plain quiescence in tests/oracles/plainsearch.py.
    """
    open_quiet_node(w, ply, alpha, beta, qply)
    if enter(w, ply):  # 1. stop, draw, end of the stack, certain bounds
        return leave_quiet_node(w, ply, qply, STOPPED_HERE, np.int64(DRAW))
    if is_draw(w, t, ply):
        return leave_quiet_node(w, ply, qply, DRAWN_HERE, np.int64(DRAW))
    if ply >= MAX_PLY:
        return leave_quiet_node(w, ply, qply, STACK_END, np.int64(end_of_stack(w, t, ply)))
    alpha, beta = np.int64(clipped_alpha(w, t, ply, alpha)), np.int64(clipped_beta(w, ply, beta))
    if alpha >= beta:
        return leave_quiet_node(w, ply, qply, REPETITION, alpha)
    if DEBUG:
        assert_node(w, ply, alpha, beta)
    pos, is_pv, first_alpha = w.stack[u64(ply)], beta - alpha > 1, alpha
    known, score, evaluation, bound = probe_quiet(w, t, tt, ply)  # 2. known already?
    if does_quiet_table_cut(w, ply, beta, is_pv, score, bound):
        return leave_quiet_node(w, ply, qply, TABLE_CUT, np.int64(score))
    if is_stalemate(w, t, ply):
        return leave_quiet_node(w, ply, qply, STALEMATE, np.int64(DRAW))
    best = stand_pat(w, t, ply, evaluation, score, bound)  # 3. enough as it stands, or beyond help?
    if best >= beta:
        if w.params.q_search_stand_pat_blend:
            best = np.int64(blended(best, beta, w.params.q_search_stand_pat_share))
        keep_quiet(w, tt, ply, NO_MOVE, best, first_alpha, beta, is_pv)
        return leave_quiet_node(w, ply, qply, STAND_PAT, best)
    keep_eval(w, tt, ply, evaluation)
    if is_over_limit(w, ply, qply):
        return leave_quiet_node(w, ply, qply, LIMIT, best)
    if is_node_hopeless(w, t, ply, alpha):
        return leave_quiet_node(w, ply, qply, DELTA_NODE, best)
    standing, alpha = best, max(alpha, best)
    best_move, number = NO_MOVE, np.int64(0)
    start_picker(w, ply, known, moves_wanted(w, qply))  # 4. noisy moves, quiet checks or evasions
    while True:
        move = next_move(w, t, ply, TRY_QUIET)
        if move == NO_MOVE:
            break
        reason = why_skip(w, t, ply, move, number, alpha, best)  # 5. what cannot matter
        if reason != TRY_IT:
            note_skip(w, ply, move, reason)
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
                note_line(w, ply, move)
                if alpha >= beta:
                    break
    if best == -INFINITE:  # 7. in check and nothing legal
        return leave_quiet_node(w, ply, qply, MATED_HERE, np.int64(mated_in(ply)))
    if best >= beta:
        note_quiet_cut(w, ply, best_move, number)
        if w.params.q_search_fail_high_blend:
            best = np.int64(blended(best, beta, w.params.q_search_fail_high_share))
    if DEBUG:
        assert_result(w, ply, best, min(standing, best) if best >= beta else standing)
    keep_quiet(w, tt, ply, best_move, best, first_alpha, beta, is_pv)  # 8. remember
    return leave_quiet_node(w, ply, qply, BETA_CUT if best >= beta else ALL_TRIED, best)
