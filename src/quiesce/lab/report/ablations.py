"""Shell. Ablations in the report: what each technique is worth, on against off, with how sure that is."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from quiesce.lab.elo import strength
from quiesce.lab.match.referee import Control
from quiesce.lab.report.charts import Bar, bar_chart, legend
from quiesce.lab.report.markup import Html, charts, joined, paragraph, table, with_error
from quiesce.lab.report.runs import article, parted
from quiesce.work.store import Run

ECONOMY, SUITE, NODES, TIME = "economy", "suite", "nodes", "time"
UNDECIDED = "(undecided) "


@dataclass(slots=True)
class Switch:
    """What is known of one technique; pairs are on against off."""

    name: str
    economy: tuple[int, int] | None = None
    """Nodes to the same depths, on and off."""
    suite: tuple[int, int, int] | None = None
    """Positions solved on and off, and how many there are."""
    by_nodes: list[int] = field(default_factory=lambda: [0] * 5)
    by_time: list[int] = field(default_factory=lambda: [0] * 5)

    @property
    def worth(self) -> float:
        """Elo it is sorted by: on the clock where that was played, else at equal nodes."""
        return strength(self.by_time if sum(self.by_time) else self.by_nodes).elo


def read(run: Run) -> list[Switch]:
    """All techniques of a run, the most worth first."""
    switches: dict[str, Switch] = {}
    for key, facts in run.items().items():
        name, _, measure = key.partition("/")
        if not measure:
            continue
        switch = switches.setdefault(name, Switch(name))
        kind = measure.partition("/")[0]
        if kind == ECONOMY:
            switch.economy = int(facts["nodes_on"]), int(facts["nodes_off"])
        elif kind == SUITE:
            switch.suite = int(facts["solved_on"]), int(facts["solved_off"]), int(facts["positions"])
        elif kind in (NODES, TIME):
            counts = switch.by_nodes if kind == NODES else switch.by_time
            for place, count in enumerate(facts["pentanomial"]):
                counts[place] += int(count)
    return sorted(switches.values(), key=lambda switch: (-switch.worth, switch.name))


def elo_text(counts: Sequence[int]) -> str:
    """Elo of on over off, marked if undecided."""
    if not sum(counts):
        return ""
    found = strength(counts)
    return (UNDECIDED if not found.is_sure else "") + with_error(found.elo, found.error)


def row(switch: Switch) -> tuple[str, ...]:
    """A technique's line of the table."""
    economy = suite = ""
    if switch.economy:
        on, off = switch.economy
        economy = f"{off / on:.2f}" if on else ""
    if switch.suite:
        on, off, positions = switch.suite
        suite = f"{on - off:+d} ({on} : {off} of {positions})"
    return (switch.name, elo_text(switch.by_time), f"{2 * sum(switch.by_time):,}",
            elo_text(switch.by_nodes), f"{2 * sum(switch.by_nodes):,}", economy, suite)  # fmt: skip


HEADINGS = ("technique", "Elo, on the clock", "games", "Elo, equal nodes", "games", "nodes without it", "suite")


def chart(title: str, switches: Sequence[Switch], counts: Callable[[Switch], Sequence[int]]) -> Html | None:
    """Bars of all techniques that were measured so, the most worth first."""
    measured = [(switch.name, strength(counts(switch))) for switch in switches if sum(counts(switch))]
    if not measured:
        return None
    measured.sort(key=lambda pair: -pair[1].elo)
    bars = [Bar(name, found.elo, f"{found.elo:+.1f}", found.error, not found.is_sure) for name, found in measured]
    return bar_chart(title, bars, "Elo of on over off, 95 % interval")


def control_text(told: object) -> str:
    """A time control as text."""
    return str(Control(**told)) if isinstance(told, dict) else str(told)


def show(run: Run, switches: Sequence[Switch]) -> Html:
    """An ablation as an article."""
    if not switches:
        return article(run, paragraph("Nothing is kept yet."))
    config = run.config
    figures = (
        chart(f"On the clock: {control_text(config.get('control', ''))}", switches, lambda switch: switch.by_time),
        chart(f"At equal nodes: {config.get('nodes', '')} a move", switches, lambda switch: switch.by_nodes),
    )
    drawn = [figure for figure in figures if figure is not None]
    key = legend((("sure", "helps"), ("minus", "harms"), ("open", "undecided: the interval holds zero")))
    words = paragraph(
        "“Nodes without it” is how many times the nodes the same depths take without the technique; ",
        "“suite” is positions solved with it more than without.",
        kind="dim",
    )
    above = (charts(*drawn), key) if drawn else ()
    return article(run, *above, table(HEADINGS, [row(switch) for switch in switches]), words)


def section(runs: Sequence[Run]) -> Html:
    """All ablations."""
    known, notes = parted(runs, read)
    return joined(notes, *(show(run, switches) for run, switches in known))
