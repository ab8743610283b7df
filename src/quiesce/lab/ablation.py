"""Shell. Ablations: what each technique is worth, by nodes saved, positions solved, and games with it against without.

A question is two settings of our search; for a technique, with it and without. Each is asked in four ways, and the
answers are kept one by one. Games are played for the question whose answer is least certain, until a sequential test
has decided it or its budget is spent.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from quiesce.board.game import Game
from quiesce.engine.selfplay import SelfPlay
from quiesce.lab.arena import Tally
from quiesce.lab.elo import Strength, strength
from quiesce.lab.match.engines import EngineSpec
from quiesce.lab.match.openings import DEFAULT_BOOK, Opening, read_book, shuffled
from quiesce.lab.match.pair import play_pair, task_of
from quiesce.lab.match.referee import Adjudication, Control
from quiesce.lab.searchbench import run_bench
from quiesce.lab.sprt import Sprt
from quiesce.lab.suites.own import OwnSolver
from quiesce.lab.suites.problems import suite_named
from quiesce.lab.suites.scoring import Limit, outcome_of
from quiesce.search.params import TECHNIQUES, all_off, current_name
from quiesce.work.identity import sources_digest
from quiesce.work.store import Facts

KIND = "ablate"
ECONOMY, SUITE, NODES, TIME = ("economy", "suite", "nodes", "time")
"""How a question is asked: nodes of a bench, positions solved, games at fixed nodes, games by the clock."""
BATCH_PAIRS = 10
"""Pairs of one task at fixed nodes."""
QUIESCENCE = tuple(item.name for item in TECHNIQUES if item.name.startswith("QSearch"))

Options = Mapping[str, int]


class AblationError(ValueError):
    """Something that cannot be asked; the message says why."""


@dataclass(frozen=True, slots=True)
class Question:
    """Two settings of the search, and what telling them apart is called."""

    name: str
    first: dict[str, int]
    second: dict[str, int]


@dataclass(frozen=True, slots=True)
class AblationTerms:
    """How much is spent on each question; what decides the answers."""

    nodes: int = 5_000
    games: int = 2_000
    time_games: int = 0
    control: Control = field(default_factory=lambda: Control(2.0, 0.02))
    bench_depth: int = 10
    suite: str = "lichess_puzzles"
    suite_positions: int = 100
    suite_nodes: int = 20_000
    seed: int = 1
    sprt: Sprt | None = None

    def identity(self) -> dict[str, Any]:
        """All that decides a single answer; not how many are asked for."""
        facts = asdict(self)
        for budget in ("games", "time_games", "sprt"):
            del facts[budget]
        return facts | {"sources": sources_digest()}


def switch(name: str) -> Question:
    """A technique on against off."""
    name = current_name(name)
    if name not in {item.name for item in TECHNIQUES}:
        raise AblationError(f"no technique {name!r}; known are {', '.join(item.name for item in TECHNIQUES)}")
    return Question(name, {name: 1}, {name: 0})


def ladder() -> list[Question]:
    """The documents' rungs of quiescence, each against the one below it."""
    plain = dict.fromkeys(QUIESCENCE, 0) | {"QSearchLimits": 1}
    usual = {item.name: int(item.default) for item in TECHNIQUES if item.name in QUIESCENCE}
    steps: list[tuple[str, dict[str, int]]] = [
        ("plain captures", {"UseQuiescence": 1} | plain),
        ("check handling", {"QSearchEvasions": 1, "QSearchChecks": 1}),
        ("delta pruning", {"QSearchDelta": 1, "QSearchFutility": 1, "QSearchPhaseMargin": 1}),
        ("table", {"QSearchTT": 1, "QSearchRefine": 1, "QSearchExactBounds": 1}),
        ("promotions and refinements", usual),
    ]
    questions, below = [], {"UseQuiescence": 0}
    for name, change in steps:
        above = below | change
        questions.append(Question(name, above, below))
        below = above
    return questions


def presets() -> dict[str, list[Question]]:
    """Lists of questions by name."""
    names = [item.name for item in TECHNIQUES if item.name != "QSearchLimits"]
    quiet = [name for name in names if name in (*QUIESCENCE, "UseQuiescence")]
    everything = Question("everything", {}, {name: value for name, value in all_off().items() if name in names})
    return {
        "quiescence": [switch(name) for name in quiet],
        "search": [switch(name) for name in names if name not in quiet],
        "all": [everything, *(switch(name) for name in names)],
        "ladder": ladder(),
    }


@dataclass(slots=True)
class Answer:
    """What is known of one technique."""

    question: Question
    economy: Facts | None = None
    suite: Facts | None = None
    by_nodes: list[int] = field(default_factory=lambda: [0] * 5)
    by_time: list[int] = field(default_factory=lambda: [0] * 5)
    verdicts: dict[str, int] = field(default_factory=dict)
    """First verdict of the sequential test for each way of playing; later games do not change it."""
    faults: int = 0
    """Games by the clock that an engine lost by doing something wrong."""

    def add(self, way: str, facts: Facts, test: Sprt | None = None) -> None:
        """Take in one item."""
        if way == ECONOMY:
            self.economy = facts
        elif way == SUITE:
            self.suite = facts
        else:
            counts = self.by_nodes if way == NODES else self.by_time
            counts[:] = [old + new for old, new in zip(counts, facts["pentanomial"], strict=True)]
            self.faults += len(facts.get("faults", ()))
            if test is not None and way not in self.verdicts and (verdict := test.verdict(counts)):
                self.verdicts[way] = verdict

    def worth(self, way: str) -> Strength:
        """Elo of the first setting over the second."""
        return strength(self.by_nodes if way == NODES else self.by_time)

    def is_open(self, way: str, terms: AblationTerms) -> bool:
        """Are more games wanted?"""
        counts, budget = (self.by_nodes, terms.games) if way == NODES else (self.by_time, terms.time_games)
        return 2 * sum(counts) < budget and way not in self.verdicts

    @property
    def doubt(self) -> float:
        """Width of a technique's interval at fixed nodes."""
        return self.worth(NODES).error if sum(self.by_nodes) else math.inf


def count_nodes(question: Question, terms: AblationTerms) -> dict[str, Any]:
    """Nodes of the bench with each setting."""
    first, second = (run_bench(terms.bench_depth, options) for options in (question.first, question.second))
    return {"nodes_on": first.nodes, "nodes_off": second.nodes}


def solve_suite(question: Question, terms: AblationTerms) -> dict[str, Any]:
    """Positions solved with each setting, at fixed nodes."""
    problems = suite_named(terms.suite).problems[: terms.suite_positions]
    solved = []
    for options in (question.first, question.second):
        solver = OwnSolver(Limit(nodes=terms.suite_nodes), options, 1)
        try:
            solved.append(sum(outcome_of(problem, *solver.solve(problem))["solved"] for problem in problems))
        finally:
            solver.close()
    return {"solved_on": solved[0], "solved_off": solved[1], "positions": len(problems)}


def play_batch(question: Question, terms: AblationTerms, openings: Sequence[str]) -> dict[str, Any]:
    """Pairs at fixed nodes, inside this process."""
    seat, tally = SelfPlay(question.first, question.second, terms.nodes), Tally()
    for fen in openings:
        tally.add(*seat.play_pair(Game(fen).position))
    return {"pentanomial": tally.pentanomial}


def words(options: Options) -> dict[str, Any]:
    """Options as UCI has them: switches are true or false."""
    switches = {item.name for item in TECHNIQUES}
    return {name: bool(value) if name in switches else value for name, value in options.items()}


def play_by_clock(question: Question, terms: AblationTerms, opening: Opening) -> dict[str, Any]:
    """A pair by the clock, between two processes."""
    engines = [EngineSpec(question.name, options=words(options)) for options in (question.first, question.second)]
    facts = play_pair(task_of(0, engines, opening, terms.control, Adjudication()))
    if "trouble" in facts:
        raise AblationError(facts["trouble"])
    counts = [0] * 5
    counts[sum(game["result"] for game in facts["games"]) + 2] = 1
    faults = [f"{game['offender']} {game['fault']}" for game in facts["games"] if game["fault"]]
    return {"pentanomial": counts, "faults": faults}


def answer_one(task: Mapping[str, Any]) -> dict[str, Any]:
    """Do one task, wherever this process runs."""
    question, control = Question(**task["question"]), Control(**task["terms"]["control"])
    terms = replace(AblationTerms(), **(task["terms"] | {"control": control}))
    if task["way"] == ECONOMY:
        return count_nodes(question, terms)
    if task["way"] == SUITE:
        return solve_suite(question, terms)
    if task["way"] == NODES:
        return play_batch(question, terms, task["openings"])
    return play_by_clock(question, terms, Opening(*task["openings"]))


class Ablation:
    """Hands out tasks, the least certain question first, and takes in their answers."""

    def __init__(self, questions: Sequence[Question], terms: AblationTerms) -> None:
        self.terms = terms
        self.answers = {question.name: Answer(question) for question in questions}
        self._openings = shuffled(read_book(DEFAULT_BOOK), terms.seed)
        self._begun: dict[str, set[str]] = {question.name: set() for question in questions}

    def take(self, key: str, facts: Facts) -> None:
        """Take in an item of the store, by its key."""
        name, way, *_ = key.split("/")
        if name in self.answers:
            self._begun[name].add(key)
            self.answers[name].add(way, facts, self.terms.sprt)

    def _task(self, answer: Answer, way: str, openings: Any = ()) -> dict[str, Any]:
        """The task sent to a worker process."""
        facts = asdict(self.terms)
        del facts["sprt"]
        return {"question": asdict(answer.question), "terms": facts, "way": way, "openings": openings}

    def _next_number(self, name: str, way: str) -> int:
        """The first batch, or pair, of a technique that was not started."""
        return next(n for n in range(1 << 30) if f"{name}/{way}/{n}" not in self._begun[name])

    def _offer(self, key: str, answer: Answer, way: str, openings: Any = ()) -> tuple[str, Any]:
        """Hand out a task, and remember that it was."""
        self._begun[answer.question.name].add(key)
        return key, self._task(answer, way, openings)

    def tasks(self) -> Iterator[tuple[str, Any]]:
        """Tasks without end until nothing is open; which comes next is decided when it is asked for."""
        for way in (ECONOMY, SUITE):
            for name, answer in self.answers.items():
                if (key := f"{name}/{way}") not in self._begun[name]:
                    yield self._offer(key, answer, way)
        while (chosen := self._least_certain()) is not None:
            answer, way = chosen
            name = answer.question.name
            number = self._next_number(name, way)
            key = f"{name}/{way}/{number}"
            if way == TIME:
                opening = self._openings[number % len(self._openings)]
                yield self._offer(key, answer, way, [opening.fen, list(opening.moves)])
            else:
                batch = self._openings[number * BATCH_PAIRS : (number + 1) * BATCH_PAIRS]
                fens = [opening.board().fen() for opening in batch]
                yield self._offer(key, answer, way, fens)

    def _least_certain(self) -> tuple[Answer, str] | None:
        """The open question in most doubt, games at fixed nodes before those by the clock."""
        for way in (NODES, TIME):
            pending = [answer for answer in self.answers.values() if self._is_wanted(answer, way)]
            if pending:
                return max(pending, key=lambda answer: (answer.doubt, -self._handed_out(answer, way))), way
        return None

    def _handed_out(self, answer: Answer, way: str) -> int:
        """Number of started batches or pairs of a technique."""
        name = answer.question.name
        return sum(key.startswith(f"{name}/{way}/") for key in self._begun[name])

    def _is_wanted(self, answer: Answer, way: str) -> bool:
        """Is the technique undecided, and is its budget not used up?"""
        size = 2 * BATCH_PAIRS if way == NODES else 2
        once = 2 * len(self._openings)  # an opening played again at the same nodes is the same game
        budget = min(self.terms.games, once) if way == NODES else self.terms.time_games
        return answer.is_open(way, self.terms) and self._handed_out(answer, way) * size < budget
