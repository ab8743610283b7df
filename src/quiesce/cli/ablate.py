"""Shell. `quiesce ablate`: Elo of each search technique."""

import json
import math
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
from rich.table import Table

from quiesce.cli.common import cluster_option, json_option, store_option
from quiesce.cli.console import out, progress, ready
from quiesce.engine.selfplay import KERNELS
from quiesce.lab.ablation import (
    KIND,
    NODES,
    TIME,
    Ablation,
    AblationError,
    AblationTerms,
    Answer,
    answer_one,
    presets,
    switch,
)
from quiesce.lab.match.plan import PlanError, control_of
from quiesce.lab.sprt import Sprt
from quiesce.work.pool import PoolError
from quiesce.work.pools import worker_pool
from quiesce.work.store import Store, StoreError

PLAIN = AblationTerms()
VERDICTS = {1: "stopped: of worth", -1: "stopped: not worth it"}


@click.command()
@click.argument("names", nargs=-1)
@click.option("--preset", type=click.Choice(list(presets())), help="A list of techniques.  [default: quiescence]")
@click.option("--nodes", type=click.IntRange(min=100), default=PLAIN.nodes, show_default=True, help="Nodes a move.")
@click.option(
    "--games",
    type=click.IntRange(min=0),
    default=PLAIN.games,
    show_default=True,
    help="Games at fixed nodes for each technique.",
)
@click.option("--tc", default="2+0.02", show_default=True, help="Time control of games by the clock.")
@click.option(
    "--time-games",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Games by the clock for each technique.",
)
@click.option(
    "--stop/--no-stop", default=True, show_default=True, help="Stop the games of a technique when an SPRT has decided."
)
@click.option("--elo1", type=float, default=10.0, show_default=True, help="Elo bound of the SPRT; the other is 0.")
@click.option("--concurrency", type=click.IntRange(min=1), help="Parallel tasks.  [default: all cores]")
@click.option("--seed", type=int, default=1, show_default=True, help="Random seed of the openings.")
@store_option
@cluster_option
@json_option
def ablate(
    names: tuple[str, ...],
    preset: str | None,
    nodes: int,
    games: int,
    tc: str,
    time_games: int,
    stop: bool,
    elo1: float,
    concurrency: int | None,
    seed: int,
    store_path: Path | None,
    cluster: str | None,
    as_json: bool,
) -> None:
    """NAMES are search techniques; without them a preset is measured: quiescence, search, all or ladder.

    For each technique it measures the nodes to a fixed depth, the positions solved at fixed nodes, and games with it
    against games without it. Most games go to the least certain technique. Stopping early makes Elo a little too large;
    --no-stop plays all games.
    """
    try:
        questions = [switch(name) for name in names] + (presets()[preset] if preset else [])
        questions = questions or presets()["quiescence"]
        test = Sprt(0, elo1) if stop else None
        terms = AblationTerms(nodes, games, time_games, control_of(tc), seed=seed, sprt=test)
    except (AblationError, PlanError, ValueError) as error:
        raise click.UsageError(str(error)) from None
    ready(lazy=KERNELS)
    work = Ablation(questions, terms)
    try:
        with Store(store_path) as store, worker_pool(cluster, concurrency or 0) as pool, progress("ablate") as bar:
            run = store.run(KIND, f"ablation at {nodes} nodes", terms.identity())
            with run.worked_on():
                for key, facts in run.items().items():
                    with run.read_as(key):
                        work.take(key, facts)
                for key, facts in pool.do(answer_one, work.tasks()):
                    if run.add(key, facts):
                        work.take(key, facts)
                    played = sum(min(2 * sum(answer.by_nodes), games) for answer in work.answers.values())
                    bar(played, games * len(questions), f"ablate {key}")
    except (StoreError, PoolError) as error:
        raise click.ClickException(str(error)) from None
    finally:
        show(list(work.answers.values()), terms, as_json)


def facts_of(answer: Answer) -> dict[str, Any]:
    """One technique's results for --json."""
    facts: dict[str, Any] = asdict(answer.question)
    for way, counts in ((NODES, answer.by_nodes), (TIME, answer.by_time)):
        found = answer.worth(way)
        elo = {"elo": found.elo, "error": found.error} if math.isfinite(found.error) else {}
        facts[way] = {"pentanomial": counts, "games": 2 * sum(counts)} | elo
    return facts | {"economy": answer.economy, "suite": answer.suite}


def worth_text(answer: Answer, way: str, counts: list[int]) -> str:
    """Elo with its error, and "undecided" if the interval covers zero."""
    if not sum(counts):
        return "-"
    found = answer.worth(way)
    verdict = answer.verdicts.get(way)
    mark = ("" if found.is_sure else "undecided") if verdict is None else VERDICTS[verdict]
    return f"{found.elo:+.1f} ± {found.error:.1f} ({2 * sum(counts)}) {mark}".strip()


def show(answers: list[Answer], terms: AblationTerms, as_json: bool) -> None:
    """Print the table, largest Elo first."""
    if as_json:
        click.echo(json.dumps([facts_of(answer) for answer in answers]))
        return
    table = Table("technique", "nodes saved", terms.suite, f"Elo at {terms.nodes} nodes", f"Elo at {terms.control}")
    for answer in sorted(answers, key=lambda one: -one.worth(NODES).elo):
        saved = solved = "-"
        if answer.economy is not None:
            saved = f"{1 - answer.economy['nodes_on'] / answer.economy['nodes_off']:+.1%}"
        if answer.suite is not None:
            solved = f"{answer.suite['solved_on']} / {answer.suite['solved_off']} of {answer.suite['positions']}"
        games = (worth_text(answer, NODES, answer.by_nodes), worth_text(answer, TIME, answer.by_time))
        table.add_row(answer.question.name, saved, solved, *games)
    out.print(table)
    for answer in answers:
        if answer.faults:
            out.print(f"[yellow]doubtful:[/] {answer.question.name}: {answer.faults} timed games ended in a fault")
