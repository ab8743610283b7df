"""Kernels. A step of training: features of samples, the network forward and backward, AdamW.

Arrays are flat and belong to the caller (`learner.py`, which also says what each of them is). A row of weights is
`width` numbers; the rows of each king bucket follow those of the bucket before. Accumulators hold whole numbers, as in
the engine.
"""

# mypy: ignore-errors

import numpy as np

from quiesce.board.types import u64
from quiesce.eval.features import FEATURES, FILE_FLIP, KINDS, OWN_KING, RIGHT_HALF, SQUARES
from quiesce.eval.netfile import FEATURE_LIMIT, QA
from quiesce.eval.samples import MOST_PIECES, SAMPLE
from quiesce.jit import Many, entry, fastmath_entry, kernel, lsb, square_root

FEATURES_HERE, SQUARES_HERE = np.int64(FEATURES), np.int64(SQUARES)
WHITE_KING, FIRST_KING = np.int64(2 * (KINDS - 1)), np.int64(OWN_KING)
SLOTS = u64(MOST_PIECES)
ONE, TWO, FOUR = u64(1), u64(2), u64(4)
FIRST_KEEPS, SECOND_KEEPS = np.float32(0.9), np.float32(0.999)
"""AdamW's memory of the mean of gradients and of their squares."""
TINY = np.float32(1e-8)
CLIP, UNIT = np.float32(FEATURE_LIMIT / QA), np.float32(QA)
CEILING = np.int16(QA)
ROUNDER = np.float32(1.5 * 2**23)
"""Added and taken away again it leaves the nearest whole number, the even one of two: up to 2^22 there is no finer."""


@entry(
    Many(SAMPLE, is_read=True), Many("u2", is_read=True), Many("u1", is_read=True), Many("i2"), Many("i8"), lazy=True,
)  # fmt: skip
def read_features(samples, feature_index, king_bucket, features, piece_count):
    """Rows of weights that each side of each sample uses, MOST_PIECES places each, the mover's first; and how many.

    `feature_index` is FEATURE_INDEX in one row.
    """
    for p in range(len(samples)):
        bits, black, count = samples[p]["occupancy"], np.int64(samples[p]["flags"]) & 1, 0
        mover, other = 2 * p * MOST_PIECES, (2 * p + 1) * MOST_PIECES
        mover_king = other_king = np.int64(0)
        while bits:
            square, codes = np.int64(lsb(bits)), np.int64(samples[p]["codes"][count >> 1])
            bits &= bits - ONE
            piece = (codes >> 4) if count & 1 else (codes & 15)
            at = piece * SQUARES_HERE + square
            features[mover + count] = feature_index[black * FEATURES_HERE + at]
            features[other + count] = feature_index[(1 - black) * FEATURES_HERE + at]
            if piece == WHITE_KING + black:
                mover_king = features[mover + count] - FIRST_KING
            elif piece == WHITE_KING + 1 - black:
                other_king = features[other + count] - FIRST_KING
            count += 1
        piece_count[p] = count
        place_features(features, mover, count, mover_king, np.int64(king_bucket[mover_king]) * FEATURES_HERE)
        place_features(features, other, count, other_king, np.int64(king_bucket[other_king]) * FEATURES_HERE)


@kernel
def place_features(features, first, count, king, bucket_row):
    """Mirror a side's features if its king stands on e to h, and add the first row of its king bucket."""
    flip = FILE_FLIP if king & RIGHT_HALF else 0
    for place in range(first, first + count):
        features[place] = (features[place] ^ flip) + bucket_row


@fastmath_entry(
    "i8", Many("i2", is_read=True), Many("i8", is_read=True), Many("i8", is_read=True), Many("i2", is_read=True),
    Many("i2", is_read=True), Many("f4", is_read=True), Many("f4", is_read=True), Many("i2"), Many("f4"),
)  # fmt: skip
def run_forward(width, features, piece_count, bucket, whole, bias, output, output_bias, sums, found):
    """Outputs of the network, in units of one; leaves the accumulators of both sides in `sums`.

    `whole` and `bias` are in units of QA, `output` is worth 1 for a square of QA * QA.
    """
    n = u64(width)
    for p in range(len(found)):
        total, count = output_bias[bucket[p]], u64(piece_count[p])
        for side in range(2):
            at, place = u64(2 * p + side) * n, u64(2 * p + side) * SLOTS
            for k in range(n):
                sums[at + k] = bias[k]
            add_rows(features, place, count, whole, n, sums, at)
            part, weight = np.float32(0), u64(2 * bucket[p] + side) * n
            for k in range(n):
                c = np.float32(min(max(sums[at + k], np.int16(0)), CEILING))
                part += c * c * output[weight + k]
            total += part
        found[p] = total


@kernel
def add_rows(features, place, count, whole, n, sums, at):
    """Add the weights of a side's features to its accumulator, four rows at a time."""
    i = u64(0)
    while i + FOUR <= count:
        a, b = u64(features[place + i]) * n, u64(features[place + i + ONE]) * n
        c, d = u64(features[place + i + TWO]) * n, u64(features[place + i + TWO + ONE]) * n
        for k in range(n):
            sums[at + k] += whole[a + k] + whole[b + k] + whole[c + k] + whole[d + k]
        i += FOUR
    while i < count:
        a = u64(features[place + i]) * n
        for k in range(n):
            sums[at + k] += whole[a + k]
        i += ONE


@fastmath_entry(
    "i8", Many("i2", is_read=True), Many("i8", is_read=True), Many("i8", is_read=True), Many("f4", is_read=True),
    Many("i2", is_read=True), Many("f4", is_read=True), Many("f4"), Many("f4"), Many("f4"), Many("f4"), Many("f4"),
)  # fmt: skip
def run_backward(width, features, piece_count, bucket, output, sums, slope, rows, bias, weights, output_bias, passed):
    """Add the gradients of positions to those of rows, bias, output weights and output bias.

    `slope` is what the loss gains with the output of each position; `passed` is room for `width` numbers. Gradients are
    those of sums in units of QA, and of output weights as `run_forward` takes them.
    """
    n = u64(width)
    for p in range(len(slope)):
        g, count = slope[p], u64(piece_count[p])
        output_bias[bucket[p]] += g
        for side in range(2):
            at, place, weight = u64(2 * p + side) * n, u64(2 * p + side) * SLOTS, u64(2 * bucket[p] + side) * n
            for k in range(n):
                c = np.float32(min(max(sums[at + k], np.int16(0)), CEILING))
                weights[weight + k] += g * c * c
                back = np.float32(2) * g * c * output[weight + k]
                passed[k] = back if sums[at + k] <= CEILING else np.float32(0)
            for k in range(n):
                bias[k] += passed[k]
            for i in range(count):
                row = u64(features[place + i]) * n
                for k in range(n):
                    rows[row + k] += passed[k]


@kernel
def add_parts(gradients, first, n, size, parts, scale):
    """Sum the threads' gradients of one row into the first thread's, times a scale; clear the others."""
    for part in range(1, parts):
        other = u64(part * size) + first
        for k in range(n):
            gradients[first + k] += gradients[other + k]
            gradients[other + k] = np.float32(0)
    for k in range(n):
        gradients[first + k] *= scale


@kernel
def adamw_row(weights, means, squares, at, gradients, first, n, keep, step, root):
    """AdamW on one row: `keep` is 1 less the decay, `step` the rate and `root` what corrects young squares."""
    for k in range(n):
        g = gradients[first + k]
        mean = FIRST_KEEPS * means[at + k] + (np.float32(1) - FIRST_KEEPS) * g
        square = SECOND_KEEPS * squares[at + k] + (np.float32(1) - SECOND_KEEPS) * g * g
        means[at + k], squares[at + k] = mean, square
        weights[at + k] = weights[at + k] * keep - step * mean / (square_root(square) * root + TINY)


@kernel
def clipped(value):
    """A weight brought back to what its whole number can hold."""
    return min(max(value, -CLIP), CLIP)


@kernel
def rounded(value):
    """The nearest whole number of a weight in units of QA."""
    return np.int16((value * UNIT + ROUNDER) - ROUNDER)


@entry(
    "i8", "i8", "i8", "i8", "i8", "f4", "f4", "f4", "f4", Many("f4"), Many("f4"), Many("f4"), Many("f4"), Many("f4"),
    Many("f4"), Many("f4"), Many("f4"), Many("i2"), lazy=True,
)  # fmt: skip
def learn_rows(
    first, last, width, king_buckets, parts, scale, keep, step, root, gradients, of_all, shared, shared_means,
    shared_squares, own, own_means, own_squares, whole,
):  # fmt: skip
    """AdamW on feature weights from `first` to `last`: what all king buckets share, and what each has beyond it.

    A shared weight has the gradients of all king buckets. Gradients are zeroed; `whole` is rounded as the file will be.
    """
    n, size, stride = u64(width), king_buckets * FEATURES_HERE * width, u64(FEATURES_HERE * width)
    for number in range(first, last):
        row = u64(number) * n
        for k in range(n):
            of_all[row + k] = np.float32(0)
        for bucket in range(king_buckets):
            at = u64(bucket) * stride + row
            add_parts(gradients, at, n, size, parts, scale)
            for k in range(n):
                of_all[row + k] += gradients[at + k]
        adamw_row(shared, shared_means, shared_squares, row, of_all, row, n, keep, step, root)
        for k in range(n):
            shared[row + k] = clipped(shared[row + k])
        for bucket in range(king_buckets):
            at = u64(bucket) * stride + row
            if king_buckets > 1:
                adamw_row(own, own_means, own_squares, at, gradients, at, n, keep, step, root)
                for k in range(n):
                    real = clipped(shared[row + k] + own[at + k])
                    own[at + k], whole[at + k] = real - shared[row + k], rounded(real)
            else:
                for k in range(n):
                    whole[at + k] = rounded(shared[row + k])
            for k in range(n):
                gradients[at + k] = np.float32(0)


@entry(
    "i8", "i8", "f4", "f4", "f4", "f4", Many("f4"), Many("f4"), Many("f4"), Many("f4"), lazy=True,
)  # fmt: skip
def learn_few(size, parts, scale, keep, step, root, gradients, weights, means, squares):
    """AdamW on an array of `size` weights, of which each thread has gradients."""
    n, start = u64(size), u64(0)
    add_parts(gradients, start, n, size, parts, scale)
    adamw_row(weights, means, squares, start, gradients, start, n, keep, step, root)
    for k in range(n):
        gradients[k] = np.float32(0)
