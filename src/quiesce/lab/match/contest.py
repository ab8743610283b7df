"""Shell. A contest: the pairs of a plan played by a pool, each kept before it counts, until enough is known."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from quiesce.lab.elo import Strength, strength
from quiesce.lab.match.channel import FAULTS
from quiesce.lab.match.openings import book_digest, read_book, shuffled
from quiesce.lab.match.pair import play_pair, task_of
from quiesce.lab.match.plan import STATISTICS, MatchPlan, PlanError
from quiesce.lab.sprt import Sprt
from quiesce.work.pool import WorkerPool
from quiesce.work.store import Run, Store

KIND = "match"
ABOUT = "about"
"""The item of a run that is no pair: which sequential test it serves, and what that counts."""
PENTANOMIAL, TRINOMIAL = STATISTICS
BAD_CRASHES, BAD_TIME_SHARE = 3, 0.1
"""More crashes than this, or this share of games lost on time, and a result means little."""


@dataclass(slots=True)
class Score:
    """The result of a contest so far, for engine 1."""

    pentanomial: list[int] = field(default_factory=lambda: [0] * 5)
    games: list[int] = field(default_factory=lambda: [0] * 3)
    faults: Counter[tuple[int, str]] = field(default_factory=Counter)
    thinking: float = 0.0
    seconds: float = 0.0

    def add(self, facts: Mapping[str, Any]) -> None:
        """Count a pair."""
        results = [game["result"] for game in facts["games"]]
        self.pentanomial[sum(results) + 2] += 1
        for game in facts["games"]:
            self.games[game["result"] + 1] += 1
            if game["fault"]:
                self.faults[game["offender"], game["fault"]] += 1
        self.thinking += facts["thinking"]
        self.seconds += facts["seconds"]

    @property
    def pairs(self) -> int:
        """Pairs counted."""
        return sum(self.pentanomial)

    @property
    def strength(self) -> Strength:
        """Elo of engine 1."""
        return strength(self.pentanomial)

    @property
    def share(self) -> float:
        """Points of engine 1, as a share."""
        losses, draws, wins = self.games
        return (wins + draws / 2) / max(losses + draws + wins, 1)

    def warnings(self) -> list[str]:
        """What makes the result doubtful."""
        words = []
        for seat in (1, 2):
            crashes = sum(self.faults[seat, kind] for kind in FAULTS if kind != "time")
            late = self.faults[seat, "time"]
            if crashes > BAD_CRASHES:
                words.append(f"engine {seat} broke down {crashes} times")
            if late > BAD_TIME_SHARE * sum(self.games):
                words.append(f"engine {seat} lost {late} games on time")
        return words


def counted(score: Score, is_trinomial: bool) -> list[int]:
    """What a sequential test looks at: pairs, or single games."""
    return score.games if is_trinomial else score.pentanomial


def sprt_counts(plan: MatchPlan, score: Score) -> list[int]:
    """What the sequential test of a plan looks at."""
    return counted(score, plan.is_trinomial)


def about(plan: MatchPlan) -> dict[str, Any]:
    """What a run keeps of the sequential test of its plan."""
    assert plan.sprt is not None
    return {"sprt": asdict(plan.sprt), "statistics": TRINOMIAL if plan.is_trinomial else PENTANOMIAL}


def sequential_test(told: Mapping[str, Any] | None) -> tuple[Sprt | None, bool]:
    """The sequential test of a stored run, and whether it counts single games; old runs count pairs."""
    if not told or not told.get("sprt"):
        return None, False
    return Sprt(**told["sprt"]), told.get("statistics") == TRINOMIAL


OnPair = Callable[[Score], None]


class Contest:
    """Plays a plan; what the store has already is not played again."""

    def __init__(self, plan: MatchPlan, store: Store) -> None:
        self.plan = plan
        book = read_book(plan.book, plan.plies, plan.seed)
        self.openings = shuffled(book, plan.seed)
        self.run: Run = store.run(KIND, plan.name, plan.identity() | {"openings": book_digest(book)})
        self.score = Score()
        for engine in (plan.engine1, plan.engine2):
            engine.command_line()  # a revision is built now, not by all workers at once

    @property
    def pairs(self) -> int:
        """Pairs to play: without a clock an opening played again would be the same game, and no evidence."""
        return min(self.plan.pairs, len(self.openings)) if self.plan.control.is_repeatable else self.plan.pairs

    def kept(self) -> list[tuple[str, Any]]:
        """Pairs in the store, in the order they were kept."""
        pairs = [(key, facts) for key, facts in self.run.items().items() if key != ABOUT]
        for key, _ in pairs:
            with self.run.read_as(key):
                int(key)
        return pairs

    def tasks(self, kept: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
        """Pairs that are missing, each with all that a process needs to play it."""
        plan, engines = self.plan, [self.plan.engine1, self.plan.engine2]
        for number in range(self.pairs):
            if str(number) not in kept:
                opening = self.openings[number % len(self.openings)]
                yield str(number), task_of(number, engines, opening, plan.control, plan.adjudication)

    @property
    def is_decided(self) -> bool:
        """Has the sequential test, if there is one, come to its end?"""
        return self.plan.sprt is not None and self.plan.sprt.verdict(sprt_counts(self.plan, self.score)) != 0

    def play(self, pool: WorkerPool, on_pair: OnPair | None = None) -> Score:
        """Play until all pairs are there or the test is decided."""
        with self.run.worked_on():
            kept = {key: facts for key, facts in self.kept() if int(key) < self.pairs}
            for key, facts in kept.items():
                if not self.is_decided:
                    with self.run.read_as(key):
                        self.score.add(facts)
            if self.plan.sprt is not None:
                self.run.put(ABOUT, about(self.plan))
            if self.is_decided:
                return self.score
            for key, facts in pool.do(play_pair, self.tasks(kept)):
                if "trouble" in facts:
                    raise PlanError(facts["trouble"])
                if self.run.add(key, facts):
                    self.score.add(facts)
                    if on_pair is not None:
                        on_pair(self.score)
                if self.is_decided:
                    break
        return self.score

    def pgn(self) -> str:
        """All games kept, in the order of their openings."""
        pairs = sorted(self.kept(), key=lambda pair: int(pair[0]))
        texts = list[str]()
        for key, facts in pairs:
            with self.run.read_as(key):
                texts += [game["pgn"] for game in facts["games"]]
        return "\n\n".join(texts) + "\n"
