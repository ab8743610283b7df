"""Shell. An analysis that runs: its reports as they come, for loops and for event loops."""

import threading
from typing import Self

import chess
import chess.engine

from quiesce.api.info import best_of, infos_of
from quiesce.api.mailbox import LONGEST_WAIT, Mailbox
from quiesce.engine import Engine
from quiesce.search.results import Report
from quiesce.search.task import Limits


class Analysis:
    """What `Engine.analysis` returns: iterate, or `async for`, over its infos; `stop()` it; `wait()` for the best move.

    As in python-chess, `info` is the newest report of the best line and `multipv` the newest of each line.

    >>> import quiesce
    >>> with quiesce.Engine() as engine, engine.analysis("8/8/8/8/8/2k5/2q5/K7 b - - 0 1") as analysis:
    ...     for info in analysis:
    ...         if info["score"].is_mate():
    ...             break
    >>> print(info["score"].relative)
    #+1
    """

    def __init__(
        self, engine: Engine, board: chess.Board, limits: Limits, multi_pv: int, selected: chess.engine.Info
    ) -> None:
        """Start; the engine's game is set already."""
        self.board = board
        self.info: chess.engine.InfoDict = {}
        self.multipv: list[chess.engine.InfoDict] = [self.info]
        self._engine, self._selected = engine, selected
        self._mail: Mailbox[chess.engine.InfoDict] = Mailbox()
        self._answer: Report | None = None
        self._is_done = threading.Event()
        engine.go(limits, self._hear, self._end, multi_pv=multi_pv)

    def _hear(self, report: Report) -> None:
        """Take in a report, in the search's thread."""
        self.multipv = infos_of(self.board, report, self._selected)
        self.info = self.multipv[0]
        self._mail.put(*self.multipv)

    def _end(self, report: Report) -> None:
        """Take in the answer, in the search's thread."""
        self._answer = report
        if not report.lines:
            self._hear(report)
        self._mail.close()
        self._is_done.set()

    def stop(self) -> None:
        """End the search soon; what is known by then still comes."""
        if not self._is_done.is_set():
            self._engine.stop()

    def wait(self) -> chess.engine.BestMove:
        """The best move, once the search has ended by its limit or by `stop`; an interrupt stops it first."""
        try:
            while not self._is_done.wait(LONGEST_WAIT):
                pass
        except BaseException:
            self.stop()
            raise
        assert self._answer is not None
        if self._answer.trouble:
            raise chess.engine.EngineError(f"the search failed: {self._answer.trouble}")
        return chess.engine.BestMove(*best_of(self._answer, self.board.chess960))

    def would_block(self) -> bool:
        """Would `get` have to wait?"""
        return self._mail.is_empty and not self._mail.is_over

    def empty(self) -> bool:
        """Is nothing there that was not yet taken?"""
        return self._mail.is_empty

    def get(self) -> chess.engine.InfoDict:
        """The next info, waited for; raises chess.engine.AnalysisComplete where none will come."""
        try:
            return self._mail.take()
        except EOFError:
            raise chess.engine.AnalysisComplete from None

    def next(self) -> chess.engine.InfoDict | None:
        """The next info, waited for; None where none will come."""
        return next(self, None)

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> chess.engine.InfoDict:
        try:
            return self._mail.take()
        except EOFError:
            raise StopIteration from None

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> chess.engine.InfoDict:
        try:
            return await self._mail.take_soon()
        except EOFError:
            raise StopAsyncIteration from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()
        self._is_done.wait()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        self.__exit__()

    def _repr_html_(self) -> str:
        """The newest report."""
        shown = getattr(self.info, "_repr_html_", None)
        return shown() if shown is not None else "<i>nothing reported yet</i>"
