"""Shell. `quiesce perft`: counts, and suites of published counts."""

import json
import re
import sys
from pathlib import Path
from typing import Any

import click

from quiesce.board.counter import Counter
from quiesce.board.fen import MOST_FIELDS, shorten
from quiesce.board.game import Game
from quiesce.board.positiontext import START_WORD
from quiesce.cli import EXIT_FAILED
from quiesce.cli.common import POSITION, chess960_option, game_of, is_of_board, json_option, position_argument
from quiesce.cli.console import progress, ready
from quiesce.lab.perft import Case, PerftVerdict, SuiteError, check_cases, read_suite

DEFAULT_MAX_NODES = 20_000_000


@click.command()
@position_argument("words", f"{POSITION} DEPTH")
@click.option("--divide", is_flag=True, help="Show the count below each root move.")
@click.option(
    "--suite",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Check every count of a file with lines 'FEN ;D1 20 ;D2 400'.",
)
@click.option(
    "--max-nodes",
    type=click.IntRange(min=1),
    help=f"With --suite: leave out counts larger than this.  [default: {DEFAULT_MAX_NODES}]",
)
@chess960_option
@json_option
def perft(
    words: tuple[str, ...], divide: bool, suite: Path | None, max_nodes: int | None, chess960: bool, as_json: bool
) -> None:
    """A FEN needs no quotes. MOVES are played from the start position. With - the position is read from standard input.

    Without a position the start position is counted.
    """
    if suite is not None:
        if words or divide:
            raise click.UsageError("--suite takes positions and depths from its file, and excludes --divide")
        run_suite(read(suite, chess960), suite, max_nodes or DEFAULT_MAX_NODES, as_json)
        return
    if max_nodes is not None:
        raise click.UsageError("--max-nodes needs --suite")
    position, depth = split_depth(words)
    run_one(game_of(position, chess960, is_of_board), depth, divide, as_json)


def split_depth(words: tuple[str, ...]) -> tuple[tuple[str, ...], int]:
    """The words of the position, and the depth."""
    is_fen_alone = " ".join(words).count("/") and len(" ".join(words).split()) == MOST_FIELDS
    if not words or words == (START_WORD,) or is_fen_alone:
        raise click.UsageError("DEPTH is missing, for example: quiesce perft startpos 6")
    *position, depth = words
    if not re.fullmatch("[0-9]{1,4}", depth):
        raise click.UsageError(f"DEPTH is {shorten(depth)} but must be a small whole number")
    return tuple(position), int(depth)


def read(path: Path, chess960: bool) -> list[Case]:
    """The cases of a suite; exits with the error if it cannot be read."""
    ready(is_of_board)
    try:
        return read_suite(path, chess960)
    except SuiteError as error:
        raise click.UsageError(str(error)) from None


def run_one(game: Game, depth: int, divide: bool, as_json: bool) -> None:
    """Count one position and print the result."""
    with progress(f"perft {depth}") as bar, Counter() as counter:
        try:
            found = counter.divide(game, depth, bar)
        except ValueError as error:
            raise click.UsageError(str(error)) from None
    if as_json:
        facts: dict[str, Any] = {"fen": game.fen(shredder=game.chess960), "depth": depth, "nodes": found.nodes}
        facts |= {"seconds": round(found.seconds, 6), "nps": found.speed}
        click.echo(json.dumps(facts | ({"divide": found.divide} if divide else {})))
        return
    if divide:
        for move, count in sorted(found.divide.items()):
            click.echo(f"{move}: {count}")
    click.echo(f"perft {depth}: {found.nodes:,} leaves in {found.seconds:.3f} s, {found.speed / 1e6:,.1f} M/s")


def run_suite(cases: list[Case], path: Path, max_nodes: int, as_json: bool) -> None:
    """Check published counts. Exit code 1 if one is wrong or none was checked."""
    verdicts = judge(cases, max_nodes)
    failures = [verdict for verdict in verdicts if not verdict.passed]
    passed = len(verdicts) - len(failures)
    if as_json:
        click.echo(json.dumps({"passed": passed, "failed": len(failures), "failures": [facts(v) for v in failures]}))
    else:
        for verdict in failures:
            click.echo(
                f"failed {path}:{verdict.case.line}: {verdict.case.fen} depth {verdict.depth}: "
                f"{verdict.found} instead of {verdict.expected}"
            )
        click.echo(f"{passed} passed, {len(failures)} failed")
    if failures or not verdicts:
        sys.exit(EXIT_FAILED)


def judge(cases: list[Case], max_nodes: int) -> list[PerftVerdict]:
    """Check all counts up to --max-nodes, with a progress bar."""
    total = sum(expected <= max_nodes for case in cases for expected in case.counts.values())
    verdicts: list[PerftVerdict] = []
    with progress("perft suite") as bar, Counter() as counter:
        for verdict in check_cases(cases, max_nodes, counter):
            verdicts.append(verdict)
            bar(len(verdicts), total)
    return verdicts


def facts(verdict: PerftVerdict) -> dict[str, Any]:
    """A wrong count for --json."""
    return {
        "line": verdict.case.line,
        "fen": verdict.case.fen,
        "depth": verdict.depth,
        "expected": verdict.expected,
        "found": verdict.found,
    }
