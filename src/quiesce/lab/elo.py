"""Shell. Elo from game pairs: the pentanomial, its score, error and likelihood of superiority."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Share of the points of a pair: LL, LD, WL or DD, WD, WW."""
CONFIDENCE = 1.959964
"""Standard errors to each side of a 95 % interval."""
ELO_SCALE = 400.0


@dataclass(frozen=True, slots=True)
class Strength:
    """How much stronger the first side is, in Elo, with the half-width of the 95 % interval."""

    elo: float
    error: float
    superiority: float

    def __str__(self) -> str:
        return f"{self.elo:+.1f} ± {self.error:.1f} Elo, LOS {self.superiority:.1%}"


def elo_of(score: float) -> float:
    """Elo difference that makes a share of points expected."""
    bounded = min(max(score, 1e-6), 1 - 1e-6)
    return -ELO_SCALE * math.log10(1 / bounded - 1)


def strength(pentanomial: Sequence[int]) -> Strength:
    """Elo of the first side from counts of pairs, lowest score first."""
    pairs = sum(pentanomial)
    if pairs == 0:
        return Strength(0.0, math.inf, 0.5)
    mean = sum(count * score for count, score in zip(pentanomial, PAIR_SCORES, strict=True)) / pairs
    variance = sum(c * (s - mean) ** 2 for c, s in zip(pentanomial, PAIR_SCORES, strict=True)) / pairs
    deviation = math.sqrt(variance / pairs)
    low, high = elo_of(mean - CONFIDENCE * deviation), elo_of(mean + CONFIDENCE * deviation)
    superiority = 0.5 if deviation == 0 else 0.5 * (1 + math.erf((mean - 0.5) / deviation / math.sqrt(2)))
    return Strength(elo_of(mean), (high - low) / 2, superiority)
