"""Kernels. The network: sums that follow the men that moved, brought up to date only where somebody asks for them."""

# mypy: ignore-errors

import numpy as np

from quiesce.board.bits import EMPTY, rest
from quiesce.board.types import BLACK, NO_SQUARE, WHITE, colour_of, kind_of, u64
from quiesce.eval.netfile import QA, QB, SCALE
from quiesce.eval.network import WIDTH
from quiesce.jit import kernel, lsb

KINDS, SQUARES_A_KIND, MIRROR = u64(6), u64(64), u64(56)
FLOOR, CEILING = np.int16(0), np.int16(QA)
QUIET_MOVED, CAPTURE_MOVED, ALL_MOVED = 1, 2, 3
"""Men that changed with a move, a capture or castling, and a capture that promotes."""


@kernel
def feature(side, piece, square):
    """The input a man is, as a side sees the board: own men first, own first rank below."""
    seen = square ^ (MIRROR if side == BLACK else u64(0))
    return ((colour_of(piece) ^ side) * KINDS + kind_of(piece)) * SQUARES_A_KIND + seen


@kernel
def add_one(sums, come):
    """Add a man."""
    for unit in range(u64(WIDTH)):
        sums[unit] += come[unit]


@kernel
def copy_sums(sums, before):
    """Nothing moved."""
    for unit in range(u64(WIDTH)):
        sums[unit] = before[unit]


@kernel
def exchange_one(sums, before, come, gone):
    """A man moved, or became another."""
    for unit in range(u64(WIDTH)):
        sums[unit] = before[unit] + come[unit] - gone[unit]


@kernel
def exchange_and_take(sums, before, come, gone, taken):
    """A man moved, or became another, and took one."""
    for unit in range(u64(WIDTH)):
        sums[unit] = before[unit] + come[unit] - gone[unit] - taken[unit]


@kernel
def exchange_two(sums, before, come, gone, also_come, also_gone):
    """King and rook castled."""
    for unit in range(u64(WIDTH)):
        sums[unit] = before[unit] + come[unit] - gone[unit] + also_come[unit] - also_gone[unit]


@kernel
def came(weights, side, pos, slot):
    """Weights of a man that moved, where it stands now."""
    return weights[feature(side, u64(pos.moved_piece[slot]), u64(pos.moved_to[slot]))]


@kernel
def went(weights, side, pos, slot):
    """Weights of a man that moved, where it stood."""
    return weights[feature(side, u64(pos.moved_piece[slot]), u64(pos.moved_from[slot]))]


@kernel
def follow_side(weights, side, sums, before, pos):
    """One side's sums after the move that led to `pos`.

    What `make_move` notes: a move is one man; a capture its victim, then the taker; a promotion the pawn, then what it
    became, its victim before both; castling the king, then the rook; passing nothing.
    """
    first, second, third = u64(0), u64(1), u64(2)
    if pos.moved_count == QUIET_MOVED:
        exchange_one(sums, before, came(weights, side, pos, first), went(weights, side, pos, first))
    elif pos.moved_count == CAPTURE_MOVED:
        if u64(pos.moved_to[first]) != NO_SQUARE:
            king, rook = came(weights, side, pos, first), came(weights, side, pos, second)
            exchange_two(sums, before, king, went(weights, side, pos, first), rook, went(weights, side, pos, second))
        elif u64(pos.moved_from[second]) == NO_SQUARE:
            exchange_one(sums, before, came(weights, side, pos, second), went(weights, side, pos, first))
        else:
            taker, taken = went(weights, side, pos, second), went(weights, side, pos, first)
            exchange_and_take(sums, before, came(weights, side, pos, second), taker, taken)
    elif pos.moved_count == ALL_MOVED:
        pawn, taken = went(weights, side, pos, second), went(weights, side, pos, first)
        exchange_and_take(sums, before, came(weights, side, pos, third), pawn, taken)
    else:
        copy_sums(sums, before)


@kernel
def refresh_accumulator(network, accumulator, pos):
    """The sums of a position, from scratch."""
    for side in range(u64(2)):
        sums, men = accumulator.sums[side], pos.colours[WHITE] | pos.colours[BLACK]
        copy_sums(sums, network.feature_bias)
        while men != EMPTY:
            square = lsb(men)
            men = rest(men)
            add_one(sums, network.feature_weights[feature(side, u64(pos.board[square]), square)])
    accumulator.is_ready = 1


@kernel
def ready_accumulator(judge, stack, ply):
    """A ply's accumulator, brought up to date from the nearest before it that is."""
    known = ply
    while not judge.accumulators[u64(known)].is_ready:
        known -= 1
    while known < ply:
        before, known = judge.accumulators[u64(known)], known + 1
        accumulator, pos = judge.accumulators[u64(known)], stack[u64(known)]
        for side in range(u64(2)):
            follow_side(judge.network.feature_weights, side, accumulator.sums[side], before.sums[side], pos)
        accumulator.is_ready = 1
    return judge.accumulators[u64(ply)]


@kernel
def half_output(sums, weights):
    """One side's part of the output: clipped, squared, weighed, in the widths that fill the widest instructions."""
    total = np.int32(0)
    for unit in range(u64(WIDTH)):
        clipped = np.int16(min(max(sums[unit], FLOOR), CEILING))
        weighed = np.int16(clipped * weights[unit])
        total += np.int32(clipped) * np.int32(weighed)
    return np.int64(total)


@kernel
def cut_towards_zero(total, divisor):
    """A quotient without its fraction, alike for both signs."""
    return total // divisor if total >= 0 else -(-total // divisor)


@kernel
def network_value(judge, stack, ply):
    """What the network says of a ply, points from the mover's side; `netfile.reference_eval` in the same numbers."""
    accumulator, network, side = ready_accumulator(judge, stack, ply), judge.network, u64(stack[u64(ply)].turn)
    weights = network.output_weights[u64(0)]
    total = half_output(accumulator.sums[side], weights[u64(0)])
    total += half_output(accumulator.sums[side ^ BLACK], weights[u64(1)])
    output = cut_towards_zero(total, QA) + network.output_bias[u64(0)]
    return cut_towards_zero(output * SCALE, QA * QB)
