"""Kernels. The main search: principal variation search, every technique decided elsewhere, recursion here."""

# mypy: ignore-errors

import numpy as np

from quiesce.board.legality import is_legal
from quiesce.board.see import see_reaches
from quiesce.board.tables import TABLES
from quiesce.board.types import NO_MOVE, is_noisy, u64
from quiesce.jit import DEBUG, entry, inlined, kernel
from quiesce.search.frame import frame_of
from quiesce.search.history import (
    add_tried_move,
    reward_prior_move,
    update_correction_history,
    update_histories,
    update_tt_cut_history,
)
from quiesce.search.interior import is_interior_wanted, note_interior
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
    play_null,
    raised_alpha,
    static_leaf,
    tt_refined_eval,
    tt_score_within_50_moves,
    update_pv,
)
from quiesce.search.picker import ALL_MOVES, NOISY_ONLY, SKIP_QUIET, TRY_QUIET, next_move, start_picker
from quiesce.search.pruning import (
    check_extension,
    iir,
    is_improving,
    late_move_prunes,
    late_move_reduction,
    lmr_research_depth,
    multi_cut_prunes,
    null_move_allowed,
    null_move_depth,
    probcut_allowed,
    prune_move,
    razoring_applies,
    reverse_futility_prunes,
    singular_allowed,
    singular_beta,
    singular_extension,
)
from quiesce.search.qsearch import qsearch
from quiesce.search.root import next_root_move, update_root_move
from quiesce.search.scores import DRAW, INFINITE, MATE_IN_STACK, NO_SCORE, is_mate_score, mated_in
from quiesce.search.tt import BOUND_EXACT, BOUND_LOWER, BOUND_NONE, BOUND_UPPER, TABLE, probe, store
from quiesce.search.worker import MAX_PLY, WORKER


@kernel
def probe_node(w, t, tt, ply, is_pv):
    """The table's entry for this ply's position; nothing while a move is excluded, and only legal moves."""
    pos, frame = w.stack[u64(ply)], frame_of(w, ply)
    move, score, evaluation, depth, bound, tt_pv = probe(tt, pos.key, ply)
    score = tt_score_within_50_moves(w, pos, score, ply)
    if frame.excluded != NO_MOVE:
        return NO_MOVE, NO_SCORE, evaluation, depth, BOUND_NONE
    frame.tt_pv = 1 if is_pv or (tt_pv and w.params.tt_pv) else 0
    if bound != BOUND_NONE:
        w.table_hits += 1
    if move != NO_MOVE and not is_legal(t, pos, move):
        move = NO_MOVE
    return move, score, evaluation, depth, bound


@kernel
def tt_cuts(w, ply, depth, beta, is_pv, score, table_depth, bound):
    """Was the position searched at least as deep, with a score that decides this window?

    Why: the answer is known already.
    Holds: off the PV, below the root, not near the fifty-move rule.
    Worth: TtCut +39.2 ± 19.9 Elo at 5,000 nodes.
    Test: tests/search/test_negamax.py::test_every_switch_switches
    """
    if not w.params.tt_cut or is_pv or ply == 0 or bound == BOUND_NONE or table_depth < max(depth, 1):
        return False
    return bound_decides(bound, score, beta) and not is_fifty_move_rule_near(w, w.stack[u64(ply)])


@kernel
def clear_children(w, ply):
    """Clear what an earlier sibling's subtree left in the frames below."""
    frame, child, grandchild = frame_of(w, ply), frame_of(w, ply + 1), frame_of(w, ply + 2)
    child.excluded = NO_MOVE
    child.double_extensions = frame.double_extensions
    grandchild.killers[0] = NO_MOVE
    grandchild.killers[1] = NO_MOVE
    grandchild.cutoff_count = 0


@kernel
def store_result(w, tt, ply, move, best, alpha, beta, depth, is_pv):
    """Store the node's result and update the correction history; `alpha` is the one it began with.

    With moves left out, here or at the root, the result is not the position's and is not stored.
    """
    frame = frame_of(w, ply)
    if frame.excluded != NO_MOVE or (ply == 0 and (w.root_first > 0 or w.root_partial != 0)):
        return
    bound = BOUND_LOWER if best >= beta else (BOUND_EXACT if is_pv and best > alpha else BOUND_UPPER)
    w.collisions += store(tt, w.stack[u64(ply)].key, ply, move, best, frame.raw_eval, depth, bound, frame.tt_pv != 0)
    if frame.static_eval == NO_SCORE or is_mate_score(best) or (move != NO_MOVE and is_noisy(move)):
        return
    if is_interior_wanted(w, ply, move, best, depth):
        note_interior(w, ply, best)
    if (bound == BOUND_LOWER and best <= frame.static_eval) or (bound == BOUND_UPPER and best >= frame.static_eval):
        return
    update_correction_history(w, ply, best - frame.raw_eval, depth)


@kernel
def store_probcut(w, tt, ply, move, value, depth):
    """Store a capture that beat a raised beta."""
    frame = frame_of(w, ply)
    key, tt_pv = w.stack[u64(ply)].key, frame.tt_pv != 0
    w.collisions += store(tt, key, ply, move, value, frame.raw_eval, depth, BOUND_LOWER, tt_pv)


@kernel
def count_double_extensions(w, ply, longer):
    """Count double extensions along the line; `longer` is the child's depth less this node's."""
    frame_of(w, ply + 1).double_extensions = frame_of(w, ply).double_extensions + (1 if longer > 0 else 0)


@kernel
def search_leaf(w, t, tt, ply, alpha, beta):
    """Score where the main search ends: by quiescence, unless that is switched off.

    Why: a static evaluation in the middle of an exchange is wrong by a piece.
    Worth: UseQuiescence +290.3 ± 19.7 Elo at 5,000 nodes.
    Test: tests/search/test_negamax.py::test_every_switch_switches
    """
    if w.params.use_quiescence:
        return qsearch(w, t, tt, ply, alpha, beta, np.int64(0))
    return np.int64(static_leaf(w, t, ply))


@kernel
def pick(w, t, ply, skip_quiet):
    """The next move; at the root from its own list."""
    return next_root_move(w) if ply == 0 else next_move(w, t, ply, skip_quiet)


@inlined
def null_move_search(w, t, tt, ply, beta, depth, evaluation, cut):
    """Score of a null move if it beats beta, verified at great depth; NO_SCORE if it proves nothing."""
    reduced = null_move_depth(w, depth, evaluation, beta)
    play_null(w, t, tt, ply)
    value = -negamax(w, t, tt, ply + 1, -beta, 1 - beta, reduced, 1 - cut)
    if value >= beta and depth >= w.params.null_move_verify and w.null_ply == 0:
        w.null_ply = ply + depth // 2
        verified = negamax(w, t, tt, ply, beta - 1, beta, reduced, np.int64(0))
        w.null_ply = 0
        value = min(value, verified)
    return min(value, MATE_IN_STACK - 1) if value >= beta else np.int64(NO_SCORE)


@inlined
def probcut_search(w, t, tt, ply, beta, depth, tt_move, cut):
    """Score of a capture that beats beta by a margin at reduced depth; NO_SCORE if there is none."""
    raised = beta + w.params.prob_cut_margin
    left = depth - w.params.prob_cut_reduction
    found = np.int64(NO_SCORE)
    start_picker(w, ply, tt_move if is_noisy(tt_move) else NO_MOVE, NOISY_ONLY)
    while found == NO_SCORE and w.stop[0] == 0:
        move = next_move(w, t, ply, SKIP_QUIET)
        if move == NO_MOVE:
            break
        if move != tt_move and not see_reaches(t, w.stack[u64(ply)], move, np.int64(0)):
            continue
        play(w, t, tt, ply, move)
        value = -search_leaf(w, t, tt, ply + 1, -raised, 1 - raised)
        if value >= raised:
            value = -negamax(w, t, tt, ply + 1, -raised, 1 - raised, left, 1 - cut)
        if value >= raised and w.stop[0] == 0:
            store_probcut(w, tt, ply, move, value, left + 1)
            found = value
    return found


@inlined
def singular_search(w, t, tt, ply, limit, depth, move, cut):
    """Score of all moves but one against a limit, at half depth."""
    frame_of(w, ply).excluded = move
    value = negamax(w, t, tt, ply, limit - 1, limit, (depth - 1) // 2, cut)
    frame_of(w, ply).excluded = NO_MOVE
    return value


@inlined
def search_child(w, t, tt, ply, alpha, beta, left, plies, number, best, cut):
    """Score of the move just played (PVS): late moves with a null window and reduced, in full if they beat alpha."""
    value = alpha + 1
    is_pv = beta - alpha > 1
    if number > 1:
        first = max(left - plies, min(left, 1))
        value = -negamax(w, t, tt, ply + 1, -alpha - 1, -alpha, first, np.int64(1))
        if value > alpha and plies > 0:
            again = left + lmr_research_depth(w, value, best)
            if again > first:
                value = -negamax(w, t, tt, ply + 1, -alpha - 1, -alpha, again, 1 - cut)
    if number == 1 or (is_pv and value > alpha):
        value = -negamax(w, t, tt, ply + 1, -beta, -alpha, left, np.int64(0) if is_pv else 1 - cut)
    return value


@entry(WORKER, TABLES, TABLE, "i8", "i8", "i8", "i8", "i8")
def negamax(w, t, tt, ply, alpha, beta, depth, cut):  # noqa: C901, PLR0912, PLR0915  (the search is one list of steps)
    """Score of the position: fail-soft, points from the mover's side. `cut` is 1 where a cutoff is expected."""
    if depth <= 0:
        return search_leaf(w, t, tt, ply, alpha, beta)
    if enter(w, ply):  # 1. stop, draw, end of the stack, certain bounds
        return np.int64(DRAW)
    if ply > 0:
        if is_draw(w, t, ply):
            return np.int64(DRAW)
        if ply >= MAX_PLY:
            return np.int64(end_of_stack(w, t, ply))
        alpha, beta = raised_alpha(w, t, ply, alpha), lowered_beta(w, ply, beta)
        if alpha >= beta:
            return alpha
    if DEBUG:
        assert_node(w, ply, alpha, beta)
    pos, frame, is_pv, first_alpha = w.stack[u64(ply)], frame_of(w, ply), beta - alpha > 1, alpha
    excluded = frame.excluded
    clear_children(w, ply)
    known, score, table_eval, table_depth, bound = probe_node(w, t, tt, ply, is_pv)  # 2. known already?
    if tt_cuts(w, ply, depth, beta, is_pv, score, table_depth, bound):
        if score >= beta:
            update_tt_cut_history(w, ply, known, depth)
        return score
    evaluate_node(w, t, ply, table_eval)  # 3. how do we stand?
    improving = is_improving(w, ply)
    if pos.checkers == 0 and not is_pv and excluded == NO_MOVE:  # 4. is the answer clear without a move?
        evaluation = tt_refined_eval(w, ply, score, bound)
        if reverse_futility_prunes(w, ply, depth, evaluation, beta, improving):
            return (evaluation + beta) // 2
        if razoring_applies(w, depth, evaluation, alpha):
            value = search_leaf(w, t, tt, ply, alpha, beta)
            if value <= alpha:
                return value
        if null_move_allowed(w, ply, depth, evaluation, beta):
            value = null_move_search(w, t, tt, ply, beta, depth, evaluation, cut)
            if value != NO_SCORE:
                return value
        if probcut_allowed(w, depth, beta, score, bound):
            value = probcut_search(w, t, tt, ply, beta, depth, known, cut)
            if value != NO_SCORE:
                return value
    depth -= iir(w, depth, known, is_pv, cut)  # 5. how deep is this worth looking?
    extension = np.int64(0)
    if singular_allowed(w, ply, depth, known, score, table_depth, bound):
        limit = singular_beta(w, depth, score)
        value = singular_search(w, t, tt, ply, limit, depth, known, cut)
        if multi_cut_prunes(w, value, limit, beta):
            return value
        extension = np.int64(singular_extension(w, ply, value, limit, score, beta, is_pv, cut))
    best, best_move, number, skip_quiet = np.int64(-INFINITE), NO_MOVE, np.int64(0), TRY_QUIET
    start_picker(w, ply, known, ALL_MOVES)
    while True:  # 6. moves, the likely best first
        move = pick(w, t, ply, skip_quiet)
        if move == NO_MOVE:
            break
        if move == excluded:
            continue
        number += 1
        skip_quiet = skip_quiet or late_move_prunes(w, depth, number, best, is_pv, improving)
        if prune_move(w, t, ply, move, depth, number, alpha, best):
            continue
        nodes = w.nodes
        play(w, t, tt, ply, move)
        left = depth - 1 + (extension if move == known else check_extension(w, ply))
        plies = late_move_reduction(w, ply, move, depth, number, is_pv, cut, improving)
        count_double_extensions(w, ply, left - depth)
        value = search_child(w, t, tt, ply, alpha, beta, left, plies, number, best, cut)
        if w.stop[0] != 0:  # what a stopped search says is not kept
            return np.int64(DRAW)
        update_root_move(w, ply, move, value, number, alpha, beta, nodes)
        if value > best:  # 7. better, or good enough to stop
            best = value
            if value > alpha:
                best_move, alpha = move, value
                update_pv(w, ply, move)
                if alpha >= beta:
                    update_histories(w, ply, move, depth, number)
                    break
        add_tried_move(w, ply, move)
    if number == 0:  # 8. nothing legal, or nothing but the move left out
        return alpha if excluded != NO_MOVE else np.int64(mated_in(ply) if pos.checkers else DRAW)
    if best_move == NO_MOVE:
        reward_prior_move(w, ply, depth)
    if DEBUG:
        assert_result(w, ply, best, -INFINITE)
    store_result(w, tt, ply, best_move, best, first_alpha, beta, depth, is_pv)  # 9. remember
    return best
