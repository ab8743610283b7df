"""Shell. Handles UCI commands after `isready`, in order."""

import threading
import time
from collections.abc import Callable, Mapping

from quiesce.board.fen import START_FEN, FenError
from quiesce.board.game import Game, MoveError
from quiesce.board.movetext import NULL_MOVE, parse_uci
from quiesce.board.types import NO_MOVE
from quiesce.uci.extras import LONG, QUICK, JobQueue
from quiesce.uci.infolines import best_line
from quiesce.uci.limits import is_open, limits_of
from quiesce.uci.orders import Orders
from quiesce.uci.output import Output
from quiesce.uci.parse import Command, Go, parse_go, parse_position
from quiesce.uci.setup import Setup
from quiesce.uci.thinker import TICK_SECONDS, Thinker
from quiesce.uci.thought import Thought, Watch

LATE_SECONDS = 1.0
"""Seconds a search may run on after its answer was sent, before it is abandoned."""

Job = Callable[[JobQueue, list[str]], None]


class UciSession:
    """Handles one command after the other. Other threads may call `stop`, `hit` and `end_search`."""

    def __init__(self, output: Output, orders: Orders, jobs: Mapping[str, Job]) -> None:
        self._output, self._orders = output, orders
        self.setup = Setup(output)
        self._game = Game()
        self._told: tuple[str, list[str], bool] = (START_FEN, [], False)
        self._fallback: str | None = self._any_move()
        self._job_queue = JobQueue(output, self.setup.engine)
        self._jobs = {**LONG, **jobs}
        self._thought: Thought | None = None
        self._thinker: Thinker | None = None
        self._is_open, self._begun_at = False, 0.0
        self._watch = Watch()
        self._closed = threading.Event()
        threading.Thread(target=self._tick, name="ticker", daemon=True).start()

    def close(self) -> None:
        """End all threads that can be ended."""
        self._closed.set()
        self.setup.is_stuck |= not self._is_idle()
        self._job_queue.close()
        self.setup.close()

    @property
    def is_stuck(self) -> bool:
        """Is something running that will never end?"""
        return self.setup.is_stuck

    def handle(self, command: Command) -> None:
        """Handle a command; a `go` or a long job is only started."""
        if command.word in AT_ONCE:
            AT_ONCE[command.word](self, command)
            return
        self._make_idle()
        if command.word in WHEN_IDLE:
            WHEN_IDLE[command.word](self, command)
        elif command.word in QUICK:
            self._job_queue.do(QUICK[command.word], command.arguments, self._game)
        elif command.word in self._jobs:
            self._do_job(self._jobs[command.word], command, command.arguments)

    def _is_ready(self, _: Command) -> None:
        """Answer `readyok`."""
        self._output.say("readyok")

    def _debug(self, command: Command) -> None:
        """Switch diagnostics on or off."""
        self._output.is_debug = command.arguments[:1] != ["off"]

    def _set_option(self, command: Command) -> None:
        """Set an option."""
        self.setup.set(command.arguments)

    def _new_game(self, _: Command) -> None:
        """Forget the last game."""
        self.setup.engine.new_game()

    def _make_idle(self) -> None:
        """End the last search; one that does not end is abandoned."""
        if not self._is_idle():
            self.setup.abandon_engine()
            self._job_queue.engine = self.setup.engine

    def _is_idle(self) -> bool:
        """Wait briefly for the end of the last search; returns False if it still runs."""
        thinker, self._thinker = self._thinker, None
        if thinker is None:
            return True
        thinker.stop()
        return thinker.is_done_within(LATE_SECONDS)

    def stop(self) -> None:
        """Make the running command answer now, if it was read before the last `stop`."""
        thought, thinker = self._thought, self._thinker
        if thought is not None and self._orders.is_stopped(thought.command):
            self._end_thought(thought, thinker)
        self._job_queue.stop()

    def _end_thought(self, thought: Thought, thinker: Thinker | None) -> None:
        """Make a `go` answer now."""
        thought.stop()
        self._watch.look_at(thought)
        if thinker is not None:
            thinker.stop()

    def hit(self) -> None:
        """Handle a `ponderhit` for the running `go`."""
        thought, thinker = self._thought, self._thinker
        if thought is not None and thought.command.hit_at is not None:
            thought.hit(thought.command.hit_at)
            self._watch.look_at(thought)
            if thinker is not None:
                thinker.hit(thought.command.hit_at)

    def end_search(self, after: float, since: float) -> None:
        """Make a `go` answer now if it has no limit, or has had this many seconds since `moment`."""
        thought, thinker = self._thought, self._thinker
        if thought is None or thought.is_stopped:
            return
        if self._is_open or time.monotonic() - max(self._begun_at, since) > after:
            self._end_thought(thought, thinker)

    def _set_position(self, command: Command) -> None:
        """The position to search next."""
        self._set_up(command.arguments)

    def _set_up(self, arguments: list[str]) -> None:
        """Set up a position. After an error the old one stays, but `go` answers `bestmove (none)`."""
        chess960 = bool(self.setup.values["UCI_Chess960"])
        self._fallback = None
        try:
            fen, moves = parse_position(arguments)
            told = (fen or START_FEN, moves, chess960)
            self._game = self._followed(told)
            self._told = told
            self._fallback = self._any_move()
        except (ValueError, FenError, MoveError) as error:
            self._output.note(f"position not set: {error}")

    def _any_move(self) -> str:
        """The first legal move, as an answer of last resort."""
        return best_line(self._game.legal_moves()[:1], self._game.chess960)

    def _followed(self, told: tuple[str, list[str], bool]) -> Game:
        """The game of a `position` command; if it continues the last one, only the new moves are played."""
        fen, moves, chess960 = told
        known_fen, known, known960 = self._told
        goes_on = (fen, chess960) == (known_fen, known960) and moves[: len(known)] == known
        game = self._game.copy() if goes_on else Game(fen, chess960)
        for text in moves[len(known) if goes_on else 0 :]:
            game.push(int(NO_MOVE) if text == NULL_MOVE else parse_uci(game, text))
        return game

    def _flip(self, _: Command) -> None:
        """The same position with colours exchanged."""
        board, turn, castling, ep, *clocks = self._game.fen(shredder=self._game.chess960).split()
        ranks = "/".join(reversed(board.split("/"))).swapcase()
        ep = ep if ep == "-" else ep[0] + {"3": "6", "6": "3"}[ep[1]]
        fen = " ".join((ranks, "b" if turn == "w" else "w", castling.swapcase(), ep, *clocks))
        self._set_up(["fen", *fen.split()])

    def _do_job(self, job: Job, command: Command, arguments: list[str]) -> None:
        """Start a long job; later commands wait for it."""
        self._orders.begin(command)
        try:
            self._job_queue.start(job, arguments, self._game, self._orders.end)
        except RuntimeError:
            self._orders.end()
            raise
        if self._orders.is_stopped(command):
            self._job_queue.stop()

    def _go(self, command: Command) -> None:
        """Start a search. From here on this `go` is always answered."""
        self._orders.begin(command)
        self._is_open, self._begun_at = False, time.monotonic()
        known = self._fallback or best_line([], chess960=False)
        thought = self._thought = Thought(command, self._output, known, self._answer)
        try:
            self._make_idle()
            go = parse_go(command.arguments)
            for problem in go.problems:
                self._output.note(f"go: {problem}")
            if "perft" in go.numbers:
                self._thought = None
                self._do_job(self._jobs["perft"], command, [str(go.numbers["perft"])])
                return
            self._think(thought, go)
        except Exception as error:  # noqa: BLE001  (whatever it is, the game goes on)
            self._output.note(f"go failed: {type(error).__name__}: {error}")
            thought.answer(known)

    def _think(self, thought: Thought, go: Go) -> None:
        """Search for the move, under the watchdog."""
        limits = limits_of(go, is_white=int(self._game.position.turn) == 0)
        budget = limits.budget(self.setup.number("Move Overhead"))
        self._is_open = is_open(limits)
        thought.limit(None if budget is None else budget.hard, limits.clock is not None, go.is_infinite, go.is_ponder)
        if self._fallback is None:
            thought.answer(thought.known)
        else:
            self._thinker = Thinker(thought, self.setup, self._output, self._game, go, limits)
            self._thinker.start()
        if self._orders.is_stopped(thought.command):
            self.stop()
        self.hit()
        self._watch.look_at(thought)

    def _answer(self, text: str) -> None:
        """Send the answer of the running `go`, and let waiting commands run."""
        with self._orders.ending():
            self._output.say(text)
            self._thought = None

    def _tick(self) -> None:
        """Report the progress of a long search."""
        while not self._closed.wait(TICK_SECONDS):
            thinker = self._thinker
            if thinker is not None:
                thinker.tick()


AT_ONCE: dict[str, Callable[[UciSession, Command], None]] = {
    "isready": UciSession._is_ready,
    "debug": UciSession._debug,
    "go": UciSession._go,
}
"""What each command does that is handled whatever runs."""
WHEN_IDLE: dict[str, Callable[[UciSession, Command], None]] = {
    "setoption": UciSession._set_option,
    "position": UciSession._set_position,
    "ucinewgame": UciSession._new_game,
    "flip": UciSession._flip,
}
"""What each command does that first ends what runs; `extras` has those that only show something."""
