"""Shell. `quiesce perft`: counts, and suites of published counts."""

import json
import sys
from pathlib import Path
from typing import Any

import click

from quiesce.board.game import Game
from quiesce.cli import EXIT_FAILED
from quiesce.cli.common import chess960_option, game_of, json_option, position_argument
from quiesce.cli.console import out, progress, ready
from quiesce.lab.perft import Case, Counter, SuiteError, Verdict, check_cases, read_suite

DEFAULT_MAX_NODES = 20_000_000


@click.command()
@position_argument("words", "[FEN|startpos] DEPTH")
@click.option("--divide", is_flag=True, help="Show the count below each root move.")
@click.option(
    "--suite",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Check every count of a file with lines 'FEN ;D1 20 ;D2 400'.",
)
@click.option(
    "--max-nodes",
    type=click.IntRange(min=1),
    default=DEFAULT_MAX_NODES,
    show_default=True,
    help="With --suite: leave out counts larger than this.",
)
@chess960_option
@json_option
def perft(
    words: tuple[str, ...], divide: bool, suite: Path | None, max_nodes: int, chess960: bool, as_json: bool
) -> None:
    """FEN may stand without quotes; without any, the start position is counted."""
    if suite is not None:
        if words:
            raise click.UsageError("--suite takes its positions and depths from the file")
        run_suite(suite, max_nodes, as_json)
        return
    if not words:
        raise click.UsageError("say how deep, as in: quiesce perft startpos 6")
    *position, depth = words
    if not (depth.isascii() and depth.isdigit()):
        raise click.UsageError(f"depth is {depth!r} instead of a whole number")
    run_one(game_of(tuple(position), chess960), int(depth), divide, as_json)


def run_one(game: Game, depth: int, divide: bool, as_json: bool) -> None:
    """Count one position and print the result."""
    with progress(f"perft {depth}") as bar, Counter() as counter:
        try:
            found = counter.divide(game, depth, bar)
        except ValueError as error:
            raise click.UsageError(str(error)) from None
    if as_json:
        facts: dict[str, Any] = {"fen": game.fen(), "depth": depth, "nodes": found.nodes}
        facts |= {"seconds": round(found.seconds, 6), "nps": found.speed}
        click.echo(json.dumps(facts | ({"divide": found.divide} if divide else {})))
        return
    if divide:
        for move, count in sorted(found.divide.items()):
            out.print(f"{move}: {count}")
    out.print(f"perft {depth}: {found.nodes:,} leaves in {found.seconds:.3f} s, {found.speed / 1e6:,.1f} M/s")


def run_suite(path: Path, max_nodes: int, as_json: bool) -> None:
    """Check a file of published counts; exit code 1 if any is missed or none was checked."""
    ready()
    try:
        cases = read_suite(path)
    except SuiteError as error:
        raise click.UsageError(str(error)) from None
    verdicts = judge(cases, max_nodes)
    failures = [verdict for verdict in verdicts if not verdict.passed]
    passed = len(verdicts) - len(failures)
    if as_json:
        click.echo(json.dumps({"passed": passed, "failed": len(failures), "failures": [facts(v) for v in failures]}))
    else:
        for verdict in failures:
            out.print(
                f"[red]failed[/] {path}:{verdict.case.line}: {verdict.case.fen} depth {verdict.depth}: "
                f"{verdict.found} instead of {verdict.expected}"
            )
        out.print(f"{passed} passed, {len(failures)} failed")
    if failures or not verdicts:
        sys.exit(EXIT_FAILED)


def judge(cases: list[Case], max_nodes: int) -> list[Verdict]:
    """Check all counts that are not too large, with a progress bar."""
    total = sum(expected <= max_nodes for case in cases for expected in case.counts.values())
    verdicts: list[Verdict] = []
    with progress("perft suite") as bar, Counter() as counter:
        for verdict in check_cases(cases, max_nodes, counter):
            verdicts.append(verdict)
            bar(len(verdicts), total)
    return verdicts


def facts(verdict: Verdict) -> dict[str, Any]:
    """A failed count for programs."""
    return {
        "line": verdict.case.line,
        "fen": verdict.case.fen,
        "depth": verdict.depth,
        "expected": verdict.expected,
        "found": verdict.found,
    }
