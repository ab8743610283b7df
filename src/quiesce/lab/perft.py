"""Shell. Perft for people: counts by root move, suites of published counts, progress, a stop that works."""

import re
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from quiesce.board.fen import FenError, shorten
from quiesce.board.game import Game
from quiesce.board.movetext import move_to_uci
from quiesce.board.perft import MAX_PERFT_DEPTH, PERFT, perft
from quiesce.board.tables import tables
from quiesce.jit import copy_record
from quiesce.records import new

Progress = Callable[[int, int], None]
"""Called with steps done and steps in all."""


LONGEST_WAIT = 0.1
"""Seconds until an interrupt is noticed."""


class SuiteError(ValueError):
    """A perft file that cannot be read; the message names file and line."""


@dataclass(frozen=True, slots=True)
class Count:
    """What a perft found."""

    nodes: int
    seconds: float
    divide: dict[str, int]

    @property
    def speed(self) -> int:
        """Leaves a second."""
        return round(self.nodes / max(self.seconds, 1e-9))


@dataclass(frozen=True, slots=True)
class Case:
    """One position of a suite with its published counts by depth."""

    line: int
    fen: str
    chess960: bool
    counts: dict[int, int]


@dataclass(frozen=True, slots=True)
class Verdict:
    """One count that was checked."""

    case: Case
    depth: int
    expected: int
    found: int

    @property
    def passed(self) -> bool:
        """Is the count as published?"""
        return self.found == self.expected


class Counter:
    """Counts in a thread of its own, so that Ctrl-C reaches us while a count runs."""

    def __init__(self) -> None:
        self._work = new(PERFT)
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="perft")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._work.stop[0] = 1
        self._pool.shutdown()

    def count(self, position: Any, depth: int) -> int:
        """Leaves at `depth` below a position."""
        copy_record(self._work.stack[0], position)
        running = self._pool.submit(perft, tables(), self._work, 0, depth)
        while not running.done():  # a wait without end would keep Ctrl-C from us on Windows
            wait([running], timeout=LONGEST_WAIT)
        return int(running.result())

    def divide(self, game: Game, depth: int, progress: Progress | None = None) -> Count:
        """Leaves at `depth`, by root move."""
        check_depth(depth)
        tell = progress or (lambda *_: None)
        started, found = time.perf_counter(), {}
        moves = game.legal_moves() if depth > 0 else []
        for done, move in enumerate(moves):
            tell(done, len(moves))
            after = Game(game.fen(shredder=game.chess960), game.chess960)
            after.push(move)
            found[move_to_uci(move, game.chess960)] = self.count(after.position, depth - 1)
        tell(len(moves), len(moves))
        return Count(sum(found.values()) if depth > 0 else 1, time.perf_counter() - started, found)


def check_depth(depth: int) -> None:
    """Refuse depths the workspace has no room for."""
    if not 0 <= depth <= MAX_PERFT_DEPTH:
        raise ValueError(f"depth {depth} is outside 0 to {MAX_PERFT_DEPTH}")


def read_suite(path: Path, chess960: bool = False) -> list[Case]:
    """The cases of a perft file: a FEN, then `;D1 20 ;D2 400 ...`, and `;chess960` where K and Q need it."""
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise SuiteError(f"{path}: not a text file ({error.reason} at byte {error.start})") from None
    cases = [
        read_case(f"{path}:{number}", number, line, chess960)
        for number, line in enumerate(lines, 1)
        if line.strip() and not line.startswith("#")
    ]
    if not cases:
        raise SuiteError(f"{path}: no perft counts in it")
    return cases


def read_case(where: str, number: int, line: str, chess960: bool) -> Case:
    """One line of a perft file."""
    fen, *fields = (field.strip() for field in line.split(";"))
    counts = {}
    for field in fields:
        if re.match(r"[Dd]\d", field):
            match = re.fullmatch(r"D(\d{1,2})\s+(\d{1,18})", field)
            if not match or int(match[1]) > MAX_PERFT_DEPTH:
                raise SuiteError(f"{where}: {shorten(field)} is no count such as 'D2 400' up to D{MAX_PERFT_DEPTH}")
            counts[int(match[1])] = int(match[2])
    if not counts:
        raise SuiteError(f"{where}: no counts such as ';D1 20' after the FEN")
    chess960 = chess960 or "chess960" in fields
    try:
        Game(fen, chess960)
    except FenError as error:
        raise SuiteError(f"{where}: {error}") from None
    return Case(number, fen, chess960, counts)


def check_cases(cases: Iterable[Case], max_nodes: int, counter: Counter) -> Iterator[Verdict]:
    """Check every published count of at most `max_nodes` leaves."""
    for case in cases:
        position = Game(case.fen, case.chess960).position
        for depth, expected in sorted(case.counts.items()):
            if expected <= max_nodes:
                yield Verdict(case, depth, expected, counter.count(position, depth))
