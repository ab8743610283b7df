"""Shell. The engine for Python programs, in this process: a `chess.engine.SimpleEngine`."""

import asyncio
from collections.abc import Callable, Iterable, Mapping, MutableMapping
from concurrent.futures import Future
from dataclasses import fields
from typing import Any, NoReturn, Self, overload

import chess
import chess.engine

from quiesce import __version__
from quiesce.api.analysis import Analysis
from quiesce.api.boards import Position, game_of
from quiesce.api.errors import refusing
from quiesce.api.info import board_of
from quiesce.api.options import options_map, read_options, values_of
from quiesce.api.quiescence import Quiescence, quiescence_of
from quiesce.api.searching import Question, Searching
from quiesce.api.starting import ENDED, Command, InProcess, check_command, check_protocol
from quiesce.api.why import Why
from quiesce.engine import Engine as Core
from quiesce.engine.options import Values, eval_of, search_values
from quiesce.review.why import DEFAULT_NODES

TIMEOUT = 10.0
"""Seconds a call may exceed its limit, as in python-chess."""
ENGINE_ID = {"name": f"Quiesce {__version__}", "author": "the Quiesce developers"}
NO_PROTOCOL = "the engine runs in this process, without a protocol; for asyncio use quiesce.AsyncEngine"


class Engine(chess.engine.SimpleEngine):
    """A chess engine in this process: a `chess.engine.SimpleEngine`.

    A board is a chess.Board, a FEN, `startpos` or moves such as `e4 e5`. An unplayable position raises ValueError with
    the reason; every error is a chess.engine.EngineError too. Any thread may call any method. `play`, `analyse` and
    `configure` wait for their turn; the next call stops a running `analysis`. `qsearch` runs at any time, with its own
    table and the configured options. Engines share no state.

    >>> import chess, chess.engine, quiesce
    >>> with quiesce.Engine({"Hash": 4}) as engine:
    ...     info = engine.analyse(chess.Board("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1"), chess.engine.Limit(depth=4))
    >>> info["score"], info["pv"]
    (PovScore(Mate(+1), WHITE), [Move.from_uci('g5g7')])
    >>> engine.play("8/8/8/8/8/8/8/8 w - - 0 1", chess.engine.Limit(nodes=1))
    Traceback (most recent call last):
    quiesce.board.fen.FenError: board field: White has no king
    """

    @refusing
    def __init__(
        self, options: Mapping[str, Any] | None = None, *, timeout: float | None = TIMEOUT, **named: Any
    ) -> None:
        """Load the kernels (compiled the first time, see `quiesce.warmup`) and set options.

        Options are a mapping, or keywords with _ for a space: `Engine(Hash=64, Move_Overhead=50)`. `timeout` is the
        number of seconds a call may exceed its limit before TimeoutError; None waits without limit.
        """
        self._searching = Searching(values_of(options, named), timeout)
        self.transport = InProcess(self.close)
        self.shutdown_event = asyncio.Event()
        self.returncode: Future[int] = Future()

    def __repr__(self) -> str:
        """Name, table, threads and state.

        >>> import quiesce
        >>> with quiesce.Engine(Hash=4) as engine:
        ...     engine
        <quiesce.Engine: Hash 4, Threads 1, idle>
        >>> engine
        <quiesce.Engine: Hash 4, Threads 1, closed>
        """
        state = "closed" if self._searching.is_closed else "searching" if self._core.is_searching else "idle"
        return f"<quiesce.Engine: Hash {self._values['Hash']}, Threads {self._values['Threads']}, {state}>"

    @property
    def _core(self) -> Core:
        """The engine inside."""
        return self._searching.setup.engine

    @property
    def _values(self) -> Values:
        """The values of all options configured."""
        return self._searching.values

    @property
    def timeout(self) -> float | None:
        """Seconds a call may exceed its limit before TimeoutError; None for no limit."""
        return self._searching.timeout

    @timeout.setter
    def timeout(self, seconds: float | None) -> None:
        self._searching.timeout = seconds

    @property
    def protocol(self) -> NoReturn:  # type: ignore[override]  # there is none
        """Raises AttributeError: an engine in this process has no protocol."""
        raise AttributeError(NO_PROTOCOL)

    @property
    def id(self) -> dict[str, str]:
        """Name and author."""
        return dict(ENGINE_ID)

    @property
    def options(self) -> MutableMapping[str, chess.engine.Option]:
        """All options by name, in any case. `configure` accepts all but MultiPV and Ponder."""
        return options_map()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop the search and end all threads. Waiting calls return what is known. In a forked process it does not
        affect the parent's engine.
        """
        self._searching.close()
        self.transport.close()
        self.shutdown_event.set()
        if not self.returncode.done():
            self.returncode.set_result(ENDED)

    def quit(self) -> None:
        """The same as `close`."""
        self.close()

    @refusing
    def ping(self) -> None:
        """Return when the engine is idle. Raises EngineTerminatedError if it is closed."""
        self._searching.ping()

    @refusing
    def configure(self, options: Mapping[str, Any]) -> None:
        """Set options by name; None restores the default. A bad option raises ValueError, and then none is changed.

        >>> import quiesce
        >>> with quiesce.Engine() as engine:
        ...     engine.configure({"Hash": 8, "NullMove": False})
        ...     engine.configure({"hash": -1})
        Traceback (most recent call last):
        quiesce.api.options.BadOptionError: Hash goes from 1 to 1048576, not -1
        """
        self._searching.configure(options)

    @refusing
    def new_game(self) -> None:
        """Clear the transposition table and histories."""
        self._searching.new_game()

    @refusing
    def send_opponent_information(
        self,
        *,
        opponent: chess.engine.Opponent | None = None,
        engine_rating: int | None = None,  # noqa: ARG002
    ) -> None:
        """Set UCI_Opponent. It does not affect play."""
        self._searching.configure({}, opponent)

    def send_game_result(
        self,
        board: chess.Board,  # noqa: ARG002
        winner: chess.Color | None = None,  # noqa: ARG002
        game_ending: str | None = None,  # noqa: ARG002
        game_complete: bool = True,  # noqa: ARG002
    ) -> None:
        """Accepted for compatibility, without effect. Raises EngineTerminatedError if the engine is closed."""
        self._searching.check_open()

    def communicate(self, command_factory: Callable[[Any], Any]) -> NoReturn:  # noqa: ARG002
        """Raises EngineError: the engine runs in this process, without a protocol."""
        raise chess.engine.EngineError(NO_PROTOCOL)

    @refusing
    def play(
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
        """Return the move to play; `move` is None if there is no legal move.

        `game` identifies the game: a new value clears table and histories. `options` apply to this call. `ponder`,
        `draw_offered` and `opponent` are accepted and have no effect.
        """
        question = Question(board, limit, game, info, root_moves, options, opponent=opponent)
        return self._searching.play(question)

    @overload
    def analyse(
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
    def analyse(
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
    def analyse(
        self,
        board: Position,
        limit: chess.engine.Limit,
        *,
        multipv: int | None = None,
        game: object = None,
        info: chess.engine.Info = chess.engine.INFO_ALL,
        root_moves: Iterable[chess.Move] | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> chess.engine.InfoDict | list[chess.engine.InfoDict]: ...

    @refusing
    def analyse(
        self,
        board: Position,
        limit: chess.engine.Limit,
        *,
        multipv: int | None = None,
        game: object = None,
        info: chess.engine.Info = chess.engine.INFO_ALL,
        root_moves: Iterable[chess.Move] | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> chess.engine.InfoDict | list[chess.engine.InfoDict]:
        """Search and return the last info, whose score is exact; with `multipv` a list, best first."""
        found = self._searching.analyse(Question(board, limit, game, info, root_moves, options, multipv))
        return found[0] if multipv is None else found

    @refusing
    def analysis(
        self,
        board: Position,
        limit: chess.engine.Limit | None = None,
        *,
        multipv: int | None = None,
        game: object = None,
        info: chess.engine.Info = chess.engine.INFO_ALL,
        root_moves: Iterable[chess.Move] | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> Analysis:
        """Start a search and return it. Without a limit it runs until stopped.

        `options` apply while it runs. The next call to this engine stops it.
        """
        question = Question(board, limit, game, info, root_moves, options, multipv)
        return Analysis(self, self._searching.analysis(question))

    @refusing
    def qsearch(self, board: Position, *, trace: bool = False, options: Mapping[str, Any] | None = None) -> Quiescence:
        """Return the result of quiescence alone: score, line, counters, and with `trace` the whole tree.

        The answer depends only on position and options. With `trace`, the tree comes from a second process whose
        kernels record; the first trace compiles them.

        >>> import quiesce
        >>> with quiesce.Engine() as engine:
        ...     found = engine.qsearch("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1")
        >>> found.pv, found.end.fen()
        ([Move.from_uci('e4d5')], '4k3/8/8/3P4/8/8/8/4K3 b - - 0 1')
        """
        values = self._values | read_options(options or {})
        position = game_of(board, bool(values["UCI_Chess960"]))
        self._searching.check_open()
        shown = board_of(board, position)
        return quiescence_of(shown, position, search_values(values), eval_of(values), trace)

    @refusing
    def why(self, board: Position, move: chess.Move | str, *, nodes: int = DEFAULT_NODES) -> Why:
        """Explain why a legal move is good or bad, in sentences. The move and all others are searched with `nodes`
        each.

        Statements about the board are checked on the board. The transposition table is cleared.

        >>> import quiesce
        >>> with quiesce.Engine(Hash=4) as engine:
        ...     found = engine.why("1. e4 e5 2. Bc4 Nc6 3. Qf3", "d6", nodes=10_000)
        >>> found.sentences[0]
        'd6 allows Qxf7#: it is mate in 1, seen from depth 1.'
        """
        found = self._searching.why(board, move, nodes)
        return Why(**{field.name: getattr(found, field.name) for field in fields(found)})

    @classmethod
    def popen(
        cls,
        Protocol: type[chess.engine.Protocol],  # noqa: N803  (as python-chess names it)
        command: Command,
        *,
        timeout: float | None = TIMEOUT,
        debug: bool | None = None,  # noqa: ARG003
        setpgrp: bool = False,  # noqa: ARG003
        **popen_args: Any,  # noqa: ARG003
    ) -> Self:
        """The same as `popen_uci`. Raises ValueError for the XBoard protocol."""
        check_protocol(Protocol)
        return cls.popen_uci(command, timeout=timeout)

    @classmethod
    def popen_uci(
        cls,
        command: Command,
        *,
        timeout: float | None = TIMEOUT,
        debug: bool | None = None,  # noqa: ARG003
        setpgrp: bool = False,  # noqa: ARG003
        **popen_args: Any,  # noqa: ARG003
    ) -> Self:
        """Create an engine in this process if the command names quiesce. Other commands raise ValueError.

        `debug`, `setpgrp` and other arguments for processes have no effect.
        """
        check_command(command)
        return cls(timeout=timeout)

    @classmethod
    def popen_xboard(
        cls,
        command: Command,  # noqa: ARG003
        *,
        timeout: float | None = TIMEOUT,  # noqa: ARG003
        debug: bool | None = None,  # noqa: ARG003
        setpgrp: bool = False,  # noqa: ARG003
        **popen_args: Any,  # noqa: ARG003
    ) -> NoReturn:
        """Raises ValueError: Quiesce does not speak the XBoard protocol."""
        check_protocol(chess.engine.XBoardProtocol)
        raise AssertionError
