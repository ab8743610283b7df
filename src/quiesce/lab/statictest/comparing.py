"""Shell. Errors of evaluations beside a judge: of win chances, with a scale fitted to each, and their intervals."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

JUDGE_SCALE = 400 / np.log(10)
"""Centipawns of a judge's log odds: 400 are ten to one."""
DRAWS = 1_000
"""Bootstrap samples of an interval."""
LEVEL = 0.95
LOWEST_SCALE, HIGHEST_SCALE = 20.0, 2_000.0
GOLDEN = (np.sqrt(5) - 1) / 2
STEPS = 60

Numbers = npt.NDArray[np.float64]


def chances(points: Numbers, scale: float) -> Numbers:
    """Chances of winning that points mean."""
    return 1 / (1 + np.exp(-np.clip(points / scale, -50, 50)))


def fitted_scale(points: Numbers, wanted: Numbers) -> float:
    """The scale from points to chances with the least error, by golden-section search over its logarithm."""

    def error(at: float) -> float:
        return float(((chances(points, np.exp(at)) - wanted) ** 2).mean())

    low, high = np.log(LOWEST_SCALE), np.log(HIGHEST_SCALE)
    for _ in range(STEPS):
        left, right = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
        low, high = (low, right) if error(left) < error(right) else (left, high)
    return float(np.exp((low + high) / 2))


@dataclass(frozen=True, slots=True)
class Figure:
    """A number, and the interval that 95 of 100 samples of games would put it in."""

    value: float
    low: float
    high: float

    def facts(self) -> dict[str, float]:
        """As plain numbers."""
        return {"value": self.value, "low": self.low, "high": self.high}


@dataclass(frozen=True, slots=True)
class Result:
    """The error of one evaluation against a judge."""

    name: str
    scale: float
    """Points of its log odds."""
    error: Figure
    """RMSE of chances."""
    ratio: Figure | None
    """Of its error to that of the evaluation it is compared with."""
    parts: dict[str, float]
    """RMSE by kind of position."""

    def facts(self) -> dict[str, Any]:
        """As plain values."""
        ratio = self.ratio.facts() if self.ratio else None
        return {"name": self.name, "scale": self.scale, "rmse": self.error.facts(), "ratio": ratio, "parts": self.parts}


def games_drawn(games: Sequence[int], seed: int = 1) -> list[npt.NDArray[np.intp]]:
    """Bootstrap samples of games, as rows of positions."""
    names, where = np.unique(np.asarray(games), return_inverse=True)
    rows = [np.flatnonzero(where == number) for number in range(len(names))]
    chance = np.random.default_rng(seed)
    return [
        np.concatenate([rows[number] for number in chance.integers(len(rows), size=len(rows))]) for _ in range(DRAWS)
    ]


def figure(value: float, drawn: Sequence[float]) -> Figure:
    """A value with its interval."""
    low, high = np.quantile(drawn, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Figure(value, float(low), float(high))


def compare(
    points: dict[str, Numbers],
    judge: Sequence[int | None],
    games: Sequence[int],
    parts: dict[str, npt.NDArray[np.bool_]],
    base: str | None = None,
) -> list[Result]:
    """Results of evaluations by name, each with its own scale; ratios are to `base`, by the same games drawn."""
    is_told = np.array([score is not None for score in judge])
    wanted = chances(np.array([score or 0 for score in judge], np.float64), JUDGE_SCALE)[is_told]
    drawn = games_drawn(np.asarray(games)[is_told].tolist())
    scales = {name: fitted_scale(told[is_told], wanted) for name, told in points.items()}
    squares = {name: (chances(told[is_told], scales[name]) - wanted) ** 2 for name, told in points.items()}
    root: Callable[[Numbers], float] = lambda found: float(np.sqrt(found.mean()))  # noqa: E731
    again = {name: np.array([root(found[rows]) for rows in drawn]) for name, found in squares.items()}
    results = []
    for name, found in squares.items():
        ratio = None
        if base is not None and name != base:
            ratio = figure(root(found) / root(squares[base]), (again[name] / again[base]).tolist())
        by_part = {part: root(found[rows[is_told]]) for part, rows in parts.items() if rows[is_told].any()}
        results.append(Result(name, scales[name], figure(root(found), again[name].tolist()), ratio, by_part))
    return results
