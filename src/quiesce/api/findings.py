"""Shell. What a search has told so far: written in its thread, read in any."""

import os
import threading

import chess
import chess.engine

from quiesce.api.ending import end_with_program
from quiesce.api.info import infos_of
from quiesce.api.mailbox import LONGEST_WAIT, Mailbox
from quiesce.api.owner import check_own, is_own
from quiesce.engine import Engine
from quiesce.search.results import Report
from quiesce.search.task import Limits


class Findings:
    """A search that runs in its own thread.

    It knows nothing of the Analysis that hands out what it finds: so one that nobody holds any more is noticed.
    """

    def __init__(self, engine: Engine, board: chess.Board, selected: chess.engine.Info) -> None:
        """Nothing is started yet."""
        self.board = board
        self.info: chess.engine.InfoDict = {}
        self.multipv: list[chess.engine.InfoDict] = [self.info]
        self.mail: Mailbox[chess.engine.InfoDict] = Mailbox()
        self.answer: Report | None = None
        self.is_stopping = False
        self._engine, self._selected = engine, selected
        self._ending, self._owner = threading.Lock(), os.getpid()
        self._is_over = threading.Event()

    def start(self, limits: Limits, multi_pv: int) -> None:
        """Search; the engine's game is set already."""
        end_with_program(self)
        self._engine.go(limits, self._hear, self._end, multi_pv=multi_pv)

    def _hear(self, report: Report) -> None:
        """Take in a report, in the search's thread."""
        self.multipv = infos_of(self.board, report, self._selected)
        self.info = self.multipv[0]
        self.mail.put(*self.multipv)

    def _end(self, report: Report) -> None:
        """Take in the answer, in the search's thread."""
        self.answer = report
        try:
            if not report.lines:
                self._hear(report)
        finally:
            self.mail.close()
            with self._ending:
                self._is_over.set()

    def take(self) -> chess.engine.InfoDict:
        """The next info, waited for; raises EOFError where none will come."""
        check_own(self._owner)
        return self.mail.take()

    async def take_soon(self) -> chess.engine.InfoDict:
        """The next info, awaited; raises EOFError where none will come."""
        check_own(self._owner)
        return await self.mail.take_soon()

    @property
    def is_own(self) -> bool:
        """Does the search run in this process? In a forked copy it does not, and can neither be heard nor stopped."""
        return is_own(self._owner)

    @property
    def is_over(self) -> bool:
        """Has the search ended, and all been told?"""
        return self._is_over.is_set()

    @property
    def is_ending(self) -> bool:
        """Will the search be over in a moment: told to stop, or at its end?"""
        return self.is_stopping or not self._engine.is_searching

    def stop(self) -> None:
        """End the search soon; one that is over leaves the engine's next one alone, which starts after it."""
        self.is_stopping = True
        if self.is_own:
            with self._ending:
                if not self._is_over.is_set():
                    self._engine.stop()

    def drop(self) -> None:
        """End the search that nobody hears.

        From another thread: whatever runs when an object is collected may hold any lock, those of `stop` too.
        """
        self.is_stopping = True
        if self.is_own and not self.is_over:
            threading.Thread(target=self.stop, name="drop", daemon=True).start()

    def wait(self) -> None:
        """Wait for the search's end, with an ear for interrupts."""
        check_own(self._owner)
        while not self._is_over.wait(LONGEST_WAIT):
            pass
