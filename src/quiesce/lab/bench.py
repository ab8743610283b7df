"""Shell. Board speed as a ratio: ours and Stockfish's, interleaved on one machine."""

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from quiesce.board.counter import Counter
from quiesce.board.fen import START_FEN
from quiesce.board.game import Game
from quiesce.cachekey import CACHE_VARIABLE

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
GAMES_FOLDER = Path("/usr/games")
"""Where Debian puts engines, outside many a PATH."""
MILLION = 1e6
HANDSHAKE_SECONDS = 10


@dataclass(frozen=True, slots=True)
class BoardCase:
    """One perft that is timed."""

    name: str
    fen: str
    depth: int
    leaves: int


BOARD_CASES = (
    BoardCase("start position", START_FEN, 6, 119_060_324),
    BoardCase("Kiwipete", KIWIPETE, 5, 193_690_690),
)


@dataclass(frozen=True, slots=True)
class BoardTiming:
    """Leaves per second of each round, ours and the rival's."""

    case: BoardCase
    ours: list[float] = field(default_factory=list)
    rival: list[float] = field(default_factory=list)

    @property
    def ratio(self) -> float | None:
        """Median of ours over theirs, round by round."""
        return statistics.median(a / b for a, b in zip(self.ours, self.rival, strict=True)) if self.rival else None


class UciPerft:
    """Another engine's perft, by `go perft`."""

    def __init__(self, command: str) -> None:
        self._process = subprocess.Popen([command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        watch = threading.Timer(HANDSHAKE_SECONDS, self._process.kill)
        watch.start()
        self.name = self._ask("uci", "uciok", "id name ")
        watch.cancel()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._process.kill()
        self._process.communicate()

    def _ask(self, command: str, last: str, wanted: str) -> str:
        """Send a command and read to the line that starts with `last`; returns the rest of the wanted line."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(command + "\n")
        found = ""
        for line in self._process.stdout:
            if line.startswith(wanted):
                found = line.removeprefix(wanted).strip()
            if line.startswith(last):
                return found
        raise RuntimeError(f"the engine ended or did not answer {command.split(maxsplit=1)[0]!r}")

    def count(self, fen: str, depth: int) -> int:
        """Leaves at a depth."""
        return int(self._ask(f"position fen {fen}\ngo perft {depth}", "Nodes searched", "Nodes searched:"))


def find_stockfish() -> str | None:
    """Path of an installed Stockfish."""
    return shutil.which("stockfish") or shutil.which("stockfish", path=str(GAMES_FOLDER))


def timed(count: Callable[[], int], case: BoardCase) -> float:
    """Leaves a second of one count, which must be right."""
    started = time.perf_counter()
    found = count()
    if found != case.leaves:
        raise RuntimeError(f"{case.name}: {found} leaves at depth {case.depth} instead of {case.leaves}")
    return case.leaves / (time.perf_counter() - started)


def bench_board(rounds: int, rival: UciPerft | None, tell: Callable[[str], None]) -> list[BoardTiming]:
    """Time every case, in rounds that alternate between us and the rival."""
    timings = [BoardTiming(case) for case in BOARD_CASES]
    with Counter() as counter:
        for number in range(rounds):
            for timing in timings:
                case = timing.case
                tell(f"round {number + 1} of {rounds}: {case.name}")
                position = Game(case.fen).position
                timing.ours.append(timed(lambda: counter.count(position, case.depth), case))  # noqa: B023
                if rival is not None:
                    timing.rival.append(timed(lambda: rival.count(case.fen, case.depth), case))  # noqa: B023
    return timings


@dataclass(frozen=True, slots=True)
class StartTiming:
    """Seconds from the start of a process to its end."""

    help_text: float
    cold: float
    warm: float


def run_self(*words: str, cache: str) -> float:
    """Seconds that one of our commands takes as a process, with this cache folder."""
    environment = os.environ | {CACHE_VARIABLE: cache}
    started = time.perf_counter()
    subprocess.run([sys.executable, "-m", "quiesce", *words], env=environment, check=True, capture_output=True)
    return time.perf_counter() - started


def bench_start(rounds: int, tell: Callable[[str], None]) -> StartTiming:
    """Time the help text, a first start that compiles everything, and later starts; the best of each."""
    with tempfile.TemporaryDirectory(prefix="quiesce-bench-") as cache:
        tell("compiling from nothing")
        cold = run_self("warmup", cache=cache)
        tell("starting warm")
        warm = min(run_self("perft", "startpos", "4", cache=cache) for _ in range(rounds))
        return StartTiming(min(run_self("--help", cache=cache) for _ in range(rounds)), cold, warm)
