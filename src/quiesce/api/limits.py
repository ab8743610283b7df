"""Shell. When a search ends: limits of python-chess as the engine's own."""

from collections.abc import Iterable

import chess
import chess.engine

from quiesce.api.boards import move_of
from quiesce.board.game import Game
from quiesce.search.clock import MILLISECONDS, Clock
from quiesce.search.task import DEEPEST, Limits
from quiesce.search.team import NO_LIMIT

BOUNDED = ("time", "depth", "nodes", "mate", "white_clock", "black_clock")
"""What ends a search; increments and moves to go do not, by themselves."""


def limits_of(game: Game, limit: chess.engine.Limit | None, root_moves: Iterable[chess.Move] | None) -> Limits:
    """The limits of a search; without any it goes on until it is stopped."""
    moves = None if root_moves is None else [move_of(game, move) for move in root_moves]
    if moves == []:
        raise ValueError("root_moves is empty: None means all moves")
    if limit is None:
        return Limits(is_infinite=True, moves=moves)
    return Limits(
        depth=DEEPEST if limit.depth is None else min(max(limit.depth, 1), DEEPEST),
        nodes=NO_LIMIT if limit.nodes is None else max(limit.nodes, 1),
        seconds=None if limit.time is None else max(limit.time, 0.0),
        mate=None if limit.mate is None else max(limit.mate, 1),
        clock=clock_of(limit, is_white=int(game.position.turn) == 0),
        moves=moves,
    )


def check_limit(limit: chess.engine.Limit) -> None:
    """Raise ValueError for a limit that ends nothing: whoever waits for the answer would wait for ever."""
    if all(getattr(limit, name) is None for name in BOUNDED):
        raise ValueError("this limit ends no search: give time, depth, nodes, mate or a clock")


def clock_of(limit: chess.engine.Limit, is_white: bool) -> Clock | None:
    """The mover's clock, None where there is none."""
    left, increment = (limit.white_clock, limit.white_inc) if is_white else (limit.black_clock, limit.black_inc)
    if left is None:
        return None
    return Clock(round(left * MILLISECONDS), round((increment or 0) * MILLISECONDS), limit.remaining_moves)
