"""Shell. Perft and q-perft counted in a thread of their own, so that Ctrl-C reaches us while a count runs."""

import operator
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any, Self

from quiesce.board.game import Game
from quiesce.board.movetext import move_to_uci
from quiesce.board.perft import MAX_PERFT_DEPTH, PERFT, QPERFT, perft, qperft
from quiesce.board.tables import tables
from quiesce.jit import copy_record
from quiesce.records import new

Progress = Callable[[int, int], None]
"""Called with steps done and steps in all."""

LONGEST_WAIT = 0.1
"""Seconds until an interrupt is noticed."""
MOST_QPERFT_DEPTH = 8
"""Deepest regular part of a q-perft."""


@dataclass(frozen=True, slots=True)
class Count:
    """What a perft found."""

    nodes: int
    seconds: float
    divide: dict[str, int]

    @property
    def speed(self) -> int:
        """Leaves a second."""
        return round(self.nodes / max(self.seconds, 1e-9))


class Counter:
    """Counts one position at a time."""

    def __init__(self) -> None:
        self._work = new(PERFT)
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="perft")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._work.stop[0] = 1
        self._pool.shutdown()

    def count(self, position: Any, depth: int) -> int:
        """Leaves at `depth` below a position."""
        copy_record(self._work.stack[0], position)
        running = self._pool.submit(perft, tables(), self._work, 0, depth)
        while not running.done():  # a wait without end would keep Ctrl-C from us on Windows
            wait([running], timeout=LONGEST_WAIT)
        return int(running.result())

    def divide(self, game: Game, depth: int, progress: Progress | None = None) -> Count:
        """Leaves at `depth`, by root move."""
        check_depth(depth, MAX_PERFT_DEPTH)
        tell = progress or (lambda *_: None)
        started, found = time.perf_counter(), {}
        moves = game.legal_moves() if depth > 0 else []
        for done, move in enumerate(moves):
            tell(done, len(moves))
            after = Game(game.fen(shredder=game.chess960), game.chess960)
            after.push(move)
            found[move_to_uci(move, game.chess960)] = self.count(after.position, depth - 1)
        tell(len(moves), len(moves))
        return Count(sum(found.values()) if depth > 0 else 1, time.perf_counter() - started, found)


def check_depth(depth: int, most: int) -> None:
    """Refuse what is no depth, and depths there is no room or no time for."""
    try:
        operator.index(depth)
    except TypeError:
        raise TypeError(f"depth is a whole number, not {depth!r}") from None
    if not 0 <= depth <= most:
        raise ValueError(f"depth {depth} is outside 0 to {most}")


def count_quiescence(game: Game, depth: int) -> dict[str, int]:
    """Counts of a q-perft by name; an interrupt ends the count first."""
    check_depth(depth, MOST_QPERFT_DEPTH)
    record, counts = new(PERFT), new(QPERFT)
    record.stack[0] = game.position
    counting = threading.Thread(target=qperft, args=(tables(), record, counts, 0, depth), daemon=True)
    counting.start()
    try:
        while counting.is_alive():
            counting.join(LONGEST_WAIT)
    except BaseException:
        record.stop[0] = 1
        counting.join()
        raise
    return {name: int(counts[name]) for name in QPERFT.names or ()}
