"""Shell. `quiesce data`: inspect, check, merge and shuffle files of training positions."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import click

from quiesce.cli import WholeGroup
from quiesce.cli.common import NewFile, json_option
from quiesce.cli.console import progress
from quiesce.eval.repeats import Repeats
from quiesce.eval.samples import SamplesError
from quiesce.lab import datafiles

FILES = click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
OUT = click.option("--out", required=True, type=NewFile(), help="The file to write.")
SEED = click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Random seed.")
WIDEST_BAR = 40
RESULTS = ("loss", "draw", "win")
KNOWN_APART = ("made_of", "options")
"""Facts of a header that are shown in another way, or only with --json."""


@contextmanager
def told_plainly() -> Iterator[None]:
    """Turn errors of files into one-sentence errors."""
    try:
        yield
    except (SamplesError, OSError) as error:
        raise click.ClickException(str(error)) from None


def not_among(out: Path, files: tuple[Path, ...]) -> None:
    """Refuse to overwrite an input file."""
    if out.exists() and any(out.samefile(file) for file in files):
        raise click.UsageError(f"{out} is an input file")


@click.group(cls=WholeGroup)
def data() -> None:
    """FILES are made by `quiesce datagen`."""


@data.command()
@FILES
@json_option
def library(files: tuple[Path, ...], as_json: bool) -> None:
    """List files with their plans, one per line, and totals. Reads only the headers."""
    with told_plainly():
        found = [datafiles.listed(path) for path in files]
    total = {name: sum(facts[name] for facts in found) for name in ("positions", "blocks", "bytes")}
    if as_json:
        click.echo(json.dumps({"files": found, "total": total}))
        return
    for facts in found:
        cut = ", cut short" if facts["is_cut"] else ""
        click.echo(
            f"{facts['positions']:>14,}  {facts['kind']:<9} {Path(facts['file']).name}: {plan_of(facts['plan'])}{cut}"
        )
    each = total["bytes"] / max(total["positions"], 1)
    click.echo(f"{total['positions']:>14,}  positions in {total['blocks']:,} blocks, {each:.1f} bytes each")


def plan_of(plan: dict[str, Any]) -> str:
    """One line on how the positions were made."""
    if "nodes" not in plan:
        return "made of others"
    low, high = plan.get("random_plies", ("?", "?"))
    where = f"{plan.get('openings', 'lines')}, {low}..{high} random plies"
    engine = f"{plan.get('version', '?')} {str(plan.get('sources', ''))[:8]} with {plan.get('weights', '?')}"
    where += f", {plan['interior']} interior nodes" if plan.get("interior") else ""
    return f"{plan['nodes']} nodes, {where}, seed {plan.get('seed', '?')}, by {engine}"


@data.command()
@FILES
@json_option
def info(files: tuple[Path, ...], as_json: bool) -> None:
    """Show the origin, counts, results and scores of files.

    The quiet share is the share of plies that became positions.
    """
    with told_plainly():
        found = [datafiles.info_of(path) for path in files]
    if as_json:
        click.echo(json.dumps({"files": found}))
        return
    for facts in found:
        show(facts)


def show(facts: dict[str, Any]) -> None:
    """Print what is known of one file."""
    click.echo(facts["file"])
    click.echo(f"  {facts['positions']:,} positions of {facts['games']:,} games in {facts['blocks']:,} blocks")
    click.echo(f"  {facts['bytes']:,} bytes, {facts['bytes_a_position']} a position; {facts['men']} pieces on average")
    if facts["is_cut"]:
        click.echo("  cut short after its last whole block")
    if facts["is_shuffled"]:
        click.echo("  shuffled: games are torn apart")
    if facts["quiet_share"] is not None:
        click.echo(f"  quiet share {facts['quiet_share']:.1%} of {facts['plies']:,} plies")
    for name, value in facts["header"].items():
        if name not in KNOWN_APART or (value and name != "made_of"):
            click.echo(f"  {name}: {value}")
    for source in facts["header"].get("made_of", ()):
        click.echo(f"  made of {source['file']}: {source['positions']:,} positions")
    for side in ("mover", "white"):
        counts = facts[side]
        shares = ", ".join(f"{count / max(facts['positions'], 1):.1%} {name}" for name, count in counts.items())
        click.echo(f"  {'side to move' if side == 'mover' else 'White'}: {shares}")
    edges = facts["score_edges"]
    names = [f"to {edges[0]}", *(f"{low} to {high}" for low, high in pairwise(edges))]
    most = max(*facts["scores"], 1)
    for name, count in zip([*names, f"over {edges[-1]}"], facts["scores"], strict=True):
        click.echo(f"  {name:>14} {count:>12,} {'#' * round(WIDEST_BAR * count / most)}")


@data.command()
@FILES
def check(files: tuple[Path, ...]) -> None:
    """Read every block and check checksums, sizes and positions; count games that occur more than once.

    A truncated file is an error. Repeated games are not: training skips them.
    """
    cut, repeats = 0, Repeats()
    for path in files:
        with told_plainly():
            found = datafiles.check(path, repeats)
        cut += found.is_cut
        state = f"cut short after {found.end:,} bytes; up to there" if found.is_cut else "whole:"
        click.echo(f"{path}: {state} {len(found):,} positions in {len(found.blocks):,} blocks")
    if repeated := sum(map(len, repeats.found().values())):
        click.echo(f"{repeated:,} of {repeats.games:,} games repeat earlier ones: training leaves them out")
    if cut:
        raise click.ClickException(
            "the same `quiesce datagen` cuts off the rest and goes on; `data merge` leaves it out"
        )


@data.command()
@FILES
@OUT
def merge(files: tuple[Path, ...], out: Path) -> None:
    """Write all FILES into one, keeping games together."""
    not_among(out, files)
    with told_plainly():
        click.echo(f"{datafiles.merge(list(files), out):,} positions in {out}")


@data.command()
@FILES
@OUT
@SEED
@click.option("--td-lambda", "--foresight", "td_lambda", type=click.FloatRange(0, 1, max_open=True), default=0.0,
              show_default=True, help="Weight of the next position's score in a score.")  # fmt: skip
@click.option("--sigmoid-scale", "--win-scale", "sigmoid_scale", type=click.FloatRange(0, min_open=True), default=200.0,
              show_default=True, help="Points for a winning chance of 73 %, for --td-lambda.")  # fmt: skip
def shuffle(files: tuple[Path, ...], out: Path, seed: int, td_lambda: float, sigmoid_scale: float) -> None:
    """Write all positions of FILES into one file in random order, with little memory (uses a folder beside it).

    Repeated games are written once. A shuffled file no longer knows which position came next, so --td-lambda must be
    applied here and not in `quiesce train`.
    """
    not_among(out, files)
    with told_plainly(), progress("shuffling") as bar:
        count = datafiles.shuffle(list(files), out, seed, bar, ahead=datafiles.Ahead(td_lambda, sigmoid_scale))
    size = out.stat().st_size
    click.echo(f"{count:,} positions in {out}, {size / max(count, 1):.1f} bytes each")


@data.command()
@FILES
@SEED
@click.option("--count", type=click.IntRange(min=1), default=10, show_default=True, help="Positions from each file.")
@json_option
def view(files: tuple[Path, ...], seed: int, count: int, as_json: bool) -> None:
    """Show some positions as FEN with score and result, both for the side to move."""
    with told_plainly():
        found = [row for path in files for row in datafiles.some(path, count, seed)]
    if as_json:
        click.echo(json.dumps({"positions": found}))
        return
    for row in found:
        click.echo(f"{row['fen']:<70} {row['score']:>6} {RESULTS[row['result']]}")
