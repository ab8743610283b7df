"""Shell. Benches in the report: how much of the search is quiescence, and how long each depth takes."""

import statistics
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from quiesce.lab.report.charts import Bar, Series, bar_chart, line_chart
from quiesce.lab.report.kinds import KINDS_OF_POSITIONS
from quiesce.lab.report.markup import Html, charts, joined, paragraph, percent, table
from quiesce.lab.report.runs import article, parted
from quiesce.work.store import Run

SHORTEST = 1e-5
"""Seconds that stand for less, so that they have a logarithm."""


@dataclass(frozen=True, slots=True)
class Searched:
    """A position of a bench: its kind, nodes in all and in quiescence, and seconds to each depth."""

    kind: str
    nodes: int
    qnodes: int
    seconds: dict[int, float]


def searched(facts: dict[str, Any]) -> Searched:
    """An item of a run."""
    depths = {int(one["depth"]): float(one["seconds"]) for one in facts["depths"]}
    return Searched(str(facts["kind"]), int(facts["nodes"]), int(facts["qnodes"]), depths)


def read(run: Run) -> list[Searched]:
    """The positions of a run."""
    return [searched(facts) for facts in run.items().values() if "qnodes" in facts]


def by_kind(found: Sequence[Searched]) -> dict[str, list[Searched]]:
    """Positions by kind, calm kinds first."""
    groups = defaultdict(list)
    for one in found:
        groups[one.kind].append(one)
    order = {kind: place for place, kind in enumerate(KINDS_OF_POSITIONS)}
    return dict(sorted(groups.items(), key=lambda pair: order.get(pair[0], len(order))))


def quiet_share(found: Sequence[Searched]) -> float:
    """Share of nodes that are quiescence's."""
    return sum(one.qnodes for one in found) / max(sum(one.nodes for one in found), 1)


def shares_chart(found: Sequence[Searched]) -> Html:
    """The share of quiescence by kind of position."""
    bars = [
        Bar(f"{kind} ({len(group)})", 100 * quiet_share(group), percent(quiet_share(group)))
        for kind, group in [*by_kind(found).items(), ("all", list(found))]
    ]
    return bar_chart("Nodes of quiescence, by kind of position", bars, "% of nodes")


def depths_chart(found: Sequence[Searched]) -> Html | None:
    """Median time to each depth that all positions of a kind have reached, by kind of position."""
    series = []
    for kind, group in by_kind(found).items():
        reached = sorted(set.intersection(*(set(one.seconds) for one in group)))
        points = [
            (float(depth), max(statistics.median(one.seconds[depth] for one in group), SHORTEST)) for depth in reached
        ]
        if points:
            series.append(Series(kind, points))
    return line_chart("Median time to depth", series, ("depth", "seconds"), is_log=True) if series else None


def row(run: Run, found: Sequence[Searched]) -> tuple[str, ...]:
    """A bench's line of the table."""
    nodes = sum(one.nodes for one in found)
    seconds = sum(max(one.seconds.values(), default=0.0) for one in found)
    speed = f"{nodes / seconds:,.0f}" if seconds else ""
    return (f"{run.id}", str(run.config.get("sources", "")), f"{run.config.get('depth', '')}", f"{len(found)}",
            f"{nodes:,}", f"{seconds:.2f}", speed, percent(quiet_share(found)))  # fmt: skip


HEADINGS = ("run", "sources", "depth", "positions", "nodes", "seconds", "nodes a second", "quiescence")


def show(run: Run, found: Sequence[Searched]) -> Html:
    """A bench as an article."""
    if not found:
        return article(run, paragraph("No position is kept yet."))
    figures = [shares_chart(found), depths_chart(found)]
    return article(run, charts(*(figure for figure in figures if figure is not None)))


def section(runs: Sequence[Run]) -> Html:
    """All benches, side by side in a table."""
    known, notes = parted(runs, read)
    above = table(HEADINGS, [row(run, found) for run, found in known], words=2) if known else ""
    return joined(notes, above, *(show(run, found) for run, found in known))
