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
from quiesce.search.history import corrected, frame_of, piece_square
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
def clipped_alpha(w, t, ply, alpha):
    """Alpha raised to what is certain: being mated here is the worst, a way back is worth a draw."""
    if w.params.mate_distance:
        alpha = max(alpha, mated_in(ply))
    if w.params.upcoming_repetition and alpha < DRAW:
        if can_repeat(t, w.stack[u64(ply)], w.path, w.root_index + ply, ply):
            alpha = DRAW
    return alpha


@kernel
def clipped_beta(w, ply, beta):
    """Beta lowered to the best there can be: mate with the next move."""
    return min(beta, mates_in(ply + 1)) if w.params.mate_distance else beta


@kernel
def does_bound_hold(bound, score, beta):
    """Does a bounded score say on which side of beta the value lies?"""
    return bound == BOUND_EXACT or bound == (BOUND_LOWER if score >= beta else BOUND_UPPER)


@kernel
def is_clock_high(w, pos):
    """Table clock: is the fifty-move rule so near that table scores, which know no clock, are not trusted to cut?"""
    return w.params.table_clock != 0 and pos.halfmove >= w.params.table_clock_plies


@kernel
def believed(w, pos, score, ply):
    """A table score as far as the move clock lets us believe it: a mate that comes too late is only a win."""
    if not w.params.table_clock or not is_mate_score(score):
        return score
    if MATE - abs(score) - ply < FIFTY_MOVES - pos.halfmove:
        return score
    return MATE_IN_STACK - 1 if score > 0 else 1 - MATE_IN_STACK


@kernel
def faded(w, pos, value):
    """What stands of an evaluation as pieces leave the board, and as the fifty-move rule comes nearer.

    Why: with pieces on the board an advantage grows, and one that makes no progress is none.
    Test: tests/search/test_node.py::test_faded
    """
    if w.params.eval_material:
        pieces = non_pawn_material(pos, WHITE) + non_pawn_material(pos, BLACK)
        value = value * (w.params.eval_material_base + pieces) // (w.params.eval_material_base + FULL_NON_PAWN_MATERIAL)
    if w.params.eval_clock:
        value -= value * np.int64(pos.halfmove) // w.params.eval_clock_plies
    return value


@kernel
def evaluation_of(w, t, ply):
    """The static evaluation of a ply, mover's side; the trace build times it."""
    since = tick()
    value = static_eval(t, w.evaluator, w.stack, ply)
    tock(w, EVALUATION, since)
    return faded(w, w.stack[u64(ply)], value) if w.evaluator.mode == BY_NETWORK else value


@kernel
def evaluate_node(w, t, ply, table_eval):
    """Set the frame's raw and corrected evaluation, taking the table's where it has one; NO_SCORE in check."""
    pos, frame = w.stack[u64(ply)], frame_of(w, ply)
    if pos.checkers:
        frame.raw_eval = NO_SCORE
        frame.static_eval = NO_SCORE
        return
    frame.raw_eval = table_eval if table_eval != NO_SCORE else evaluation_of(w, t, ply)
    frame.static_eval = corrected(w, ply, frame.raw_eval)


@kernel
def refined_eval(w, ply, score, bound):
    """The static evaluation, or a table score that is a better guess: a bound on its far side."""
    static = frame_of(w, ply).static_eval
    return refined(static, score, bound) if w.params.table_eval else static


@kernel
def refined(static, score, bound):
    """An evaluation, or a table score whose bound says that the truth lies beyond it; mates are no evaluation."""
    if bound == BOUND_NONE or is_mate_score(score):
        return static
    if bound == BOUND_EXACT or bound == (BOUND_LOWER if score > static else BOUND_UPPER):
        return score
    return static


@kernel
def arrive(w, ply):
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
    arrive(w, ply + 1)


@kernel
def play_null(w, t, tt, ply):
    """Pass."""
    frame = frame_of(w, ply)
    frame.move = NO_MOVE
    frame.moved = NO_PIECE_SQUARE
    fetch_bucket(tt, w.stack[u64(ply)].key ^ t.turn_key)
    make_null(t, w.stack[u64(ply)], w.stack[u64(ply + 1)])
    arrive(w, ply + 1)


@kernel
def note_line(w, ply, move):
    """The best line from here is now this move and the best line after it."""
    here, after = u64(ply), u64(ply + 1)
    w.pv[here, u64(0)] = move
    length = w.pv_length[after]
    for index in range(u64(length)):
        w.pv[here, index + u64(1)] = w.pv[after, index]
    w.pv_length[here] = length + 1


@kernel
def end_of_stack(w, t, ply):
    """Score where the stack ends: the evaluation, or a draw in check, where there is none."""
    w.stack_ends += 1
    return DRAW if w.stack[u64(ply)].checkers else evaluation_of(w, t, ply)


@kernel
def plain_leaf(w, t, ply):
    """A leaf evaluated as it stands, where quiescence is switched off; drawn if the rules say so."""
    if enter(w, ply) or is_draw(w, t, ply):
        return DRAW
    return evaluation_of(w, t, ply)
