"""Shell. python-chess's limits as the engine's."""

import math
import operator
from collections.abc import Iterable
from typing import Any

import chess
import chess.engine

from quiesce.api.boards import move_of
from quiesce.board.game import Game
from quiesce.engine.clock import LONGEST, MILLISECONDS, Clock
from quiesce.engine.limits import DEEPEST, NO_LIMIT, Limits

BOUNDS = "time, depth, nodes, mate"
"""What ends a search beside the mover's clock; increments and moves to go do not, by themselves."""


def limits_of(game: Game, limit: chess.engine.Limit | None, root_moves: Iterable[chess.Move] | None) -> Limits:
    """The limits of a search. Without any it runs until stopped."""
    moves = None if root_moves is None else [move_of(game, move) for move in root_moves]
    if moves == []:
        raise ValueError("root_moves is empty: None means all moves")
    if limit is None:
        return Limits(is_infinite=True, moves=moves)
    if not isinstance(limit, chess.engine.Limit):
        raise TypeError(f"a limit is a chess.engine.Limit, not {type(limit).__name__}")
    depth, nodes, mate = (whole_of(name, getattr(limit, name)) for name in ("depth", "nodes", "mate"))
    seconds = seconds_of("time", limit.time)
    return Limits(
        depth=DEEPEST if depth is None else min(max(depth, 1), DEEPEST),
        nodes=NO_LIMIT if nodes is None else min(max(nodes, 1), NO_LIMIT),
        seconds=None if seconds is None else max(seconds, 0.0),
        mate=None if mate is None else max(mate, 1),
        clock=clock_of(limit, is_white=is_white_to_move(game)),
        moves=moves,
    )


def ending_limits_of(game: Game, limit: chess.engine.Limit | None, root_moves: Iterable[chess.Move] | None) -> Limits:
    """The limits of a search that a call waits for. Raises ValueError for limits that would never stop it."""
    if limit is None:
        raise TypeError("limit is None, but this call needs one: it waits for the end of the search")
    limits = limits_of(game, limit, root_moves)
    if limits.clock is None and all(getattr(limit, name) is None for name in BOUNDS.split(", ")):
        if limit.white_clock is None and limit.black_clock is None:
            raise ValueError(f"this limit ends no search: give {BOUNDS} or a clock")
        mover, other = ("White", "Black") if is_white_to_move(game) else ("Black", "White")
        raise ValueError(
            f"{mover} is to move and only {other} has a clock, which ends no search: "
            f"give {mover.lower()}_clock, or one of {BOUNDS}"
        )
    return limits


def is_white_to_move(game: Game) -> bool:
    """Is it White's turn?"""
    return int(game.position.turn) == 0


def whole_of(name: str, given: Any) -> int | None:
    """An integer, also one given as a float. Raises TypeError or ValueError for others."""
    if given is None:
        return None
    if isinstance(given, float):
        if not given.is_integer():
            raise ValueError(f"{name} is a whole number, not {given}")
        return int(given)
    try:
        return operator.index(given)
    except TypeError:
        raise TypeError(f"{name} is a whole number, not {given!r}") from None


def seconds_of(name: str, given: Any) -> float | None:
    """Seconds as a float. Raises TypeError or ValueError if this is no finite number."""
    if given is None:
        return None
    try:
        is_finite = math.isfinite(given)
    except TypeError:
        raise TypeError(f"{name} is a number of seconds, not {given!r}") from None
    except OverflowError:
        return float(LONGEST)
    if not is_finite:
        raise ValueError(f"{name} is a finite number of seconds, not {given}: leave it out to set no limit by it")
    return min(float(given), float(LONGEST))


def clock_of(limit: chess.engine.Limit, is_white: bool) -> Clock | None:
    """The mover's clock; None without one."""
    side = "white" if is_white else "black"
    left, increment = (seconds_of(name, getattr(limit, name)) for name in (f"{side}_clock", f"{side}_inc"))
    if left is None:
        return None
    moves_to_go = whole_of("remaining_moves", limit.remaining_moves)
    return Clock(round(left * MILLISECONDS), round((increment or 0) * MILLISECONDS), moves_to_go)
