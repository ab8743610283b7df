"""Shell. SPSA over the search's numbers: trials played at fixed nodes by a pool, each kept before it counts."""

import difflib
import hashlib
import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from quiesce.board.fen import write_fen
from quiesce.board.game import Game
from quiesce.engine.selfplay import SelfPlay
from quiesce.jit import warm_up
from quiesce.lab.arena import DEFAULT_NODES, Tally, random_opening
from quiesce.lab.match.openings import BookError, read_book
from quiesce.lab.spsa import DEFAULT_RATE, Parameter, Spsa, SpsaError, State, Trial, Values, usual_reach
from quiesce.search.params import TECHNIQUES, Spin, Technique, current_name, current_names
from quiesce.work.identity import sources_digest
from quiesce.work.pool import Key, WorkerPool
from quiesce.work.store import Run, Store

KIND = "tune"
VERIFY = "verify"
"""Prefix of the keys of verification pairs."""
DEFAULT_ITERATIONS, DEFAULT_PAIRS = 1_000, 8
DEFAULT_IN_FLIGHT = 8
EVEN = 2
"""Index of the drawn pair among the outcomes of pairs."""
NEAR, NEAR_MOST = 0.5, 6
"""How alike names must be, and how many are shown, where one is not known."""

NUMBERS: dict[str, tuple[Technique, Spin]] = {
    spin.name: (technique, spin) for technique in TECHNIQUES for spin in technique.numbers
}
SWITCHES = {technique.name: technique for technique in TECHNIQUES}
SETTINGS = ("start", "low", "high", "c")


class TuneError(ValueError):
    """A run that cannot be made; the message says why."""


def is_on(technique: Technique, options: Mapping[str, int]) -> bool:
    """Does the search do this, under these options?"""
    return bool(options.get(technique.name, technique.default))


def numbers_named(word: str, options: Mapping[str, int]) -> list[str]:
    """Parameters of a word: one, those of a technique, or all effective ones with this prefix."""
    if word in NUMBERS or word in SWITCHES:
        technique = NUMBERS[word][0] if word in NUMBERS else SWITCHES[word]
        if not technique.numbers:
            raise TuneError(f"{word} is a switch without numbers: try it with `quiesce arena --first {word}=0`")
        if not is_on(technique, options):
            raise TuneError(
                f"{word}: {technique.name} is off, so nothing would change: add --option {technique.name}=1"
            )
        return [word] if word in NUMBERS else [spin.name for spin in technique.numbers]
    found = [
        name
        for name, (technique, _) in NUMBERS.items()
        if name.startswith(word) and name[len(word)].isupper() and is_on(technique, options)
    ]
    if not found:
        raise TuneError(f"no number of the search is called {word!r}; near it: {', '.join(near(word)) or 'nothing'}")
    return found


def near(word: str) -> list[str]:
    """Names that a word may be meant for."""
    by_case = {name.lower(): name for name in [*NUMBERS, *(name for name in SWITCHES if SWITCHES[name].numbers)]}
    inside = sorted(
        (name for name in by_case if word and word.lower() in name), key=lambda name: name.find(word.lower())
    )
    alike = difflib.get_close_matches(word.lower(), by_case, NEAR_MOST, NEAR)
    return [by_case[name] for name in dict.fromkeys([*alike, *inside])][:NEAR_MOST]


def parameters_of(
    words: Iterable[str], options: Mapping[str, int], settings: Mapping[str, Mapping[str, Any]]
) -> tuple[Parameter, ...]:
    """The parameters of some words, in the order of the table, with their settings."""
    options, settings = current_names(options), current_names(settings)
    wanted = {name for word in words for name in numbers_named(current_name(word), options)}
    for word, told in settings.items():
        if told and word not in NUMBERS:
            raise TuneError(f"{word} stands for several numbers, which have start, bounds and c of their own")
    found = [parameter_of(name, options, settings.get(name, {})) for name in NUMBERS if name in wanted]
    if not found:
        raise TuneError("nothing to tune: name numbers of the search, such as FutilityBase, or techniques")
    return tuple(found)


def parameter_of(name: str, options: Mapping[str, int], settings: Mapping[str, Any]) -> Parameter:
    """One parameter with start, bounds and step c."""
    spin = NUMBERS[name][1]
    if unknown := set(settings) - set(SETTINGS):
        raise TuneError(f"{name}: unknown key {min(unknown)!r}; known are {', '.join(SETTINGS)}")
    for key, value in settings.items():
        if isinstance(value, bool) or not isinstance(value, int if key in ("low", "high") else int | float):
            raise TuneError(f"{name}: {key} is a number, not {value!r}")
    low, high = settings.get("low", spin.low), settings.get("high", spin.high)
    if low < spin.low or high > spin.high:
        raise TuneError(f"{name}: {low} to {high} is more than the search allows, {spin.low} to {spin.high}")
    start = settings.get("start", options.get(name, spin.default))
    try:
        return Parameter(name, start, low, high, settings.get("c", usual_reach(low, high)))
    except SpsaError as error:
        raise TuneError(str(error)) from None


@dataclass(frozen=True, slots=True)
class TunePlan:
    """Everything that decides a run."""

    parameters: tuple[Parameter, ...]
    iterations: int = DEFAULT_ITERATIONS
    pairs: int = DEFAULT_PAIRS
    nodes: int = DEFAULT_NODES
    book: str = ""
    """Name or file; empty for random moves."""
    seed: int = 1
    in_flight: int = DEFAULT_IN_FLIGHT
    rate: float = DEFAULT_RATE
    options: dict[str, int] = field(default_factory=dict)
    """Of both sides."""

    @property
    def name(self) -> str:
        """Name for users."""
        return ", ".join(item.name for item in self.parameters)

    @property
    def spsa(self) -> Spsa:
        """The part of it that is not about chess."""
        return Spsa(self.parameters, self.iterations, self.seed, self.in_flight, self.rate)

    def identity(self, book: str) -> dict[str, Any]:
        """The plan as the store keeps it, with what the book holds and what our engine is now."""
        return {
            "parameters": {item.name: {key: getattr(item, key) for key in SETTINGS} for item in self.parameters},
            "iterations": self.iterations,
            "pairs": self.pairs,
            "nodes": self.nodes,
            "seed": self.seed,
            "book": book,
            "sources": sources_digest(),
            "in_flight": self.in_flight,
            "rate": self.rate,
            "options": self.options,
        }


class Openings:
    """Openings by number, determined by the seed: random moves, or a book, repeated."""

    def __init__(self, book: str, seed: int) -> None:
        self._seed = seed
        try:
            self._book = [opening.board().shredder_fen() for opening in read_book(book, seed=seed)] if book else []
        except BookError as error:
            raise TuneError(str(error)) from None
        self._round, self._order = -1, list[str]()

    def identity(self, book: str) -> str:
        """Identity of the openings; a book's has its digest."""
        whole = hashlib.sha256("\n".join(self._book).encode()).hexdigest()
        return f"{Path(book).name} {whole[:16]}" if book else ""

    def fen(self, number: int) -> str:
        """The opening of a number, in an order that the seed decides."""
        if not self._book:
            return self.unseen(number)
        again, place = divmod(number, len(self._book))
        if again != self._round:
            self._round, self._order = again, list(self._book)
            random.Random(f"{self._seed}/book/{again}").shuffle(self._order)
        return self._order[place]

    def unseen(self, number: int) -> str:
        """Random moves, in another place for each number."""
        return write_fen(random_opening(random.Random(f"{self._seed}/opening/{number}")), shredder=True)


def play_pairs(task: dict[str, Any]) -> dict[str, Any]:
    """Play each opening with both colours in a worker process; returns the pairs by score of the first side."""
    warm_up()
    seat, tally = SelfPlay(task["first"], task["second"], task["nodes"]), Tally()
    for fen in task["openings"]:
        tally.add(*seat.play_pair(Game(fen).position))
    return {"pentanomial": tally.pentanomial}


def lead(pentanomial: list[int]) -> int:
    """Wins less losses of the first side."""
    return sum((place - EVEN) * count for place, count in enumerate(pentanomial))


class Ready(Iterator[tuple[Key, Any]]):
    """Tasks that can start now. Unlike other iterators, it may have more after further results.

    A pool that asks again after each result never idles; one that does not gets the remaining tasks anew.
    """

    def __init__(self, next_task: Callable[[], tuple[Key, Any] | None]) -> None:
        self._next_task = next_task

    def __next__(self) -> tuple[Key, Any]:
        task = self._next_task()
        if task is None:
            raise StopIteration
        return task


OnStep = Callable[["Tuning"], None]


class Tuning:
    """Plays a plan; what the store has already is not played again."""

    def __init__(self, plan: TunePlan, store: Store) -> None:
        self.plan, self.spsa = plan, plan.spsa
        self.openings = Openings(plan.book, plan.seed)
        self.run: Run = store.run(KIND, plan.name, plan.identity(self.openings.identity(plan.book)))
        self.state: State = self.spsa.begin()
        self.tally, self.verified = Tally(), Tally()
        self._kept: dict[int, dict[str, Any]] = {}
        self._given: set[int] = set()

    @property
    def applied(self) -> int:
        """Iterations that count."""
        return int(self.state["applied"])

    @property
    def values(self) -> Values:
        """The values as they are now."""
        return self.spsa.values(self.state)

    @property
    def start(self) -> Trial:
        """What the engine had at first."""
        return {item.name: round(item.start) for item in self.plan.parameters}

    @property
    def found(self) -> Trial:
        """The values as an engine can have them."""
        return {name: round(value) for name, value in self.values.items()}

    def play(self, pool: WorkerPool, on_step: OnStep | None = None) -> Values:
        """Play all iterations that are missing; returns the values after the last."""
        with self.run.worked_on():
            self._recall()
            while self.applied < self.plan.iterations:
                self._given = set(self._kept)
                for key, answer in pool.do(play_pairs, Ready(self._next_task)):
                    pentanomial = answer["pentanomial"]
                    games = 2 * sum(pentanomial)
                    facts = {"score": lead(pentanomial) / (2 * games), "games": games, "pentanomial": pentanomial}
                    self.run.add(key, facts)
                    self._count(int(key), facts)
                    if on_step is not None:
                        on_step(self)
        return self.values

    def _recall(self) -> None:
        """Count all that was kept before."""
        self.state, self.tally, self._kept = self.spsa.begin(), Tally(), {}
        items = {int(key): facts for key, facts in self.run.items().items() if key.isdigit()}
        for iteration, facts in sorted(items.items()):
            with self.run.read_as(f"{iteration:05d}"):
                self._count(iteration, facts)

    def _count(self, iteration: int, facts: dict[str, Any]) -> None:
        """Take an iteration that is kept; those it makes count are kept with the values after them."""
        self._kept[iteration] = facts
        add_up(self.tally, facts["pentanomial"])
        for number, values in self.spsa.tell(self.state, iteration, lead(facts["pentanomial"])):
            if "values" not in self._kept[number]:
                self._kept[number] = {"values": values} | self._kept[number]
                self.run.put(f"{number:05d}", self._kept[number])

    def _next_task(self) -> tuple[Key, Any] | None:
        """The next unassigned iteration, if it can start now."""
        iteration = self.applied
        while iteration in self._given:
            iteration += 1
        if not self.spsa.is_ready(self.state, iteration):
            return None
        self._given.add(iteration)
        plus, minus = self.spsa.trial(self.state, iteration)
        numbers = range(iteration * self.plan.pairs, (iteration + 1) * self.plan.pairs)
        return f"{iteration:05d}", self._task(plus, minus, [self.openings.fen(number) for number in numbers])

    def _task(self, first: Trial, second: Trial, fens: list[str]) -> dict[str, Any]:
        """What a process anywhere needs to play some pairs."""
        return {
            "first": self.plan.options | first,
            "second": self.plan.options | second,
            "nodes": self.plan.nodes,
            "openings": fens,
        }

    def verify(self, pool: WorkerPool, pairs: int, on_step: OnStep | None = None) -> Tally:
        """Play the result against the start, from new random openings; pairs are stored."""
        used = self.plan.iterations * self.plan.pairs
        with self.run.worked_on():
            keys = {f"{VERIFY} {pair:05d}": pair for pair in range(pairs)}
            kept = {key: facts for key, facts in self.run.items().items() if key in keys}
            self.verified = Tally()
            for key, facts in kept.items():
                with self.run.read_as(key):
                    add_up(self.verified, facts["pentanomial"])
            missing = [(key, self.openings.unseen(used + pair)) for key, pair in keys.items() if key not in kept]
            tasks = ((key, self._task(self.found, self.start, [fen])) for key, fen in missing)
            for key, answer in pool.do(play_pairs, tasks):
                self.run.add(key, answer)
                add_up(self.verified, answer["pentanomial"])
                if on_step is not None:
                    on_step(self)
        return self.verified


def add_up(tally: Tally, pentanomial: list[int]) -> None:
    """Count pairs."""
    tally.pentanomial = [before + more for before, more in zip(tally.pentanomial, pentanomial, strict=True)]
