"""Shell. The sequential probability ratio test (SPRT).

The generalised test, as in Michel Van den Bergh's work for fishtest: the likelihood of the results under the likeliest
distribution of each strength. Formulas and golden values are those of many match tools; the code is our own.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from quiesce.lab.elo import NELO_SCALE, games_in_one, score_of, scores_of

LOGISTIC, NORMALIZED = MODELS = ("logistic", "normalized")
FARTHEST = 100
"""Beyond this no test is needed, and the normalized model has no solution for some results."""
TINY_COUNT = 1e-3
"""Count that replaces 0 for a kind of result."""
ROUNDS, CLOSE_ENOUGH = 10, 1e-9
"""When the likeliest distribution of a normalized strength has been found."""
STEPS, NEWTON_SHARE = 200, 1e-4
"""Newton's method, kept within brackets, stops at steps of this relative size."""


class SprtError(ValueError):
    """A test that cannot be made; the message says why."""


@dataclass(frozen=True, slots=True)
class Sprt:
    """Hypotheses, error rates and Elo model of a test."""

    elo0: float = 0.0
    elo1: float = 5.0
    alpha: float = 0.05
    beta: float = 0.05
    model: str = NORMALIZED

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise SprtError(f"elo0 must be less than elo1, not {self.elo0} and {self.elo1}")
        if max(abs(self.elo0), abs(self.elo1)) > FARTHEST:
            raise SprtError(f"elo0 and elo1 lie between -{FARTHEST} and {FARTHEST}")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise SprtError(f"alpha and beta lie between 0 and 0.5, not {self.alpha} and {self.beta}")
        if self.model not in MODELS:
            raise SprtError(f"the model is {' or '.join(MODELS)}, not {self.model!r}")

    @property
    def bounds(self) -> tuple[float, float]:
        """Log-likelihood ratios at which the first and the second strength are taken for true."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, counts: Sequence[float]) -> float:
        """Log-likelihood ratio of elo1 over elo0, from counts of pairs or of games, lowest score first."""
        total = sum(counts)
        if total == 0:
            return 0.0
        seen = [max(count, TINY_COUNT) for count in counts]
        shares = [count / sum(seen) for count in seen]
        likeliest = likeliest_logistic if self.model == LOGISTIC else likeliest_normalized
        low, high = likeliest(shares, self.elo0), likeliest(shares, self.elo1)
        return sum(seen) * sum(p * math.log(b / a) for p, a, b in zip(shares, low, high, strict=True))

    def verdict(self, counts: Sequence[float]) -> int:
        """+1 where elo1 is taken for true, -1 where elo0 is, 0 while there is too little evidence."""
        ratio, (low, high) = self.llr(counts), self.bounds
        return 1 if ratio >= high else -1 if ratio <= low else 0


def tilted(shares: Sequence[float], offsets: Sequence[float]) -> list[float]:
    """The distribution nearest to the one seen in which the offsets have mean zero."""
    low, high, theta = -1 / max(offsets), -1 / min(offsets), 0.0
    for _ in range(STEPS):
        parts = [(p, x / (1 + theta * x)) for p, x in zip(shares, offsets, strict=True)]
        mean, slope = sum(p * y for p, y in parts), sum(p * y * y for p, y in parts)
        low, high = (theta, high) if mean > 0 else (low, theta)
        before, theta = theta, theta + mean / slope
        if not low < theta < high:
            theta = (low + high) / 2
        if abs(theta - before) <= CLOSE_ENOUGH * NEWTON_SHARE:
            break
    return [p / (1 + theta * x) for p, x in zip(shares, offsets, strict=True)]


def likeliest_logistic(shares: Sequence[float], elo: float) -> list[float]:
    """The likeliest distribution whose mean is the score of an Elo."""
    return tilted(shares, [score - score_of(elo) for score in scores_of(shares)])


def likeliest_normalized(shares: Sequence[float], nelo: float) -> list[float]:
    """The likeliest distribution whose mean is this many of its standard deviations above one half."""
    scores = scores_of(shares)
    target = nelo / NELO_SCALE * math.sqrt(games_in_one(shares))
    found = [1 / len(shares)] * len(shares)
    for _ in range(ROUNDS):
        before = found
        mean = sum(q * score for q, score in zip(found, scores, strict=True))
        spread = math.sqrt(sum(q * (score - mean) ** 2 for q, score in zip(found, scores, strict=True)))
        offsets = [s - 0.5 - target * spread * (1 + ((s - mean) / spread) ** 2) / 2 for s in scores]
        found = tilted(shares, offsets)
        if max(abs(q - p) for q, p in zip(found, before, strict=True)) < CLOSE_ENOUGH:
            break
    return found
