"""Shell. Ladders in the report: results against engines of published ratings, and the rating they make ours."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from quiesce.lab.report.charts import Mark, Strip, legend, strip_chart
from quiesce.lab.report.markup import (
    Html,
    amount,
    charts,
    games_text,
    joined,
    paragraph,
    percent,
    table,
    tiles,
    with_error,
)
from quiesce.lab.report.runs import article, parted
from quiesce.work.store import Run

OURS = "ours"


@dataclass(frozen=True, slots=True)
class Rung:
    """An opponent: published rating, our losses, draws and wins, our Elo over it with half the interval."""

    name: str
    rating: float | None
    games: tuple[int, int, int]
    elo: float
    error: float

    @property
    def score(self) -> float:
        """Our share of the points."""
        losses, draws, wins = self.games
        return (wins + draws / 2) / max(losses + draws + wins, 1)

    @property
    def performance(self) -> float | None:
        """The rating that the games against this one alone would make ours."""
        return None if self.rating is None else self.rating + self.elo


@dataclass(frozen=True, slots=True)
class Climb:
    """A ladder, strongest opponent first, and our rating if it was computed."""

    rungs: Sequence[Rung]
    ours: Mark | None


def read(run: Run) -> Climb:
    """The ladder of a run."""
    items = run.items()
    ours = items.pop(OURS, None)
    rungs = []
    for name, facts in items.items():
        if "games" in facts:
            losses, draws, wins = (int(count) for count in facts["games"])
            rating = facts.get("rating")
            known = None if rating is None else float(rating)
            rungs.append(Rung(name, known, (losses, draws, wins), float(facts["elo"]), or_infinite(facts["error"])))
    rungs.sort(key=lambda rung: -(rung.rating or 0))
    is_known = ours is not None and ours["rating"] is not None
    return Climb(rungs, Mark(float(ours["rating"]), or_infinite(ours["error"])) if is_known else None)


def or_infinite(error: float | None) -> float:
    """An error; one that is not known has no end."""
    return math.inf if error is None else float(error)


def row(rung: Rung) -> tuple[str, ...]:
    """An opponent's line of the table."""
    published = "" if rung.rating is None else f"{rung.rating:.0f}"
    implied = "" if rung.performance is None else f"{rung.performance:.0f} ± {amount(rung.error)}"
    return (rung.name, published, f"{sum(rung.games):,}", games_text(rung.games), percent(rung.score),
            with_error(rung.elo, rung.error), implied)  # fmt: skip


HEADINGS = ("opponent", "published", "games", "won / drawn / lost", "score", "Elo over it", "our rating by it")


def chart(climb: Climb) -> Html | None:
    """Published ratings, ours by each opponent, and ours by all."""
    strips = [
        Strip(rung.name, (Mark(rung.rating), Mark(rung.performance, rung.error, "found")), f"{rung.rating:.0f}")
        for rung in climb.rungs
        if rung.rating is not None and rung.performance is not None
    ]
    if not strips:
        return None
    entries = [("known", "published"), ("found", "ours by these games alone")]
    key = legend([*entries, ("c0", "ours by all games")] if climb.ours else entries)
    return strip_chart("Ratings", strips, "rating", climb.ours, key)


def show(run: Run, climb: Climb) -> Html:
    """A ladder as an article."""
    if not climb.rungs:
        return article(run, paragraph("No games are kept yet."))
    above: list[Html] = []
    if climb.ours is not None:
        above.append(tiles([("our rating", f"{climb.ours.value:.0f} ± {amount(climb.ours.error)}")]))
    drawing = chart(climb)
    if drawing is not None:
        above.append(charts(drawing))
    return article(run, *above, table(HEADINGS, [row(rung) for rung in climb.rungs]))


def section(runs: Sequence[Run]) -> Html:
    """All ladders."""
    known, notes = parted(runs, read)
    return joined(notes, *(show(run, climb) for run, climb in known))
