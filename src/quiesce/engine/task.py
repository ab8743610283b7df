"""Shell. One search from start to answer: iterations, reports, clock, pondering, and the choice at the end."""

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace

from quiesce.board.game import Game
from quiesce.engine.clock import Pace
from quiesce.engine.limits import DEEPEST, Limits
from quiesce.engine.lines import lengthened
from quiesce.engine.results import BOUND_LOWER, BOUND_UPPER, Line, Report, counters_of
from quiesce.engine.searcher import FAILED_HIGH, FAILED_LOW, ITERATION_DONE, Searcher
from quiesce.engine.table import Table
from quiesce.engine.team import Team
from quiesce.jit import CLOCK_ID, now_ns
from quiesce.search.report import table_fullness
from quiesce.search.worker import FRAMES_BEFORE

NANOSECONDS = 1_000_000_000
BOUNDS_AFTER = 1.0
"""Seconds from which a score that fell out of its window is worth a report."""
ONLY_MOVE_DEPTH = 8
"""Depth limit of a search by the clock with one legal move."""


@dataclass(frozen=True, slots=True)
class Progress:
    """What a search is at."""

    depth: int
    seconds: float
    nodes: int
    hashfull: int
    move: int
    number: int


OnReport = Callable[[Report], None]


class Task:
    """A search in one thread; other threads may stop it or send `ponderhit`."""

    def __init__(
        self,
        team: Team,
        table: Table,
        game: Game,
        limits: Limits,
        on_report: OnReport | None = None,
        multi_pv: int = 1,
        overhead: int = 0,
        began: int | None = None,
    ) -> None:
        """`began` is when the move was asked for, on Python's monotonic clock in nanoseconds: unless given, now."""
        self._team, self._table, self._game = team, table, game
        self.limits, self._multi_pv, self._on_report = limits, multi_pv, on_report
        self._budget = limits.budget(overhead)
        self._pace = Pace()
        self._began = time.monotonic_ns() if began is None else began
        self._counts_from = None if limits.is_ponder else self._began
        self._stopped = threading.Event()
        self._may_answer = threading.Event()
        self._lock = threading.Lock()
        self._is_over = False
        self._timer: threading.Timer | None = None
        self._is_due = False
        self._is_pondering = limits.is_ponder
        self._reported: list[Line] = []

    @property
    def seconds(self) -> float:
        """How long ago the move was asked for."""
        return (time.monotonic_ns() - self._began) / NANOSECONDS

    def stop(self) -> None:
        """Stop with the best result so far."""
        with self._lock:
            if not self._is_over:
                self._stopped.set()
                self._may_answer.set()
                self._team.stop()

    def ponder_hit(self, at: int | None = None) -> None:
        """Handle `ponderhit`: the clock counts from now, or from the given moment (see `began`).

        Nodes searched so far count too.
        """
        if not self._is_pondering:
            return
        self._is_pondering = False
        if self._is_due:
            self.stop()
            return
        self._counts_from = time.monotonic_ns() if at is None else at
        self._set_deadline(self._counts_from)
        if not self.limits.is_infinite:
            self._may_answer.set()

    def progress(self) -> Progress:
        """Current state of the search; numbers may be slightly apart."""
        lead = self._team.lead.worker
        frame = lead.frames[FRAMES_BEFORE]
        return Progress(
            depth=int(lead.root_depth),
            seconds=self.seconds,
            nodes=sum(int(w.nodes) for w in self._team.workers),
            hashfull=int(table_fullness(self._table.record)),
            move=int(frame.move),
            number=int(lead.root_first) + int(frame.quiet_next),
        )

    def run(self) -> Report:
        """Search; returns the answer, without lines if there is no legal move."""
        self._table.age()
        count = self._team.prepare(self._game, self.limits.moves, self._multi_pv, self.limits.nodes)
        if self._stopped.is_set():
            self._team.stop()
        if self._counts_from is not None:
            self._set_deadline(self._counts_from)
        if count > 0:
            self._team.start_helpers()
            self._deepen()
        if self.limits.is_infinite or self._is_pondering:
            self._may_answer.wait()
        with self._lock:
            self._is_over = True
        if self._timer is not None:
            self._timer.cancel()
        self._team.join()
        return self._answer()

    def emergency(self, error: Exception) -> Report:
        """An answer after trouble: the best line known, or any legal move."""
        with self._lock:
            self._is_over = True
        with suppress(Exception):
            self._team.join()
        lines = self._team.lead.lines or [Line(0, [move], 0, 0) for move in self._game.legal_moves()[:1]]
        return Report(0, lines, self.seconds, 0, {"nodes": 0}, trouble=f"{type(error).__name__}: {error}")

    def _set_deadline(self, since: int) -> None:
        """Start the hard limit at a moment; kernels check it if they can read a clock."""
        if self._budget is None:
            return
        left = since + round(self._budget.hard * NANOSECONDS) - time.monotonic_ns()
        if CLOCK_ID is not None:
            self._team.set_deadline(int(now_ns()) + left)
            return
        self._timer = threading.Timer(max(left, 0) / NANOSECONDS, self.stop)
        self._timer.daemon = True
        self._timer.start()

    def _deepen(self) -> None:
        """Search deeper and deeper until it is enough."""
        on_step = None if self._on_report is None else self._on_step
        for depth in self._team.lead.deepen(range(1, self.limits.depth + 1), on_step):
            if self._is_enough(depth):
                return

    def _on_step(self, step: int) -> None:
        """Report what a step of an iteration came to."""
        lead = self._team.lead
        if step == ITERATION_DONE:
            self._tell(self.report(lead))
        elif step in (FAILED_LOW, FAILED_HIGH) and self._multi_pv == 1 and self.seconds > BOUNDS_AFTER:
            self._tell(self.report(lead).marked(BOUND_LOWER if step == FAILED_HIGH else BOUND_UPPER))

    def _is_enough(self, depth: int) -> bool:
        """Is a finished iteration the last one wanted?"""
        if self._stopped.is_set():
            return True
        lead, is_on_clock = self._team.lead, self._budget is not None and self.limits.seconds is None
        if self.limits.mate is None and not is_on_clock:
            return False
        best = lead.best
        if self.limits.mate is not None and best.mate is not None and abs(best.mate) <= self.limits.mate:
            return True
        if self._budget is None or not is_on_clock:
            return False
        w = lead.worker
        self._pace.note(best.moves[0], best.score, int(w.roots[0].effort) / max(int(w.nodes), 1))
        only = int(w.root_count) == 1 and depth >= ONLY_MOVE_DEPTH
        self._is_due = only or self.seconds > self._budget.soft * self._pace.factor
        return self._is_due and not self._is_pondering

    def report(self, searcher: Searcher) -> Report:
        """What a searcher's lines and all workers' counters say now."""
        return Report(
            depth=int(searcher.worker.root_depth),
            lines=searcher.lines,
            seconds=self.seconds,
            hashfull=int(table_fullness(self._table.record)),
            counters=counters_of(self._team.workers),
        )

    def _tell(self, report: Report) -> None:
        """Hand out a report."""
        if self._on_report is not None:
            self._reported = report.lines
            self._on_report(report)

    def _answer(self) -> Report:
        """The last report: of the worker whose move is played; reported if it is new."""
        self._team.lead.rescue()
        is_plain = self._multi_pv == 1 and self.limits.depth == DEEPEST
        chosen = self._team.chosen() if is_plain else self._team.lead
        last = self.report(chosen)
        if last.lines:
            lines = [lengthened(line, chosen.worker, self._table) for line in chosen.answer()]
            last = replace(last, lines=lines, depth=lines[0].depth)
            if lines != self._reported:
                self._tell(last)
        return last
