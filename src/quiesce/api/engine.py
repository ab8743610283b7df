"""Shell. The engine for Python programs: in this process, in the words of `chess.engine.SimpleEngine`."""

import os
import threading
from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from dataclasses import fields, replace
from typing import Any, Self, overload

import chess
import chess.engine

from quiesce import __version__
from quiesce.api.analysis import Analysis
from quiesce.api.boards import Position, game_of, move_of
from quiesce.api.findings import Findings
from quiesce.api.info import Played, best_of, board_of, info_of, infos_of
from quiesce.api.limits import ending_limits_of, limits_of
from quiesce.api.options import (
    OPTIONS,
    Values,
    apply,
    by_keyword,
    defaults,
    engine_of,
    eval_of,
    read_options,
    search_values,
)
from quiesce.api.owner import check_own, is_own
from quiesce.api.quiescence import Quiescence, quiescence_of
from quiesce.api.why import Why
from quiesce.board.game import Game
from quiesce.engine import BusyError
from quiesce.review.why import DEFAULT_NODES, why
from quiesce.search.results import Report
from quiesce.search.strength import nodes_for
from quiesce.search.task import Limits

MOST_LINES = 256
OTHER_ENGINES = "this is Quiesce itself, chess.engine.SimpleEngine.popen_uci starts other engines"


class Engine:
    """A chess engine in this process.

    Boards are chess.Board, FEN, `startpos` or moves such as `e4 e5`; what cannot be played raises ValueError at once,
    with the reason. Any thread may call: `play`, `analyse` and `configure` take turns; an `analysis` that runs makes
    them raise BusyError instead, for only whoever started it knows when it is over. `qsearch` needs no turn: it has a
    table and histories of its own, and goes by the options configured. Engines know nothing of each other.

    >>> import chess, chess.engine, quiesce
    >>> with quiesce.Engine({"Hash": 4}) as engine:
    ...     info = engine.analyse(chess.Board("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1"), chess.engine.Limit(depth=4))
    >>> info["score"], info["pv"]
    (PovScore(Mate(+1), WHITE), [Move.from_uci('g5g7')])
    >>> engine.play("8/8/8/8/8/8/8/8 w - - 0 1", chess.engine.Limit(nodes=1))
    Traceback (most recent call last):
    quiesce.board.fen.FenError: board field: White has no king
    """

    def __init__(self, options: Mapping[str, Any] | None = None, **named: Any) -> None:
        """Load the kernels (the very first time they are compiled, see `quiesce.warmup`) and take options.

        Options come as a mapping, or by keyword with _ for a blank: `Engine(Hash=64, Move_Overhead=50)`.
        """
        if isinstance(options, str):
            raise TypeError(f"options are a mapping such as {{'Hash': 64}}, not {options!r}: {OTHER_ENGINES}")
        values = defaults() | read_options({} if options is None else options) | read_options(by_keyword(named))
        self._core = engine_of(values)
        self._turn, self._owner = threading.Lock(), os.getpid()
        self._game: object = None
        self._findings: Findings | None = None
        self._is_closed = False
        self._values = self._held = values

    def __repr__(self) -> str:
        """What it is, its table and threads, and what it does.

        >>> import quiesce
        >>> with quiesce.Engine(Hash=4) as engine:
        ...     engine
        <quiesce.Engine: Hash 4, Threads 1, idle>
        >>> engine
        <quiesce.Engine: Hash 4, Threads 1, closed>
        """
        state = "closed" if self._is_closed else "searching" if self._core.is_searching else "idle"
        return f"<quiesce.Engine: Hash {self._values['Hash']}, Threads {self._values['Threads']}, {state}>"

    @property
    def id(self) -> dict[str, str]:
        """Name and author."""
        return {"name": f"Quiesce {__version__}", "author": "the Quiesce authors"}

    @property
    def options(self) -> MutableMapping[str, chess.engine.Option]:
        """All that `configure` takes; names may be written in any case."""
        return chess.engine.UciOptionMap(OPTIONS.items())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop, and end all threads; whoever waits gets what is known. A forked copy lets its parent's engine be."""
        self._is_closed = True
        if is_own(self._owner):
            self._core.close()

    def quit(self) -> None:
        """The same as `close`, as python-chess calls it."""
        self.close()

    def ping(self) -> None:
        """Return at once, for there is no pipe to wait for; raises EngineTerminatedError where nobody would answer."""
        self._check_open()

    def configure(self, options: Mapping[str, Any]) -> None:
        """Set options by name, None for the default; others stay. Raises ValueError, and changes nothing, for bad ones.

        >>> import quiesce
        >>> with quiesce.Engine() as engine:
        ...     engine.configure({"Hash": 8, "NullMove": False})
        ...     engine.configure({"hash": -1})
        Traceback (most recent call last):
        quiesce.api.options.BadOptionError: Hash goes from 1 to 1048576, not -1
        """
        with self._mine(options) as values:
            self._values = values

    @contextmanager
    def _mine(self, options: Mapping[str, Any] | None = None) -> Iterator[Values]:
        """Our turn, and the values that hold in it: those configured, but for these options."""
        read = read_options(options or {})
        check_own(self._owner)
        with self._turn:
            self._check_open()
            self._wait_for_analysis()
            yield self._brought_to(read)

    def _check_open(self) -> None:
        """Raise EngineTerminatedError where there is nobody to answer."""
        check_own(self._owner)
        if self._is_closed:
            raise chess.engine.EngineTerminatedError("the engine is closed")

    def _wait_for_analysis(self) -> None:
        """Wait for an analysis that is about to end; raises BusyError for one that goes on."""
        last = self._findings
        if last is not None and not last.is_over:
            if not last.is_ending:
                raise BusyError("an analysis is running; it ends when it is stopped, or let go of")
            last.wait()

    def _brought_to(self, read: Values) -> Values:
        """The values configured, but for some, and the engine inside brought to them from those of the turn before."""
        if "Clear Hash" in read:
            self._core.clear_hash()
        wanted = self._values | {name: value for name, value in read.items() if name in self._values}
        apply(self._core, self._held, wanted)
        self._held = wanted
        return wanted

    def _begin(self, game: Game, match: object) -> None:
        """Make ready to search a game; where it belongs to another match than the last one, forget that."""
        if match != self._game:
            self._core.new_game()
            self._game = match
        self._core.set_position(game)

    def _search(self, game: Game, limits: Limits, match: object, overhead: int, multi_pv: int = 1) -> Report:
        """Search in our turn, and wait; the overhead, in milliseconds, is a clock's."""
        self._begin(game, match)
        self._core.go(limits, multi_pv=multi_pv, overhead=0 if limits.clock is None else overhead)
        report = self._core.wait()
        assert report is not None
        return report

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
        opponent: chess.engine.Opponent | None = None,  # noqa: ARG002
    ) -> chess.engine.PlayResult:
        """The move to play; None where there is no legal one.

        `game` is anything that tells games apart: a new value forgets the last one's. `options` hold for this call.
        `ponder`, `draw_offered` and `opponent` are taken, for python-chess has them, and without effect: nothing is
        searched once the move is there, no draw is agreed, and all opponents are alike.
        """
        position = game_of(board)
        limits = ending_limits_of(position, limit, root_moves)
        with self._mine(options) as values:
            if values["UCI_LimitStrength"]:
                limits = replace(limits, nodes=min(limits.nodes, nodes_for(values["UCI_Elo"])))
            report = self._search(position, limits, game, values["Move Overhead"])
        shown = board_of(board, position)
        return Played(shown, *best_of(report, shown.chess960), info_of(shown, report, 1, info))

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
        """What the search finds: the last exact score with its line, or with `multipv` a list, best first."""
        check_lines(multipv)
        position = game_of(board)
        limits = ending_limits_of(position, limit, root_moves)
        with self._mine(options) as values:
            report = self._search(position, limits, game, values["Move Overhead"], multipv or 1)
        found = infos_of(board_of(board, position), report, info)
        return found[0] if multipv is None else found

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
        """Start to search and hand out what is found as it comes; without a limit, until it is stopped.

        `options` hold for as long as it runs.
        """
        check_lines(multipv)
        position = game_of(board)
        limits = limits_of(position, limit, root_moves)
        with self._mine(options):
            self._begin(position, game)
            findings = Findings(self._core, board_of(board, position), info)
            findings.start(limits, multipv or 1)
            self._findings = findings
            return Analysis(findings)

    def qsearch(self, board: Position, *, trace: bool = False, options: Mapping[str, Any] | None = None) -> Quiescence:
        """What quiescence alone says: score, line, counters, and with `trace` the whole tree with its reasons.

        The answer depends on position and options only, not on what was searched before or is searched meanwhile, with
        options of its own. A trace comes from a
        process of its own, with kernels that record; the first one compiles them.

        >>> import quiesce
        >>> with quiesce.Engine() as engine:
        ...     found = engine.qsearch("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1")
        >>> found.pv, found.end.fen()
        ([Move.from_uci('e4d5')], '4k3/8/8/3P4/8/8/8/4K3 b - - 0 1')
        """
        position = game_of(board)
        values = self._values | read_options(options or {})
        self._check_open()
        shown = board_of(board, position)
        return quiescence_of(shown, position, search_values(values), eval_of(values), trace)

    def why(self, board: Position, move: chess.Move | str, *, nodes: int = DEFAULT_NODES) -> Why:
        """Why a legal move is good or bad: searched side by side with all others, `nodes` each, and told in sentences.

        What the sentences say of the board is checked on the board. The table is forgotten.

        >>> import quiesce
        >>> with quiesce.Engine(Hash=4) as engine:
        ...     found = engine.why("1. e4 e5 2. Bc4 Nc6 3. Qf3", "d6", nodes=10_000)
        >>> found.sentences[0]
        'd6 allows Qxf7#: it is mate in 1, seen from depth 1.'
        """
        position = game_of(board)
        own = move_of(position, move)
        with self._mine():
            self._game = None
            found = why(self._core, position, own, nodes)
        return Why(**{field.name: getattr(found, field.name) for field in fields(found)})


def check_lines(multipv: int | None) -> None:
    """Raise ValueError for a number of lines there cannot be."""
    if multipv is not None and not 1 <= multipv <= MOST_LINES:
        raise ValueError(f"multipv goes from 1 to {MOST_LINES}, not {multipv}")
