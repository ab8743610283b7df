"""Shell. Tuning in the report: the path of each parameter."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from quiesce.lab.elo import strength
from quiesce.lab.report.charts import Rule, Series, line_chart
from quiesce.lab.report.markup import Html, charts, joined, paragraph, plural, table, tiles, with_error
from quiesce.lab.report.runs import article, is_number, parted
from quiesce.lab.report.scale import span
from quiesce.work.store import Run


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter: its bounds and step, if known, and its value after each iteration."""

    name: str
    plan: dict[str, float]
    values: Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Tuning:
    """A tuning: parameters, iterations, games, and verification pairs."""

    parameters: Sequence[Parameter]
    iterations: int
    games: int
    verified: Sequence[int]


def read(run: Run) -> Tuning:
    """The tuning of a run."""
    items = run.items()
    steps = [(int(key), facts) for key, facts in items.items() if is_number(key)]
    steps.sort(key=lambda step: step[0])
    plans: dict[str, Any] = dict(run.config.get("parameters", {}))
    values = [(step, facts["values"]) for step, facts in steps if "values" in facts]  # some wait for earlier ones
    names = dict.fromkeys([*plans, *(name for _, known in values for name in known)])
    parameters = [
        Parameter(
            name,
            {word: float(value) for word, value in plans.get(name, {}).items()},
            [(step, float(known[name])) for step, known in values if name in known],
        )
        for name in names
    ]
    return Tuning(parameters, len(values), sum(int(facts.get("games", 0)) for _, facts in steps), verified(items))


def verified(items: Mapping[str, Any]) -> list[int]:
    """The verification pairs of a run."""
    counts = [0] * 5
    for key, facts in items.items():
        if not is_number(key) and "pentanomial" in facts:
            counts = [before + int(more) for before, more in zip(counts, facts["pentanomial"], strict=True)]
    return counts


def chart(parameter: Parameter) -> Html | None:
    """One parameter's path; the dashed line is its start."""
    if not parameter.values:
        return None
    start = parameter.plan.get("start")
    rules = [] if start is None else [Rule(start, "")]
    step = parameter.plan.get("c", 0.0)
    values = [value for _, value in parameter.values] + [rule.value for rule in rules]
    limits = span([min(values) - step, max(values) + step])
    series = Series(parameter.name, parameter.values)
    title = parameter.name if start is None else f"{parameter.name}, from {start:g} to {parameter.values[-1][1]:.4g}"
    return line_chart(title, [series], ("iterations", "value"), rules, limits=limits)


def row(parameter: Parameter) -> tuple[str, ...]:
    """A parameter's line of the table."""
    told = [parameter.plan.get(word) for word in ("start", "low", "high", "c")]
    start, low, high, step = ("" if value is None else f"{value:g}" for value in told)
    now = f"{parameter.values[-1][1]:.4g}" if parameter.values else ""
    return parameter.name, start, now, low, high, step


def show(run: Run, tuning: Tuning) -> Html:
    """A tuning as an article."""
    done = f"{plural(tuning.iterations, 'iteration')}, {plural(tuning.games, 'game')}."
    proof = []
    if sum(tuning.verified):
        found = strength(tuning.verified)
        proof.append(tiles([("found over start, Elo", with_error(found.elo, found.error)),
                            ("games of that", f"{2 * sum(tuning.verified):,}")]))  # fmt: skip
    figures = [figure for figure in map(chart, tuning.parameters) if figure is not None]
    rows = table(("parameter", "start", "now", "low", "high", "step"), map(row, tuning.parameters))
    return article(run, paragraph(done), *proof, rows, charts(*figures))


def section(runs: Sequence[Run]) -> Html:
    """All tunings."""
    known, notes = parted(runs, read)
    return joined(notes, *(show(run, tuning) for run, tuning in known))
