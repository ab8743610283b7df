"""Shell. The engine: owns table and worker, searches a game under limits, tells what it finds."""

import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Any, Self

from quiesce.board.game import Game
from quiesce.board.tables import tables
from quiesce.jit import copy_record, warm_up
from quiesce.search.deepen import search_depth, start_search
from quiesce.search.params import params
from quiesce.search.report import table_fullness
from quiesce.search.scores import INFINITE, MATE, MATE_IN_STACK
from quiesce.search.table import DEFAULT_MEGABYTES, Table
from quiesce.search.worker import COUNTER_FIELDS, MAX_PLY, forget, new_worker, set_root

NO_LIMIT = (1 << 62) - 1
NANOSECONDS = 1_000_000_000
LONGEST_WAIT = 0.1
"""Seconds until an interrupt is noticed."""


@dataclass(frozen=True, slots=True)
class Limits:
    """When a search ends; whichever comes first."""

    depth: int = MAX_PLY - 1
    nodes: int = NO_LIMIT
    seconds: float | None = None
    mate: int | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """One line of an iteration."""

    score: int
    moves: list[int]
    depth: int
    seldepth: int

    @property
    def mate(self) -> int | None:
        """Moves to mate, negative if we are mated; None if the score is no mate."""
        if abs(self.score) < MATE_IN_STACK:
            return None
        plies = MATE - abs(self.score)
        return (plies + 1) // 2 if self.score > 0 else -(plies // 2)


@dataclass(frozen=True, slots=True)
class Report:
    """What is known after an iteration, or at the end."""

    depth: int
    lines: list[Line]
    seconds: float
    hashfull: int
    counters: dict[str, int] = field(default_factory=dict)

    @property
    def nodes(self) -> int:
        """Positions entered."""
        return self.counters["nodes"]

    @property
    def speed(self) -> int:
        """Nodes a second."""
        return round(self.nodes / max(self.seconds, 1e-6))


OnReport = Callable[[Report], None]


class Engine:
    """Searches one game at a time; `stop` may be called from any thread."""

    def __init__(self, megabytes: int = DEFAULT_MEGABYTES, options: Mapping[str, int] | None = None) -> None:
        """Load the kernels and take a table of so many megabytes; options are the search's, by name."""
        warm_up()
        tables()
        self.table = Table(megabytes)
        self._worker = new_worker(params(options))
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="search")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop, and end the search thread."""
        self.stop()
        self._pool.shutdown()

    def configure(self, options: Mapping[str, int]) -> None:
        """Set the search's options; those not named take their defaults."""
        copy_record(self._worker.params, params(options))

    def new_game(self) -> None:
        """Forget table and histories."""
        self.table.clear()
        forget(self._worker)

    def stop(self) -> None:
        """End the search that runs, if any."""
        self._worker.stop[0] = 1

    def search(
        self,
        game: Game,
        limits: Limits | None = None,
        on_report: OnReport | None = None,
        multi_pv: int = 1,
        moves: Iterable[int] | None = None,
    ) -> Report:
        """Search and return the last report; it has no lines if there is no legal move.

        `moves` restricts the root to some of its legal moves. An interrupt stops the search first.
        """
        self._worker.stop[0] = 0
        running = self._pool.submit(self._run, game, limits or Limits(), on_report, multi_pv, moves)
        try:
            while not running.done():
                wait([running], timeout=LONGEST_WAIT)
        except BaseException:
            self.stop()
            wait([running])
            raise
        return running.result()

    def _run(
        self, game: Game, limits: Limits, on_report: OnReport | None, multi_pv: int, moves: Iterable[int] | None
    ) -> Report:
        """The search itself, in the search thread."""
        w, started = self._worker, time.monotonic_ns()
        set_root(w, game)
        self.table.age()
        w.multi_pv, w.node_limit = multi_pv, limits.nodes
        w.deadline = 0 if limits.seconds is None else started + round(limits.seconds * NANOSECONDS)
        start_search(w, tables())
        if moves is not None:
            keep_roots(w, set(moves))
        done = 0
        while done < limits.depth and w.root_count > 0 and not w.stop[0]:
            if not search_depth(w, tables(), self.table.record, done + 1):
                break
            done += 1
            if on_report is not None:
                on_report(self._report(done, started))
            if has_mate(w, limits.mate):
                break
        return self._report(done, started)

    def _report(self, depth: int, started: int) -> Report:
        """What the worker knows now."""
        w = self._worker
        count = min(int(w.multi_pv), int(w.root_count))
        return Report(
            depth=depth,
            lines=[line_of(w.roots[index]) for index in range(count)],
            seconds=(time.monotonic_ns() - started) / NANOSECONDS,
            hashfull=int(table_fullness(self.table.record)),
            counters={item.name: int(w[item.name]) for item in COUNTER_FIELDS},
        )


def line_of(root: Any) -> Line:
    """A root move's line; where a stopped iteration left no score, the one before counts."""
    score = int(root.score) if root.score != -INFINITE else int(root.last_score)
    length = int(root.pv_length)
    return Line(score, [int(move) for move in root.pv[:length]], int(root.depth), int(root.seldepth))


def keep_roots(w: Any, wanted: set[int]) -> None:
    """Leave only some moves at the root."""
    kept = [int(w.roots[index].move) for index in range(int(w.root_count)) if int(w.roots[index].move) in wanted]
    for index, move in enumerate(kept):
        w.roots[index].move = move
        w.roots[index].pv[0] = move
    w.root_partial = int(len(kept) < w.root_count)
    w.root_count = len(kept)


def has_mate(w: Any, moves: int | None) -> bool:
    """Is a mate in so many moves found?"""
    if moves is None:
        return False
    found = line_of(w.roots[0]).mate
    return found is not None and 0 < found <= moves
