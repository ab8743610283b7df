"""Shell. `quiesce suite`: how many positions of a suite are solved, and how soon."""

import json
import statistics
from pathlib import Path
from typing import Any

import click

from quiesce.cli.arena import read_options
from quiesce.cli.common import json_option
from quiesce.cli.console import out, progress, ready
from quiesce.engine import Limits
from quiesce.lab.suite import Outcome, Solver, SuiteFileError, read_suite

DEFAULT_SECONDS = 1.0


@click.command()
@click.argument("path", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--time", "seconds", type=click.FloatRange(min=0.001), help="Seconds a position.  [default: 1]")
@click.option("--nodes", type=click.IntRange(min=1), help="Nodes a position: the same answer every time.")
@click.option("--depth", type=click.IntRange(1, 100), help="Depth of each search.")
@click.option("--threads", type=click.IntRange(1, 256), default=1, show_default=True, help="Workers of each search.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the search.")
@click.option("--first", type=click.IntRange(min=1), help="Only so many positions.")
@click.option("--least", type=click.IntRange(min=0), help="Exit with code 1 if fewer are solved.")
@json_option
@click.pass_context
def suite(
    context: click.Context,
    path: Path,
    seconds: float | None,
    nodes: int | None,
    depth: int | None,
    threads: int,
    options: tuple[str, ...],
    first: int | None,
    least: int | None,
    as_json: bool,
) -> None:
    """A position is solved by a move of bm, one not in am, or a mate as short as dm, held when the limit is reached."""
    values = read_options(options)
    ready()
    try:
        problems = read_suite(path)[:first]
    except (SuiteFileError, OSError) as error:
        raise click.UsageError(str(error)) from None
    if seconds is None and nodes is None and depth is None:
        seconds = DEFAULT_SECONDS
    plain = Limits()
    solver = Solver(Limits(depth or plain.depth, nodes or plain.nodes, seconds), values, threads)
    outcomes: list[Outcome] = []
    try:
        with progress(path.stem) as bar:
            for outcome in solver.solve_all(problems):
                outcomes.append(outcome)
                bar(len(outcomes), len(problems), f"{path.stem} {solved_in(outcomes)} solved")
    finally:
        solver.close()
    show(outcomes, as_json)
    if least is not None and solved_in(outcomes) < least:
        context.exit(1)


def solved_in(outcomes: list[Outcome]) -> int:
    """How many are solved."""
    return sum(outcome.is_solved for outcome in outcomes)


def facts(outcome: Outcome) -> dict[str, Any]:
    """An outcome for programs."""
    return {
        "id": outcome.problem.name,
        "fen": outcome.problem.board.fen(),
        "move": outcome.move.uci(),
        "score": outcome.score,
        "depth": outcome.depth,
        "solved": outcome.is_solved,
        "seconds": outcome.seconds,
        "nodes": outcome.nodes,
    }


def show(outcomes: list[Outcome], as_json: bool) -> None:
    """Print what was missed and how many were solved."""
    times = sorted(outcome.seconds for outcome in outcomes if outcome.seconds is not None)
    median = statistics.median(times) if times else None
    if as_json:
        solved = solved_in(outcomes)
        click.echo(json.dumps({"solved": solved, "positions": len(outcomes), "outcomes": [facts(o) for o in outcomes]}))
        return
    for outcome in outcomes:
        if not outcome.is_solved:
            board = outcome.problem.board
            wanted = " ".join(sorted(board.san(move) for move in outcome.problem.best)) or "another"
            out.print(f"missed {outcome.problem.name}: {board.san(outcome.move)} instead of {wanted}  {board.fen()}")
    tail = f", median time to solution {median:.3f} s" if median is not None else ""
    click.echo(f"{solved_in(outcomes)} of {len(outcomes)} solved{tail}")
