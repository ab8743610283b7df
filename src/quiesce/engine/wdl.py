"""Shell. What a score means in games: the centipawns people see, and the chances of winning, drawing and losing.

Two logistic curves of score and pieces on the board, fitted to games of this engine: fewer pieces, more points to
win (docs/explanation/evaluation.md). They say nothing about other players.
"""

import math

from quiesce.board.game import Game
from quiesce.eval.evaluate import EVAL_LIMIT

HALF_WIN = 160.0
"""Points shown as 100 centipawns."""
BARE_HALF = 370.0
"""Points that would win half of our games if no pieces were left."""
PIECE_FALL = 18.5
"""Each time this number of pieces is added, those points fall by a factor of e."""
WIN_SPREAD = 50.0
"""Points over which winning becomes likely."""
PERMILLE = 1_000
PAWN = 100
"""Centipawns shown for HALF_WIN."""
STEEPEST = 50.0
"""Exponent beyond which the curve is flat to a float."""


def centipawns(score: int) -> int:
    """A score as it is shown, the mover's side still; what is certain, from tables or by mate, is shown as it is."""
    return score if abs(score) > EVAL_LIMIT else round(PAWN * score / HALF_WIN)


def piece_count(game: Game) -> int:
    """The number of pieces on the board, pawns and kings included."""
    return sum(int(colour).bit_count() for colour in game.position.colours)


def half_win(pieces: int) -> float:
    """Points that win half of our games with this number of pieces on the board, pawns and kings included."""
    return BARE_HALF * math.exp(-pieces / PIECE_FALL)


def win_chance(score: int, pieces: int) -> float:
    """Share of games won by the side with this score."""
    exponent = (half_win(pieces) - score) / WIN_SPREAD
    return 1 / (1 + math.exp(min(max(exponent, -STEEPEST), STEEPEST)))


def wdl(score: int, pieces: int) -> tuple[int, int, int]:
    """Permille of wins, draws and losses expected; together a thousand. Mates are certain by their size."""
    won, lost = (round(PERMILLE * win_chance(side, pieces)) for side in (score, -score))
    return won, PERMILLE - won - lost, lost


def expected(score: int, pieces: int) -> float:
    """Expected points of the side with this score, from 0, lost, to 1, won: its wins, and half of its draws."""
    return (1 + win_chance(score, pieces) - win_chance(-score, pieces)) / 2
