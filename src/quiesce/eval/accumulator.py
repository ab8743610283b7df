"""Kernels. The network's accumulators: marked dirty by each move, updated only when the evaluation asks for them.

An accumulator holds, for both perspectives, the bias plus the weights of all features. A perspective is updated from
the nearest computed ply if its king has kept its mirror side and bucket since then. Otherwise it is refreshed from a
cache of the last accumulator for each bucket (the refresh cache, or "Finny table", is Luecx's idea, from Koivisto).
"""

# mypy: ignore-errors

import numpy as np

from quiesce.board.attacks import king_square, occupied_squares, pieces_of
from quiesce.board.bits import EMPTY, rest
from quiesce.board.types import BLACK, KINDS, NO_SQUARE, PIECES, WHITE, colour_of, kind_of, u64
from quiesce.eval.features import FILE_FLIP, RANK_FLIP, RIGHT_HALF
from quiesce.eval.netfile import FEWEST_PIECES, PIECES_A_BUCKET, QA, QB, SCALE
from quiesce.eval.network import KING_BUCKETS, MIRROR_SIDES, WIDTH
from quiesce.jit import kernel, lsb, popcount

FOUR = u64(4)
BUCKET_COUNT, MIRROR_COUNT = u64(KING_BUCKETS), u64(MIRROR_SIDES)
FLIPPED_RANKS, FLIPPED_FILES, RIGHT_FILES = u64(RANK_FLIP), u64(FILE_FLIP), u64(RIGHT_HALF)
FEWEST, A_BUCKET = u64(FEWEST_PIECES), u64(PIECES_A_BUCKET)
FLOOR, CEILING = np.int16(0), np.int16(QA)
QUIET_CHANGES, CAPTURE_CHANGES, CAPTURE_PROMOTION_CHANGES = 1, 2, 3
"""Pieces that change with a move, with a capture, a promotion or castling, and with a capture that promotes."""


@kernel
def king_bucket(network, pos, perspective):
    """Bucket of a side's own king: it chooses the weights of all features of that perspective."""
    flip = FLIPPED_RANKS if perspective == BLACK else u64(0)
    return u64(network.king_bucket[king_square(pos, perspective) ^ flip])


@kernel
def is_mirrored(pos, perspective):
    """Does a side's own king stand on the files e to h, so that its features are mirrored?"""
    return king_square(pos, perspective) & RIGHT_FILES != 0


@kernel
def same_king_bucket(network, before, pos, perspective):
    """Are a side's features of two positions mirrored alike, with the same weights?"""
    if king_square(before, perspective) == king_square(pos, perspective):
        return True
    if is_mirrored(before, perspective) != is_mirrored(pos, perspective):
        return False
    return king_bucket(network, before, perspective) == king_bucket(network, pos, perspective)


@kernel
def feature_rows(evaluator, pos, perspective):
    """What `row_of` needs: feature weights of the king's bucket, the perspective's index, and how it is mirrored."""
    network, flip = evaluator.network, FLIPPED_FILES if is_mirrored(pos, perspective) else u64(0)
    return network.feature_weights[king_bucket(network, pos, perspective)], evaluator.feature_index[perspective], flip


@kernel
def row_of(rows, piece, square):
    """Weights of the feature that a piece on a square is."""
    weights, index, flip = rows
    return weights[u64(index[piece, square]) ^ flip]


@kernel
def add(values, added):
    """Add a feature."""
    for unit in range(u64(WIDTH)):
        values[unit] += added[unit]


@kernel
def add_four(values, one, two, three, four):
    """Add four features in one pass."""
    for unit in range(u64(WIDTH)):
        values[unit] += one[unit] + two[unit] + three[unit] + four[unit]


@kernel
def sub(values, removed):
    """Remove a feature."""
    for unit in range(u64(WIDTH)):
        values[unit] -= removed[unit]


@kernel
def add_sub_in_place(values, added, removed):
    """Add a feature and remove another, in place: `add_sub` of an array onto itself would not be vectorised."""
    for unit in range(u64(WIDTH)):
        values[unit] += added[unit] - removed[unit]


@kernel
def copy_values(values, before):
    """Copy the accumulator of one perspective."""
    for unit in range(u64(WIDTH)):
        values[unit] = before[unit]


@kernel
def add_sub(values, before, added, removed):
    """The values before, a feature added and one removed: a quiet move, or a promotion."""
    for unit in range(u64(WIDTH)):
        values[unit] = before[unit] + added[unit] - removed[unit]


@kernel
def add_sub_sub(values, before, added, removed, captured):
    """The values before, a feature added and two removed: a capture."""
    for unit in range(u64(WIDTH)):
        values[unit] = before[unit] + added[unit] - removed[unit] - captured[unit]


@kernel
def add_add_sub_sub(values, before, king_added, king_removed, rook_added, rook_removed):
    """The values before, two features added and two removed: castling."""
    for unit in range(u64(WIDTH)):
        values[unit] = before[unit] + king_added[unit] - king_removed[unit] + rook_added[unit] - rook_removed[unit]


@kernel
def added_row(rows, pos, slot):
    """Weights of the feature that a change of the last move adds."""
    return row_of(rows, u64(pos.moved_piece[slot]), u64(pos.moved_to[slot]))


@kernel
def removed_row(rows, pos, slot):
    """Weights of the feature that a change of the last move removes."""
    return row_of(rows, u64(pos.moved_piece[slot]), u64(pos.moved_from[slot]))


@kernel
def apply_updates(rows, values, before, pos):
    """One perspective's values after the move that led to `pos`, from those before it, with the same rows.

    Relies on the order of `make_move`: a capture notes its victim, then the capturing piece; a promotion the pawn, then
    the new piece, a victim before both; castling the king, then the rook; a null move nothing.
    """
    first, second, third = u64(0), u64(1), u64(2)
    if pos.moved_count == QUIET_CHANGES:
        add_sub(values, before, added_row(rows, pos, first), removed_row(rows, pos, first))
    elif pos.moved_count == CAPTURE_CHANGES:
        if u64(pos.moved_to[first]) != NO_SQUARE:
            king_added, rook_added = added_row(rows, pos, first), added_row(rows, pos, second)
            king_removed, rook_removed = removed_row(rows, pos, first), removed_row(rows, pos, second)
            add_add_sub_sub(values, before, king_added, king_removed, rook_added, rook_removed)
        elif u64(pos.moved_from[second]) == NO_SQUARE:
            add_sub(values, before, added_row(rows, pos, second), removed_row(rows, pos, first))
        else:
            removed, captured = removed_row(rows, pos, second), removed_row(rows, pos, first)
            add_sub_sub(values, before, added_row(rows, pos, second), removed, captured)
    elif pos.moved_count == CAPTURE_PROMOTION_CHANGES:
        pawn, captured = removed_row(rows, pos, second), removed_row(rows, pos, first)
        add_sub_sub(values, before, added_row(rows, pos, third), pawn, captured)
    else:
        copy_values(values, before)


@kernel
def first_row(rows, piece, squares):
    """Weights of a piece on the first of some squares."""
    return row_of(rows, piece, lsb(squares))


@kernel
def board_row(rows, pos, squares):
    """Weights of the piece that stands on the first of some squares."""
    return first_row(rows, u64(pos.board[lsb(squares)]), squares)


@kernel
def compute_values(rows, values, bias, pos):
    """One perspective's values of a position, from scratch."""
    pieces = occupied_squares(pos)
    copy_values(values, bias)
    for _ in range(popcount(pieces) // FOUR):
        second = rest(pieces)
        third = rest(second)
        fourth = rest(third)
        one, two = board_row(rows, pos, pieces), board_row(rows, pos, second)
        add_four(values, one, two, board_row(rows, pos, third), board_row(rows, pos, fourth))
        pieces = rest(fourth)
    while pieces != EMPTY:
        add(values, board_row(rows, pos, pieces))
        pieces = rest(pieces)


@kernel
def count_differences(before, pos):
    """Features that differ between two positions."""
    count = u64(0)
    for piece in range(u64(PIECES)):
        kind, colour = kind_of(piece), colour_of(piece)
        count += popcount(pieces_of(before, kind, colour) ^ pieces_of(pos, kind, colour))
    return count


@kernel
def apply_differences(rows, values, before, pos):
    """Turn one perspective's values of one position into those of another, with the same rows."""
    for piece in range(u64(PIECES)):
        kind, colour = kind_of(piece), colour_of(piece)
        old, new = pieces_of(before, kind, colour), pieces_of(pos, kind, colour)
        removed, added = old & ~new, new & ~old
        while removed and added:
            add_sub_in_place(values, first_row(rows, piece, added), first_row(rows, piece, removed))
            removed, added = rest(removed), rest(added)
        while added:
            add(values, first_row(rows, piece, added))
            added = rest(added)
        while removed:
            sub(values, first_row(rows, piece, removed))
            removed = rest(removed)


@kernel
def refresh_from_cache(evaluator, accumulator, pos, perspective):
    """Compute one perspective from the cache's position for the king's bucket, or from scratch if that is less work.

    The cache then holds this position.
    """
    network, mirror = evaluator.network, u64(1) if is_mirrored(pos, perspective) else u64(0)
    bucket, rows = king_bucket(network, pos, perspective), feature_rows(evaluator, pos, perspective)
    cached = evaluator.refresh_cache[(perspective * BUCKET_COUNT + bucket) * MIRROR_COUNT + mirror]
    if count_differences(cached, pos) < popcount(occupied_squares(pos)):
        apply_differences(rows, cached.values, cached, pos)
    else:
        compute_values(rows, cached.values, network.feature_bias, pos)
    for kind in range(u64(KINDS)):
        cached.pieces[kind] = pos.pieces[kind]
    for colour in range(u64(2)):
        cached.colours[colour] = pos.colours[colour]
    copy_values(accumulator.values[perspective], cached.values)
    accumulator.computed[perspective] = 1


@kernel
def refresh_accumulator(evaluator, accumulator, pos):
    """Compute both perspectives of a position that no move connects with the ply before."""
    refresh_from_cache(evaluator, accumulator, pos, WHITE)
    refresh_from_cache(evaluator, accumulator, pos, BLACK)


@kernel
def update_accumulator(evaluator, stack, ply, perspective):
    """Bring one perspective of a ply up to date: move by move from the nearest computed ply, or from the cache."""
    known, pos = ply, stack[u64(ply)]
    while not evaluator.accumulators[u64(known)].computed[perspective]:
        known -= 1
        if not same_king_bucket(evaluator.network, stack[u64(known)], pos, perspective):
            refresh_from_cache(evaluator, evaluator.accumulators[u64(ply)], pos, perspective)
            return
    rows = feature_rows(evaluator, pos, perspective)
    while known < ply:
        before, known = evaluator.accumulators[u64(known)], known + 1
        accumulator = evaluator.accumulators[u64(known)]
        apply_updates(rows, accumulator.values[perspective], before.values[perspective], stack[u64(known)])
        accumulator.computed[perspective] = 1


@kernel
def mark_dirty(accumulator):
    """The position of a ply has changed: neither perspective is computed."""
    accumulator.computed[WHITE] = 0
    accumulator.computed[BLACK] = 0


@kernel
def perspective_output(values, weights):
    """One perspective's part of the output (SCReLU): clipped, squared, weighted.

    The widths of the products are those that fill the widest instructions.
    """
    total = np.int32(0)
    for unit in range(u64(WIDTH)):
        clipped = np.int16(min(max(values[unit], FLOOR), CEILING))
        weighted = np.int16(clipped * weights[unit])
        total = np.int32(total + np.int32(clipped) * np.int32(weighted))
    return np.int64(total)


@kernel
def truncated_quotient(total, divisor):
    """A quotient rounded towards zero, alike for both signs."""
    return total // divisor if total >= 0 else -(-total // divisor)


@kernel
def output_of(network, accumulator, pos):
    """The network's output for a computed accumulator, points from the mover's side."""
    side, bucket = u64(pos.turn), (popcount(occupied_squares(pos)) - FEWEST) // A_BUCKET
    weights = network.output_weights[bucket]
    total = perspective_output(accumulator.values[side], weights[u64(0)])
    total += perspective_output(accumulator.values[side ^ BLACK], weights[u64(1)])
    output = truncated_quotient(total, QA) + network.output_bias[bucket]
    return truncated_quotient(output * SCALE, QA * QB)


@kernel
def network_eval(evaluator, stack, ply):
    """The network's evaluation of a ply, points from the mover's side; equals `netfile.reference_eval`."""
    update_accumulator(evaluator, stack, ply, WHITE)
    update_accumulator(evaluator, stack, ply, BLACK)
    return output_of(evaluator.network, evaluator.accumulators[u64(ply)], stack[u64(ply)])
