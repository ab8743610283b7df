"""Shell. What a score means in games: permille of wins, draws and losses, by two logistic curves.

The curves were fitted to self-play of this engine (docs/explanation/uci.md); they say nothing about other players.
"""

import math

HALF_WIN = 160.0
"""Centipawns with which half of all games are won."""
WIN_SPREAD = 130.0
"""Centipawns over which winning becomes likely."""
PERMILLE = 1_000
STEEPEST = 50.0
"""Exponent beyond which the curve is flat to a float."""


def win_permille(score: int) -> int:
    """Games of a thousand won by the side with this score."""
    exponent = min(max((HALF_WIN - score) / WIN_SPREAD, -STEEPEST), STEEPEST)
    return round(PERMILLE / (1 + math.exp(exponent)))


def wdl(score: int) -> tuple[int, int, int]:
    """Permille of wins, draws and losses expected; together a thousand. Mates are certain by their size."""
    won, lost = win_permille(score), win_permille(-score)
    return won, PERMILLE - won - lost, lost
