"""Shell. A rating from games against opponents whose ratings are published: the likeliest, with its error."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from quiesce.lab.elo import CONFIDENCE, ELO_SCALE, moments, score_of

LOWEST, HIGHEST = -2_000.0, 8_000.0
"""Where ratings are looked for."""
BISECTIONS = 100
NATURAL = math.log(10) / ELO_SCALE


@dataclass(frozen=True, slots=True)
class Rung:
    """Games against one opponent: losses, draws, wins."""

    rating: float
    games: tuple[int, int, int]

    @property
    def points(self) -> float:
        """Points won."""
        return self.games[2] + self.games[1] / 2


@dataclass(frozen=True, slots=True)
class Rating:
    """The likeliest rating and the half-width of its 95 % interval; infinite where every game was won, or lost."""

    value: float
    error: float


def spread_of(rung: Rung, share: float) -> float:
    """Variance of one game's score: observed, or the model's if all games ended alike."""
    seen = moments(rung.games)[1] if sum(rung.games) else 0.0
    return seen or share * (1 - share)


def expected(rating: float, rungs: Sequence[Rung]) -> float:
    """Expected score of a rating against another."""
    return sum(sum(rung.games) * score_of(rating - rung.rating) for rung in rungs)


def rating_of(rungs: Sequence[Rung]) -> Rating:
    """The rating at which the points won are those expected: the likeliest one under the logistic model.

    Its error comes from the results themselves, so that draws make it smaller, and takes the opponents' ratings as
    they are published.
    """
    games, points = sum(sum(rung.games) for rung in rungs), sum(rung.points for rung in rungs)
    if games == 0 or points in (0, games):
        return Rating(math.nan if games == 0 else math.copysign(math.inf, points - games / 2), math.inf)
    low, high = LOWEST, HIGHEST
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        low, high = (middle, high) if expected(middle, rungs) < points else (low, middle)
    value = (low + high) / 2
    shares = [(sum(rung.games), score_of(value - rung.rating)) for rung in rungs]
    slope = NATURAL * sum(count * share * (1 - share) for count, share in shares)
    spread = sum(n * spread_of(rung, share) for rung, (n, share) in zip(rungs, shares, strict=True))
    return Rating(value, CONFIDENCE * math.sqrt(spread) / slope)
