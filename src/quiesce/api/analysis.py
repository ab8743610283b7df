"""Shell. A running analysis: iterate over its infos, in loops or event loops."""

import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Self

import chess
import chess.engine

from quiesce.api.runningsearch import RunningSearch

if TYPE_CHECKING:
    from quiesce.api.engine import Engine


class Analysis(chess.engine.SimpleAnalysisResult):
    """A running search, as returned by `Engine.analysis`. Iterate over its infos with `for` or `async for`, `stop()`
    it, `wait()` for the best move.

    The search also stops if it is garbage collected (after a `break` out of a loop), on an interrupt while you wait,
    and at the next call to its engine. After a second, infos report the move being searched as `currmove`.

    >>> import quiesce
    >>> with quiesce.Engine() as engine, engine.analysis("8/8/8/8/8/2k5/2q5/K7 b - - 0 1") as analysis:
    ...     for info in analysis:
    ...         if info["score"].is_mate():
    ...             break
    >>> print(info["score"].relative)
    #+1
    """

    def __init__(self, engine: "Engine", running: RunningSearch) -> None:
        """Report what a search finds. The search is stopped if this object is garbage collected."""
        self.simple_engine = engine
        self._running = running
        weakref.finalize(self, running.drop).atexit = False

    @property
    def board(self) -> chess.Board:
        """The position that is searched."""
        return self._running.board

    @property
    def info(self) -> chess.engine.InfoDict:
        """All facts about the best line so far; newer ones replace older ones."""
        return self._running.info

    @property
    def multipv(self) -> list[chess.engine.InfoDict]:
        """The infos of all lines, best first."""
        return list(self._running.multipv)

    def stop(self) -> None:
        """Stop the search soon. Its last result can still be read."""
        self._running.stop()

    def wait(self) -> chess.engine.BestMove:
        """Wait until the search has ended and return the best move. An interrupt stops the search."""
        with self._stopped_by_trouble():
            self._running.wait()
        return self._running.best()

    @contextmanager
    def _stopped_by_trouble(self) -> Iterator[None]:
        """Stop the search if an exception, such as an interrupt, leaves the `with` block."""
        try:
            yield
        except BaseException:
            self.stop()
            raise

    def would_block(self) -> bool:
        """Would `get` have to wait?"""
        return self._running.mail.is_empty and not self._running.mail.is_over

    def empty(self) -> bool:
        """Has every info been read?"""
        return self._running.mail.is_empty

    def get(self) -> chess.engine.InfoDict:
        """Wait for the next info. Raises chess.engine.AnalysisComplete at the end."""
        try:
            return next(self)
        except StopIteration:
            raise chess.engine.AnalysisComplete from None

    def next(self) -> chess.engine.InfoDict | None:
        """Wait for the next info. Returns None at the end."""
        return next(self, None)

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> chess.engine.InfoDict:
        try:
            with self._stopped_by_trouble():
                return self._running.take()
        except EOFError:
            raise StopIteration from None

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> chess.engine.InfoDict:
        try:
            return await self._running.take_soon()
        except EOFError:
            raise StopAsyncIteration from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        if self._running.is_own:
            self.stop()
            self._running.wait()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        self.__exit__()

    def _repr_html_(self) -> str:
        """The latest info as HTML."""
        shown = getattr(self.info, "_repr_html_", None)
        return shown() if shown is not None else "<i>nothing reported yet</i>"
