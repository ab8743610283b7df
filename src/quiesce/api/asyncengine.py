"""Shell. The engine for asyncio programs, in this process: a `chess.engine.Protocol`."""

import asyncio
import threading
import weakref
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any, NoReturn, Self, TypeVar, overload

import chess
import chess.engine

from quiesce.api.boards import Position
from quiesce.api.engine import ENGINE_ID, NO_PROTOCOL
from quiesce.api.errors import refusing
from quiesce.api.info import aggregated
from quiesce.api.mailbox import finish
from quiesce.api.options import options_map, values_of
from quiesce.api.runningsearch import RunningSearch
from quiesce.api.searching import Question, Searching
from quiesce.api.starting import ENDED, Command, InProcess, check_command
from quiesce.api.stopper import Stopper

Answer = TypeVar("Answer")


class AsyncAnalysis(chess.engine.AnalysisResult):
    """A running search, as returned by `AsyncEngine.analysis`. Await `get`, `next` and `wait`, or iterate with `async
    for`; `stop()` it.

    The search also stops if it is garbage collected, and at the next call to its engine.
    """

    def __init__(self, board: chess.Board, stopper: Stopper) -> None:
        """Report to the event loop what a search finds. The search is stopped if this object is garbage collected."""
        super().__init__(stopper.stop)
        self.board = board
        weakref.finalize(self, drop, stopper).atexit = False

    def post(self, info: chess.engine.InfoDict) -> None:
        """Take an info, in the event loop."""
        number = info.get("multipv", 1)
        self.multipv += [{} for _ in range(number - len(self.multipv))]
        self.multipv[number - 1] = aggregated(self.board, self.multipv[number - 1], info)
        self._queue.put_nowait(info)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        self.stop()


class Wire:
    """Carries infos from the search's thread to an analysis in an event loop, while the analysis exists."""

    def __init__(self, analysis: AsyncAnalysis) -> None:
        self._analysis = weakref.ref(analysis)
        self._loop = asyncio.get_running_loop()

    def hear(self, info: chess.engine.InfoDict) -> None:
        """Take an info."""
        if info:
            self._send(lambda analysis: analysis.post(info))

    def end(self, running: RunningSearch) -> None:
        """The search has ended."""
        self._send(lambda analysis: told_end(analysis, running))

    def _send(self, act: Callable[[AsyncAnalysis], None]) -> None:
        """Have the loop act; one that has ended hears nothing."""

        def run() -> None:
            analysis = self._analysis()
            if analysis is not None:
                act(analysis)

        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(run)


def told_end(analysis: AsyncAnalysis, running: RunningSearch) -> None:
    """Set the best move or the error of an analysis."""
    try:
        analysis.set_finished(running.best())
    except chess.engine.EngineError as error:
        analysis.set_exception(error)


def drop(stopper: Stopper) -> None:
    """Stop a search from another thread: garbage collection can happen while any lock is held."""
    if not stopper.is_stopped:
        threading.Thread(target=stopper.stop, name="drop", daemon=True).start()


async def aside(call: Callable[[], Answer], stopper: Stopper | None = None) -> Answer:
    """Run a blocking call in a thread; cancelling stops the search."""
    loop = asyncio.get_running_loop()
    answered: asyncio.Future[None] = loop.create_future()
    found: list[Answer] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            found.append(call())
        except BaseException as error:  # noqa: BLE001  (it is raised where the answer is awaited)
            failed.append(error)
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(finish, answered)

    threading.Thread(target=run, name="call", daemon=True).start()
    try:
        await answered
    except asyncio.CancelledError:
        if stopper is not None:
            stopper.stop()
        raise
    if failed:
        raise failed[0]
    return found[0]


class AsyncEngine(chess.engine.Protocol):
    """The awaitable twin of `Engine`, a `chess.engine.Protocol`. Create it in an event loop.

    Searches run in their own threads and do not block the loop. Calls take turns. Cancelling a call stops its search;
    the next call stops a running analysis. `initialize`, or the first call, loads the kernels.

    >>> import asyncio, chess, chess.engine, quiesce
    >>> async def main():
    ...     async with quiesce.AsyncEngine({"Hash": 4}) as engine:
    ...         return await engine.play(chess.Board("6k1/5ppp/8/8/8/8/8/4R2K w - - 0 1"), chess.engine.Limit(depth=3))
    >>> asyncio.run(main()).move
    Move.from_uci('e1e8')
    """

    def __init__(self, options: Mapping[str, Any] | None = None, **named: Any) -> None:
        """Set options, as a mapping or by keyword as for `Engine`. Nothing is loaded yet."""
        super().__init__()
        self._values = values_of(options, named)
        self._searching: Searching | None = None
        self._loading = asyncio.Lock()
        self._is_closed = False
        self.options = options_map()
        self.id = dict(ENGINE_ID)
        self._in_process = InProcess(self._close)
        self.transport = self._in_process

    def __repr__(self) -> str:
        """Name, table, threads and state."""
        state = "closed" if self._is_closed else "open"
        return f"<quiesce.AsyncEngine: Hash {self._values['Hash']}, Threads {self._values['Threads']}, {state}>"

    async def __aenter__(self) -> Self:
        await self.initialize()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.quit()

    async def initialize(self) -> None:
        """Load the kernels and create the engine, unless done. Raises errors of options, memory or files."""
        await self._ready()

    async def _ready(self) -> Searching:
        """The engine inside; raises EngineTerminatedError once it is closed."""
        if self._is_closed:
            raise chess.engine.EngineTerminatedError("the engine is closed")
        async with self._loading:
            if self._searching is None:
                make = refusing(Searching)
                self._searching = await aside(lambda: make(self._values, None))
                self.initialized = True
        return self._searching

    def _close(self) -> None:
        """Stop at once; threads end a moment later."""
        self._is_closed = True
        if self._searching is not None:
            threading.Thread(target=self._searching.close, name="close", daemon=True).start()
        if not self.returncode.done():
            self.returncode.set_result(ENDED)

    async def quit(self) -> None:
        """Stop the search and end all threads. Waiting calls return what is known."""
        self._is_closed = True
        searching, self._searching = self._searching, None
        self._in_process.close()
        if searching is not None:
            await aside(searching.close)

    async def ping(self) -> None:
        """Return when the engine is idle. Raises EngineTerminatedError if it is closed."""
        searching = await self._ready()
        await aside(refusing(searching.ping))

    async def configure(self, options: Mapping[str, Any]) -> None:
        """Set options by name; None restores the default. A bad option raises ValueError, and then none is changed."""
        searching = await self._ready()
        await aside(lambda: refusing(searching.configure)(options))

    async def new_game(self) -> None:
        """Clear the transposition table and histories."""
        searching = await self._ready()
        await aside(refusing(searching.new_game))

    async def send_opponent_information(
        self,
        *,
        opponent: chess.engine.Opponent | None = None,
        engine_rating: int | None = None,  # noqa: ARG002
    ) -> None:
        """Set UCI_Opponent. It does not affect play."""
        searching = await self._ready()
        await aside(lambda: refusing(searching.configure)({}, opponent))

    async def send_game_result(
        self,
        board: chess.Board,  # noqa: ARG002
        winner: chess.Color | None = None,  # noqa: ARG002
        game_ending: str | None = None,  # noqa: ARG002
        game_complete: bool = True,  # noqa: ARG002
    ) -> None:
        """Accepted for compatibility, without effect. Raises EngineTerminatedError if the engine is closed."""
        await self._ready()

    async def communicate(self, command_factory: Callable[[Any], Any]) -> NoReturn:  # noqa: ARG002
        """Raises EngineError: the engine runs in this process, without a protocol."""
        raise chess.engine.EngineError(NO_PROTOCOL)

    def send_line(self, line: str) -> NoReturn:  # noqa: ARG002
        """Raises EngineError: the engine runs in this process, without a pipe."""
        raise chess.engine.EngineError(NO_PROTOCOL)

    async def play(
        self,
        board: Position,
        limit: chess.engine.Limit,
        *,
        game: object = None,
        info: chess.engine.Info = chess.engine.INFO_ALL,
        ponder: bool = False,  # noqa: ARG002
        draw_offered: bool = False,  # noqa: ARG002
        root_moves: Iterable[chess.Move] | None = None,
        options: Mapping[str, Any] | None = None,
        opponent: chess.engine.Opponent | None = None,
    ) -> chess.engine.PlayResult:
        """Return the move to play, as `Engine.play`."""
        searching = await self._ready()
        question = Question(board, limit, game, info, root_moves, options, opponent=opponent)
        return await aside(lambda: refusing(searching.play)(question), question.stopper)

    @overload
    async def analyse(
        self,
        board: Position,
        limit: chess.engine.Limit,
        *,
        multipv: None = None,
        game: object = None,
        info: chess.engine.Info = chess.engine.INFO_ALL,
        root_moves: Iterable[chess.Move] | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> chess.engine.InfoDict: ...

    @overload
    async def analyse(
        self,
        board: Position,
        limit: chess.engine.Limit,
        *,
        multipv: int,
        game: object = None,
        info: chess.engine.Info = chess.engine.INFO_ALL,
        root_moves: Iterable[chess.Move] | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> list[chess.engine.InfoDict]: ...

    @overload
    async def analyse(
        self,
        board: Position,
        limit: chess.engine.Limit,
        *,
        multipv: int | None = None,
        game: object = None,
        info: chess.engine.Info = chess.engine.INFO_ALL,
        root_moves: Iterable[chess.Move] | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> list[chess.engine.InfoDict] | chess.engine.InfoDict: ...

    async def analyse(
        self,
        board: Position,
        limit: chess.engine.Limit,
        *,
        multipv: int | None = None,
        game: object = None,
        info: chess.engine.Info = chess.engine.INFO_ALL,
        root_moves: Iterable[chess.Move] | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> list[chess.engine.InfoDict] | chess.engine.InfoDict:
        """Search and return the last info, as `Engine.analyse`; with `multipv` a list, best first."""
        searching = await self._ready()
        question = Question(board, limit, game, info, root_moves, options, multipv)
        found = await aside(lambda: refusing(searching.analyse)(question), question.stopper)
        return found[0] if multipv is None else found

    async def analysis(
        self,
        board: Position,
        limit: chess.engine.Limit | None = None,
        *,
        multipv: int | None = None,
        game: object = None,
        info: chess.engine.Info = chess.engine.INFO_ALL,
        root_moves: Iterable[chess.Move] | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> AsyncAnalysis:
        """Start a search and return it. Without a limit it runs until stopped."""
        searching = await self._ready()
        question = Question(board, limit, game, info, root_moves, options, multipv)
        analysis = AsyncAnalysis(chess.Board(), question.stopper)
        wire = Wire(analysis)
        running = await aside(lambda: refusing(searching.analysis)(question, wire), question.stopper)
        analysis.board = running.board
        return analysis

    @classmethod
    async def popen(
        cls,
        command: Command,
        *,
        setpgrp: bool = False,  # noqa: ARG003
        **popen_args: Any,  # noqa: ARG003
    ) -> tuple[asyncio.SubprocessTransport, Self]:
        """Create an engine in this process if the command names quiesce; call `initialize` next. Other commands raise
        ValueError.
        """
        check_command(command)
        made = cls()
        return made._in_process, made


async def popen_uci(
    command: Command,
    *,
    setpgrp: bool = False,  # noqa: ARG001
    **popen_args: Any,  # noqa: ARG001
) -> tuple[asyncio.SubprocessTransport, AsyncEngine]:
    """Return a transport and an AsyncEngine in this process, like chess.engine.popen_uci.

    Raises ValueError if the command does not name quiesce. `setpgrp` and other arguments for processes have no effect.
    """
    transport, engine = await AsyncEngine.popen(command)
    await engine.initialize()
    return transport, engine
