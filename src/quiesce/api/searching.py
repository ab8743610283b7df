"""Shell. Runs the calls of Python programs one at a time, each with its own options."""

import os
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import chess
import chess.engine

from quiesce.api.boards import Position, game_of, move_of
from quiesce.api.info import Played, board_of, from_book
from quiesce.api.limits import ending_limits_of, limits_of
from quiesce.api.options import opponent_option, read_options
from quiesce.api.owner import check_own, is_own
from quiesce.api.runningsearch import Infos, Listener, RunningSearch
from quiesce.api.stopper import Stopper
from quiesce.board.bridge import to_chess_move
from quiesce.board.game import Game
from quiesce.engine import Limits
from quiesce.engine.options import MOST_LINES, Values
from quiesce.engine.setup import Setup, narrowed
from quiesce.review.why import Why, why

LONGEST = 1e9
"""Longest wait in seconds; locks accept no more."""
LOADING = threading.Lock()
"""Held while kernels are loaded."""


@dataclass(frozen=True, slots=True)
class Question:
    """The arguments of `play`, `analyse` and `analysis`."""

    board: Position
    limit: chess.engine.Limit | None
    game: object = None
    info: chess.engine.Info = chess.engine.INFO_ALL
    root_moves: Iterable[chess.Move] | None = None
    options: Mapping[str, Any] | None = None
    multipv: int | None = None
    opponent: chess.engine.Opponent | None = None
    stopper: Stopper = field(default_factory=Stopper)

    def values(self) -> Values:
        """The options of this call. Raises BadOptionError."""
        return read_options(self.options or {}) | opponent_option(self.opponent)

    def seconds(self, timeout: float | None) -> float | None:
        """Seconds the answer may take; None if unknown."""
        if timeout is None or self.limit is None or self.limit.time is None:
            return None
        return min(timeout + max(self.limit.time, 0), LONGEST)


class Searching:
    """Owns the engine and the turn. Any thread may call any method.

    `timeout` is the number of seconds a call may exceed its limit; None for no limit.
    """

    def __init__(self, values: Values, timeout: float | None) -> None:
        self.timeout, self.values = timeout, values
        with LOADING:
            self.setup = Setup(values, self._note)
        self.is_closed = False
        self._turn, self._owner = threading.Lock(), os.getpid()
        self._game: object = None
        self._running: RunningSearch | None = None
        self._notes: list[str] = []

    def close(self) -> None:
        """Stop the search and end all threads. Waiting calls return what is known. In a forked process it does not
        affect the parent's engine.
        """
        self.is_closed = True
        if is_own(self._owner):
            self.setup.close()

    def check_open(self) -> None:
        """Raise EngineTerminatedError if the engine is closed."""
        check_own(self._owner)
        if self.is_closed:
            raise chess.engine.EngineTerminatedError("the engine is closed")

    def configure(self, options: Mapping[str, Any], opponent: chess.engine.Opponent | None = None) -> None:
        """Set options for all later calls."""
        read = read_options(options) | opponent_option(opponent)
        with self._mine(read, self._until(self.timeout)) as values:
            self.values = values

    def ping(self) -> None:
        """Return once the engine is idle."""
        with self._mine({}, self._until(self.timeout)):
            pass

    def new_game(self) -> None:
        """Forget table and histories."""
        with self._mine({}, self._until(self.timeout)):
            self.setup.engine.new_game()

    def play(self, question: Question) -> chess.engine.PlayResult:
        """The move to play."""
        position, limits, until, read = self._understood(question)
        shown = board_of(question.board, position)
        with self._mine(read, until):
            if not limits.moves:
                move = self.setup.book_move(position, self.setup.share(limits))
                if move is not None:
                    return from_book(shown, to_chess_move(move, shown.chess960), question.info)
            limits = replace(limits, nodes=min(limits.nodes, self.setup.strength_nodes()))
            found = self._search(question, position, shown, limits, until)
        best = found.best()
        return Played(shown, best.move, best.ponder, found.infos()[0])

    def analyse(self, question: Question) -> Infos:
        """The last info of each line, best first."""
        position, limits, until, read = self._understood(question)
        with self._mine(read, until):
            found = self._search(question, position, board_of(question.board, position), limits, until)
        return found.infos()

    def why(self, board: Position, move: chess.Move | str, nodes: int) -> Why:
        """Why a move is good or bad. The table is cleared."""
        position = self._game_of(board, {})
        own = move_of(position, move)
        with self._mine({}, None):
            self._game = None
            return why(self.setup.engine, position, own, nodes)

    def analysis(self, question: Question, listener: Listener | None = None) -> RunningSearch:
        """Start a search; the next call stops it."""
        check_lines(question.multipv)
        read = question.values()
        position = self._game_of(question.board, read)
        limits = limits_of(position, question.limit, question.root_moves)
        with self._mine(read, self._until(self.timeout)):
            running, limits = self._begun(question, position, board_of(question.board, position), limits, listener)
            running.start(limits, question.multipv or 1)
            self._running = running
        question.stopper.take_up(running.stop)
        return running

    def _understood(self, question: Question) -> tuple[Game, Limits, float | None, Values]:
        """A question's position, limits, the moment it must be answered by, and its options; all that is bad raises."""
        check_lines(question.multipv)
        read = question.values()
        position = self._game_of(question.board, read)
        limits = ending_limits_of(position, question.limit, question.root_moves)
        return position, limits, self._until(question.seconds(self.timeout)), read

    def _game_of(self, board: Position, read: Values) -> Game:
        """The game of a position; text is Chess960 if UCI_Chess960 is on."""
        return game_of(board, bool(read.get("UCI_Chess960", self.values["UCI_Chess960"])))

    @staticmethod
    def _until(seconds: float | None) -> float | None:
        """The time this many seconds from now, on the monotonic clock."""
        return None if seconds is None else time.monotonic() + seconds

    @contextmanager
    def _mine(self, read: Values, until: float | None) -> Iterator[Values]:
        """Our turn, and the values that hold in it: those configured, but for these; an analysis that runs is ended."""
        check_own(self._owner)
        if not self._turn.acquire(timeout=-1 if until is None else max(until - time.monotonic(), 0)):
            raise TimeoutError("another call did not end in time")
        try:
            self.check_open()
            last = self._running
            if last is not None and not last.is_over:
                last.stop()
                last.wait(until)
            yield self._brought_to(read)
        finally:
            self._turn.release()

    def _brought_to(self, read: Values) -> Values:
        """The values configured, but for some, and all inside brought to them from those of the turn before."""
        if "Clear Hash" in read:
            self.setup.engine.clear_hash()
        wanted = self.values | {name: value for name, value in read.items() if name in self.values}
        if wanted != self.setup.values:
            self.setup.change(wanted)
        return wanted

    def _begun(
        self, question: Question, game: Game, shown: chess.Board, limits: Limits, listener: Listener | None = None
    ) -> tuple[RunningSearch, Limits]:
        """A search that is ready to start, and its limits; one of another match forgets the last one."""
        engine = self.setup.engine
        if question.game != self._game:
            engine.new_game()
            self._game = question.game
        engine.set_position(game)
        moves, verdict = narrowed(self.setup.verdict(game, self.setup.share(limits)), limits.moves)
        running = RunningSearch(engine, shown, question.info, verdict, listener)
        for text in self._notes:
            running.note(text)
        self._notes = []
        return running, replace(limits, moves=moves)

    def _search(
        self, question: Question, game: Game, shown: chess.Board, limits: Limits, until: float | None
    ) -> RunningSearch:
        """A search in our turn, once it is over; raises TimeoutError for one that is late, and ends it."""
        running, limits = self._begun(question, game, shown, limits)
        overhead = 0 if limits.clock is None else self.setup.number("Move Overhead")
        running.start(limits, question.multipv or 1, overhead, is_heard=False)
        try:
            with question.stopper.heard_by(running.stop):
                running.wait(until)
        except BaseException:
            running.stop()
            running.wait()
            raise
        return running

    def _note(self, text: str) -> None:
        """Keep what the book or tables made us say; the next search tells it."""
        self._notes.append(text)


def check_lines(multipv: int | None) -> None:
    """Raise ValueError if `multipv` is out of range."""
    if multipv is not None and not 1 <= multipv <= MOST_LINES:
        raise ValueError(f"multipv goes from 1 to {MOST_LINES}, not {multipv}")
