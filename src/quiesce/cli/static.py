"""Shell. `quiesce static`: errors of static evaluations, measured against deep searches."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import chess
import click
import numpy as np

from quiesce.cli import WholeGroup
from quiesce.cli.common import KEPT, NewFile, is_of_board, json_option
from quiesce.cli.console import progress, ready
from quiesce.lab.match.ucioptions import SetUpError
from quiesce.lab.statictest import comparing, judging
from quiesce.lab.statictest.positions import (
    BUNDLED,
    StaticFile,
    StaticFileError,
    kinds_of,
    phase_of,
    picked,
    read_static,
)
from quiesce.lab.suites.scoring import Limit

SAVED_EVERY = 20.0
"""Seconds between two writes of a judge's scores."""
FILE = click.option(
    "--file", default=BUNDLED, show_default=True, help="File of positions and judges' scores, or masters."
)


@contextmanager
def told_plainly() -> Iterator[None]:
    """Turn errors of files and engines into one-sentence errors."""
    try:
        yield
    except (StaticFileError, SetUpError, OSError) as error:
        raise click.ClickException(str(error)) from None


@click.group(cls=WholeGroup)
def static() -> None:
    """A judge is an engine that searches each position deeply. Training never uses judges' scores."""


@static.command()
@click.argument("pgn", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--out", required=True, type=NewFile(), help="The file to write.")
@click.option("--count", type=click.IntRange(min=1), default=2_000, show_default=True, help="Number of positions.")
@click.option("--seed", type=int, default=1, show_default=True, help="Random seed of the choice.")
def positions(pgn: Path, out: Path, count: int, seed: int) -> None:
    """Choose quiet positions from a PGN file: not in check, last move no capture."""
    with told_plainly():
        found = picked(pgn, count, seed)
        found.write(out)
    click.echo(f"{len(found.fens):,} positions of {len(set(found.games)):,} games in {out}")


@static.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("engine")
@click.option("--time", "seconds", type=click.FloatRange(min=0.001), help="Seconds per position.")
@click.option("--nodes", type=click.IntRange(min=1), help="Nodes per position; results repeat exactly.")
@click.option("--depth", type=click.IntRange(1, 100), help="Depth of each search.")
@click.option("--concurrency", type=click.IntRange(min=1), default=1, show_default=True, help="Parallel positions.")
def judge(
    file: Path, engine: str, seconds: float | None, nodes: int | None, depth: int | None, concurrency: int
) -> None:
    """Search each position of FILE with ENGINE and store the scores in FILE.

    ENGINE is as in `quiesce match`, with options after commas: "stockfish, Use NNUE=false". The same command resumes
    after Ctrl-C.
    """
    if seconds is None and nodes is None and depth is None:
        raise click.UsageError("give --nodes, --depth or --time")
    with told_plainly():
        found = read_static(file)
        asked = judging.engine_with_options(engine)
        last = [time.monotonic()]
        with progress("judging") as bar:

            def note(done: int, wanted: int) -> None:
                bar(done, wanted, "")
                if time.monotonic() - last[0] > SAVED_EVERY:
                    last[0] = time.monotonic()
                    found.write(file)

            try:
                judging.judge_all(asked, Limit(seconds, nodes, depth), found, concurrency, note)
            except KeyboardInterrupt:
                raise KeyboardInterrupt(KEPT) from None
            finally:
                found.write(file)
    click.echo(f"judged by {judging.judged(asked, Limit(seconds, nodes, depth), found).title}")


def parts_of(found: StaticFile) -> dict[str, np.ndarray]:
    """The positions of each game phase and kind."""
    told = [[phase_of(board), *kinds_of(board)] for board in map(chess.Board, found.fens)]
    names = dict.fromkeys(name for kinds in told for name in kinds)
    return {name: np.array([name in kinds for kinds in told]) for name in names}


@static.command()
@click.argument("evaluations", nargs=-1, required=True)
@FILE
@click.option("--judge", "title", help="Start of the judge's title.  [default: the first of the file]")
@click.option("--base", help="Show errors as a ratio to this evaluation's.")
@json_option
def compare(evaluations: tuple[str, ...], file: str, title: str | None, base: str | None, as_json: bool) -> None:
    """Show the error of each evaluation against a judge: RMSE of winning chances with 95 % intervals.

    An evaluation is network, fitted, hand, a file of a network or of weights, or an engine with an `eval` command,
    options as for a judge. A scale is fitted to each. Errors by kind of position follow.
    """
    ready(is_of_board)
    with told_plainly():
        found = read_static(file)
        told = found.judgement(title)
        names = dict.fromkeys([*evaluations, *([base] if base else [])])
        points = {name: judging.points_of(name, found.fens) for name in names}
    results = comparing.compare(points, told.scores, found.games, parts_of(found), base)
    if as_json:
        facts = {"judge": told.title, "positions": len(found.fens), "results": [result.facts() for result in results]}
        click.echo(json.dumps(facts))
        return
    click.echo(f"{len(found.fens):,} positions of {found.source}; judge: {told.title}")
    for result in results:
        show(result, base)


def show(result: comparing.Result, base: str | None) -> None:
    """Print one evaluation's errors."""
    error = result.error
    ratio = (
        f", {result.ratio.value:.3f} ({result.ratio.low:.3f} to {result.ratio.high:.3f}) times {base}"
        if result.ratio
        else ""
    )
    click.echo(
        f"{result.name}: {error.value:.4f} ({error.low:.4f} to {error.high:.4f}){ratio}; scale {result.scale:.0f}"
    )
    click.echo("  " + ", ".join(f"{name} {value:.4f}" for name, value in sorted(result.parts.items())))
