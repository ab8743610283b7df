"""Shell. Expected points of a score: 0 is a loss, 1 a win."""

import math

from quiesce.engine.wdl import HALF_WIN, STEEPEST, WIN_SPREAD


def logistic(value: float) -> float:
    """The logistic function, from 0 to 1."""
    return 1 / (1 + math.exp(-min(max(value, -STEEPEST), STEEPEST)))


def expected(score: int) -> float:
    """Expected points of the side with this score: wins plus half the draws, by the win-draw-loss model."""
    won = logistic((score - HALF_WIN) / WIN_SPREAD)
    lost = logistic((-score - HALF_WIN) / WIN_SPREAD)
    return (1 + won - lost) / 2
