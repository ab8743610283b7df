"""Shell. Openings of training games: from book lines or their ends, followed by random moves."""

import random
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import count
from typing import Any

from quiesce.board.game import Game
from quiesce.board.movetext import parse_uci
from quiesce.board.randomwalk import WALK, random_opening
from quiesce.board.tables import tables
from quiesce.engine.searcher import Searcher
from quiesce.jit import copy_record
from quiesce.lab.match.openings import DEFAULT_BOOK, Opening, book_digest, read_book
from quiesce.records import new

LINES, ENDS = SOURCES = ("lines", "ends")
"""Start anywhere in a book line, or at its end; each end is used once before any repeats."""
LARGEST_OPENING = 300
"""Largest advantage at the start of a game, in points."""
CALM_OPENING, CALM_PLIES = 60, (0, 4)
"""The same for ends of lines, and the default number of random plies after them."""
VISITS_A_PLY = 4
"""Visits of an end grow this many times before one random move more follows it at least, so that few games repeat."""
ENDS_A_POSITION = 1 / 15
"""Ends reserved for a chunk per position; more than its games need."""
Plan = Any
"""What `lab.datagen.DataPlan` says of openings; that file knows this one, not the other way round."""
PROBE_DEPTH, PROBE_NODES = 5, 20_000
"""The small search that looks for it."""


@cache
def book_of(name: str) -> tuple[Opening, ...]:
    """The openings of a book, by name or file."""
    return tuple(read_book(name))


@cache
def digest_of_book(name: str) -> str:
    """A name for what a book holds."""
    return book_digest(list(book_of(name)))


def book_lines() -> tuple[tuple[str, ...], ...]:
    """Lines of the bundled book."""
    return tuple(opening.moves for opening in book_of(DEFAULT_BOOK))


@cache
def positions_along(number: int, name: str = DEFAULT_BOOK) -> list[Any]:
    """The positions along a line of a book, its start first."""
    opening = book_of(name)[number]
    game = Game(opening.fen)
    positions = [game.position]
    for word in opening.moves:
        game.push(parse_uci(game, word))
        positions.append(game.position)
    return positions


class Prober:
    """Searches a position with small limits and empty tables."""

    def __init__(self, options: Mapping[str, int], weights: str) -> None:
        self._searcher = Searcher(options, weights)

    def score(self, position: Any) -> int:
        """Points of the mover's; the root needs a legal move."""
        self._searcher.forget()
        self._searcher.table.clear()
        self._searcher.place_position(position)
        return self._searcher.run(PROBE_NODES, PROBE_DEPTH)[0].score


def openings(choice: random.Random, plan: Plan) -> Iterator[Any]:
    """Openings without end: some moves of a book's line and some random ones, out of check, with neither far ahead."""
    prober, walk = Prober(plan.options, plan.weights), new(WALK)
    while True:
        line = positions_along(choice.randrange(len(book_of(plan.book))), plan.book)
        copy_record(walk.line[0], line[choice.randint(0, len(line) - 1)])
        walk.draw = choice.getrandbits(63) + 1
        last = int(random_opening(tables(), walk, choice.randint(*plan.random_plies)))
        if last >= 0 and abs(prober.score(walk.line[last])) <= plan.largest_opening:
            yield walk.line[last].copy()


@cache
def order_of_ends(name: str, seed: int) -> Sequence[int]:
    """Numbers of a book's lines in the order of a seed."""
    order = list(range(len(book_of(name))))
    random.Random(seed).shuffle(order)
    return order


def least_plies(visits: int) -> int:
    """The least number of random moves after an end that was taken so often already."""
    plies = 0
    while VISITS_A_PLY**plies <= visits:
        plies += 1
    return plies


def ends(choice: random.Random, plan: Plan, chunk: int) -> Iterator[Any]:
    """Ends of the book's lines plus some random moves, not in check, with no large advantage.

    The plan's seed orders the ends and gives each chunk its share, so that no end repeats before all were used.
    Repeated ends get at least one random move.
    """
    order, own = order_of_ends(plan.book, plan.seed), max(int(plan.chunk_positions * ENDS_A_POSITION), 1)
    prober, walk = Prober(plan.options, plan.weights), new(WALK)
    low, high = plan.random_plies
    for place in count():
        turn, number = divmod(chunk * own + place, len(order))
        least = least_plies(max(turn, 1 if place >= own else 0))
        copy_record(walk.line[0], positions_along(order[number], plan.book)[-1])
        walk.draw = choice.getrandbits(63) + 1
        last = int(random_opening(tables(), walk, choice.randint(max(low, least), max(high, least))))
        if last >= 0 and abs(prober.score(walk.line[last])) <= plan.largest_opening:
            yield walk.line[last].copy()


def openings_of(plan: Plan, chunk: int) -> Iterator[Any]:
    """The openings of a chunk, without end: decided by the plan and its number."""
    choice = random.Random(f"{plan.seed}/{chunk}")
    return ends(choice, plan, chunk) if plan.openings == ENDS else openings(choice, plan)
