"""Shell. Scores as centipawns, and chances of win, draw and loss in permille.

Two logistic curves fitted to games of this engine (docs/explanation/evaluation.md): +100 centipawns wins half of them.
They do not apply to other players.
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
    """A score in centipawns for the same side; mate and table scores are not changed."""
    return score if abs(score) > EVAL_LIMIT else round(PAWN * score / HALF_WIN)


def win_permille(score: int) -> int:
    """Games of a thousand won by the side with this score."""
    exponent = min(max((HALF_WIN - score) / WIN_SPREAD, -STEEPEST), STEEPEST)
    return round(PERMILLE / (1 + math.exp(exponent)))


def wdl(score: int) -> tuple[int, int, int]:
    """Permille of wins, draws and losses expected; together a thousand. Mates are certain by their size."""
    won, lost = win_permille(score), win_permille(-score)
    return won, PERMILLE - won - lost, lost
