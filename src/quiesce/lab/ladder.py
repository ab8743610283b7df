"""Shell. The ladder: our engine against opponents with published ratings, a match each, and the rating that follows."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from quiesce.lab.elo import known
from quiesce.lab.match.contest import Contest, Score
from quiesce.lab.match.engines import EngineSpec, is_installed
from quiesce.lab.match.plan import MatchPlan
from quiesce.lab.rating import Rating, Rung, rating_of
from quiesce.work.pool import WorkerPool
from quiesce.work.store import Store

KIND = "ladder"
OURSELVES = "ours"

OnPair = Callable[[str, Score], None]


@dataclass(slots=True)
class Ladder:
    """A plan whose second engine is each opponent in turn."""

    plan: MatchPlan
    opponents: Mapping[str, EngineSpec]
    scores: dict[str, Score] = field(default_factory=dict)

    @property
    def missing(self) -> list[str]:
        """Opponents that are not on this machine."""
        return [name for name, engine in self.opponents.items() if not is_installed(engine)]

    def climb(self, pool: WorkerPool, store: Store, on_pair: OnPair | None = None) -> Rating:
        """Play all matches that are not played yet."""
        names = {name: engine for name, engine in self.opponents.items() if name not in self.missing}
        config = {name: replace(self.plan, engine2=engine).identity() for name, engine in names.items()}
        run = store.run(KIND, f"{self.plan.engine1.title} against {', '.join(names)}, {self.plan.control}", config)
        for name, engine in names.items():
            contest = Contest(replace(self.plan, engine2=engine), store)
            self.scores[name] = contest.score

            def show(score: Score, name: str = name) -> None:
                if on_pair is not None:
                    on_pair(name, score)

            contest.play(pool, show)
            found = contest.score.strength
            facts = {
                "rating": engine.rating,
                "games": contest.score.games,
                "elo": found.elo,
                "error": known(found.error),
            }
            run.put(name, facts)
        rating = self.rating()
        run.put(OURSELVES, {"rating": known(rating.value), "error": known(rating.error)})
        return rating

    def rating(self) -> Rating:
        """Our rating, from all opponents whose own is published."""
        losses_draws_wins = {name: tuple(score.games) for name, score in self.scores.items()}
        return rating_of(
            [
                Rung(rating, (games[0], games[1], games[2]))
                for name, games in losses_draws_wins.items()
                if (rating := self.opponents[name].rating) is not None
            ]
        )
