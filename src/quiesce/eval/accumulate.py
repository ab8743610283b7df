"""Kernels. The network: sums that follow the men that moved, brought up to date only where somebody asks for them."""

# mypy: ignore-errors

import numpy as np

from quiesce.board.attacks import king_square, occupied_squares, pieces_of
from quiesce.board.bits import EMPTY, rest
from quiesce.board.inputs import RIGHT_HALF, input_of, plain_view_of, view_of
from quiesce.board.types import BLACK, KINDS, NO_SQUARE, PIECES, WHITE, colour_of, kind_of, u64
from quiesce.eval.netfile import FEWEST_MEN, MEN_A_BUCKET, QA, QB, SCALE
from quiesce.eval.network import HALVES, WIDTH, ZONES
from quiesce.jit import kernel, lsb, popcount

FOUR = u64(4)
ZONE_COUNT, HALF_COUNT = u64(ZONES), u64(HALVES)
FEWEST, A_BUCKET = u64(FEWEST_MEN), u64(MEN_A_BUCKET)
FLOOR, CEILING = np.int16(0), np.int16(QA)
QUIET_MOVED, CAPTURE_MOVED, ALL_MOVED = 1, 2, 3
"""Men that changed with a move, a capture or castling, and a capture that promotes."""


@kernel
def zone_of(network, pos, side):
    """Where on the board a side's king stands: which weights all men have in its eyes."""
    return u64(network.zone_of[king_square(pos, side) ^ plain_view_of(side)])


@kernel
def is_seen_alike(network, before, pos, side):
    """Does a side see two positions turned the same way, with the same weights?"""
    if king_square(before, side) == king_square(pos, side):
        return True
    return view_of(before, side) == view_of(pos, side) and zone_of(network, before, side) == zone_of(network, pos, side)


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
def replace_one(sums, come, gone):
    """Add a man and take another out, in place: `exchange_one` of sums with themselves would go unit by unit."""
    for unit in range(u64(WIDTH)):
        sums[unit] += come[unit] - gone[unit]


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
def first_of(weights, side, view, piece, squares):
    """Weights of the first of a piece's squares."""
    return weights[input_of(side, view, piece, lsb(squares))]


@kernel
def standing(weights, side, view, pos, squares):
    """Weights of the first man of a set, whatever it is."""
    return first_of(weights, side, view, u64(pos.board[lsb(squares)]), squares)


@kernel
def refresh_side(network, accumulator, pos, side):
    """One side's sums of a position, from scratch."""
    sums, men, view = accumulator.sums[side], occupied_squares(pos), view_of(pos, side)
    weights = network.feature_weights[zone_of(network, pos, side)]
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
    """One side's sums of a position from those of any other men that it sees alike."""
    for piece in range(u64(PIECES)):
        kind, colour = kind_of(piece), colour_of(piece)
        were, are = pieces_of(before, kind, colour), pieces_of(pos, kind, colour)
        gone, come = were & ~are, are & ~were
        while gone and come:
            replace_one(sums, first_of(weights, side, view, piece, come), first_of(weights, side, view, piece, gone))
            gone, come = rest(gone), rest(come)
        while come:
            add_one(sums, first_of(weights, side, view, piece, come))
            come = rest(come)
        while gone:
            take_one(sums, first_of(weights, side, view, piece, gone))
            gone = rest(gone)


@kernel
def follow_accumulator(network, accumulator, before, pos):
    """The sums of a position, from those of any other: what they share need not be counted again."""
    is_near = changes(before, pos) < popcount(occupied_squares(pos))
    for side in range(u64(2)):
        if is_near and is_seen_alike(network, before, pos, side):
            weights = network.feature_weights[zone_of(network, pos, side)]
            exchange_men(weights, side, view_of(pos, side), accumulator.sums[side], before, pos)
        else:
            refresh_side(network, accumulator, pos, side)


@kernel
def refresh_accumulator(network, accumulator, pos):
    """The sums of a position, from scratch."""
    refresh_side(network, accumulator, pos, WHITE)
    refresh_side(network, accumulator, pos, BLACK)


@kernel
def look_again(judge, accumulator, pos, side):
    """One side's sums of a position whose king has changed halves or zones: from the last it saw from there."""
    network, king = judge.network, king_square(pos, side)
    zone, half = zone_of(network, pos, side), u64(1) if king & RIGHT_HALF else u64(0)
    seen = judge.seen[(side * ZONE_COUNT + zone) * HALF_COUNT + half]
    exchange_men(network.feature_weights[zone], side, view_of(pos, side), seen.sums, seen, pos)
    for kind in range(u64(KINDS)):
        seen.pieces[kind] = pos.pieces[kind]
    for colour in range(u64(2)):
        seen.colours[colour] = pos.colours[colour]
    copy_sums(accumulator.sums[side], seen.sums)
    accumulator.is_ready[side] = 1


@kernel
def ready_side(judge, stack, ply, side):
    """Bring one side's sums of a ply up to date from the nearest before it that are, if they are seen alike."""
    known, pos = ply, stack[u64(ply)]
    while not judge.accumulators[u64(known)].is_ready[side]:
        known -= 1
        if not is_seen_alike(judge.network, stack[u64(known)], pos, side):
            look_again(judge, judge.accumulators[u64(ply)], pos, side)
            return
    view, weights = view_of(pos, side), judge.network.feature_weights[zone_of(judge.network, pos, side)]
    while known < ply:
        before, known = judge.accumulators[u64(known)], known + 1
        accumulator = judge.accumulators[u64(known)]
        follow_side(weights, side, view, accumulator.sums[side], before.sums[side], stack[u64(known)])
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
