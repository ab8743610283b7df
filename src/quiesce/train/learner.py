"""Shell. A network that learns on the processor's cores: its arrays, and steps of them by compiled kernels.

What is computed with are the weights rounded as the file will hold them, what is learnt are the weights themselves, as
`model.py` does in PyTorch. Each thread has gradients of its own; they are summed in a fixed order, so that the same
positions and the same number of threads give the same weights.
"""

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from quiesce.eval.features import FEATURE_INDEX, FEATURES, king_bucket_map
from quiesce.eval.netfile import QA, QB, Network, Size, output_bucket
from quiesce.eval.samples import MOST_PIECES, Samples
from quiesce.train.kernels import learn_few, learn_rows, read_features, run_backward, run_forward
from quiesce.train.loss import losses_of, predicted_chances, slopes_of, targets_of
from quiesce.train.reading import Array
from quiesce.train.settings import Settings
from quiesce.train.weights import (
    BUCKET_WEIGHTS,
    FEATURE_CLIP,
    OUTPUT_CLIP,
    UNITS,
    Weights,
    first_weights,
    real_of,
    taken_over,
)
from quiesce.work.cores import cores

PIECE = 1_024
"""Positions that a thread looks at at once."""
DECAY = 0.01
"""AdamW's pull of weights towards zero."""
MEAN_MEMORY, SQUARE_MEMORY = 0.9, 0.999
"""As kernels have them: how long means of gradients and of their squares are remembered."""
F32 = np.float32
FEW = ("feature_bias", "output_weights", "output_bias")
"""Arrays that are small: one thread learns them."""
CLIPS = {"feature_bias": FEATURE_CLIP, "output_weights": OUTPUT_CLIP}
SCALES = {"feature_bias": QA, "output_weights": 1 / (QA * QA), "output_bias": 1.0}
"""From the gradients of kernels to those of weights."""


def flat(array: Array) -> Array:
    """The same numbers in one row."""
    return array.reshape(-1)


def shares_of(count: int, parts: int) -> list[slice]:
    """A row of things cut into parts, one after the other, all about as long."""
    bounds = [count * part // parts for part in range(parts + 1)]
    return [slice(first, last) for first, last in pairwise(bounds)]


def pieces_of(part: slice) -> Iterator[slice]:
    """A part in pieces of at most PIECE."""
    for first in range(part.start, part.stop, PIECE):
        yield slice(first, min(first + PIECE, part.stop))


@dataclass(slots=True)
class Room:
    """What one thread works in; rows are those of a piece."""

    width: int
    few: dict[str, Array]
    """Its gradients of small arrays."""
    rows: Array
    """Its gradients of feature weights."""
    features: Array = field(default_factory=lambda: np.zeros(PIECE * 2 * MOST_PIECES, np.int16))
    piece_count: Array = field(default_factory=lambda: np.zeros(PIECE, np.int64))
    sums: Array = field(init=False)
    passed: Array = field(init=False)

    def __post_init__(self) -> None:
        self.sums, self.passed = np.zeros(PIECE * 2 * self.width, np.int16), np.zeros(self.width, F32)


class Learner:
    """Weights, what AdamW remembers of them, and gradients of each thread."""

    def __init__(self, size: Size, seed: int, threads: int = 0) -> None:
        self.size, self.threads, self.steps = size, threads or cores(), 0
        self.weights: Weights = first_weights(size, seed)
        self.means = {name: np.zeros_like(value) for name, value in self.weights.items()}
        self.squares = {name: np.zeros_like(value) for name, value in self.weights.items()}
        rows = size.king_buckets * FEATURES * size.width
        self._whole, self._whole_bias = np.zeros(rows, np.int16), np.zeros(size.width, np.int16)
        self._outputs: Array = np.zeros(0, F32)
        self._output_bias: Array = np.zeros(0, F32)
        self._of_rows, self._of_all = np.zeros((self.threads, rows), F32), np.zeros(FEATURES * size.width, F32)
        self._of_few = {name: np.zeros((self.threads, self.weights[name].size), F32) for name in FEW}
        self._rooms = [
            Room(size.width, {name: value[number] for name, value in self._of_few.items()}, self._of_rows[number])
            for number in range(self.threads)
        ]
        self._pool = ThreadPoolExecutor(self.threads, "learner")
        self._king_bucket = king_bucket_map(size.king_buckets)
        self._round()

    def learn(self, samples: Samples, settings: Settings, rate: float) -> float:
        """One step; returns the mean loss before it."""
        loss = self._look_at(samples, settings)
        self._descend(rate)
        return loss

    def predicted(self, samples: Samples) -> Array:
        """Outputs of positions, in units of one."""
        samples, found = np.ascontiguousarray(samples), np.zeros(len(samples), F32)

        def look(room: Room, part: slice) -> None:
            for piece in pieces_of(part):
                self._forward(room, samples[piece], found[piece])

        self._each(len(samples), look)
        return found

    def loss(self, samples: Samples, settings: Settings) -> float:
        """Mean loss of positions."""
        predicted, targets = predicted_chances(self.predicted(samples), settings), targets_of(samples, settings)
        return float(losses_of(predicted, targets, settings).mean(dtype=np.float64))

    def gradients(self, samples: Samples, settings: Settings) -> Weights:
        """Of the mean loss, in the shapes of the file: what a step would follow."""
        self._look_at(samples, settings)
        rows = self._of_rows.sum(axis=0).reshape(self.size.king_buckets, FEATURES, -1) * F32(QA)
        few = {name: (value.sum(axis=0) * F32(SCALES[name])) for name, value in self._of_few.items()}
        for value in (self._of_rows, *self._of_few.values()):
            value[:] = 0
        return {"feature_weights": rows} | {name: few[name].reshape(self.weights[name].shape) for name in FEW}

    def reals(self) -> Weights:
        """The arrays of the file before they are rounded, in units of one."""
        return {name: real_of(self.weights, name) for name in UNITS}

    def take(self, network: Network) -> None:
        """Take over the weights of a file, which may be narrower or have one king bucket."""
        self.weights = taken_over(self.weights, network)
        self._round()

    def state(self) -> Weights:
        """The arrays that a resumed training needs besides the number of steps, by name."""
        kept = {"weights": self.weights, "means": self.means, "squares": self.squares}
        return {f"{group} {name}": value for group, arrays in kept.items() for name, value in arrays.items()}

    def load(self, state: Mapping[str, Array], steps: int) -> None:
        """Restore what `state` returned after this number of steps."""
        for name, value in self.state().items():
            value[:] = state[name]
        self.steps = steps
        self._round()

    def close(self) -> None:
        """End the threads."""
        self._pool.shutdown()

    def _each(self, count: int, work: Callable[[Room, slice], Any]) -> list[Any]:
        """Split this number of positions among the threads; returns their results in order."""
        shares = zip(self._rooms, shares_of(count, self.threads), strict=True)
        waiting = [self._pool.submit(work, room, part) for room, part in shares]
        return [future.result() for future in waiting]

    def _look_at(self, samples: Samples, settings: Settings) -> float:
        """Add up gradients of the mean loss of positions; returns it."""
        samples, targets = np.ascontiguousarray(samples), targets_of(samples, settings)

        def look(room: Room, part: slice) -> float:
            total, found = 0.0, np.zeros(PIECE, F32)
            for piece in pieces_of(part):
                outputs = found[: piece.stop - piece.start]
                bucket = self._forward(room, samples[piece], outputs)
                predicted = predicted_chances(outputs, settings)
                total += float(losses_of(predicted, targets[piece], settings).sum(dtype=np.float64))
                slopes = slopes_of(predicted, targets[piece], settings) / F32(len(samples))
                run_backward(
                    self.size.width, room.features, room.piece_count, bucket, self._outputs, room.sums, slopes,
                    room.rows, room.few["feature_bias"], room.few["output_weights"], room.few["output_bias"],
                    room.passed,
                )  # fmt: skip
            return total

        return float(sum(self._each(len(samples), look))) / len(samples)

    def _forward(self, room: Room, samples: Samples, outputs: Array) -> Array:
        """Compute outputs of a piece, leaving features and accumulators in the room; returns the output buckets."""
        read_features(samples, FEATURE_INDEX.ravel(), self._king_bucket, room.features, room.piece_count)
        bucket: Array = output_bucket(room.piece_count[: len(samples)], self.size.output_buckets)
        run_forward(
            self.size.width, room.features, room.piece_count, bucket, self._whole, self._whole_bias, self._outputs,
            self._output_bias, room.sums, outputs,
        )  # fmt: skip
        return bucket

    def _descend(self, rate: float) -> None:
        """AdamW's step with the gradients that there are, which begin anew."""
        self.steps += 1
        young = 1 - MEAN_MEMORY**self.steps, (1 - SQUARE_MEMORY**self.steps) ** -0.5
        pace = F32(1 - rate * DECAY), F32(rate / young[0]), F32(young[1])
        self._learn_rows(pace)
        for name in FEW:
            kept = [flat(part[name]) for part in (self.weights, self.means, self.squares)]
            learn_few(kept[0].size, self.threads, F32(SCALES[name]), *pace, flat(self._of_few[name]), *kept)
            if name in CLIPS:
                np.clip(kept[0], -CLIPS[name], CLIPS[name], out=kept[0])
        self._round_few()

    def _learn_rows(self, pace: tuple[F32, F32, F32]) -> None:
        """AdamW's step of feature weights, a share of them by each thread."""
        none, parts = np.zeros(0, F32), (self.weights, self.means, self.squares)
        shared = [flat(part["feature_weights"]) for part in parts]
        own = [flat(part.get(BUCKET_WEIGHTS, none)) for part in parts]

        def work(_room: Room, part: slice) -> None:
            learn_rows(
                part.start, part.stop, self.size.width, self.size.king_buckets, self.threads, F32(QA), *pace,
                flat(self._of_rows), self._of_all, *shared, *own, self._whole,
            )  # fmt: skip

        self._each(FEATURES, work)

    def _round(self) -> None:
        """Work out the whole numbers of all weights."""
        self._whole[:] = np.rint(flat(real_of(self.weights, "feature_weights")) * F32(QA))
        self._round_few()

    def _round_few(self) -> None:
        """Work out the whole numbers of small arrays."""
        self._whole_bias[:] = np.rint(self.weights["feature_bias"] * F32(QA))
        self._outputs = np.asarray(np.rint(flat(self.weights["output_weights"]) * F32(QB)) / F32(QB * QA * QA), F32)
        self._output_bias = np.asarray(np.rint(self.weights["output_bias"] * F32(QA * QB)) / F32(QA * QB), F32)
