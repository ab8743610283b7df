"""A network with a small head for `tools.compare_shapes`: pairwise products, layers of 16 and 32, one output.

The halves of each side's accumulator, clipped to 0..1, are multiplied unit by unit; the products of both sides pass two
clipped layers. Each output bucket has its own head, in real numbers. The engine does not play this network.
"""

from collections.abc import Callable
from typing import Any

import numba
import numpy as np

from quiesce.eval.features import FEATURE_INDEX
from quiesce.eval.netfile import QA, Size, output_bucket
from quiesce.eval.samples import MOST_PIECES, Samples
from quiesce.train.kernels import learn_few, read_features, run_forward
from quiesce.train.learner import F32, PIECE, Learner, Room, flat, pieces_of
from quiesce.train.loss import losses_of, predicted_chances, slopes_of, targets_of
from quiesce.train.reading import Array
from quiesce.train.settings import Settings

FIRST, SECOND = 16, 32
"""Units of the head's layers."""
FIRST_BIAS, FEATURE_BIAS = 0.1, 0.25
"""Initial biases, so that no unit starts clipped."""

kernel: Callable[[Any], Any] = numba.njit(nogil=True, fastmath=True, error_model="numpy")


def first_head(width: int, buckets: int, seed: int) -> dict[str, Array]:
    """How a head begins."""
    draw = np.random.default_rng([seed, width])

    def random(*shape: int) -> Array:
        spread = F32((2 / shape[-1]) ** 0.5)
        return draw.standard_normal(shape, np.float32) * spread

    return {
        "w1": random(buckets, FIRST, width), "b1": np.full((buckets, FIRST), FIRST_BIAS, np.float32),
        "w2": random(buckets, SECOND, FIRST), "b2": np.full((buckets, SECOND), FIRST_BIAS, np.float32),
        "w3": random(buckets, SECOND) / F32(4), "b3": np.zeros(buckets, np.float32),
    }  # fmt: skip


@kernel
def unit(value):  # type: ignore[no-untyped-def]
    """An accumulator's unit, clipped to 0..1."""
    return np.float32(min(max(value, 0), QA)) / np.float32(QA)


@kernel
def head_forward(sums, bucket, w1, b1, w2, b2, w3, b3, x, h1, h2, found):  # type: ignore[no-untyped-def]
    """Outputs of positions from the sums of both sides; leaves what each layer came to."""
    width = w1.shape[2]
    half = width // 2
    for p in range(len(found)):
        b = bucket[p]
        for side in range(2):
            for k in range(half):
                x[p, side * half + k] = unit(sums[p, side, k]) * unit(sums[p, side, half + k])
        total = b3[b]
        for j in range(FIRST):
            part = b1[b, j]
            for k in range(width):
                part += w1[b, j, k] * x[p, k]
            h1[p, j] = min(max(part, np.float32(0)), np.float32(1))
        for i in range(SECOND):
            part = b2[b, i]
            for j in range(FIRST):
                part += w2[b, i, j] * h1[p, j]
            h2[p, i] = min(max(part, np.float32(0)), np.float32(1))
            total += w3[b, i] * h2[p, i]
        found[p] = total


@kernel
def add_back(back, features, count, rows, bias):  # type: ignore[no-untyped-def]
    """Add the gradients of one side's sums to those of its rows, and of the bias."""
    width = len(back)
    for k in range(width):
        bias[k] += back[k]
    for i in range(count):
        row = np.int64(features[i]) * width
        for k in range(width):
            rows[row + k] += back[k]


@kernel
def head_backward(  # type: ignore[no-untyped-def]
    sums, bucket, w1, w2, w3, x, h1, h2, slope, d1, d2, d3, e1, e2, e3, features, count, rows, bias, dx, back
):
    """Add the gradients of positions: of the head's weights (d1, d2, d3), its biases (e1, e2, e3), rows and bias."""
    width = w1.shape[2]
    half = width // 2
    first = np.zeros(FIRST, np.float32)
    for p in range(len(slope)):
        b, g = bucket[p], slope[p]
        e3[b] += g
        dx[:] = 0
        first[:] = 0
        for i in range(SECOND):
            d3[b, i] += g * h2[p, i]
            if 0 < h2[p, i] < 1:
                s = g * w3[b, i]
                e2[b, i] += s
                for j in range(FIRST):
                    d2[b, i, j] += s * h1[p, j]
                    first[j] += s * w2[b, i, j]
        for j in range(FIRST):
            if 0 < h1[p, j] < 1:
                s = first[j]
                e1[b, j] += s
                for k in range(width):
                    d1[b, j, k] += s * x[p, k]
                    dx[k] += s * w1[b, j, k]
        for side in range(2):
            for k in range(half):
                d = dx[side * half + k] / np.float32(QA)
                low, high = sums[p, side, k], sums[p, side, half + k]
                back[k] = d * unit(high) if 0 < low <= QA else np.float32(0)
                back[half + k] = d * unit(low) if 0 < high <= QA else np.float32(0)
            add_back(back, features[p, side], count[p], rows, bias)


class HeadLearner(Learner):
    """A learner whose accumulators go through a head."""

    def __init__(self, size: Size, seed: int, threads: int = 0) -> None:
        super().__init__(size, seed, threads)
        self.head = first_head(size.width, size.output_buckets, seed)
        self._head_means = {name: np.zeros_like(value) for name, value in self.head.items()}
        self._head_squares = {name: np.zeros_like(value) for name, value in self.head.items()}
        self._of_head = {name: np.zeros((self.threads, *value.shape), F32) for name, value in self.head.items()}
        self.weights["feature_bias"][:] = FEATURE_BIAS
        self._round_few()

    def predicted(self, samples: Samples) -> Array:
        """Outputs of positions, in units of one."""
        found = np.zeros(len(samples), F32)
        samples = np.ascontiguousarray(samples)

        def look(room: Room, part: slice) -> None:
            for piece in pieces_of(part):
                self._through(room, samples[piece], found[piece])

        self._each(len(samples), look)
        return found

    def _through(self, room: Room, samples: Samples, outputs: Array) -> tuple[Array, ...]:
        """Work out outputs of a piece; returns buckets, sums, products and both layers."""
        count, width = len(samples), self.size.width
        read_features(samples, FEATURE_INDEX.ravel(), self._king_bucket, room.features, room.piece_count)
        bucket = output_bucket(room.piece_count[:count], self.size.output_buckets)
        run_forward(
            width, room.features, room.piece_count, bucket, self._whole, self._whole_bias, self._outputs,
            self._output_bias, room.sums, outputs,
        )  # fmt: skip
        sums = room.sums.reshape(PIECE, 2, width)[:count]
        layers = [np.zeros((count, units), F32) for units in (width, FIRST, SECOND)]
        head_forward(sums, bucket, *self.head_arrays(self.head), *layers, outputs)
        return bucket, sums, *layers

    @staticmethod
    def head_arrays(head: dict[str, Array]) -> list[Array]:
        """Weights and biases, layer by layer."""
        return [head[name] for name in ("w1", "b1", "w2", "b2", "w3", "b3")]

    def _look_at(self, samples: Samples, settings: Settings) -> float:
        """Add up gradients of the mean loss of positions; returns it."""
        samples, targets = np.ascontiguousarray(samples), targets_of(samples, settings)
        numbers = {id(room): number for number, room in enumerate(self._rooms)}

        def look(room: Room, part: slice) -> float:
            total, dx, back = 0.0, np.zeros(self.size.width, F32), np.zeros(self.size.width, F32)
            own = {name: value[numbers[id(room)]] for name, value in self._of_head.items()}
            for piece in pieces_of(part):
                outputs = np.zeros(piece.stop - piece.start, F32)
                bucket, sums, x, h1, h2 = self._through(room, samples[piece], outputs)
                predicted = predicted_chances(outputs, settings)
                total += float(losses_of(predicted, targets[piece], settings).sum(dtype=np.float64))
                slopes = np.asarray(slopes_of(predicted, targets[piece], settings) / F32(len(samples)), F32)
                head_backward(
                    sums, bucket, self.head["w1"], self.head["w2"], self.head["w3"], x, h1, h2, slopes,
                    *(own[name] for name in ("w1", "w2", "w3", "b1", "b2", "b3")),
                    room.features.reshape(PIECE, 2, MOST_PIECES), room.piece_count, room.rows,
                    room.few["feature_bias"], dx, back,
                )  # fmt: skip
            return total

        return float(sum(self._each(len(samples), look))) / len(samples)

    def _descend(self, rate: float) -> None:
        """AdamW's step, the head's too."""
        super()._descend(rate)
        young = 1 - 0.9**self.steps, (1 - 0.999**self.steps) ** -0.5
        pace = F32(1 - rate * 0.01), F32(rate / young[0]), F32(young[1])
        for name, weights in self.head.items():
            kept = [flat(part[name]) for part in (self.head, self._head_means, self._head_squares)]
            learn_few(weights.size, self.threads, F32(1), *pace, flat(self._of_head[name]), *kept)
