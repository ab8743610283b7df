"""Shell. Players that speak the older protocol of xboard (CECP, version 2), as several Debian engines do."""

import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import chess

from quiesce.lab.match.channel import ILLEGAL, RESIGNED, STALL, Channel, Fault
from quiesce.lab.match.player import READY_SECONDS, MoveBudget, Thought
from quiesce.lab.match.ucioptions import SetUpError

FEATURE_SECONDS = 3.0
"""Until an engine that says no more of its features has no more."""
SECONDS_A_MINUTE = 60
FEATURE = re.compile(r'(\w+)=("[^"]*"|\S+)')
MOVE = re.compile(rb"^(?:move|My move is ?:|\d+\. \.\.\.)\s*(\S+)")
THINKING = re.compile(rb"^\s*(\d+)[.+?!&]?\s+(-?\d+)\s+(\d+)\s+(\d+)")
RESIGNATION = re.compile(rb"^(?:1-0|0-1)\s*\{.*resign", re.IGNORECASE)
REJECTED = ("san", "colors")
"""Features that would change what we send."""
LIMITS = ("sd", "st", "level")
MATE_SCORE = 100_000
"""Scores from here on are mates: the excess is the number of moves."""


@dataclass(slots=True)
class XboardPlayer:
    """An xboard engine. It keeps the game itself and gets only new moves."""

    command: Sequence[str]
    options: Mapping[str, object]
    folder: Path | None = None
    name: str = ""
    environment: Mapping[str, str] | None = None
    _channel: Channel = field(init=False)
    _features: dict[str, str] = field(init=False, default_factory=dict)
    _told: int = field(init=False, default=0)
    _is_forced: bool = field(init=False, default=True)
    _pings: int = field(init=False, default=0)
    _has_played: bool = field(init=False, default=False)

    def __post_init__(self) -> None:
        self._start()

    def _start(self) -> None:
        """Start the program and read its features."""
        self._channel = Channel(self.command, self.folder, self.environment)
        try:
            self._introduce()
        except Exception:
            self._channel.kill()
            raise

    def _introduce(self) -> None:
        """Read its features and send its options as plain commands: `{"memory": 64}` sends `memory 64`."""
        self._channel.send("xboard", "protover 2")
        deadline = time.perf_counter() + FEATURE_SECONDS
        while (line := self._channel.read(deadline)) is not None:
            text = line.decode("utf-8", "replace").strip()
            if not text.startswith("feature"):
                continue
            for name, value in FEATURE.findall(text):
                self._features[name] = value.strip('"')
                is_wanted = name not in REJECTED or value.strip('"') == "0"
                self._channel.send(f"{'accepted' if is_wanted else 'rejected'} {name}")
            if self._features.get("done") == "1":
                break
            if self._features.get("done") == "0":
                deadline = time.perf_counter() + READY_SECONDS
        self.name = self.name or self._features.get("myname", Path(self.command[0]).name)
        self._channel.send("new", "easy", "post", *(f"{name} {value}".strip() for name, value in self.options.items()))

    def _has(self, feature: str) -> bool:
        """Does the engine have a feature?"""
        return self._features.get(feature) == "1"

    def _be_ready(self) -> None:
        """Wait until the engine is ready, if it supports `ping`."""
        if not self._has("ping"):
            return
        self._pings += 1
        self._channel.send(f"ping {self._pings}")
        deadline = time.perf_counter() + READY_SECONDS
        while (line := self._channel.read(deadline)) is not None:
            if line.strip() == b"pong %d" % self._pings:
                return
        raise Fault(STALL, "does not answer `ping`")

    def new_game(self, start: str, is_chess960: bool) -> None:
        """Set up a game, in force mode until its first turn."""
        if is_chess960:
            raise SetUpError(f"{self.name}: Chess960 over xboard's protocol is not supported")
        if self._has_played and self._features.get("reuse") == "0":
            self._channel.close()
            self._start()
        self._has_played = True
        self._channel.send("new", "easy", "post", "force")
        if start != chess.STARTING_FEN:
            if not self._has("setboard"):
                raise SetUpError(f"{self.name} cannot be given a position; use openings that are moves (PGN, Polyglot)")
            self._channel.send(f"setboard {start}")
        self._told, self._is_forced = 0, True
        self._be_ready()

    def think(self, board: chess.Board, budget: MoveBudget) -> Thought:
        """Send the new moves and read the answer."""
        news = [move.uci() for move in board.move_stack[self._told :]]
        self._told = len(board.move_stack) + 1
        prefix = "usermove " if self._has("usermove") else ""
        lines = clock_lines(budget, is_first=self._is_forced)
        if self._is_forced:
            lines = [*(prefix + move for move in news), *lines, "go"]
        else:
            lines += [prefix + move for move in news]
        self._is_forced = False
        begun = time.perf_counter()
        self._channel.send(*lines)
        return self._answer(board, begun, budget.patience)

    def _answer(self, board: chess.Board, begun: float, patience: float) -> Thought:
        """Wait for the move."""
        depth = score = nodes = None
        while (line := self._channel.read(begun + patience)) is not None:
            if found := THINKING.match(line):
                depth, score, _, nodes = (int(part) for part in found.groups())
            elif found := MOVE.match(line):
                seconds = time.perf_counter() - begun
                mate = None
                if score is not None and abs(score) >= MATE_SCORE:
                    mate, score = (abs(score) - MATE_SCORE) * (1 if score > 0 else -1), None
                return Thought(
                    move_text(board, found[1].decode("utf-8", "replace")), seconds, depth, score, mate, nodes
                )
            elif line.startswith(b"resign") or RESIGNATION.match(line):
                raise Fault(RESIGNED, "resigned")
            elif line.startswith((b"Illegal move", b"Error")):
                self._hear_complaint(board, line.decode("utf-8", "replace").strip())
        raise Fault(STALL, f"no move after {patience:.0f} s")

    def _hear_complaint(self, board: chess.Board, text: str) -> None:
        """Handle a refusal by the engine: a move, a time control, or something harmless."""
        if board.move_stack and board.move_stack[-1].uci() in text:
            raise Fault(ILLEGAL, f"refuses a legal move: {text}")
        if any(word in text.split() for word in LIMITS):
            raise SetUpError(f"{self.name} does not play by this limit: {text}")

    def close(self) -> None:
        """End the engine."""
        self._channel.close()

    def kill(self) -> None:
        """End it now."""
        self._channel.kill()


def clock_lines(budget: MoveBudget, is_first: bool) -> list[str]:
    """The commands for the time: the control before the first move, both clocks before each."""
    if budget.nodes is not None:
        raise SetUpError("engines that speak xboard's protocol play by time or depth, not by nodes")
    lines = []
    if budget.depth is not None and is_first:
        lines.append(f"sd {budget.depth}")
    if budget.seconds is not None and is_first:
        if budget.seconds < 1:
            raise SetUpError("engines that speak xboard's protocol know whole seconds for a move: give one or more")
        lines.append(f"st {int(budget.seconds)}")
    if budget.clock is not None and budget.other_clock is not None:
        if is_first:
            minutes, seconds = divmod(round(budget.clock), SECONDS_A_MINUTE)
            lines.append(f"level {budget.moves_left or 0} {minutes}:{seconds:02d} {budget.increment:g}")
        lines += [f"time {max(round(budget.clock * 100), 1)}", f"otim {max(round(budget.other_clock * 100), 1)}"]
    return lines


def move_text(board: chess.Board, text: str) -> str:
    """A move in UCI notation, whatever notation the engine uses; an unreadable one stays as it is."""
    for read in (board.parse_uci, board.parse_san):
        try:
            return read(text).uci()
        except ValueError:
            continue
    return text
