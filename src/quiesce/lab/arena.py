"""Shell. The arena: two settings of our search play paired games at fixed nodes, on all cores."""

import random
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from quiesce.board.fen import FenError
from quiesce.board.game import Game
from quiesce.board.readfile import read_text
from quiesce.engine.selfplay import DEFAULT_WEIGHTS, SelfPlay
from quiesce.lab.elo import Strength, strength
from quiesce.work.cores import cores

LARGEST_FILE = 1 << 30
DEFAULT_NODES = 5_000
LONGEST_WAIT = 0.2
"""Seconds until an interrupt is noticed."""
RANDOM_PLIES = 8
"""Random moves of an opening, if no file is given."""

Options = Mapping[str, int]


@dataclass(slots=True)
class Tally:
    """Pairs by score of the first side, lowest first."""

    pentanomial: list[int] = field(default_factory=lambda: [0] * 5)

    def add(self, first: int, second: int) -> None:
        """Count a pair by its two games, +1, 0 or -1 for the first side."""
        self.pentanomial[first + second + 2] += 1

    @property
    def games(self) -> int:
        """Games counted."""
        return 2 * sum(self.pentanomial)

    @property
    def strength(self) -> Strength:
        """Elo of the first side."""
        return strength(self.pentanomial)


def read_openings(path: Path) -> list[Any]:
    """Positions of a file with a FEN or EPD on each line."""
    positions = []
    try:
        text = read_text(path, LARGEST_FILE)
    except OSError as error:
        raise ValueError(f"{path}: {error.strerror or error}") from None
    for number, line in enumerate(text.splitlines(), 1):
        fields = line.split(";")[0].split()
        if not fields or line.startswith("#"):
            continue
        counters = fields[4:6] if len(fields) >= 6 and fields[4].isdigit() and fields[5].isdigit() else []
        try:
            positions.append(Game(" ".join([*fields[:4], *counters])).position)
        except FenError as error:
            raise ValueError(f"{path}:{number}: {error}") from None
    if not positions:
        raise ValueError(f"{path}: no openings in it")
    return positions


def random_opening(choice: random.Random) -> Any:
    """A position a few random moves from the start, with a move left to play."""
    while True:
        game = Game()
        for _ in range(RANDOM_PLIES):
            moves = game.legal_moves()
            if not moves:
                break
            game.push(choice.choice(moves))
        if game.legal_moves() and not game.is_check:
            return game.position


def openings(positions: list[Any] | None, seed: int) -> Iterator[Any]:
    """Openings without end, in an order that the seed decides; without any to choose from, random ones."""
    choice = random.Random(seed)
    if positions is None:
        while True:
            yield random_opening(choice)
    positions = list(positions)
    while True:
        choice.shuffle(positions)
        yield from positions


class Arena:
    """Plays pairs on all cores; the same seed gives the same games, however many threads there are."""

    def __init__(
        self,
        first: Options,
        second: Options,
        nodes: int = DEFAULT_NODES,
        threads: int | None = None,
        weights: tuple[str, str] = DEFAULT_WEIGHTS,
    ) -> None:
        self._threads = threads or cores()
        self._seats = [SelfPlay(first, second, nodes, weights) for _ in range(self._threads)]

    def run(
        self, pairs: int, book: Path | None = None, seed: int = 1, on_pair: Callable[[Tally], None] | None = None
    ) -> Tally:
        """Play pairs of games. An interrupt stops the running games and returns the finished pairs."""
        tally, source = Tally(), openings(None if book is None else read_openings(book), seed)
        left, running = pairs, dict[Future[tuple[int, int]], SelfPlay]()
        with ThreadPoolExecutor(self._threads, "arena") as pool:
            try:
                for seat in self._seats[:pairs]:
                    running[pool.submit(seat.play_pair, next(source))] = seat
                    left -= 1
                while running:
                    done, _ = wait(running, timeout=LONGEST_WAIT, return_when=FIRST_COMPLETED)
                    for future in done:
                        seat = running.pop(future)
                        tally.add(*future.result())
                        if on_pair is not None:
                            on_pair(tally)
                        if left > 0:
                            running[pool.submit(seat.play_pair, next(source))] = seat
                            left -= 1
            except KeyboardInterrupt:
                self.stop()
            except BaseException:
                self.stop()
                raise
        return tally

    def stop(self) -> None:
        """Break off all games under way."""
        for seat in self._seats:
            seat.stop()
