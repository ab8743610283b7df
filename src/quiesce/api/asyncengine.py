"""Shell. The engine for asyncio programs: in this process, a `chess.engine.Protocol` in all that its users call."""

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
from quiesce.api.findings import Findings
from quiesce.api.info import aggregated
from quiesce.api.mailbox import finish
from quiesce.api.options import options_map, values_of
from quiesce.api.searching import Question, Searching
from quiesce.api.starting import ENDED, Command, InProcess, check_command
from quiesce.api.stopper import Stopper

Answer = TypeVar("Answer")


class AsyncAnalysis(chess.engine.AnalysisResult):
    """What `AsyncEngine.analysis` gives: await `get`, `next` and `wait`, or iterate with `async for`; `stop()` it.

    Letting go of it stops it, and so does the next call to its engine.
    """

    def __init__(self, board: chess.Board, stopper: Stopper) -> None:
        """Hand out what a search tells the event loop; where nobody holds this any more, it is stopped."""
        super().__init__(stopper.stop)
        self.board = board
        weakref.finalize(self, drop, stopper).atexit = False

    def post(self, info: chess.engine.InfoDict) -> None:
        """Take in an info, in the event loop."""
        number = info.get("multipv", 1)
        self.multipv += [{} for _ in range(number - len(self.multipv))]
        self.multipv[number - 1] = aggregated(self.board, self.multipv[number - 1], info)
        self._queue.put_nowait(info)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        self.stop()


class Wire:
    """Carries what a search tells, in its thread, to an analysis in an event loop, as long as somebody holds it."""

    def __init__(self, analysis: AsyncAnalysis) -> None:
        self._analysis = weakref.ref(analysis)
        self._loop = asyncio.get_running_loop()

    def hear(self, info: chess.engine.InfoDict) -> None:
        """Take in an info."""
        if info:
            self._send(lambda analysis: analysis.post(info))

    def end(self, findings: Findings) -> None:
        """The search is over."""
        self._send(lambda analysis: told_end(analysis, findings))

    def _send(self, act: Callable[[AsyncAnalysis], None]) -> None:
        """Have the loop act; one that has ended hears nothing."""

        def run() -> None:
            analysis = self._analysis()
            if analysis is not None:
                act(analysis)

        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(run)


def told_end(analysis: AsyncAnalysis, findings: Findings) -> None:
    """Tell an analysis the best move, or what went wrong."""
    try:
        analysis.set_finished(findings.best())
    except chess.engine.EngineError as error:
        analysis.set_exception(error)


def drop(stopper: Stopper) -> None:
    """Stop what nobody hears, from another thread: whoever collects garbage may hold any lock."""
    if not stopper.is_stopped:
        threading.Thread(target=stopper.stop, name="drop", daemon=True).start()


async def aside(call: Callable[[], Answer], stopper: Stopper | None = None) -> Answer:
    """The answer of a call that blocks, made in a thread of its own; cancelled, it is stopped."""
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
    """The awaitable twin of `Engine`, for whatever was written for python-chess's `Protocol`; made in an event loop.

    Calls search in threads of their own, so the loop goes on meanwhile. They take turns; a call that is cancelled ends
    its search; an analysis that runs is ended by the next call. Kernels are loaded by `initialize`, or by the first
    call that needs them.

    >>> import asyncio, chess, chess.engine, quiesce
    >>> async def main():
    ...     async with quiesce.AsyncEngine({"Hash": 4}) as engine:
    ...         return await engine.play(chess.Board("6k1/5ppp/8/8/8/8/8/4R2K w - - 0 1"), chess.engine.Limit(depth=3))
    >>> asyncio.run(main()).move
    Move.from_uci('e1e8')
    """

    def __init__(self, options: Mapping[str, Any] | None = None, **named: Any) -> None:
        """Take options, as a mapping or by keyword as for `Engine`; nothing is loaded yet."""
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
        """What it is, and whether it is closed."""
        state = "closed" if self._is_closed else "open"
        return f"<quiesce.AsyncEngine: Hash {self._values['Hash']}, Threads {self._values['Threads']}, {state}>"

    async def __aenter__(self) -> Self:
        await self.initialize()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.quit()

    async def initialize(self) -> None:
        """Load the kernels and make the engine, if that was not done yet; raises what cannot be had."""
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
        """Stop, and end all threads; whoever waits gets what is known."""
        self._is_closed = True
        searching, self._searching = self._searching, None
        self._in_process.close()
        if searching is not None:
            await aside(searching.close)

    async def ping(self) -> None:
        """Return once the engine is idle; raises EngineTerminatedError where nobody would answer."""
        searching = await self._ready()
        await aside(refusing(searching.ping))

    async def configure(self, options: Mapping[str, Any]) -> None:
        """Set options by name, None for the default; bad ones raise ValueError and change nothing."""
        searching = await self._ready()
        await aside(lambda: refusing(searching.configure)(options))

    async def new_game(self) -> None:
        """Forget all that was searched, as a new value of `game` does."""
        searching = await self._ready()
        await aside(refusing(searching.new_game))

    async def send_opponent_information(
        self,
        *,
        opponent: chess.engine.Opponent | None = None,
        engine_rating: int | None = None,  # noqa: ARG002
    ) -> None:
        """Note who plays against us, as UCI_Opponent; it changes no move."""
        searching = await self._ready()
        await aside(lambda: refusing(searching.configure)({}, opponent))

    async def send_game_result(
        self,
        board: chess.Board,  # noqa: ARG002
        winner: chess.Color | None = None,  # noqa: ARG002
        game_ending: str | None = None,  # noqa: ARG002
        game_complete: bool = True,  # noqa: ARG002
    ) -> None:
        """Take a result without effect, as engines that speak UCI do; raises EngineTerminatedError if closed."""
        await self._ready()

    async def communicate(self, command_factory: Callable[[Any], Any]) -> NoReturn:  # noqa: ARG002
        """Raise EngineError: there is no protocol in which a command of one's own could be sent."""
        raise chess.engine.EngineError(NO_PROTOCOL)

    def send_line(self, line: str) -> NoReturn:  # noqa: ARG002
        """Raise EngineError: there is no pipe that a line could be written to."""
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
        """The move to play, as `Engine.play` finds it."""
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
        """What the search finds, as `Engine.analyse` gives it: an info, or with `multipv` a list, best first."""
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
        """Start to search and hand out what is found as it comes; without a limit, until it is stopped."""
        searching = await self._ready()
        question = Question(board, limit, game, info, root_moves, options, multipv)
        analysis = AsyncAnalysis(chess.Board(), question.stopper)
        wire = Wire(analysis)
        findings = await aside(lambda: refusing(searching.analysis)(question, wire), question.stopper)
        analysis.board = findings.board
        return analysis

    @classmethod
    async def popen(
        cls,
        command: Command,
        *,
        setpgrp: bool = False,  # noqa: ARG003
        **popen_args: Any,  # noqa: ARG003
    ) -> tuple[asyncio.SubprocessTransport, Self]:
        """An engine in this process if the command names quiesce, still to be initialized; else raises ValueError."""
        check_command(command)
        made = cls()
        return made._in_process, made


async def popen_uci(
    command: Command,
    *,
    setpgrp: bool = False,  # noqa: ARG001
    **popen_args: Any,  # noqa: ARG001
) -> tuple[asyncio.SubprocessTransport, AsyncEngine]:
    """What chess.engine.popen_uci gives, a transport and an engine, but ours in this process: see `AsyncEngine`.

    Raises ValueError if the command does not name quiesce. `setpgrp` and what else starts processes has no effect.
    """
    transport, engine = await AsyncEngine.popen(command)
    await engine.initialize()
    return transport, engine
