"""Kernels. What every node does, in the main search and in quiescence: count, stop, draw, evaluate, play."""

# mypy: ignore-errors

import numpy as np

from quiesce.board.draws import FIFTY_MOVES, can_repeat, is_insufficient_material, is_move_clock_full, is_repetition
from quiesce.board.makemove import likely_key, make_move, make_null
from quiesce.board.movegen import count_legal
from quiesce.board.types import BLACK, NO_MOVE, WHITE, u64
from quiesce.eval.endings import FULL_NON_PAWN_MATERIAL, non_pawn_material
from quiesce.eval.evaluate import static_eval, update_evaluation
from quiesce.eval.network import BY_NETWORK
from quiesce.jit import kernel, load_atomic, now_ns
from quiesce.search.frame import frame_of
from quiesce.search.history import corrected_eval, piece_square
from quiesce.search.scores import DRAW, MATE, MATE_IN_STACK, NO_SCORE, is_mate_score, mated_in, mates_in
from quiesce.search.stopwatch import EVALUATION, tick, tock
from quiesce.search.tt import BOUND_EXACT, BOUND_LOWER, BOUND_NONE, BOUND_UPPER, fetch_bucket
from quiesce.search.worker import NO_PIECE_SQUARE

POLL_NODES = 512
"""Nodes between two looks at the clock and at the stop flag."""


@kernel
def enter(w, ply):
    """Count a node; returns whether the search must end."""
    if w.stop[0] != 0:
        return True
    w.nodes += 1
    w.seldepth = max(w.seldepth, ply)
    w.pv_length[u64(ply)] = 0
    w.poll -= 1
    if w.poll <= 0:
        w.poll = POLL_NODES
        if load_atomic(w.stop) != 0 or (w.deadline != 0 and now_ns() >= w.deadline):
            w.stop[0] = 1
    if w.nodes >= w.node_limit:
        w.stop[0] = 1
    return w.stop[0] != 0


@kernel
def is_draw(w, t, ply):
    """Is the position drawn by rule? Mate on the hundredth ply is not."""
    pos = w.stack[u64(ply)]
    if is_repetition(w.path, w.root_index + ply, np.int64(pos.reversible), ply):
        return True
    if is_insufficient_material(pos):
        return True
    return is_move_clock_full(pos) and (pos.checkers == 0 or count_legal(t, pos) != 0)


@kernel
def raised_alpha(w, t, ply, alpha):
    """Alpha raised to the least score that is certain: being mated here, or a draw by repetition.

    Why: no line below these bounds can matter (mate distance pruning; a move back to an earlier position draws).
    Worth: MateDistance +0.4 ± 5.2 and UpcomingRepetition +1.3 ± 16.1 Elo at 5,000 nodes (undecided).
    Test: tests/search/test_negamax.py::test_every_switch_switches
    """
    if w.params.mate_distance:
        alpha = max(alpha, mated_in(ply))
    if w.params.upcoming_repetition and alpha < DRAW:
        if can_repeat(t, w.stack[u64(ply)], w.path, w.root_index + ply, ply):
            alpha = DRAW
    return alpha


@kernel
def lowered_beta(w, ply, beta):
    """Beta lowered to the best score there can be: mate with the next move."""
    return min(beta, mates_in(ply + 1)) if w.params.mate_distance else beta


@kernel
def bound_decides(bound, score, beta):
    """Does a bounded score decide on which side of beta the value lies?"""
    return bound == BOUND_EXACT or bound == (BOUND_LOWER if score >= beta else BOUND_UPPER)


@kernel
def is_fifty_move_rule_near(w, pos):
    """Is the fifty-move rule so near that table scores, which ignore it, may not cut?

    Why: the table's score comes from a position with more moves left.
    Worth: TtFiftyMoves not measured: on for correctness.
    Test: tests/search/test_qsearch.py::test_the_table_knows_the_clock
    """
    return w.params.tt_fifty_moves != 0 and pos.halfmove >= w.params.tt_fifty_moves_plies


@kernel
def tt_score_within_50_moves(w, pos, score, ply):
    """A table's score, a mate lowered to a win where the fifty-move rule would come first."""
    if not w.params.tt_fifty_moves or not is_mate_score(score):
        return score
    if MATE - abs(score) - ply < FIFTY_MOVES - pos.halfmove:
        return score
    return MATE_IN_STACK - 1 if score > 0 else 1 - MATE_IN_STACK


@kernel
def scaled_eval(w, pos, value):
    """The network's evaluation scaled by non-pawn material and by how near the fifty-move rule is.

    Why: an advantage is easier to win with pieces left; one that makes no progress is often a draw.
    Worth: EvalMaterial -7 ± 30 and EvalFiftyMoves -20 ± 32 Elo at 5,000 nodes (undecided); off by default.
    Test: tests/search/test_node.py::test_scaled_eval
    """
    if w.params.eval_material:
        pieces = non_pawn_material(pos, WHITE) + non_pawn_material(pos, BLACK)
        value = value * (w.params.eval_material_base + pieces) // (w.params.eval_material_base + FULL_NON_PAWN_MATERIAL)
    if w.params.eval_fifty_moves:
        value -= value * np.int64(pos.halfmove) // w.params.eval_fifty_moves_plies
    return value


@kernel
def evaluation_of(w, t, ply):
    """Static evaluation of a ply, points from the mover's side; the trace build times it."""
    since = tick()
    value = static_eval(t, w.evaluator, w.stack, ply)
    tock(w, EVALUATION, since)
    return scaled_eval(w, w.stack[u64(ply)], value) if w.evaluator.mode == BY_NETWORK else value


@kernel
def evaluate_node(w, t, ply, table_eval):
    """Set the frame's raw and corrected evaluation, the raw one from the table if it has one; NO_SCORE in check."""
    pos, frame = w.stack[u64(ply)], frame_of(w, ply)
    if pos.checkers:
        frame.raw_eval = NO_SCORE
        frame.static_eval = NO_SCORE
        return
    frame.raw_eval = table_eval if table_eval != NO_SCORE else evaluation_of(w, t, ply)
    frame.static_eval = corrected_eval(w, ply, frame.raw_eval)


@kernel
def tt_refined_eval(w, ply, score, bound):
    """The static evaluation, or the table's score where its bound makes it a better guess.

    Why: a score from a search knows more than an evaluation.
    Worth: TtEval +29.1 ± 17.7 Elo at 5,000 nodes.
    Test: tests/search/test_negamax.py::test_every_switch_switches
    """
    static = frame_of(w, ply).static_eval
    return refined(static, score, bound) if w.params.tt_eval else static


@kernel
def refined(static, score, bound):
    """An evaluation, or the table's score if its bound says that the truth lies beyond the evaluation; never a mate."""
    if bound == BOUND_NONE or is_mate_score(score):
        return static
    if bound == BOUND_EXACT or bound == (BOUND_LOWER if score > static else BOUND_UPPER):
        return score
    return static


@kernel
def after_move(w, ply):
    """Finish a move played into this ply: add its key to the path and update the evaluation."""
    pos = w.stack[u64(ply)]
    w.path.keys[u64(w.root_index + ply)] = pos.key
    update_evaluation(w.evaluator, w.stack, ply)


@kernel
def play(w, t, tt, ply, move):
    """Play a legal move of this ply into the next."""
    pos, frame = w.stack[u64(ply)], frame_of(w, ply)
    frame.move = move
    frame.moved = piece_square(pos, move)
    fetch_bucket(tt, likely_key(t, pos, move))
    make_move(t, pos, w.stack[u64(ply + 1)], move)
    after_move(w, ply + 1)


@kernel
def play_null(w, t, tt, ply):
    """Play a null move into the next ply."""
    frame = frame_of(w, ply)
    frame.move = NO_MOVE
    frame.moved = NO_PIECE_SQUARE
    fetch_bucket(tt, w.stack[u64(ply)].key ^ t.turn_key)
    make_null(t, w.stack[u64(ply)], w.stack[u64(ply + 1)])
    after_move(w, ply + 1)


@kernel
def update_pv(w, ply, move):
    """The PV of this ply is now this move and the PV after it."""
    here, after = u64(ply), u64(ply + 1)
    w.pv[here, u64(0)] = move
    length = w.pv_length[after]
    for index in range(u64(length)):
        w.pv[here, index + u64(1)] = w.pv[after, index]
    w.pv_length[here] = length + 1


@kernel
def end_of_stack(w, t, ply):
    """Score where the stack ends: the evaluation, or a draw in check."""
    w.stack_ends += 1
    return DRAW if w.stack[u64(ply)].checkers else evaluation_of(w, t, ply)


@kernel
def static_leaf(w, t, ply):
    """Evaluation of a leaf where quiescence is switched off; a draw if the rules say so."""
    if enter(w, ply) or is_draw(w, t, ply):
        return DRAW
    return evaluation_of(w, t, ply)
