"""Kernels. The network: sums that follow the men that moved, brought up to date only where somebody asks for them."""

# mypy: ignore-errors

import numpy as np

from quiesce.board.attacks import occupied_squares, pieces_of
from quiesce.board.bits import EMPTY, rest
from quiesce.board.inputs import input_of, view_of
from quiesce.board.types import BLACK, NO_SQUARE, PIECES, WHITE, colour_of, kind_of, u64
from quiesce.eval.netfile import FEWEST_MEN, MEN_A_BUCKET, QA, QB, SCALE
from quiesce.eval.network import WIDTH
from quiesce.jit import kernel, lsb, popcount

FOUR = u64(4)
FEWEST, A_BUCKET = u64(FEWEST_MEN), u64(MEN_A_BUCKET)
FLOOR, CEILING = np.int16(0), np.int16(QA)
QUIET_MOVED, CAPTURE_MOVED, ALL_MOVED = 1, 2, 3
"""Men that changed with a move, a capture or castling, and a capture that promotes."""


@kernel
def add_one(sums, come):
    """Add a man."""
    for unit in range(u64(WIDTH)):
        sums[unit] += come[unit]


@kernel
def add_four(sums, one, two, three, four):
    """Add four men in one pass."""
    for unit in range(u64(WIDTH)):
        sums[unit] += one[unit] + two[unit] + three[unit] + four[unit]


@kernel
def take_one(sums, gone):
    """Take a man out."""
    for unit in range(u64(WIDTH)):
        sums[unit] -= gone[unit]


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
def came(weights, side, view, pos, slot):
    """Weights of a man that moved, where it stands now."""
    return weights[input_of(side, view, u64(pos.moved_piece[slot]), u64(pos.moved_to[slot]))]


@kernel
def went(weights, side, view, pos, slot):
    """Weights of a man that moved, where it stood."""
    return weights[input_of(side, view, u64(pos.moved_piece[slot]), u64(pos.moved_from[slot]))]


@kernel
def follow_side(weights, side, view, sums, before, pos):
    """One side's sums after the move that led to `pos`, seen as before it.

    What `make_move` notes: a move is one man; a capture its victim, then the taker; a promotion the pawn, then what it
    became, its victim before both; castling the king, then the rook; passing nothing.
    """
    first, second, third = u64(0), u64(1), u64(2)
    if pos.moved_count == QUIET_MOVED:
        exchange_one(sums, before, came(weights, side, view, pos, first), went(weights, side, view, pos, first))
    elif pos.moved_count == CAPTURE_MOVED:
        if u64(pos.moved_to[first]) != NO_SQUARE:
            king, rook = came(weights, side, view, pos, first), came(weights, side, view, pos, second)
            king_gone, rook_gone = went(weights, side, view, pos, first), went(weights, side, view, pos, second)
            exchange_two(sums, before, king, king_gone, rook, rook_gone)
        elif u64(pos.moved_from[second]) == NO_SQUARE:
            exchange_one(sums, before, came(weights, side, view, pos, second), went(weights, side, view, pos, first))
        else:
            taker, taken = went(weights, side, view, pos, second), went(weights, side, view, pos, first)
            exchange_and_take(sums, before, came(weights, side, view, pos, second), taker, taken)
    elif pos.moved_count == ALL_MOVED:
        pawn, taken = went(weights, side, view, pos, second), went(weights, side, view, pos, first)
        exchange_and_take(sums, before, came(weights, side, view, pos, third), pawn, taken)
    else:
        copy_sums(sums, before)


@kernel
def standing(weights, side, view, pos, squares):
    """Weights of the first man of a set."""
    square = lsb(squares)
    return weights[input_of(side, view, u64(pos.board[square]), square)]


@kernel
def refresh_side(network, accumulator, pos, side):
    """One side's sums of a position, from scratch."""
    sums, men, view = accumulator.sums[side], occupied_squares(pos), view_of(pos, side)
    weights = network.feature_weights
    copy_sums(sums, network.feature_bias)
    for _ in range(popcount(men) // FOUR):
        second = rest(men)
        third = rest(second)
        fourth = rest(third)
        add_four(
            sums,
            standing(weights, side, view, pos, men),
            standing(weights, side, view, pos, second),
            standing(weights, side, view, pos, third),
            standing(weights, side, view, pos, fourth),
        )
        men = rest(fourth)
    while men != EMPTY:
        add_one(sums, standing(weights, side, view, pos, men))
        men = rest(men)
    accumulator.is_ready[side] = 1


@kernel
def changes(before, pos):
    """Men that left their squares or came to others between any two positions."""
    count = u64(0)
    for piece in range(u64(PIECES)):
        kind, colour = kind_of(piece), colour_of(piece)
        count += popcount(pieces_of(before, kind, colour) ^ pieces_of(pos, kind, colour))
    return count


@kernel
def exchange_men(weights, side, view, sums, before, pos):
    """One side's sums of a position from those of any other that it sees turned alike."""
    for piece in range(u64(PIECES)):
        kind, colour = kind_of(piece), colour_of(piece)
        were, are = pieces_of(before, kind, colour), pieces_of(pos, kind, colour)
        gone, come = were & ~are, are & ~were
        while gone and come:
            new, old = standing(weights, side, view, pos, come), standing(weights, side, view, before, gone)
            exchange_one(sums, sums, new, old)
            gone, come = rest(gone), rest(come)
        while come:
            add_one(sums, standing(weights, side, view, pos, come))
            come = rest(come)
        while gone:
            take_one(sums, standing(weights, side, view, before, gone))
            gone = rest(gone)


@kernel
def follow_accumulator(network, accumulator, before, pos):
    """The sums of a position, from those of any other: what they share need not be counted again."""
    is_near = changes(before, pos) < popcount(occupied_squares(pos))
    for side in range(u64(2)):
        view = view_of(pos, side)
        if is_near and view == view_of(before, side):
            exchange_men(network.feature_weights, side, view, accumulator.sums[side], before, pos)
        else:
            refresh_side(network, accumulator, pos, side)


@kernel
def refresh_accumulator(network, accumulator, pos):
    """The sums of a position, from scratch."""
    refresh_side(network, accumulator, pos, WHITE)
    refresh_side(network, accumulator, pos, BLACK)


@kernel
def ready_side(judge, stack, ply, side):
    """Bring one side's sums of a ply up to date from the nearest before it that are.

    Where its king has changed halves since, all that it sees is turned round: then from scratch.
    """
    known, view = ply, view_of(stack[u64(ply)], side)
    while not judge.accumulators[u64(known)].is_ready[side]:
        known -= 1
        if view_of(stack[u64(known)], side) != view:
            refresh_side(judge.network, judge.accumulators[u64(ply)], stack[u64(ply)], side)
            return
    while known < ply:
        before, known = judge.accumulators[u64(known)], known + 1
        accumulator = judge.accumulators[u64(known)]
        weights, sums = judge.network.feature_weights, accumulator.sums[side]
        follow_side(weights, side, view, sums, before.sums[side], stack[u64(known)])
        accumulator.is_ready[side] = 1


@kernel
def forget_sums(accumulator):
    """The position of a ply has changed."""
    accumulator.is_ready[WHITE] = 0
    accumulator.is_ready[BLACK] = 0


@kernel
def half_output(sums, weights):
    """One side's part of the output: clipped, squared, weighed, in the widths that fill the widest instructions."""
    total = np.int32(0)
    for unit in range(u64(WIDTH)):
        clipped = np.int16(min(max(sums[unit], FLOOR), CEILING))
        weighed = np.int16(clipped * weights[unit])
        total = np.int32(total + np.int32(clipped) * np.int32(weighed))
    return np.int64(total)


@kernel
def cut_towards_zero(total, divisor):
    """A quotient without its fraction, alike for both signs."""
    return total // divisor if total >= 0 else -(-total // divisor)


@kernel
def output_of(network, accumulator, pos):
    """What the network says of sums that are a position's, points from the mover's side."""
    side, bucket = u64(pos.turn), (popcount(occupied_squares(pos)) - FEWEST) // A_BUCKET
    weights = network.output_weights[bucket]
    total = half_output(accumulator.sums[side], weights[u64(0)])
    total += half_output(accumulator.sums[side ^ BLACK], weights[u64(1)])
    output = cut_towards_zero(total, QA) + network.output_bias[bucket]
    return cut_towards_zero(output * SCALE, QA * QB)


@kernel
def network_value(judge, stack, ply):
    """What the network says of a ply, points from the mover's side; `netfile.reference_eval` in the same numbers."""
    ready_side(judge, stack, ply, WHITE)
    ready_side(judge, stack, ply, BLACK)
    return output_of(judge.network, judge.accumulators[u64(ply)], stack[u64(ply)])
