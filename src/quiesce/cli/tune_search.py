"""Shell. `quiesce tune search`: search parameters tuned by SPSA."""

import json
import time
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from quiesce.board.readfile import read_text
from quiesce.cli.common import cluster_option, json_option, resumable
from quiesce.cli.console import Bar, err, progress, ready
from quiesce.cli.options import option_option, search_options
from quiesce.engine.selfplay import KERNELS
from quiesce.lab.arena import DEFAULT_NODES
from quiesce.lab.elo import known
from quiesce.lab.spsa import DEFAULT_RATE
from quiesce.lab.tunesearch import (
    DEFAULT_IN_FLIGHT,
    DEFAULT_ITERATIONS,
    DEFAULT_PAIRS,
    TuneError,
    TunePlan,
    Tuning,
    parameters_of,
)
from quiesce.work.cores import cores
from quiesce.work.pool import PoolError, WorkerPool
from quiesce.work.pools import worker_pool
from quiesce.work.store import Store, StoreError

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
STORE = click.Path(dir_okay=False, path_type=Path)
LARGEST_FILE = 1 << 20
POSITIVE = click.IntRange(min=1)
PARAMETERS = "parameters"
NEWS_SECONDS = 60.0
"""Seconds between lines of progress if there is no terminal."""
UNTOLD = {"names", "config", "as_json"}
"""Options that a configuration file cannot set."""


def read_config(context: click.Context, _parameter: click.Parameter, path: Path | None) -> dict[str, Any]:
    """The table of parameters in a TOML file. Its other keys become defaults of the options."""
    if path is None:
        return {}
    try:
        told = tomllib.loads(read_text(path, LARGEST_FILE))
    except OSError as error:
        raise click.BadParameter(f"{path}: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:
        raise click.BadParameter(f"{path}: {error}") from None
    known = {str(item.name) for item in context.command.params} - UNTOLD
    if unknown := set(told) - known - {PARAMETERS}:
        names = ", ".join(sorted({PARAMETERS, *known}))
        raise click.BadParameter(f"{path}: unknown key {min(unknown)!r}; known are {names}")
    parameters = told.pop(PARAMETERS, {})
    if not isinstance(parameters, dict) or not all(isinstance(item, dict) for item in parameters.values()):
        raise click.BadParameter(f"{path}: {PARAMETERS} must be a table such as FutilityBase = {{ c = 10 }}")
    context.default_map = told
    return parameters


@dataclass(frozen=True, slots=True)
class TuneRequest:
    """A plan, its workers and where its results go."""

    plan: TunePlan
    store: Path | None
    concurrency: int
    cluster: str | None
    verify: int
    as_json: bool


@click.command(name="search")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--iterations", type=POSITIVE, default=DEFAULT_ITERATIONS, show_default=True, help="Total steps.")
@click.option("--pairs", type=POSITIVE, default=DEFAULT_PAIRS, show_default=True, help="Game pairs per step.")
@click.option("--nodes", type=click.IntRange(min=100), default=DEFAULT_NODES, show_default=True, help="Nodes per move.")
@click.option("--book", default="", help="Opening file: EPD, PGN, Polyglot, or gnubook.  [default: random moves]")
@click.option("--seed", type=int, default=1, show_default=True, help="Random seed.")
@click.option("--rate", type=click.FloatRange(0, 1, min_open=True), default=DEFAULT_RATE, show_default=True,
              help="Learning rate; larger for fewer games.")  # fmt: skip
@click.option("--in-flight", type=POSITIVE, default=DEFAULT_IN_FLIGHT, show_default=True,
              help="Steps in progress at once. Changes the result, unlike --concurrency.")  # fmt: skip
@option_option
@click.option("--verify", type=click.IntRange(min=0), default=0, metavar="PAIRS",
              help="Pairs to play at the end: the result against the start.")  # fmt: skip
@click.option("--concurrency", type=click.IntRange(min=0), default=0, help="Parallel games.  [default: all cores]")
@cluster_option
@click.option("--store", type=STORE, help="File of stored results.  [default: QUIESCE_STORE, or the user's]")
@click.option("--config", type=FILE, callback=read_config, is_eager=True,
              help="TOML file of options and parameters; command-line options override it.")  # fmt: skip
@json_option
def tune_search(
    names: tuple[str, ...], options: tuple[str, ...], config: dict[str, Any], as_json: bool, **told: Any
) -> None:
    """Tune search parameters by SPSA, with self-play games at fixed nodes.

    NAME is a parameter such as FutilityBase, a technique such as NullMove for all its parameters, or the start of names
    such as QSearch. Each step is stored.
    """
    rest = {key: told.pop(key) for key in ("store", "concurrency", "cluster", "verify")}
    try:
        both = search_options(options)
        parameters = parameters_of([*names, *config], both, config)
        ready(lazy=KERNELS)
        plan = TunePlan(parameters, options=both, **told)
        go(TuneRequest(plan, as_json=as_json, **rest))
    except TuneError as error:
        raise click.UsageError(str(error)) from None
    except (StoreError, PoolError) as error:
        raise click.ClickException(str(error)) from None


def go(request: TuneRequest) -> None:
    """Run the tuning and show the result. An interrupt loses only unfinished steps."""
    plan, wanted = request.plan, request.concurrency or cores()
    if request.cluster is None and wanted > plan.in_flight:
        err.print(f"only {plan.in_flight} of {wanted} processes will have work: see --in-flight")
    with Store(request.store) as store:
        tuning = Tuning(plan, store)
        with resumable(), worker_pool(request.cluster, request.concurrency) as pool, progress("tuning") as bar:
            play(request, tuning, pool, bar)
    show(request, tuning)


def play(request: TuneRequest, tuning: Tuning, pool: WorkerPool, bar: Bar) -> None:
    """Play the missing steps, with progress."""
    last = time.monotonic()

    def tell(done: int, total: int, what: str) -> None:
        nonlocal last
        bar(done, total, what)
        if not err.is_terminal and time.monotonic() - last >= NEWS_SECONDS:
            last = time.monotonic()
            err.print(f"{done} of {total}: {what}")

    def on_step(now: Tuning) -> None:
        values = ", ".join(f"{name} {value:.1f}" for name, value in now.values.items())
        tell(now.applied, request.plan.iterations, values)

    def on_pair(now: Tuning) -> None:
        tell(now.verified.games // 2, request.verify, f"verifying: {now.verified.strength}")

    tuning.play(pool, on_step)
    if request.verify and tuning.found != tuning.start:
        tuning.verify(pool, request.verify, on_pair)


def facts_of(tuning: Tuning) -> dict[str, Any]:
    """The result for --json."""
    values, found = tuning.values, tuning.found
    facts: dict[str, Any] = {
        "iterations": tuning.applied,
        "games": tuning.tally.games,
        "parameters": {
            item.name: {"start": item.start, "end": values[item.name], "rounded": found[item.name]}
            for item in tuning.plan.parameters
        },
        "arena": arena_line(tuning),
    }
    if tuning.verified.games:
        counted, shown = tuning.verified, tuning.verified.strength
        facts["verified"] = {"games": counted.games, "pentanomial": counted.pentanomial, "elo": shown.elo}
        facts["verified"] |= {"error": known(shown.error), "los": shown.superiority}
    return facts


def arena_line(tuning: Tuning) -> str:
    """The command that plays the result against the defaults."""
    words = [f"--{side} {name}={value}" for name, value in tuning.plan.options.items() for side in ("first", "second")]
    return " ".join(["quiesce arena", *words, *(f"--first {name}={value}" for name, value in tuning.found.items())])


def show(request: TuneRequest, tuning: Tuning) -> None:
    """Print the old and new values."""
    if request.as_json:
        click.echo(json.dumps(facts_of(tuning)))
        return
    wide = max(len(item.name) for item in tuning.plan.parameters)
    click.echo(f"{'parameter':<{wide}} {'start':>9} {'end':>9} {'exactly':>12}")
    for item in tuning.plan.parameters:
        exact = tuning.values[item.name]
        click.echo(f"{item.name:<{wide}} {item.start:>9g} {tuning.found[item.name]:>9} {exact:>12.2f}")
    click.echo(f"{tuning.applied} iterations, {tuning.tally.games} games at {request.plan.nodes} nodes")
    click.echo(arena_line(tuning))
    if tuning.found == tuning.start:
        click.echo("no parameter changed by a whole number: use more games or a larger --rate")
    if tuning.verified.games:
        counts = " ".join(str(count) for count in tuning.verified.pentanomial)
        click.echo(f"verified by {tuning.verified.games} other games, pentanomial {counts}: {tuning.verified.strength}")
