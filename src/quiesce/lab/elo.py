"""Shell. Elo from results: mean score, its error, likelihood of superiority, and normalized Elo.

Results are counts from the lowest score to the highest: five kinds of pairs (LL, LD, WL or DD, WD, WW) or three kinds
of games (L, D, W). Pairs are the better measure: both games of one begin from the same opening.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

CONFIDENCE = 1.959964
"""Standard errors to each side of a 95 % interval."""
ELO_SCALE = 400.0
NELO_SCALE = 800 / math.log(10)
"""Normalized Elo for each standard deviation of one game's score."""
NEVER_CERTAIN = 1e-6
"""A score of all or nothing is read as this short of it: the Elo stays finite."""


DOUBT = 0.5
"""Prior number of results of each kind, added if all results are equal."""
SURE = 0.975
"""Likelihood from which on one side is called the stronger."""


@dataclass(frozen=True, slots=True)
class Strength:
    """How much stronger the first side is, in Elo and normalized Elo, with half-widths of 95 % intervals."""

    elo: float
    error: float
    superiority: float
    nelo: float = 0.0
    nelo_error: float = math.inf

    @property
    def is_sure(self) -> bool:
        """Is one side, at 95 %, the stronger?"""
        return not 1 - SURE <= self.superiority <= SURE

    def __str__(self) -> str:
        return f"{self.elo:+.1f} ± {self.error:.1f} Elo, LOS {self.superiority:.1%}"


def known(number: float) -> float | None:
    """A number for JSON: None if it is infinite."""
    return number if math.isfinite(number) else None


def elo_of(score: float) -> float:
    """Elo difference that makes a share of points expected."""
    bounded = min(max(score, NEVER_CERTAIN), 1 - NEVER_CERTAIN)
    return -ELO_SCALE * math.log10(1 / bounded - 1)


def score_of(elo: float) -> float:
    """Share of points that an Elo difference makes expected."""
    return 1 / (1 + 10 ** (-elo / ELO_SCALE))


def scores_of(counts: Sequence[float]) -> list[float]:
    """The score of each kind of result."""
    return [place / (len(counts) - 1) for place in range(len(counts))]


def games_in_one(counts: Sequence[float]) -> float:
    """Games behind each result: two in a pair."""
    return (len(counts) - 1) / 2


def moments(counts: Sequence[float]) -> tuple[float, float]:
    """Mean and variance of the score of one result."""
    total, scores = sum(counts), scores_of(counts)
    mean = sum(count * score for count, score in zip(counts, scores, strict=True)) / total
    return mean, sum(count * (score - mean) ** 2 for count, score in zip(counts, scores, strict=True)) / total


def strength(counts: Sequence[float]) -> Strength:
    """Elo of the first side from counts of pairs or of games, lowest score first."""
    total = sum(counts)
    if total == 0:
        return Strength(0.0, math.inf, 0.5)
    mean, variance = moments(counts)
    if variance == 0:  # all results alike: no telling how far off the mean is, but a little which way
        doubt = strength([count + DOUBT for count in counts])
        return Strength(elo_of(mean), math.inf, doubt.superiority)
    deviation = math.sqrt(variance / total)
    low, high = elo_of(mean - CONFIDENCE * deviation), elo_of(mean + CONFIDENCE * deviation)
    superiority = 0.5 * (1 + math.erf((mean - 0.5) / deviation / math.sqrt(2)))
    games = games_in_one(counts)
    nelo = (mean - 0.5) / math.sqrt(variance * games) * NELO_SCALE
    return Strength(
        elo_of(mean), (high - low) / 2, superiority, nelo, CONFIDENCE * NELO_SCALE / math.sqrt(total * games)
    )
