"""Shell. A running search: written by its thread, read by any."""

import os
import threading
import time
from collections.abc import Callable
from typing import Any, Protocol

import chess
import chess.engine

from quiesce.api.ending import end_with_program
from quiesce.api.info import aggregated, best_of, infos_of, progress_facts
from quiesce.api.mailbox import LONGEST_WAIT, Mailbox
from quiesce.api.owner import check_own, is_own
from quiesce.api.ticker import TICK_SECONDS, let_go, watch
from quiesce.engine import Engine, Limits, Report
from quiesce.engine.setup import judged
from quiesce.engine.syzygy import TableVerdict

Infos = list[chess.engine.InfoDict]


class Listener(Protocol):
    """Something that receives a search's infos, in another thread."""

    def hear(self, info: chess.engine.InfoDict) -> None:
        """Take an info."""

    def end(self, running: "RunningSearch") -> None:
        """The search has ended."""


class RunningSearch:
    """A search in a thread of its own.

    It does not refer to its Analysis, so that the Analysis can be garbage collected.
    """

    def __init__(
        self,
        engine: Engine,
        board: chess.Board,
        selected: chess.engine.Info,
        verdict: TableVerdict | None = None,
        listener: Listener | None = None,
    ) -> None:
        """A search that is not started; `score` is the tablebase's, if there is one."""
        self.board = board
        self.multipv: Infos = [{}]
        self.mail: Mailbox[chess.engine.InfoDict] = Mailbox()
        self.answer: Report | None = None
        self.is_stopping = False
        self._engine, self._selected, self._verdict, self._listener = engine, selected, verdict, listener
        self._note: dict[str, Any] = {}
        self._progress: dict[str, Any] = {}
        self._hearing, self._ending, self._owner = threading.Lock(), threading.Lock(), os.getpid()
        self._is_over = threading.Event()

    def start(self, limits: Limits, multi_pv: int, overhead: int = 0, is_heard: bool = True) -> None:
        """Search; the engine's game is set already. Infos on the way are only made if they are heard."""
        end_with_program(self)
        on_report: Callable[[Report], None] | None = self._hear if is_heard else None
        self._engine.go(limits, on_report, self._end, multi_pv=multi_pv, overhead=overhead)
        watch(self)

    @property
    def info(self) -> chess.engine.InfoDict:
        """All facts about the best line so far; newer ones replace older ones."""
        return self.multipv[0]

    def note(self, text: str) -> None:
        """Add a message to the next info."""
        if self._selected:
            self._note = {"string": text}

    def _hear(self, report: Report) -> None:
        """Take a report, in the search's thread."""
        with self._hearing:
            self._tell(infos_of(self.board, judged(report, self._verdict), self._selected))

    def _tell(self, infos: Infos) -> None:
        """Send infos, the best line's first."""
        infos = [aggregated(self.board, infos[0], self._note), *infos[1:]]
        self._note = {}
        known = self.multipv + [{}] * (len(infos) - len(self.multipv))
        told = [aggregated(self.board, old, new) for old, new in zip(known, infos, strict=False)]
        self.multipv = told + known[len(told) :]
        self.mail.put(*infos)
        if self._listener is not None:
            for info in infos:
                self._listener.hear(info)

    def tick(self) -> None:
        """Report the current move of a long search."""
        progress = self._engine.progress()
        if progress is None or progress.seconds < TICK_SECONDS or not self._selected & chess.engine.INFO_BASIC:
            return
        with self._hearing:
            if self.is_over:
                return
            self._progress = progress_facts(self.board, progress) or self._progress
            if self._progress and self.info:
                self._tell([aggregated(self.board, self.info, self._progress)])

    def _end(self, report: Report) -> None:
        """Take the answer, in the search's thread."""
        self.answer = report
        try:
            if not report.lines:
                self._hear(report)
        finally:
            with self._hearing, self._ending:
                self._is_over.set()
            let_go(self)
            self.mail.close()
            if self._listener is not None:
                self._listener.end(self)

    def best(self) -> chess.engine.BestMove:
        """The best move of a finished search. Raises EngineError if it failed."""
        assert self.answer is not None
        if self.answer.trouble:
            raise chess.engine.EngineError(f"the search failed: {self.answer.trouble}")
        return chess.engine.BestMove(*best_of(self.answer, self.board.chess960))

    def infos(self) -> Infos:
        """The last info of each line of a finished search, best first."""
        assert self.answer is not None
        found = infos_of(self.board, judged(self.answer, self._verdict), self._selected)
        moving = {name: value for name, value in self._progress.items() if name.startswith("currmove")}
        return [aggregated(self.board, found[0], self._note | moving), *found[1:]]

    def take(self) -> chess.engine.InfoDict:
        """Wait for the next info. Raises EOFError at the end."""
        check_own(self._owner)
        return self.mail.take()

    async def take_soon(self) -> chess.engine.InfoDict:
        """Await the next info. Raises EOFError at the end."""
        check_own(self._owner)
        return await self.mail.take_soon()

    @property
    def is_own(self) -> bool:
        """Does the search run in this process? After a fork it does not."""
        return is_own(self._owner)

    @property
    def is_over(self) -> bool:
        """Has the search ended and every info been read?"""
        return self._is_over.is_set()

    def stop(self) -> None:
        """Stop the search soon. It never stops a later search of the same engine."""
        self.is_stopping = True
        if self.is_own:
            with self._ending:
                if not self._is_over.is_set():
                    self._engine.stop()

    def drop(self) -> None:
        """Stop an abandoned search.

        From another thread: garbage collection can happen while any lock is held, also those of `stop`.
        """
        self.is_stopping = True
        if self.is_own and not self.is_over:
            threading.Thread(target=self.stop, name="drop", daemon=True).start()

    def wait(self, until: float | None = None) -> None:
        """Wait for the search's end, with an ear for interrupts.

        Raises TimeoutError if it is not over at a moment of Python's monotonic clock.
        """
        check_own(self._owner)
        while not self._is_over.wait(LONGEST_WAIT):
            if until is not None and time.monotonic() > until:
                raise TimeoutError("the search has not ended in time")
