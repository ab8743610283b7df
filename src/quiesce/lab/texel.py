"""Shell. Texel's method: evaluation weights fitted by gradient descent to predict game results.

The model is the evaluation in real numbers: terms are linear, king danger is the square of its units, phase blends,
scale shrinks endgames. The loss is the cross entropy of sigmoid(SLOPE * points) and the result.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from quiesce.eval.kings import DANGER_ENDING, DANGER_SQUARED
from quiesce.eval.terms import OFFSETS, TERM_COUNT, TERMS, Score
from quiesce.eval.weights import Table
from quiesce.lab.fitdata import Dataset

SLOPE = 0.0073
"""Log odds a point of the evaluation; it decides how large the weights become, and the search's margins count in them.

With it 100 points predict two thirds of the score at 5,000 nodes a move; scores shown are scaled in wdl.py.
"""
MOMENTUM, SPREAD, TINY = 0.9, 0.999, 1e-8
"""Adam's numbers."""

Array = npt.NDArray[np.float64]


def flat(table: Table) -> Array:
    """A table of weights as an array of (weight, middlegame or ending)."""
    return np.array([score for term in TERMS for score in table[term.name]], np.float64)


def as_table(weights: Array) -> Table:
    """An array of weights as a table, rounded."""
    table: Table = {}
    for term in TERMS:
        start = OFFSETS[term.name]
        rows = weights[start : start + len(term.hand)]
        table[term.name] = [_rounded(row) for row in rows]
    return table


def _rounded(row: Array) -> Score:
    """A score of whole numbers."""
    return round(float(row[0])), round(float(row[1]))


def mask_of(wanted: Callable[[str, bool], bool]) -> npt.NDArray[np.bool_]:
    """Which weights belong to groups that are wanted."""
    return np.array([wanted(term.group, term.is_fitted) for term in TERMS for _ in term.hand])


IS_DANGER = mask_of(lambda group, _: group == "danger")
IS_FITTED = mask_of(lambda _, is_fitted: is_fitted)


class Model:
    """The evaluation over a dataset, its loss and the loss's gradient."""

    def __init__(self, data: Dataset) -> None:
        linear = np.flatnonzero(~IS_DANGER)
        danger = np.flatnonzero(IS_DANGER)
        self._linear, self._danger = linear, danger
        self._terms = (data.white[:, linear] - data.black[:, linear]).tocsr()
        self._units = (data.white[:, danger].tocsr(), data.black[:, danger].tocsr())
        self._terms_t = self._terms.T.tocsr()
        self._units_t = tuple(units.T.tocsr() for units in self._units)
        self._middle = data.phase.astype(np.float64)
        self._ending = (1 - self._middle) * data.scale
        self._result = data.result.astype(np.float64)

    def units(self, weights: Array) -> tuple[Array, Array]:
        """Danger to both kings, in units, never below zero."""
        white, black = (np.maximum(units @ weights[self._danger, 0], 0) for units in self._units)
        return white, black

    def evaluate(self, weights: Array) -> Array:
        """Points of each position, White's side."""
        white, black = self.units(weights)
        middle = self._terms @ weights[self._linear, 0] - (white**2 - black**2) / DANGER_SQUARED
        ending = self._terms @ weights[self._linear, 1] - (white - black) / DANGER_ENDING
        value: Array = middle * self._middle + ending * self._ending
        return value

    def loss(self, weights: Array) -> float:
        """Mean cross entropy."""
        return self._loss_of(self.evaluate(weights))

    def _loss_of(self, value: Array) -> float:
        """Mean cross entropy; NaN without positions."""
        if not len(value):
            return float("nan")
        return float(np.mean(np.logaddexp(0, SLOPE * value) - self._result * SLOPE * value))

    def gradient(self, weights: Array) -> tuple[float, Array]:
        """The loss and its gradient."""
        white, black = self.units(weights)
        value = self.evaluate(weights)
        error = SLOPE * (1 / (1 + np.exp(-SLOPE * value)) - self._result) / len(value)
        found = np.zeros((TERM_COUNT, 2))
        middle, ending = error * self._middle, error * self._ending
        found[self._linear, 0] = self._terms_t @ middle
        found[self._linear, 1] = self._terms_t @ ending
        for units, sign, columns in ((white, -1, self._units_t[0]), (black, 1, self._units_t[1])):
            pull = sign * (middle * 2 * units / DANGER_SQUARED + ending * (units > 0) / DANGER_ENDING)
            found[self._danger, 0] += columns @ pull
        return self._loss_of(value), found


@dataclass(slots=True)
class Descent:
    """Adam's descent; all of its state, so that it can be kept and taken up again."""

    weights: Array
    anchor: Array
    """Where weights are pulled to that the data say little about."""
    rate: float = 1.0
    decay: float = 2e-8
    step: int = 0
    first: Array = field(default_factory=lambda: np.zeros((TERM_COUNT, 2)))
    second: Array = field(default_factory=lambda: np.zeros((TERM_COUNT, 2)))

    def descend(self, model: Model) -> float:
        """One step; returns the loss before it."""
        loss, slope = model.gradient(self.weights)
        slope += 2 * self.decay * (self.weights - self.anchor)
        slope[~IS_FITTED] = 0
        slope[IS_DANGER, 1] = 0
        self.step += 1
        self.first = MOMENTUM * self.first + (1 - MOMENTUM) * slope
        self.second = SPREAD * self.second + (1 - SPREAD) * slope**2
        mean = self.first / (1 - MOMENTUM**self.step)
        size = np.sqrt(self.second / (1 - SPREAD**self.step))
        self.weights = self.weights - self.rate * mean / (size + TINY)
        return loss
