"""Kernels. One function per technique, named as the question it answers: what to leave out, and how far to look."""

# mypy: ignore-errors

import numpy as np

from quiesce.board.legality import gives_check
from quiesce.board.see import see_reaches
from quiesce.board.types import NO_MOVE, is_noisy, u64
from quiesce.eval.endings import has_non_pawn_material
from quiesce.jit import kernel
from quiesce.search.frame import frame_of
from quiesce.search.picker import is_bad_capture
from quiesce.search.scores import MATE_IN_STACK, NO_SCORE, is_mate_score
from quiesce.search.settings import PARTS, PERCENT, REDUCTION_ROWS
from quiesce.search.tt import BOUND_LOWER


@kernel
def is_improving(w, ply):
    """Does the mover stand better than at its last move, or at the one before if it was in check then?"""
    now = frame_of(w, ply).static_eval
    if now == NO_SCORE:
        return False
    for back in (2, 4):
        before = frame_of(w, ply - back).static_eval
        if before != NO_SCORE:
            return now > before
    return True


@kernel
def is_opponent_worsening(w, ply):
    """Did the opponent's last move make its own position worse, by both evaluations?"""
    now, before = frame_of(w, ply).static_eval, frame_of(w, ply - 1).static_eval
    return now != NO_SCORE and before != NO_SCORE and now > -before


@kernel
def iir(w, depth, tt_move, is_pv, cut):
    """Plies to reduce by where the table has no move and one is wanted: internal iterative reduction.

    Why: a shallower search finds a move to try first; next time the node is searched with it.
    Holds: at depth, on the PV or at an expected cut node.
    Worth: Iir +4.1 ± 17.9 Elo at 5,000 nodes (undecided).
    Test: tests/search/test_pruning.py::test_iir
    """
    if not w.params.iir or depth < w.params.iir_depth:
        return 0
    return 1 if tt_move == NO_MOVE and (is_pv or cut != 0) else 0


@kernel
def reverse_futility_prunes(w, ply, depth, evaluation, beta, improving):
    """Is the evaluation so far above beta that the remaining depth will not bring the score below it?

    Why: one move rarely loses more than the margin, so the evaluation is returned without a search.
    Holds: not in check, not on the PV, beta no mate, little depth.
    Worth: ReverseFutility -0.9 ± 18.2 Elo at 5,000 nodes (undecided).
    Test: tests/search/test_pruning.py::test_reverse_futility_prunes
    """
    if not w.params.reverse_futility or depth > w.params.reverse_futility_depth or is_mate_score(beta):
        return False
    if w.params.tt_pv and frame_of(w, ply).tt_pv:
        return False
    margin = w.params.reverse_futility_margin * depth
    if improving:
        margin -= w.params.reverse_futility_improving
    if is_opponent_worsening(w, ply):
        margin -= w.params.reverse_futility_worsening
    return evaluation - margin >= beta and evaluation < MATE_IN_STACK


@kernel
def razoring_applies(w, depth, evaluation, alpha):
    """Is the evaluation so far below alpha that only tactics could raise the score to it?

    Why: quiescence finds such tactics; if it fails low too, the node is left.
    Holds: not in check, not on the PV, alpha no mate, little depth.
    Worth: Razoring -8.2 ± 12.0 Elo at 5,000 nodes (undecided); off by default.
    Test: tests/search/test_pruning.py::test_razoring_applies
    """
    if not w.params.razoring or depth > w.params.razoring_depth or is_mate_score(alpha):
        return False
    return evaluation + w.params.razoring_base + w.params.razoring_margin * depth <= alpha


@kernel
def null_move_allowed(w, ply, depth, evaluation, beta):
    """Is it worth asking whether a null move beats beta?

    Why: if the score stays above beta though we pass, a move will do so too.
    Holds: not in check, not twice in a row, not with pawns alone (zugzwang); verified at great depth.
    Worth: NullMove +25.3 ± 17.1 Elo at 5,000 nodes.
    Test: tests/search/test_pruning.py::test_null_move_allowed
    """
    if not w.params.null_move or depth < w.params.null_move_depth or ply < w.null_ply:
        return False
    if frame_of(w, ply - 1).move == NO_MOVE or evaluation < beta or beta <= -MATE_IN_STACK:
        return False
    return has_non_pawn_material(w.stack[u64(ply)])


@kernel
def null_move_depth(w, depth, evaluation, beta):
    """Depth of the search after a null move."""
    surplus = min((evaluation - beta) // w.params.null_move_eval_step, w.params.null_move_eval_most)
    return depth - w.params.null_move_base - depth // w.params.null_move_divisor - surplus


@kernel
def probcut_allowed(w, depth, beta, score, bound):
    """Is it worth asking whether a capture beats a raised beta at reduced depth?

    Why: such a capture will beat beta itself at full depth.
    Holds: not in check, not on the PV, beta no mate, and the table does not say otherwise.
    Worth: ProbCut +6.6 ± 18.1 Elo at 5,000 nodes (undecided).
    Test: tests/search/test_pruning.py::test_probcut_allowed
    """
    if not w.params.prob_cut or depth < w.params.prob_cut_depth or is_mate_score(beta):
        return False
    return not (bound != 0 and bound != BOUND_LOWER and score < beta + w.params.prob_cut_margin)


@kernel
def late_move_prunes(w, depth, number, best, is_pv, improving):
    """Have enough moves been tried at this depth, so that the remaining quiet moves can be skipped?

    Why: with good move ordering a late quiet move rarely raises alpha.
    Holds: off the PV, and once a score is known that is no mate against us.
    Worth: LateMovePruning +96.9 ± 18.5 Elo at 5,000 nodes.
    Test: tests/search/test_pruning.py::test_late_move_prunes
    """
    if not w.params.late_move_pruning or depth > w.params.late_move_depth or is_pv or best <= -MATE_IN_STACK:
        return False
    limit = w.params.late_move_base + depth * depth
    return number >= (limit if improving else limit // 2)


@kernel
def futility_prunes(w, depth, evaluation, alpha):
    """Is the evaluation too far below alpha for a quiet move to matter at this reduced depth?

    Why: a quiet move rarely gains more than the margin.
    Holds: not in check, and the move gives no check.
    Worth: Futility +0.6 ± 12.4 Elo at 5,000 nodes (undecided).
    Test: tests/search/test_pruning.py::test_futility_prunes
    """
    if not w.params.futility or depth > w.params.futility_depth or evaluation == NO_SCORE:
        return False
    return evaluation + w.params.futility_base + w.params.futility_margin * depth <= alpha


@kernel
def history_prunes(w, depth, history):
    """Has a quiet move failed too often elsewhere for this reduced depth?

    Why: a move that has failed in many nodes will fail here too.
    Holds: near the leaves, and the move gives no check.
    Worth: HistoryPruning +5.2 ± 11.1 Elo at 5,000 nodes (undecided).
    Test: tests/search/test_pruning.py::test_history_prunes
    """
    if not w.params.history_pruning or depth > w.params.history_pruning_depth:
        return False
    return history < -w.params.history_pruning_margin * depth


@kernel
def see_prunes(w, t, pos, move, noisy, depth, reduced):
    """Does the exchange that a move starts lose more material than the depth can bring back?

    Why: what a move loses at once, a shallow search does not regain.
    Holds: once a score is known that is no mate against us; the margin grows with depth.
    Worth: SeePruning +60.3 ± 18.1 Elo at 5,000 nodes.
    Test: tests/search/test_pruning.py::test_see_prunes
    """
    if not w.params.see_pruning or depth > w.params.see_pruning_depth:
        return False
    if noisy:
        return not see_reaches(t, pos, move, -w.params.see_pruning_noisy * depth)
    return not see_reaches(t, pos, move, -w.params.see_pruning_quiet * reduced * reduced)


@kernel
def base_reduction(w, depth, number):
    """Parts of a ply that a late move is reduced by, by depth and move number alone."""
    if not w.params.late_move_reductions:
        return np.int64(0)
    last = REDUCTION_ROWS - 1
    return w.params.reductions[u64(min(depth, last)), u64(min(number, last))]


@kernel
def history_reduction(w, history):
    """Parts of a ply that a quiet move's history is worth, rounded to whole plies without ReductionFractions.

    Why: the fractions that the table and the history leave over may make a ply together.
    Worth: ReductionFractions +0.2 ± 11.0 Elo at 10,000 nodes (undecided); off by default.
    Test: tests/search/test_pruning.py::test_reduction_fractions
    """
    step = w.params.reduction_history
    return history * PARTS // step if w.params.reduction_fractions else (history + step // 2) // step * PARTS


@kernel
def late_move_reduction(w, ply, move, depth, number, is_pv, cut, improving):
    """Plies to reduce a move just played by: less on the PV, when improving, for checks and a good history.

    Why: late moves rarely raise alpha; one that does is searched again at full depth.
    Holds: at depth, never for the first move.
    Worth: LateMoveReductions +19.9 ± 17.5 Elo at 5,000 nodes; TtPv -5.4 ± 11.4 and TtMoveNoisy -6.0 ± 11.0 at 10,000
    nodes (both undecided, off by default).
    Test: tests/search/test_pruning.py::test_late_move_reduction
    """
    if not w.params.late_move_reductions or depth < w.params.reduction_depth or number == 1:
        return np.int64(0)
    parts = base_reduction(w, depth, number)
    if is_noisy(move):
        return parts // PARTS // 2
    if is_pv:
        parts -= PARTS
    elif w.params.tt_pv and frame_of(w, ply).tt_pv:
        parts -= w.params.tt_pv_plies * PARTS
    if w.params.tt_move_noisy and is_noisy(u64(frame_of(w, ply).tt_move)):
        parts += PARTS
    if not improving:
        parts += PARTS
    if cut:
        parts += w.params.reduction_cut * PARTS
    if w.stack[u64(ply + 1)].checkers:
        parts -= w.params.reduction_check * PARTS
    if frame_of(w, ply + 1).cutoff_count > w.params.reduction_child_cuts:
        parts += PARTS
    return max(0, (parts - history_reduction(w, frame_of(w, ply).history)) // PARTS)


@kernel
def lmr_research_depth(w, value, best):
    """Plies more or less for the re-search of a reduced move that scored `value`, where the best so far is `best`.

    Why: a move far ahead of the others deserves certainty, one level with them hardly a full search.
    Worth: LmrResearchDepth +3.0 ± 10.9 Elo at 10,000 nodes (undecided); off by default.
    Test: tests/search/test_pruning.py::test_lmr_research_depth
    """
    if not w.params.lmr_research_depth:
        return np.int64(0)
    if value > best + w.params.lmr_research_deeper:
        return np.int64(1)
    return np.int64(-1) if value < best + w.params.lmr_research_shallower else np.int64(0)


@kernel
def prune_move(w, t, ply, move, depth, number, alpha, best):
    """Is a move not worth searching? Never at the root, nor while the best score is a mate against us."""
    pos = w.stack[u64(ply)]
    if ply == 0 or best <= -MATE_IN_STACK or not has_non_pawn_material(pos):
        return False
    noisy, reduced = is_noisy(move), max(1, depth - base_reduction(w, depth, number) // PARTS)
    if not noisy:
        futile = futility_prunes(w, reduced, frame_of(w, ply).static_eval, alpha) and not pos.checkers
        if (futile or history_prunes(w, reduced, frame_of(w, ply).history)) and not gives_check(t, pos, move):
            return True
    elif not is_bad_capture(frame_of(w, ply)) and not pos.checkers:
        return False
    return see_prunes(w, t, pos, move, noisy, depth, reduced)


@kernel
def check_extension(w, ply):
    """Plies to extend a move just played by, because it gives check and loses no material.

    Why: a check forces the reply, so that the line is longer than its depth says.
    Holds: in lines not yet much extended.
    Worth: CheckExtension +10.8 ± 19.1 Elo at 5,000 nodes (undecided).
    Test: tests/search/test_pruning.py::test_check_extension
    """
    if not w.params.check_extension or w.stack[u64(ply + 1)].checkers == 0 or is_bad_capture(frame_of(w, ply)):
        return 0
    return 1 if ply * PERCENT < w.root_depth * w.params.check_extension_reach else 0


@kernel
def singular_allowed(w, ply, depth, tt_move, score, table_depth, bound):
    """Is the table's move good enough to test whether it is singular?

    Why: a move that is better than all others by a margin decides the node, so it is searched deeper.
    Holds: at depth, below the root, with a deep lower bound from the table that is no mate.
    Worth: Singular -1.3 ± 17.0 Elo at 5,000 nodes (undecided).
    Test: tests/search/test_pruning.py::test_singular_allowed
    """
    if not w.params.singular or ply == 0 or depth < w.params.singular_depth or tt_move == NO_MOVE:
        return False
    if ply >= 2 * w.root_depth or is_mate_score(score) or frame_of(w, ply).excluded != NO_MOVE:
        return False
    return table_depth >= depth - w.params.singular_tt_depth and (bound & BOUND_LOWER) != 0


@kernel
def singular_beta(w, depth, score):
    """Score that all other moves must stay below for the table's move to be singular."""
    return score - w.params.singular_margin * depth


@kernel
def singular_extension(w, ply, value, limit, score, beta, is_pv, cut):
    """Plies to extend the table's move by, once all other moves scored `value` against `limit`.

    Why: singular by far is worth two plies, singular one; a move with equals may be reduced.
    Worth: DoubleExtension -1.5 ± 17.2 and NegativeExtension -6.2 ± 17.4 Elo at 5,000 nodes (undecided).
    Test: tests/search/test_pruning.py::test_singular_extension
    """
    if value < limit:
        is_double = value < limit - w.params.double_extension_margin and not is_pv
        is_allowed = frame_of(w, ply).double_extensions < w.params.double_extension_most
        if w.params.double_extension and is_double and is_allowed:
            return 2
        return 1
    if w.params.negative_extension and (score >= beta or cut):
        return -1
    return 0


@kernel
def multi_cut_prunes(w, value, limit, beta):
    """Does a move other than the table's beat beta too?

    Why: with two moves above beta at reduced depth, the node will most likely fail high.
    Worth: MultiCut -2.7 ± 17.4 Elo at 5,000 nodes (undecided).
    Test: tests/search/test_pruning.py::test_multi_cut_prunes
    """
    return w.params.multi_cut and value >= limit and value >= beta and not is_mate_score(value)
