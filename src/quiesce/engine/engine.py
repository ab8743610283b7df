"""Shell. The engine: owns table, workers and settings; searches a game within limits and reports."""

import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any, Self

from quiesce.board.game import Game
from quiesce.board.tables import tables
from quiesce.engine.limits import Limits
from quiesce.engine.results import Line, Report, counters_of
from quiesce.engine.table import DEFAULT_MEGABYTES, Table
from quiesce.engine.task import OnReport, Progress, Task
from quiesce.engine.team import Team
from quiesce.jit import have_ready
from quiesce.search.report import table_fullness

__all__ = ["BusyError", "Engine", "Limits", "Line", "Progress", "Report"]

LONGEST_WAIT = 0.1
"""Seconds until an interrupt is noticed."""

OnDone = Callable[[Report], None]


class BusyError(RuntimeError):
    """A search runs already, or something was asked that cannot be done while one does."""


class Engine:
    """Searches one game at a time; every method may be called from any thread."""

    def __init__(
        self, megabytes: int = DEFAULT_MEGABYTES, options: Mapping[str, int] | None = None, threads: int = 1
    ) -> None:
        """Load the kernels and allocate a table of this many megabytes; `options` are search options by name."""
        have_ready()
        tables()
        self.table = Table(megabytes)
        self.game = Game()
        self._team = Team(self.table, options, threads)
        self._lock = threading.Lock()
        self._task: Task | None = None
        self._running: Future[Report] | None = None
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="search")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop, and end all threads."""
        self.stop()
        self._pool.shutdown()
        self._team.close()

    @property
    def is_searching(self) -> bool:
        """Does a search run?"""
        return self._task is not None

    @property
    def threads(self) -> int:
        """How many workers search together."""
        return len(self._team.searchers)

    def _check_idle(self) -> None:
        """Raise BusyError while a search runs."""
        if self.is_searching:
            raise BusyError("a search is running")

    def configure(self, options: Mapping[str, int]) -> None:
        """Set the search's options; those not named take their defaults."""
        self._check_idle()
        self._team.configure(options)

    def set_threads(self, threads: int) -> None:
        """Set the number of search threads."""
        self._check_idle()
        self._team.resize(threads)

    @property
    def weights(self) -> str:
        """The evaluation's weights, by name or file."""
        return self._team.weights

    def set_weights(self, name: str) -> None:
        """Evaluate by other weights, forgetting the table; raises WeightsError, and keeps the old ones."""
        self._check_idle()
        self._team.set_weights(name)
        self.table.clear()

    def set_hash(self, megabytes: int) -> None:
        """Take a table of another size, empty; raises MemoryError, and keeps the old one, if there is no room."""
        self._check_idle()
        self.table.resize(megabytes)

    def clear_hash(self) -> None:
        """Forget the table."""
        self._check_idle()
        self.table.clear()

    def new_game(self) -> None:
        """Forget table and histories."""
        self._check_idle()
        self.table.clear()
        self._team.forget()

    def set_position(self, game: Game) -> None:
        """Set the game of the next `go`; a running search keeps its own."""
        self.game = game

    def go(
        self,
        limits: Limits | None = None,
        on_report: OnReport | None = None,
        on_done: OnDone | None = None,
        multi_pv: int = 1,
        overhead: int = 0,
        began: int | None = None,
    ) -> None:
        """Start a search. `on_report` is called for each iteration, `on_done` for the answer, both from other threads.

        The clock counts from `began` (nanoseconds of the monotonic clock), by default from now.
        """
        with self._lock:
            self._check_idle()
            task = Task(self._team, self.table, self.game, limits or Limits(), on_report, multi_pv, overhead, began)
            self._task = task
            try:
                self._running = self._pool.submit(self._run, task, on_done)
            except RuntimeError:
                self._task = None
                raise

    def _run(self, task: Task, on_done: OnDone | None) -> Report:
        """Run a search in the search thread; `on_done` may start the next.

        After an exception `on_done` still gets an answer, so no game is lost.
        """
        try:
            report = task.run()
        except Exception as error:
            report = emergency(task, error)
            self._task = None
            if on_done is not None:
                on_done(report)
            raise
        self._task = None
        if on_done is not None:
            on_done(report)
        return report

    def stop(self) -> None:
        """End the search that runs, if any; later ones are not touched."""
        task = self._task
        if task is not None:
            task.stop()

    def ponder_hit(self, at: int | None = None) -> None:
        """The move pondered on was played, now or at a moment of Python's monotonic clock in nanoseconds."""
        task = self._task
        if task is not None:
            task.ponder_hit(at)

    def progress(self) -> Progress | None:
        """What the search that runs is at."""
        task = self._task
        return None if task is None else task.progress()

    def wait(self) -> Report | None:
        """Wait for the search that runs, or return the answer of the last; an interrupt stops it first."""
        running = self._running
        if running is None:
            return None
        try:
            while not running.done():
                wait([running], timeout=LONGEST_WAIT)
        except BaseException:
            self.stop()
            wait([running])
            raise
        return running.result()

    @property
    def lead_worker(self) -> Any:
        """The first worker's record, as its last search left it."""
        self._check_idle()
        return self._team.lead.worker

    def static_eval(self, game: Game) -> int:
        """Points from the mover's side, without any search; in check they mean little."""
        with self._lock:
            self._check_idle()
            self._team.lead.place(game)
            return self._team.lead.evaluate()

    def quiescence(self, game: Game) -> Report:
        """What quiescence alone says of a position: score, nodes, and the line it ends with, which may be empty."""
        with self._lock:
            self._check_idle()
            started, lead = time.monotonic(), self._team.lead
            lead.place(game)
            line = lead.quiesce()
            full = int(table_fullness(self.table.record))
            return Report(0, [line], time.monotonic() - started, full, counters_of([lead.worker]))

    def search(
        self, game: Game, limits: Limits | None = None, on_report: OnReport | None = None, multi_pv: int = 1
    ) -> Report:
        """Search a game and return the answer; it has no lines if there is no legal move."""
        self.set_position(game)
        self.go(limits, on_report, multi_pv=multi_pv)
        report = self.wait()
        assert report is not None
        return report


def emergency(task: Task, error: Exception) -> Report:
    """The answer of a search that raised; without lines if even the emergency goes wrong."""
    try:
        return task.emergency(error)
    except Exception as second:  # noqa: BLE001  (whoever waits must hear of the end)
        trouble = f"{type(error).__name__}: {error}, then {type(second).__name__}: {second}"
        return Report(0, [], 0.0, 0, {"nodes": 0}, trouble=trouble)
