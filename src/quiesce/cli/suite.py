"""Shell. `quiesce suite`: solve test suites with one or more engines."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from quiesce.cli.common import cluster_option, json_option, resumable, store_option
from quiesce.cli.console import progress, ready
from quiesce.cli.options import option_option, search_options
from quiesce.jit import is_compiled
from quiesce.lab.match.engines import OURS, engine_named
from quiesce.lab.match.ucioptions import SetUpError
from quiesce.lab.suites.problems import BUNDLED, Problem, Suite, SuiteFileError, suite_named
from quiesce.lab.suites.scoring import Limit, Result
from quiesce.lab.suites.solve import Contender, contender_of, solve_suite
from quiesce.work.pool import PoolError
from quiesce.work.pools import worker_pool
from quiesce.work.store import Store, StoreError

DEFAULT_SECONDS = 1.0
BETWEEN = "  "

Row = tuple[str, ...]


@click.command(epilog=f"Bundled suites: {', '.join(BUNDLED)}.")
@click.argument("words", nargs=-1, required=True, metavar="FILE|NAME...")
@click.option("--time", "seconds", type=click.FloatRange(min=0.001), help="Seconds per position.  [default: 1]")
@click.option("--nodes", type=click.IntRange(min=1), help="Nodes per position; results repeat exactly.")
@click.option("--depth", type=click.IntRange(1, 100), help="Depth of each search.")
@click.option("--engine", "specs", multiple=True, metavar="ENGINE", help="Another engine to compare with; repeatable.")
@click.option("--concurrency", type=click.IntRange(min=1), default=1, show_default=True, help="Parallel positions.")
@click.option(
    "--threads", type=click.IntRange(1, 256), default=1, show_default=True, help="Search threads of our engine."
)
@option_option
@click.option("--first", type=click.IntRange(min=1), help="Solve only the first n positions of each suite.")
@click.option("--least", type=click.IntRange(min=0), help="Exit with code 1 if our engine solves fewer in total.")
@store_option
@cluster_option
@click.option("--again", is_flag=True, help="Discard these runs' stored results and start over.")
@json_option
@click.pass_context
def suite(
    context: click.Context,
    words: tuple[str, ...],
    seconds: float | None,
    nodes: int | None,
    depth: int | None,
    specs: tuple[str, ...],
    concurrency: int,
    threads: int,
    options: tuple[str, ...],
    first: int | None,
    least: int | None,
    store_path: Path | None,
    cluster: str | None,
    again: bool,
    as_json: bool,
) -> None:
    """A position is solved if, at the limit, the engine holds a move of bm, a move not in am, or a mate in at most dm
    moves.

    ENGINE is quiesce, quiesce@REVISION, a known opponent such as glaurung, or the command line of a UCI engine.

    Each result is stored: the same command resumes after an interruption.
    """
    if seconds is None and nodes is None and depth is None:
        seconds = DEFAULT_SECONDS
    limit, values = Limit(seconds, nodes, depth), search_options(options)
    try:
        suites = suites_of(words)
        contenders = contenders_of(Contender(options=values, threads=threads), specs, limit)
    except (SuiteFileError, SetUpError) as error:
        raise click.UsageError(str(error)) from None
    results = solve_all(suites, first, contenders, limit, (cluster, concurrency), store_path, again)
    own = [result for result in results if result.engine == contenders[0].name]
    solved = sum(result.solved for result in own)
    if as_json:
        positions = sum(len(result.outcomes) for result in own)
        facts = {"solved": solved, "positions": positions, "results": [result.facts() for result in results]}
        click.echo(json.dumps(facts))
    else:
        show(suites, results)
    if least is not None and solved < least:
        context.exit(1)


def suites_of(words: Sequence[str]) -> list[Suite]:
    """The suites; two with the same name are called by their arguments."""
    suites = {word: suite_named(word) for word in words}
    names = Counter(one.name for one in suites.values())
    return [replace(one, name=word) if names[one.name] > 1 else one for word, one in suites.items()]


def contenders_of(ours: Contender, specs: Sequence[str], limit: Limit) -> list[Contender]:
    """Our engine and the others, each once; two with the same name are called by their arguments."""
    found = [ours]
    for spec in dict.fromkeys(specs):
        if spec != OURS:
            other = contender_of(engine_named(spec), limit)
            is_taken = other.name in [known.name for known in found]
            found.append(replace(other, label=spec) if is_taken else other)
        elif ours.options:
            found.append(Contender(threads=ours.threads))
    return found


def solve_all(
    suites: Sequence[Suite],
    first: int | None,
    contenders: Sequence[Contender],
    limit: Limit,
    hands: tuple[str | None, int],
    store_path: Path | None,
    again: bool,
) -> list[Result]:
    """Solve all suites with all engines; finished positions are stored."""
    if not is_compiled():
        ready()
    total = len(contenders) * sum(len(suite.problems[:first]) for suite in suites)
    results, done = list[Result](), 0
    try:
        with resumable(), Store(store_path) as store, worker_pool(*hands) as pool, progress("suite") as bar:
            for contender in contenders:
                for one in suites:
                    solved, what = 0, f"{one.name} / {contender.name}"

                    def count(facts: Mapping[str, Any], what: str = what) -> None:
                        nonlocal done, solved
                        done, solved = done + 1, solved + facts["solved"]
                        bar(done, total, f"{what}: {solved} solved")

                    results.append(solve_suite(one, first, pool, contender, limit, store, again, count))
    except (StoreError, PoolError) as error:
        raise click.ClickException(str(error)) from None
    return results


def show(suites: Sequence[Suite], results: Sequence[Result]) -> None:
    """Print unsolved positions, the summary, and notes."""
    if lost := missed(suites, results):
        print_table(("suite", "engine", "missed", "played", "wanted", "position"), lost)
        click.echo()
    engines = tuple(dict.fromkeys(result.engine for result in results))
    print_table(("suite", "", *engines), summary(results))
    for words in dict.fromkeys(words for result in results for words in result.assumptions):
        click.echo(f"note: {words}")


def print_table(headings: Row, rows: Sequence[Row]) -> None:
    """Print a table without cutting cells: a FEN must stay whole."""
    widths = [max(len(cell) for cell in column) for column in zip(headings, *rows, strict=True)]
    for row in (headings, *rows):
        click.echo(BETWEEN.join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def missed(suites: Sequence[Suite], results: Sequence[Result]) -> list[Row]:
    """Unsolved positions, with the move played and the solution."""
    problems = {suite.name: suite.problems for suite in suites}
    return [
        (result.suite, result.engine, problem.name, played(problem, facts), problem.wanted, problem.board.fen())
        for result in results
        for problem, facts in zip(problems[result.suite], result.outcomes, strict=False)
        if not facts["solved"]
    ]


def played(problem: Problem, facts: Mapping[str, Any]) -> str:
    """The move an engine played, or its failure."""
    if facts["trouble"]:
        return str(facts["trouble"])
    move = problem.board.san(problem.board.parse_uci(facts["move"]))
    return f"{move} ({facts['points']} of {facts['max_points']})" if problem.points and facts["max_points"] else move


def summary(results: Sequence[Result]) -> list[Row]:
    """Rows for each suite, one column for each engine."""
    rows = list[Row]()
    for name in dict.fromkeys(result.suite for result in results):
        columns = [figures(result) for result in results if result.suite == name]
        labels = dict.fromkeys(label for column in columns for label in column)
        rows += [(name, label, *(column.get(label, "-") for column in columns)) for label in labels]
    return rows


def figures(result: Result) -> dict[str, str]:
    """An engine's results in a suite, by label."""
    rows = {"solved": f"{result.solved} of {len(result.outcomes)}", "share": f"{result.share:.1%}"}
    if result.points is not None:
        rows["points"] = f"{result.points} of {result.max_points}"
    if result.rating is not None:
        rows["rating"] = str(result.rating)
    rows["median time to solution"] = "-" if result.median is None else f"{result.median:.3f} s"
    if result.broken:
        rows["broke down"] = str(result.broken)
    return rows
