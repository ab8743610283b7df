"""Kernels. One function per technique, named as the question it answers: what to leave out, and how far to look."""

# mypy: ignore-errors

import numpy as np

from quiesce.board.attacks import pieces_of
from quiesce.board.legality import gives_check
from quiesce.board.see import see_reaches
from quiesce.board.types import KING, NO_MOVE, PAWN, is_noisy, u64
from quiesce.jit import kernel
from quiesce.search.history import PERCENT, frame_of
from quiesce.search.picker import is_put_off
from quiesce.search.scores import MATE_IN_STACK, NO_SCORE, is_mate_score
from quiesce.search.settings import PARTS, REDUCTION_ROWS
from quiesce.search.tt import BOUND_LOWER


@kernel
def is_improving(w, ply):
    """Does the mover stand better than at its last move, or the one before if it was in check then?"""
    now = frame_of(w, ply).static_eval
    if now == NO_SCORE:
        return False
    for back in (2, 4):
        before = frame_of(w, ply - back).static_eval
        if before != NO_SCORE:
            return now > before
    return True


@kernel
def is_other_worsening(w, ply):
    """Did the other side's last move make its own position worse, as both evaluations see it?"""
    now, before = frame_of(w, ply).static_eval, frame_of(w, ply - 1).static_eval
    return now != NO_SCORE and before != NO_SCORE and now > -before


@kernel
def has_pieces(pos):
    """Has the mover more than king and pawns? Without, passing may well be best."""
    us = u64(pos.turn)
    return pos.colours[us] != pieces_of(pos, PAWN, us) | pieces_of(pos, KING, us)


@kernel
def unknown_reduction(w, depth, table_move, is_pv, cut):
    """Internal reduction: plies less where no move is known to start with and one would be wanted."""
    if not w.params.internal_reduction or depth < w.params.internal_reduction_depth:
        return 0
    return 1 if table_move == NO_MOVE and (is_pv or cut != 0) else 0


@kernel
def is_far_above(w, ply, depth, evaluation, beta, improving):
    """Reverse futility: is the evaluation so far above beta that the depth left will not cost it?"""
    if not w.params.reverse_futility or depth > w.params.reverse_futility_depth or is_mate_score(beta):
        return False
    if w.params.table_pv and frame_of(w, ply).was_pv:
        return False
    margin = w.params.reverse_futility_margin * depth
    if improving:
        margin -= w.params.reverse_futility_improving
    if is_other_worsening(w, ply):
        margin -= w.params.reverse_futility_worsening
    return evaluation - margin >= beta and evaluation < MATE_IN_STACK


@kernel
def is_far_below(w, depth, evaluation, alpha):
    """Razoring: is the evaluation so far below alpha that only tactics could save it?"""
    if not w.params.razoring or depth > w.params.razoring_depth or is_mate_score(alpha):
        return False
    return evaluation + w.params.razoring_base + w.params.razoring_margin * depth <= alpha


@kernel
def may_pass(w, ply, depth, evaluation, beta):
    """Null move: is it worth asking whether passing beats beta?"""
    if not w.params.null_move or depth < w.params.null_move_depth or ply < w.null_ply:
        return False
    if frame_of(w, ply - 1).move == NO_MOVE or evaluation < beta or beta <= -MATE_IN_STACK:
        return False
    return has_pieces(w.stack[u64(ply)])


@kernel
def null_depth(w, depth, evaluation, beta):
    """Depth of the search after a null move."""
    surplus = min((evaluation - beta) // w.params.null_move_eval_step, w.params.null_move_eval_most)
    return depth - w.params.null_move_base - depth // w.params.null_move_divisor - surplus


@kernel
def may_probcut(w, depth, beta, score, bound):
    """ProbCut: is it worth asking whether a capture beats a raised beta?"""
    if not w.params.prob_cut or depth < w.params.prob_cut_depth or is_mate_score(beta):
        return False
    return not (bound != 0 and bound != BOUND_LOWER and score < beta + w.params.prob_cut_margin)


@kernel
def is_late(w, depth, number, best, is_pv, improving):
    """Late move pruning: off the PV, have enough quiet moves been tried for this depth, with no mate to be averted?"""
    if not w.params.late_move_pruning or depth > w.params.late_move_depth or is_pv or best <= -MATE_IN_STACK:
        return False
    limit = w.params.late_move_base + depth * depth
    return number >= (limit if improving else limit // 2)


@kernel
def is_futile(w, depth, evaluation, alpha):
    """Futility: is the evaluation too far below alpha for a quiet move to matter at this reduced depth?"""
    if not w.params.futility or depth > w.params.futility_depth or evaluation == NO_SCORE:
        return False
    return evaluation + w.params.futility_base + w.params.futility_margin * depth <= alpha


@kernel
def has_bad_history(w, depth, history):
    """History pruning: has the quiet move failed too often for this reduced depth?"""
    if not w.params.history_pruning or depth > w.params.history_pruning_depth:
        return False
    return history < -w.params.history_pruning_margin * depth


@kernel
def loses_too_much(w, t, pos, move, noisy, depth, reduced):
    """SEE pruning: does the exchange lose more than the depth can bring back?"""
    if not w.params.see_pruning or depth > w.params.see_pruning_depth:
        return False
    if noisy:
        return not see_reaches(t, pos, move, -w.params.see_pruning_noisy * depth)
    return not see_reaches(t, pos, move, -w.params.see_pruning_quiet * reduced * reduced)


@kernel
def base_reduction(w, depth, number):
    """Parts of a ply a late move is reduced by, before its circumstances are looked at."""
    if not w.params.late_move_reductions:
        return np.int64(0)
    last = REDUCTION_ROWS - 1
    return w.params.reductions[u64(min(depth, last)), u64(min(number, last))]


@kernel
def history_parts(w, history):
    """Reduction fractions: parts of a ply that a quiet move's history is worth, rounded to plies without them.

    Why: what the logarithms leave over and what the history leaves over may make a ply together.
    """
    step = w.params.reduction_history
    return history * PARTS // step if w.params.reduction_fractions else (history + step // 2) // step * PARTS


@kernel
def reduction_of(w, ply, move, depth, number, is_pv, cut, improving):
    """Plies to reduce a late move just played by: fewer on the PV, when improving, for checks and a good past."""
    if not w.params.late_move_reductions or depth < w.params.reduction_depth or number == 1:
        return np.int64(0)
    parts = base_reduction(w, depth, number)
    if is_noisy(move):
        return parts // PARTS // 2
    if is_pv:
        parts -= PARTS
    elif w.params.table_pv and frame_of(w, ply).was_pv:
        parts -= w.params.table_pv_plies * PARTS
    if w.params.table_noisy and is_noisy(u64(frame_of(w, ply).table_move)):
        parts += PARTS
    if not improving:
        parts += PARTS
    if cut:
        parts += w.params.reduction_cut * PARTS
    if w.stack[u64(ply + 1)].checkers:
        parts -= w.params.reduction_check * PARTS
    if frame_of(w, ply + 1).cuts > w.params.reduction_child_cuts:
        parts += PARTS
    return max(0, (parts - history_parts(w, frame_of(w, ply).history)) // PARTS)


@kernel
def second_look(w, value, best):
    """Second look: plies more or less for a reduced move that came to `value` where the best so far is `best`.

    Why: a move far ahead of the others is worth certainty, one level with them hardly a full search.
    Test: tests/search/test_pruning.py::test_second_look
    """
    if not w.params.second_look:
        return np.int64(0)
    if value > best + w.params.second_look_deeper:
        return np.int64(1)
    return np.int64(-1) if value < best + w.params.second_look_shallower else np.int64(0)


@kernel
def skip_move(w, t, ply, move, depth, number, alpha, best):
    """Is a move not worth searching? Never at the root, nor before a score that is no mate is in hand."""
    pos = w.stack[u64(ply)]
    if ply == 0 or best <= -MATE_IN_STACK or not has_pieces(pos):
        return False
    noisy, reduced = is_noisy(move), max(1, depth - base_reduction(w, depth, number) // PARTS)
    if not noisy:
        futile = is_futile(w, reduced, frame_of(w, ply).static_eval, alpha) and not pos.checkers
        if (futile or has_bad_history(w, reduced, frame_of(w, ply).history)) and not gives_check(t, pos, move):
            return True
    elif not is_put_off(frame_of(w, ply)) and not pos.checkers:
        return False
    return loses_too_much(w, t, pos, move, noisy, depth, reduced)


@kernel
def check_extension(w, ply):
    """Plies to extend a move just played by, because it gives check."""
    if not w.params.check_extension or w.stack[u64(ply + 1)].checkers == 0 or is_put_off(frame_of(w, ply)):
        return 0
    return 1 if ply * PERCENT < w.root_depth * w.params.check_extension_reach else 0


@kernel
def may_be_singular(w, ply, depth, table_move, score, table_depth, bound):
    """Singular: is the table move good enough to ask whether it stands alone?"""
    if not w.params.singular or ply == 0 or depth < w.params.singular_depth or table_move == NO_MOVE:
        return False
    if ply >= 2 * w.root_depth or is_mate_score(score) or frame_of(w, ply).excluded != NO_MOVE:
        return False
    return table_depth >= depth - w.params.singular_table_depth and (bound & BOUND_LOWER) != 0


@kernel
def singular_beta(w, depth, score):
    """Score all other moves must stay below for the table move to be singular."""
    return score - w.params.singular_margin * depth


@kernel
def singular_extension(w, ply, value, limit, score, beta, is_pv, cut):
    """Plies to extend the table move by, once all others came to `value` under `limit`."""
    if value < limit:
        alone_by_far = value < limit - w.params.double_extension_margin and not is_pv
        if w.params.double_extension and alone_by_far and frame_of(w, ply).doubles < w.params.double_extension_most:
            return 2
        return 1
    if w.params.negative_extension and (score >= beta or cut):
        return -1
    return 0


@kernel
def does_multi_cut(w, value, limit, beta):
    """Multi-cut: does another move beat beta too?"""
    return w.params.multi_cut and value >= limit and value >= beta and not is_mate_score(value)
