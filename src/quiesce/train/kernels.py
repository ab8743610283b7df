"""Kernels. A step of training: inputs of samples, the network forward and backward, AdamW.

Arrays are flat and belong to the caller (`learner.py`, which also says what each of them is). A row of weights is
`width` numbers; the rows of a zone's inputs follow those of the zone before. Sums are whole numbers, as in the engine.
"""

# mypy: ignore-errors

import numpy as np

from quiesce.board.types import u64
from quiesce.eval.netfile import FEATURE_LIMIT, QA
from quiesce.eval.samples import FLIP, INPUTS, KINDS, MIRROR, MOST_MEN, SAMPLE, SIDE, SQUARES
from quiesce.jit import Many, entry, fastmath_entry, kernel, lsb, square_root

INPUTS_HERE, KINDS_HERE, SQUARES_HERE = np.int64(INPUTS), np.int64(KINDS), np.int64(SQUARES)
KING = np.int64(KINDS - 1)
RIGHT_HALF = np.int64(SIDE // 2)
SLOTS = u64(MOST_MEN)
ONE, TWO, FOUR = u64(1), u64(2), u64(4)
FIRST_KEEPS, SECOND_KEEPS = np.float32(0.9), np.float32(0.999)
"""AdamW's memory of the mean of gradients and of their squares."""
TINY = np.float32(1e-8)
CLIP, UNIT = np.float32(FEATURE_LIMIT / QA), np.float32(QA)
CEILING = np.int16(QA)
ROUNDER = np.float32(1.5 * 2**23)
"""Added and taken away again it leaves the nearest whole number, the even one of two: up to 2^22 there is no finer."""


@entry(Many(SAMPLE, is_read=True), Many("u1", is_read=True), Many("i2"), Many("i8"), rare=True)
def read_inputs(samples, zone_of, inputs, men):
    """Rows of weights that each side of each sample sees, MOST_MEN places each, the mover's first; and how many."""
    for p in range(len(samples)):
        bits, black, count = samples[p]["occupancy"], np.int64(samples[p]["flags"]) & 1, 0
        mover, other = 2 * p * MOST_MEN, (2 * p + 1) * MOST_MEN
        mover_king = other_king = np.int64(0)
        while bits:
            square, pair = np.int64(lsb(bits)), np.int64(samples[p]["men"][count >> 1])
            bits &= bits - ONE
            code = (pair >> 4) if count & 1 else (pair & 15)
            kind, is_enemy = code >> 1, (code & 1) ^ black
            own = square ^ (FLIP * black)
            if kind == KING:
                if is_enemy:
                    other_king = own ^ FLIP
                else:
                    mover_king = own
            inputs[mover + count] = (is_enemy * KINDS_HERE + kind) * SQUARES_HERE + own
            inputs[other + count] = ((1 - is_enemy) * KINDS_HERE + kind) * SQUARES_HERE + (own ^ FLIP)
            count += 1
        men[p] = count
        turn_round(inputs, mover, count, mover_king, np.int64(zone_of[mover_king]) * INPUTS_HERE)
        turn_round(inputs, other, count, other_king, np.int64(zone_of[other_king]) * INPUTS_HERE)


@kernel
def turn_round(inputs, first, count, king, zone):
    """Mirror a side's inputs where its king stands on e to h, and move them to the rows of its zone."""
    mirror = MIRROR if king & 7 >= RIGHT_HALF else 0
    for place in range(first, first + count):
        inputs[place] = (inputs[place] ^ mirror) + zone


@fastmath_entry(
    "i8", Many("i2", is_read=True), Many("i8", is_read=True), Many("i8", is_read=True), Many("i2", is_read=True),
    Many("i2", is_read=True), Many("f4", is_read=True), Many("f4", is_read=True), Many("i2"), Many("f4"),
)  # fmt: skip
def run_forward(width, inputs, men, bucket, whole, bias, output, output_bias, sums, found):
    """What the network says of positions, in units of one; leaves the sums of both sides.

    `whole` and `bias` are in units of QA, `output` is worth 1 for a square of QA * QA.
    """
    n = u64(width)
    for p in range(len(found)):
        total, count = output_bias[bucket[p]], u64(men[p])
        for side in range(2):
            at, place = u64(2 * p + side) * n, u64(2 * p + side) * SLOTS
            for k in range(n):
                sums[at + k] = bias[k]
            add_rows(inputs, place, count, whole, n, sums, at)
            part, weight = np.float32(0), u64(2 * bucket[p] + side) * n
            for k in range(n):
                c = np.float32(min(max(sums[at + k], np.int16(0)), CEILING))
                part += c * c * output[weight + k]
            total += part
        found[p] = total


@kernel
def add_rows(inputs, place, count, whole, n, sums, at):
    """Add the weights of a side's men to its sums, four rows at a time."""
    i = u64(0)
    while i + FOUR <= count:
        a, b = u64(inputs[place + i]) * n, u64(inputs[place + i + ONE]) * n
        c, d = u64(inputs[place + i + TWO]) * n, u64(inputs[place + i + TWO + ONE]) * n
        for k in range(n):
            sums[at + k] += whole[a + k] + whole[b + k] + whole[c + k] + whole[d + k]
        i += FOUR
    while i < count:
        a = u64(inputs[place + i]) * n
        for k in range(n):
            sums[at + k] += whole[a + k]
        i += ONE


@fastmath_entry(
    "i8", Many("i2", is_read=True), Many("i8", is_read=True), Many("i8", is_read=True), Many("f4", is_read=True),
    Many("i2", is_read=True), Many("f4", is_read=True), Many("f4"), Many("f4"), Many("f4"), Many("f4"), Many("f4"),
)  # fmt: skip
def run_backward(width, inputs, men, bucket, output, sums, slope, rows, bias, weights, output_bias, passed):
    """Add the gradients of positions to those of rows, bias, output weights and output bias.

    `slope` is what the loss gains with the output of each position; `passed` is room for `width` numbers. Gradients are
    those of sums in units of QA, and of output weights as `run_forward` takes them.
    """
    n = u64(width)
    for p in range(len(slope)):
        g, count = slope[p], u64(men[p])
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
                row = u64(inputs[place + i]) * n
                for k in range(n):
                    rows[row + k] += passed[k]


@kernel
def add_parts(gradients, first, n, size, parts, scale):
    """Sum the gradients that each thread has of one row into the first's, times a scale; the others' begin anew."""
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
    Many("f4"), Many("f4"), Many("f4"), Many("i2"), rare=True,
)  # fmt: skip
def learn_rows(
    first, last, width, zones, parts, scale, keep, step, root, gradients, of_all, shared, shared_means, shared_squares,
    own, own_means, own_squares, whole,
):  # fmt: skip
    """AdamW on the weights of inputs from `first` to `last`: what all zones share, and what each has beyond it.

    A shared weight has the gradients of all zones. Gradients begin anew; `whole` is rounded as the file will be.
    """
    n, size, stride = u64(width), zones * INPUTS_HERE * width, u64(INPUTS_HERE * width)
    for number in range(first, last):
        row = u64(number) * n
        for k in range(n):
            of_all[row + k] = np.float32(0)
        for zone in range(zones):
            at = u64(zone) * stride + row
            add_parts(gradients, at, n, size, parts, scale)
            for k in range(n):
                of_all[row + k] += gradients[at + k]
        adamw_row(shared, shared_means, shared_squares, row, of_all, row, n, keep, step, root)
        for k in range(n):
            shared[row + k] = clipped(shared[row + k])
        for zone in range(zones):
            at = u64(zone) * stride + row
            if zones > 1:
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
    "i8", "i8", "f4", "f4", "f4", "f4", Many("f4"), Many("f4"), Many("f4"), Many("f4"), rare=True,
)  # fmt: skip
def learn_few(size, parts, scale, keep, step, root, gradients, weights, means, squares):
    """AdamW on an array of `size` weights, of which each thread has gradients."""
    n, start = u64(size), u64(0)
    add_parts(gradients, start, n, size, parts, scale)
    adamw_row(weights, means, squares, start, gradients, start, n, keep, step, root)
    for k in range(n):
        gradients[k] = np.float32(0)
