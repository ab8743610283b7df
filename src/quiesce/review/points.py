"""Shell. Expected points: what a score is worth in games, from 0, lost, to 1, won."""

import math

from quiesce.engine.wdl import HALF_WIN, STEEPEST, WIN_SPREAD


def logistic(value: float) -> float:
    """A share between 0 and 1."""
    return 1 / (1 + math.exp(-min(max(value, -STEEPEST), STEEPEST)))


def expected(score: int) -> float:
    """Expected points of the side with this score: its wins, and half its draws, by the win-draw-loss model."""
    won = logistic((score - HALF_WIN) / WIN_SPREAD)
    lost = logistic((-score - HALF_WIN) / WIN_SPREAD)
    return (1 + won - lost) / 2
