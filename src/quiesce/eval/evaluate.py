"""Kernels. The one door to the evaluation: PSQT and phase updated move by move, everything else when asked for."""

# mypy: ignore-errors

import numpy as np

from quiesce.board.attacks import occupied_squares
from quiesce.board.bits import EMPTY, rest
from quiesce.board.position import POSITION
from quiesce.board.tables import TABLES
from quiesce.board.types import BLACK, NO_PIECE, NO_SQUARE, SQUARES, WHITE, colour_of, kind_of, u64
from quiesce.eval.accumulator import mark_dirty, network_eval, output_of, refresh_accumulator
from quiesce.eval.endings import FULL_SCALE, ending_scale, evaluate_bare_king
from quiesce.eval.evaluator import EVAL_TRACE, EVALUATOR
from quiesce.eval.kings import evaluate_danger, evaluate_shelters
from quiesce.eval.network import BY_NETWORK, CLASSICAL
from quiesce.eval.packedscore import eg_value, mg_value
from quiesce.eval.pawns import evaluate_passed, pawn_entry
from quiesce.eval.pieces import evaluate_pieces
from quiesce.eval.termscore import TERM_INDEX, term_score
from quiesce.eval.threats import evaluate_threats
from quiesce.jit import entry, kernel, lsb

FULL_PHASE = 24
"""Phase of the starting position; promotions may exceed it and count no more."""
EVAL_LIMIT = 15_000
"""No evaluation is larger: mates and tablebase wins lie beyond."""
TEMPO, MATERIAL, FIRST_SQUARES = TERM_INDEX["tempo"], TERM_INDEX["material"], TERM_INDEX["pawn_squares"]
KING_KIND = 5
MIRROR = u64(56)


@kernel
def add_psqt(weights, accumulator, piece, square, sign):
    """Add a piece on a square to the PSQT score and the phase, or with sign -1 remove it."""
    accumulator.psqt += sign * weights.psqt[piece, square]
    accumulator.phase += sign * weights.phase[piece]


@kernel
def refresh_psqt(weights, accumulator, pos):
    """Compute PSQT score and phase of a position, from scratch."""
    accumulator.psqt = 0
    accumulator.phase = 0
    pieces = occupied_squares(pos)
    while pieces:
        square = lsb(pieces)
        add_psqt(weights, accumulator, u64(pos.board[square]), square, 1)
        pieces = rest(pieces)


@kernel
def update_psqt(weights, accumulator, before, pos):
    """Compute PSQT score and phase after the move that led to `pos`, from those before it."""
    accumulator.psqt = before.psqt
    accumulator.phase = before.phase
    for slot in range(u64(pos.moved_count)):
        piece, origin, target = u64(pos.moved_piece[slot]), u64(pos.moved_from[slot]), u64(pos.moved_to[slot])
        if origin != NO_SQUARE:
            add_psqt(weights, accumulator, piece, origin, -1)
        if target != NO_SQUARE:
            add_psqt(weights, accumulator, piece, target, 1)


@kernel
def evaluate_terms(t, evaluator, trace, psqt, pos):
    """Packed score of all terms, White's side, given the PSQT score."""
    slot = pawn_entry(t, evaluator, trace, pos)
    score = psqt + slot.score + evaluate_pieces(t, evaluator, trace, pos, slot)
    score += evaluate_shelters(evaluator, trace, pos, slot) + evaluate_danger(t, evaluator, trace, pos)
    score += evaluate_threats(evaluator, trace, pos) + evaluate_passed(t, evaluator, trace, pos, slot)
    score += evaluate_bare_king(t, evaluator, trace, pos)
    tempo = term_score(evaluator, trace, u64(pos.turn), TEMPO, 1)
    return score + (tempo if u64(pos.turn) == WHITE else -tempo)


@kernel
def tapered(score, phase, scale, turn):
    """Points between the middlegame and the endgame score, mover's side, within EVAL_LIMIT.

    The sign is turned before dividing, so that a position and its mirror get the same number.
    """
    total = mg_value(score) * phase * FULL_SCALE + eg_value(score) * (FULL_PHASE - phase) * scale
    if turn == BLACK:
        total = -total
    return max(-EVAL_LIMIT, min(EVAL_LIMIT, total // (FULL_PHASE * FULL_SCALE)))


@kernel
def classical_eval(t, evaluator, accumulator, pos):
    """Evaluation by the terms, points from the mover's side, within EVAL_LIMIT."""
    phase = min(np.int64(accumulator.phase), FULL_PHASE)
    score = evaluate_terms(t, evaluator, None, np.int64(accumulator.psqt), pos)
    scale = ending_scale(t, pos, WHITE if eg_value(score) > 0 else BLACK)
    return tapered(score, phase, scale, u64(pos.turn))


@kernel
def is_bare(pos, side):
    """Has a side nothing but its king?"""
    return rest(pos.colours[side]) == EMPTY


@kernel
def static_eval(t, evaluator, stack, ply):
    """Evaluation of a ply, points from the mover's side, within EVAL_LIMIT: the one door to the evaluation.

    Against a bare king the terms evaluate, with the network too: some of them drive the king to its mate.
    """
    pos = stack[u64(ply)]
    if evaluator.mode == CLASSICAL or is_bare(pos, WHITE) or is_bare(pos, BLACK):
        return classical_eval(t, evaluator, evaluator.accumulators[u64(ply)], pos)
    return max(-EVAL_LIMIT, min(EVAL_LIMIT, network_eval(evaluator, stack, ply)))


@kernel
def refresh_evaluation(evaluator, stack):
    """Compute what is kept for the root, whatever stood there before."""
    root = evaluator.accumulators[u64(0)]
    refresh_psqt(evaluator.weights, root, stack[u64(0)])
    if evaluator.mode == BY_NETWORK:
        refresh_accumulator(evaluator, root, stack[u64(0)])


@kernel
def update_evaluation(evaluator, stack, ply):
    """Follow the move that led to a ply: PSQT and phase at once, the network's accumulator when it is asked for.

    PSQT and phase are kept in either mode: margins depend on the phase, and the terms evaluate bare kings.
    """
    accumulator = evaluator.accumulators[u64(ply)]
    update_psqt(evaluator.weights, accumulator, evaluator.accumulators[u64(ply - 1)], stack[u64(ply)])
    mark_dirty(accumulator)


@kernel
def trace_psqt(evaluator, trace, pos):
    """PSQT score and phase of a position, each piece counted in the trace."""
    score, phase = np.int64(0), np.int64(0)
    for square in range(u64(SQUARES)):
        piece = u64(pos.board[square])
        if piece != NO_PIECE:
            side, kind = colour_of(piece), np.int64(kind_of(piece))
            relative = np.int64(square ^ (MIRROR if side == BLACK else u64(0)))
            trace.counts[side, u64(FIRST_SQUARES + kind * SQUARES + relative)] += 1
            if kind < KING_KIND:
                trace.counts[side, u64(MATERIAL + kind)] += 1
            score += evaluator.weights.psqt[piece, square]
            phase += evaluator.weights.phase[piece]
    return score, phase


@entry(TABLES, EVALUATOR, POSITION, EVAL_TRACE, lazy=True)
def explain_eval(t, evaluator, pos, trace):
    """Evaluation of any position by the terms, points from the mover's side; the trace holds all counts."""
    trace.counts[:, :] = 0
    psqt, phase = trace_psqt(evaluator, trace, pos)
    trace.phase = min(phase, FULL_PHASE)
    trace.score = evaluate_terms(t, evaluator, trace, psqt, pos)
    trace.scale = ending_scale(t, pos, WHITE if eg_value(trace.score) > 0 else BLACK)
    trace.value = tapered(trace.score, trace.phase, trace.scale, u64(pos.turn))
    return trace.value


@entry(EVALUATOR, POSITION, lazy=True)
def explain_network(evaluator, pos):
    """Evaluation of any position by the network, points from the mover's side; of bare kings too."""
    accumulator = evaluator.accumulators[u64(0)]
    refresh_accumulator(evaluator, accumulator, pos)
    return max(-EVAL_LIMIT, min(EVAL_LIMIT, output_of(evaluator.network, accumulator, pos)))
