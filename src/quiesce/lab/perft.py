"""Shell. Suites of published perft counts: read, and checked."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from quiesce.board.counter import Counter
from quiesce.board.fen import FenError, shorten
from quiesce.board.game import Game
from quiesce.board.perft import MAX_PERFT_DEPTH
from quiesce.board.readfile import read_text

LARGEST_FILE = 1 << 26


class SuiteError(ValueError):
    """A perft file that cannot be read; the message names file and line."""


@dataclass(frozen=True, slots=True)
class Case:
    """One position of a suite with its published counts by depth."""

    line: int
    fen: str
    chess960: bool
    counts: dict[int, int]


@dataclass(frozen=True, slots=True)
class PerftVerdict:
    """One count that was checked."""

    case: Case
    depth: int
    expected: int
    found: int

    @property
    def passed(self) -> bool:
        """Is the count as published?"""
        return self.found == self.expected


def read_suite(path: Path, chess960: bool = False) -> list[Case]:
    """The cases of a perft file: a FEN, then `;D1 20 ;D2 400 ...`, and `;chess960` where K and Q need it."""
    try:
        lines = read_text(path, LARGEST_FILE).splitlines()
    except OSError as error:
        raise SuiteError(f"{path}: {error.strerror or error}") from None
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


def check_cases(cases: Iterable[Case], max_nodes: int, counter: Counter) -> Iterator[PerftVerdict]:
    """Check every published count of at most `max_nodes` leaves."""
    for case in cases:
        position = Game(case.fen, case.chess960).position
        for depth, expected in sorted(case.counts.items()):
            if expected <= max_nodes:
                yield PerftVerdict(case, depth, expected, counter.count(position, depth))
