"""Shell. An analysis that runs: its infos as they come, for loops; for event loops too."""

import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Self

import chess
import chess.engine

from quiesce.api.findings import Findings

if TYPE_CHECKING:
    from quiesce.api.engine import Engine


class Analysis(chess.engine.SimpleAnalysisResult):
    """What `Engine.analysis` returns: iterate, or `async for`, over its infos; `stop()` it; `wait()` for the best move.

    An interrupt while it is waited for stops it, and so does letting go of it: a `break` out of a loop is enough. So
    does the next call to its engine. One that runs for seconds tells of the move it is at: `currmove`.

    >>> import quiesce
    >>> with quiesce.Engine() as engine, engine.analysis("8/8/8/8/8/2k5/2q5/K7 b - - 0 1") as analysis:
    ...     for info in analysis:
    ...         if info["score"].is_mate():
    ...             break
    >>> print(info["score"].relative)
    #+1
    """

    def __init__(self, engine: "Engine", findings: Findings) -> None:
        """Hand out what a search finds; where nobody holds this any more, it is stopped."""
        self.simple_engine = engine
        self._findings = findings
        weakref.finalize(self, findings.drop).atexit = False

    @property
    def board(self) -> chess.Board:
        """The position searched."""
        return self._findings.board

    @property
    def info(self) -> chess.engine.InfoDict:
        """All that was told of the best line so far, what is newer instead of what is older."""
        return self._findings.info

    @property
    def multipv(self) -> list[chess.engine.InfoDict]:
        """The same of each line, best first."""
        return list(self._findings.multipv)

    def stop(self) -> None:
        """End the search soon; what is known by then still comes."""
        self._findings.stop()

    def wait(self) -> chess.engine.BestMove:
        """The best move, once the search has ended by its limit or by `stop`; an interrupt stops it first."""
        with self._stopped_by_trouble():
            self._findings.wait()
        return self._findings.best()

    @contextmanager
    def _stopped_by_trouble(self) -> Iterator[None]:
        """An interrupt, or any other trouble, of whoever waits in here stops the search."""
        try:
            yield
        except BaseException:
            self.stop()
            raise

    def would_block(self) -> bool:
        """Would `get` have to wait?"""
        return self._findings.mail.is_empty and not self._findings.mail.is_over

    def empty(self) -> bool:
        """Is nothing there that was not yet taken?"""
        return self._findings.mail.is_empty

    def get(self) -> chess.engine.InfoDict:
        """The next info, waited for; raises chess.engine.AnalysisComplete where none will come."""
        try:
            return next(self)
        except StopIteration:
            raise chess.engine.AnalysisComplete from None

    def next(self) -> chess.engine.InfoDict | None:
        """The next info, waited for; None where none will come."""
        return next(self, None)

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> chess.engine.InfoDict:
        try:
            with self._stopped_by_trouble():
                return self._findings.take()
        except EOFError:
            raise StopIteration from None

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> chess.engine.InfoDict:
        try:
            return await self._findings.take_soon()
        except EOFError:
            raise StopAsyncIteration from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        if self._findings.is_own:
            self.stop()
            self._findings.wait()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        self.__exit__()

    def _repr_html_(self) -> str:
        """The newest report."""
        shown = getattr(self.info, "_repr_html_", None)
        return shown() if shown is not None else "<i>nothing reported yet</i>"
