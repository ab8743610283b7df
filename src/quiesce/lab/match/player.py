"""Shell. Players: engines behind one interface, UCI or xboard."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import chess

from quiesce.lab.match.channel import STALL, Channel, Fault
from quiesce.lab.match.ucioptions import ForeignOption, SetUpError, option_of
from quiesce.search.params import current_name

HELLO_SECONDS = 30.0
"""Name until the engine has sent its own."""
READY_SECONDS = 300.0
"""Until an engine is ready to play: the first time, some compile."""
STALL_SECONDS = 10.0
"""Silence beyond its clock after which an engine is taken to hang."""


@dataclass(frozen=True, slots=True)
class MoveBudget:
    """What a side may use for its next move: the clocks of both in seconds, or fixed amounts."""

    clock: float | None = None
    other_clock: float | None = None
    increment: float = 0.0
    moves_left: int | None = None
    seconds: float | None = None
    nodes: int | None = None
    depth: int | None = None

    @property
    def allowed(self) -> float | None:
        """Seconds after which the move is lost on time, None where time does not count."""
        return self.clock if self.clock is not None else self.seconds

    @property
    def patience(self) -> float:
        """Seconds of silence after which an engine is taken to hang."""
        return (READY_SECONDS if self.allowed is None else self.allowed) + STALL_SECONDS


@dataclass(frozen=True, slots=True)
class Thought:
    """A move, and the engine's score in centipawns or moves to mate, for the side to move."""

    move: str
    seconds: float
    depth: int | None = None
    score: int | None = None
    mate: int | None = None
    nodes: int | None = None


class Player(Protocol):
    """An engine in a game."""

    name: str

    def new_game(self, start: str, is_chess960: bool) -> None:
        """Start a new game from a FEN; its moves come with each search."""

    def think(self, board: chess.Board, budget: MoveBudget) -> Thought:
        """Find a move in the position the game has reached; raises Fault."""

    def close(self) -> None:
        """End the engine."""

    def kill(self) -> None:
        """End an engine that no longer listens."""


def number_after(words: list[bytes], name: bytes) -> int | None:
    """The whole number behind a word."""
    try:
        return int(words[words.index(name) + 1])
    except (ValueError, IndexError):
        return None


@dataclass(slots=True)
class UciPlayer:
    """A UCI engine; only the last scored line of each search is read."""

    command: Sequence[str]
    options: Mapping[str, object]
    folder: Path | None = None
    name: str = ""
    environment: Mapping[str, str] | None = None
    _channel: Channel = field(init=False)
    _start: str = field(init=False, default="")
    _known: dict[str, ForeignOption] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self._channel = Channel(self.command, self.folder, self.environment)
        try:
            self._introduce()
            self._configure()
        except Exception:
            self._channel.kill()
            raise

    def _introduce(self) -> None:
        """Read its name and options."""
        self._channel.send("uci")
        deadline = time.perf_counter() + HELLO_SECONDS
        while (line := self._channel.read(deadline)) is not None:
            text = line.decode("utf-8", "replace").strip()
            if text == "uciok":
                return
            if text.startswith("id name "):
                self.name = self.name or text.removeprefix("id name ")
            if (option := option_of(text)) is not None:
                self._known[option.name.lower()] = option
        raise SetUpError(f"{self.command[0]} does not answer `uci`")

    def _configure(self) -> None:
        """Set the options; each must be one the engine has, with a value it takes."""
        for name, value in self.options.items():
            option = self._known.get(name.lower()) or self._known.get(current_name(name).lower())
            if option is None:
                raise SetUpError(f"{self.name or self.command[0]} has no option {name!r}")
            self._channel.send(option.line(value))
        self._be_ready()

    def _be_ready(self) -> None:
        """Wait for `readyok`."""
        self._channel.send("isready")
        deadline = time.perf_counter() + READY_SECONDS
        while (line := self._channel.read(deadline)) is not None:
            if line.strip() == b"readyok":
                return
        raise Fault(STALL, "does not answer `isready`")

    def new_game(self, start: str, is_chess960: bool) -> None:
        """Begin a game."""
        switch = self._known.get("uci_chess960")
        if switch is not None:
            self._channel.send(switch.line(is_chess960))
        elif is_chess960:
            raise SetUpError(f"{self.name} does not play Chess960")
        self._start = "position startpos" if start == chess.STARTING_FEN else f"position fen {start}"
        self._channel.send("ucinewgame")
        self._be_ready()

    def think(self, board: chess.Board, budget: MoveBudget) -> Thought:
        """Ask for a move; the clock runs from the `go` to the answer."""
        moves = " ".join(move.uci() for move in board.move_stack)
        position = f"{self._start} moves {moves}" if moves else self._start
        patience = budget.patience
        go = go_line(board.turn, budget)
        begun = time.perf_counter()
        self._channel.send(position, go)
        told = b""
        while (line := self._channel.read(begun + patience)) is not None:
            if line.startswith(b"bestmove"):
                seconds = time.perf_counter() - begun
                words = line.split()
                return thought_of(words[1].decode("utf-8", "replace") if len(words) > 1 else "", seconds, told)
            if line.startswith(b"info") and b" score " in line and b"bound" not in line:
                told = line
        raise Fault(STALL, f"no move after {patience:.0f} s")

    def close(self) -> None:
        """End the engine."""
        self._channel.close()

    def kill(self) -> None:
        """End it now."""
        self._channel.kill()


def go_line(turn: chess.Color, budget: MoveBudget) -> str:
    """The `go` of a budget."""
    words = ["go"]
    if budget.clock is not None and budget.other_clock is not None:
        mine, other = (max(round(clock * 1000), 1) for clock in (budget.clock, budget.other_clock))
        white, black = (mine, other) if turn else (other, mine)
        step = round(budget.increment * 1000)
        words += ["wtime", str(white), "btime", str(black), "winc", str(step), "binc", str(step)]
        words += ["movestogo", str(budget.moves_left)] if budget.moves_left else []
    if budget.seconds is not None:
        words += ["movetime", str(round(budget.seconds * 1000))]
    if budget.nodes is not None:
        words += ["nodes", str(budget.nodes)]
    if budget.depth is not None:
        words += ["depth", str(budget.depth)]
    return " ".join(words)


def thought_of(move: str, seconds: float, told: bytes) -> Thought:
    """The score of a search's last scored line."""
    words = told.split()
    return Thought(
        move,
        seconds,
        number_after(words, b"depth"),
        number_after(words, b"cp"),
        number_after(words, b"mate"),
        number_after(words, b"nodes"),
    )
