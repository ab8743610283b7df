"""Shell. Suites in the report: solved positions, times, and failures."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from quiesce.lab.report.charts import Cell, heat_map, legend
from quiesce.lab.report.markup import Html, element, folded, joined, paragraph, percent, plural, table
from quiesce.lab.report.runs import anchor, born, configuration, is_number, parted
from quiesce.work.store import Run

BETWEEN = " / "
"""In a run's name, between suite, engine and limit."""
STEPS = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 60, 120, 300, 600, 1800, 3600)
"""Seconds at which colours may change."""
SHADES = 5
MISSED = "missed"


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of a position; `seconds` to a solution that was held, or None."""

    name: str
    fen: str
    move: str
    is_solved: bool
    points: float
    most: float
    seconds: float | None
    trouble: str

    @property
    def notes(self) -> str:
        """Points, if there are any, and faults."""
        points = f", {self.points:g} of {self.most:g} points" if self.most else ""
        return points + (f" ({self.trouble})" if self.trouble else "")


@dataclass(frozen=True, slots=True)
class Attempt:
    """An engine's answers to a suite under a limit, by place."""

    suite: str
    engine: str
    limit: str
    answers: dict[int, Answer]

    @property
    def solved(self) -> int:
        """Positions solved."""
        return sum(answer.is_solved for answer in self.answers.values())

    @property
    def times(self) -> list[float]:
        """Seconds to each solution."""
        return [answer.seconds for answer in self.answers.values() if answer.is_solved and answer.seconds is not None]

    @property
    def title(self) -> str:
        """Who, and with how much."""
        return f"{self.engine}, {self.limit}" if self.limit else self.engine


def answer_of(facts: dict[str, Any]) -> Answer:
    """An item of a run."""
    seconds = facts.get("seconds")
    return Answer(
        str(facts["id"]),
        str(facts.get("fen", "")),
        str(facts.get("move") or "no move"),
        bool(facts["solved"]),
        float(facts.get("points") or 0),
        float(facts.get("max_points") or 0),
        None if seconds is None else float(seconds),
        str(facts.get("trouble") or ""),
    )


def read(run: Run) -> Attempt:
    """The attempt of a run; its name says whose, in three parts."""
    words = run.name.split(BETWEEN)
    if len(words) != 3:
        words = [str(run.config.get(key, "")) for key in ("suite", "engine", "limit")]
    answers = {int(key): answer_of(facts) for key, facts in run.items().items() if is_number(key)}
    suite, engine, limit = words
    return Attempt(suite, engine, limit, dict(sorted(answers.items())))


def overview(known: Sequence[tuple[Run, Attempt]]) -> Html:
    """A line for each attempt."""
    rows = []
    for _, attempt in known:
        answers, times = attempt.answers.values(), attempt.times
        points, most = sum(answer.points for answer in answers), sum(answer.most for answer in answers)
        share = percent(attempt.solved / len(answers)) if answers else ""
        median = seconds_text(statistics.median(times)) if times else ""
        told = f"{points:g} of {most:g}" if most else ""
        rows.append((attempt.suite, attempt.engine, attempt.limit, f"{attempt.solved} of {len(answers)}",
                     share, told, median))  # fmt: skip
    headings = ("suite", "engine", "limit", "solved", "share", "points", "median time")
    return table(headings, rows, words=3)


def seconds_text(seconds: float) -> str:
    """A time to a solution."""
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.1f} s" if seconds < 60 else f"{seconds:.0f} s"


def steps_for(times: Sequence[float]) -> list[float]:
    """Seconds up to which each shade goes, fast to slow: the last is enough for all."""
    slowest = max(times, default=1.0)
    last = next((place for place, step in enumerate(STEPS) if step >= slowest), len(STEPS) - 1)
    return list(STEPS[max(last - SHADES + 1, 0) : last + 1])


def shade(answer: Answer, steps: Sequence[float]) -> str:
    """The class of an answer's colour."""
    if not answer.is_solved:
        return MISSED
    seconds = steps[-1] if answer.seconds is None else answer.seconds
    return f"h{next((place for place, step in enumerate(steps) if seconds <= step), len(steps) - 1)}"


def cell_of(answer: Answer, steps: Sequence[float]) -> Cell:
    """An answer as a cell."""
    when = "" if answer.seconds is None else f" after {seconds_text(answer.seconds)}"
    how = f"solved{when}" if answer.is_solved else "not solved"
    return Cell(shade(answer, steps), f"{answer.name}: {answer.move}, {how}{answer.notes}", not answer.is_solved)


def missed(attempt: Attempt) -> Html:
    """Positions that were not solved, folded."""
    lost = [answer for answer in attempt.answers.values() if not answer.is_solved]
    if not lost:
        return paragraph("Every position solved.", kind="dim")
    lines = (
        element(
            "li",
            f"{answer.name}: {answer.move}",
            answer.notes,
            " ",
            element("code", answer.fen),
        )
        for answer in lost
    )
    return folded(f"{plural(len(lost), 'position')} not solved", element("ul", *lines, class_="fens"))


def show(suite: str, known: Sequence[tuple[Run, Attempt]]) -> Html:
    """A suite: a map for each engine, position under position."""
    steps = steps_for([seconds for _, attempt in known for seconds in attempt.times])
    size = max((place + 1 for _, attempt in known for place in attempt.answers), default=0)
    parts = []
    for run, attempt in known:
        cells = [cell_of(attempt.answers[place], steps) if place in attempt.answers else None for place in range(size)]
        title = f"{attempt.title}: {attempt.solved} of {len(attempt.answers)} solved"
        drawing = heat_map(title, cells) if cells else paragraph("Nothing is kept yet.")
        parts.append(
            element(
                "div", element("h4", title), born(run), drawing, missed(attempt), configuration(run), id=anchor(run)
            )
        )
    entries = [(f"h{place}", f"up to {step:g} s") for place, step in enumerate(steps)] + [(MISSED, "not solved")]
    return element("article", element("h3", suite), legend(entries), *parts)


def section(runs: Sequence[Run]) -> Html:
    """All suites with all engines."""
    known, notes = parted(runs, read)
    if not known:
        return notes
    suites = dict.fromkeys(attempt.suite for _, attempt in known)
    groups = (show(suite, [pair for pair in known if pair[1].suite == suite]) for suite in suites)
    return joined(notes, overview(known), *groups)
