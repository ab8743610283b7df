"""Shell. What a score means in games: the centipawns people are shown, and permille of wins, draws and losses.

Two logistic curves were fitted to games of this engine (docs/explanation/evaluation.md); a score is shown so that
+100 is where half of such games are won. They say nothing about other players.
"""

import math

from quiesce.eval.evaluate import EVAL_LIMIT

HALF_WIN = 160.0
"""Points of the evaluation with which half of all games are won."""
WIN_SPREAD = 78.0
"""Points over which winning becomes likely."""
PERMILLE = 1_000
PAWN = 100
"""Centipawns shown for HALF_WIN."""
STEEPEST = 50.0
"""Exponent beyond which the curve is flat to a float."""


def centipawns(score: int) -> int:
    """A score as it is shown, the mover's side still; what is certain, from tables or by mate, is shown as it is."""
    return score if abs(score) > EVAL_LIMIT else round(PAWN * score / HALF_WIN)


def win_permille(score: int) -> int:
    """Games of a thousand won by the side with this score."""
    exponent = min(max((HALF_WIN - score) / WIN_SPREAD, -STEEPEST), STEEPEST)
    return round(PERMILLE / (1 + math.exp(exponent)))


def wdl(score: int) -> tuple[int, int, int]:
    """Permille of wins, draws and losses expected; together a thousand. Mates are certain by their size."""
    won, lost = win_permille(score), win_permille(-score)
    return won, PERMILLE - won - lost, lost
