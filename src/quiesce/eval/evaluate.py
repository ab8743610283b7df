"""Kernels. The one door to the evaluation: men kept up to date move by move, all other terms on asking."""

# mypy: ignore-errors

import numpy as np

from quiesce.board.attacks import occupied_squares
from quiesce.board.bits import EMPTY, rest
from quiesce.board.position import POSITION
from quiesce.board.tables import TABLES
from quiesce.board.types import BLACK, NO_PIECE, NO_SQUARE, SQUARES, WHITE, colour_of, kind_of, u64
from quiesce.eval.accumulate import follow_accumulator, forget_sums, network_value, output_of, refresh_accumulator
from quiesce.eval.counting import PLACES, worth
from quiesce.eval.endings import FULL_SCALE, ending_scale, judge_bare_king
from quiesce.eval.judge import JUDGE, LEDGER
from quiesce.eval.kings import judge_danger, judge_shelters
from quiesce.eval.network import BY_NETWORK, CLASSICAL
from quiesce.eval.pairs import ending_of, middle_of
from quiesce.eval.pawns import judge_passed, pawn_entry
from quiesce.eval.pieces import judge_pieces
from quiesce.eval.threats import judge_threats
from quiesce.jit import entry, kernel, lsb

FULL_PHASE = 24
"""Phase of all men on the board; promotions may exceed it and count no more."""
EVAL_LIMIT = 15_000
"""No evaluation is larger: mates and tablebase wins lie beyond."""
TEMPO, MATERIAL, FIRST_SQUARES = PLACES["tempo"], PLACES["material"], PLACES["pawn_squares"]
KING_KIND = 5
MIRROR = u64(56)


@kernel
def count_man(weights, account, piece, square, sign):
    """Add a man on a square to an account, or with sign -1 take it out."""
    account.men += sign * weights.men[piece, square]
    account.phase += sign * weights.phase[piece]


@kernel
def refresh_account(weights, account, pos):
    """Count all men of a position into an account, from scratch."""
    account.men = 0
    account.phase = 0
    men = occupied_squares(pos)
    while men:
        square = lsb(men)
        count_man(weights, account, u64(pos.board[square]), square, 1)
        men = rest(men)


@kernel
def follow_account(weights, account, before, pos):
    """The account after the move that led to `pos`, from the one before it and the men that moved."""
    account.men = before.men
    account.phase = before.phase
    for slot in range(u64(pos.moved_count)):
        piece, origin, target = u64(pos.moved_piece[slot]), u64(pos.moved_from[slot]), u64(pos.moved_to[slot])
        if origin != NO_SQUARE:
            count_man(weights, account, piece, origin, -1)
        if target != NO_SQUARE:
            count_man(weights, account, piece, target, 1)


@kernel
def judge_all(t, judge, ledger, men, pos):
    """Pair of everything, White's side, given that of the men."""
    slot = pawn_entry(t, judge, ledger, pos)
    pair = men + slot.pair + judge_pieces(t, judge, ledger, pos, slot)
    pair += judge_shelters(judge, ledger, pos, slot) + judge_danger(t, judge, ledger, pos)
    pair += judge_threats(judge, ledger, pos) + judge_passed(t, judge, ledger, pos, slot)
    pair += judge_bare_king(t, judge, ledger, pos)
    tempo = worth(judge, ledger, u64(pos.turn), TEMPO, 1)
    return pair + (tempo if u64(pos.turn) == WHITE else -tempo)


@kernel
def tapered(pair, phase, scale, turn):
    """Centipawns between middlegame and ending, mover's side, within EVAL_LIMIT.

    The sign is turned before dividing, so that a position and its mirror get the same number.
    """
    total = middle_of(pair) * phase * FULL_SCALE + ending_of(pair) * (FULL_PHASE - phase) * scale
    if turn == BLACK:
        total = -total
    return max(-EVAL_LIMIT, min(EVAL_LIMIT, total // (FULL_PHASE * FULL_SCALE)))


@kernel
def classical_eval(t, judge, account, pos):
    """The terms' points from the mover's side, within EVAL_LIMIT."""
    phase = min(np.int64(account.phase), FULL_PHASE)
    pair = judge_all(t, judge, None, np.int64(account.men), pos)
    scale = ending_scale(t, pos, WHITE if ending_of(pair) > 0 else BLACK)
    return tapered(pair, phase, scale, u64(pos.turn))


@kernel
def is_bare(pos, side):
    """Has a side nothing but its king?"""
    return rest(pos.colours[side]) == EMPTY


@kernel
def static_eval(t, judge, account, stack, ply):
    """Points of a ply from the mover's side, within EVAL_LIMIT: the one door to the evaluation.

    A bare king is driven to its mate by the terms made for it, whichever way the rest is judged.
    """
    pos = stack[u64(ply)]
    if judge.mode == CLASSICAL or is_bare(pos, WHITE) or is_bare(pos, BLACK):
        return classical_eval(t, judge, account, pos)
    return max(-EVAL_LIMIT, min(EVAL_LIMIT, network_value(judge, stack, ply)))


@kernel
def start_following(judge, account, stack):
    """Make the root's account or sums, from scratch."""
    refresh_account(judge.weights, account, stack[u64(0)])
    if judge.mode == BY_NETWORK:
        refresh_accumulator(judge.network, judge.accumulators[u64(0)], stack[u64(0)])


@kernel
def follow_root(judge, account, stack, pos):
    """Make the root's account or sums those of another position, which takes its place next."""
    refresh_account(judge.weights, account, pos)
    if judge.mode == BY_NETWORK:
        follow_accumulator(judge.network, judge.accumulators[u64(0)], stack[u64(0)], pos)


@kernel
def follow_move(judge, account, before, stack, ply):
    """Follow the move that led to a ply: the account at once, the network's sums when they are asked for.

    The account is kept in either mode: margins depend on its phase, and bare kings are judged by the terms.
    """
    follow_account(judge.weights, account, before, stack[u64(ply)])
    if judge.mode == BY_NETWORK:
        forget_sums(judge.accumulators[u64(ply)])


@kernel
def note_men(judge, ledger, pos):
    """Pair of all men on their squares, each written into the ledger, and their phase."""
    pair, phase = np.int64(0), np.int64(0)
    for square in range(u64(SQUARES)):
        piece = u64(pos.board[square])
        if piece != NO_PIECE:
            side, kind = colour_of(piece), np.int64(kind_of(piece))
            seen = np.int64(square ^ (MIRROR if side == BLACK else u64(0)))
            ledger.counts[side, u64(FIRST_SQUARES + kind * SQUARES + seen)] += 1
            if kind < KING_KIND:
                ledger.counts[side, u64(MATERIAL + kind)] += 1
            pair += judge.weights.men[piece, square]
            phase += judge.weights.phase[piece]
    return pair, phase


@entry(TABLES, JUDGE, POSITION, LEDGER, rare=True)
def explain_eval(t, judge, pos, ledger):
    """The static evaluation of any position, from scratch, with all that was counted in the ledger."""
    ledger.counts[:, :] = 0
    men, phase = note_men(judge, ledger, pos)
    ledger.phase = min(phase, FULL_PHASE)
    ledger.pair = judge_all(t, judge, ledger, men, pos)
    ledger.scale = ending_scale(t, pos, WHITE if ending_of(ledger.pair) > 0 else BLACK)
    ledger.value = tapered(ledger.pair, ledger.phase, ledger.scale, u64(pos.turn))
    return ledger.value


@entry(JUDGE, POSITION, rare=True)
def explain_network(judge, pos):
    """What the network says of any position, from scratch, points of the mover's side; bare kings too."""
    sums = judge.accumulators[u64(0)]
    refresh_accumulator(judge.network, sums, pos)
    return max(-EVAL_LIMIT, min(EVAL_LIMIT, output_of(judge.network, sums, pos)))
