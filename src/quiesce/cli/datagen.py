"""Shell. `quiesce datagen`: training positions by self-play."""

import json
import re
import time
from pathlib import Path
from typing import Any

import click

from quiesce.cli.common import NewFolder, cluster_option, json_option, resumable
from quiesce.cli.console import err, progress, ready
from quiesce.cli.options import option_option, search_options
from quiesce.eval.names import DEFAULT_EVAL
from quiesce.eval.perturbed import PERTURBED_SLOTS
from quiesce.eval.samples import SamplesError
from quiesce.lab.arena import DEFAULT_NODES
from quiesce.lab.datagen import (
    DEFAULT_INTERIOR,
    DEFAULT_POSITIONS,
    DEFAULT_RANDOM_PLIES,
    DatagenError,
    DataPlan,
    Progress,
    grow_file,
    prepare,
)
from quiesce.lab.dataopenings import CALM_OPENING, CALM_PLIES, ENDS, LARGEST_OPENING, LINES, SOURCES
from quiesce.lab.match.openings import DEFAULT_BOOK
from quiesce.work.pool import PoolError
from quiesce.work.pools import worker_pool

POSITIVE = click.IntRange(min=1)
NEWS_SECONDS = 60.0
"""Between lines of progress where there is no terminal to draw a bar on."""


def read_span(_context: click.Context, _parameter: click.Parameter, text: str | None) -> tuple[int, int] | None:
    """A range such as 4..8, or one number."""
    if text is None:
        return None
    found = re.fullmatch(r"(\d{1,2})(?:\.\.(\d{1,2}))?", text)
    if found is None:
        raise click.BadParameter(f"{text!r} is not a range such as 4..8")
    return int(found[1]), int(found[2] or found[1])


@click.command()
@click.argument("folder", type=NewFolder())
@click.option(
    "--positions", type=POSITIVE, default=DEFAULT_POSITIONS, show_default=True, help="Least number of positions."
)
@click.option(
    "--nodes",
    type=click.IntRange(min=100),
    default=DEFAULT_NODES,
    show_default=True,
    help="Nodes per move, a soft limit.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="Random seed of the openings.")
@click.option("--openings", type=click.Choice(SOURCES), default=LINES, show_default=True,
              help="Start from any position of a book line, or from its end.")  # fmt: skip
@click.option(
    "--book", default=DEFAULT_BOOK, show_default=True, help="Opening book: gnubook or a file as for `quiesce match`."
)
@click.option("--random-plies", callback=read_span,
              help="Random moves after the book.  [default: {}..{} along lines, {}..{} from ends]".format(
                  *DEFAULT_RANDOM_PLIES, *CALM_PLIES))  # fmt: skip
@click.option(
    "--largest-opening",
    type=click.IntRange(min=0),
    help=f"Largest opening advantage, points.  [default: {LARGEST_OPENING}, {CALM_OPENING} from ends]",
)
@click.option("--offshoots", type=click.IntRange(0, PERTURBED_SLOTS), default=0, show_default=True,
              help="Instead of each position keep n a few random moves away, scored by the terms.")  # fmt: skip
@click.option("--interior", type=click.IntRange(min=0),
              help="Most positions kept from inside each search, besides the game's own.  "
                   f"[default: {DEFAULT_INTERIOR}, 0 with --offshoots]")  # fmt: skip
@click.option(
    "--weights",
    default=DEFAULT_EVAL,
    show_default=True,
    help="Evaluation of the players: network, fitted, hand or a file.",
)
@option_option
@click.option("--bench", type=POSITIVE, help="The engine's bench, noted in the file's header.")
@click.option("--concurrency", type=click.IntRange(min=0), default=0, help="Parallel games.  [default: all cores]")
@cluster_option
@json_option
def datagen(
    folder: Path,
    positions: int,
    options: tuple[str, ...],
    bench: int | None,
    concurrency: int,
    cluster: str | None,
    as_json: bool,
    **told: Any,
) -> None:
    """Adds quiet positions of self-play games, with scores and results, to a file in FOLDER.

    Each plan (seed, nodes, openings, weights, options, sources of the engine) has one file. The same command resumes;
    with larger --positions it adds to the file.
    """
    is_calm = told["openings"] == ENDS
    told["random_plies"] = told["random_plies"] or (CALM_PLIES if is_calm else DEFAULT_RANDOM_PLIES)
    if told["largest_opening"] is None:
        told["largest_opening"] = CALM_OPENING if is_calm else LARGEST_OPENING
    if told["interior"] is None:
        told["interior"] = 0 if told["offshoots"] else DEFAULT_INTERIOR
    plan = DataPlan(options=search_options(options), **told)
    started = time.monotonic()
    try:
        plan.checked()
        ready()
        prepare()
        with resumable(), worker_pool(cluster, concurrency) as pool, progress("datagen") as bar:
            teller = Teller(bar)
            path, found = grow_file(folder, plan, positions, pool, teller, bench)
    except DatagenError as error:
        raise click.UsageError(str(error)) from None
    except (SamplesError, PoolError, OSError) as error:
        raise click.ClickException(str(error)) from None
    show(path, found, time.monotonic() - started, as_json)


class Teller:
    """Shows progress: a bar, or a line from time to time."""

    def __init__(self, bar: Any) -> None:
        self._bar, self._last = bar, time.monotonic()

    def __call__(self, now: Progress) -> None:
        """Show the progress."""
        words = f"{now.positions:,} positions, {now.speed:.0f}/s a core"
        self._bar(now.chunks, now.wanted, words)
        if not err.is_terminal and time.monotonic() - self._last >= NEWS_SECONDS:
            self._last = time.monotonic()
            err.print(f"chunk {now.chunks} of {now.wanted}: {words}")


def show(path: Path, found: Progress, seconds: float, as_json: bool) -> None:
    """Print the result."""
    size = path.stat().st_size
    facts = {
        "file": str(path),
        "positions": found.positions,
        "chunks": found.chunks,
        "bytes": size,
        "played": found.played,
        "games": found.games,
        "seconds": round(seconds, 1),
        "positions_a_second_a_core": round(found.speed, 1),
    }
    if as_json:
        click.echo(json.dumps(facts))
        return
    click.echo(f"{found.positions:,} positions in {path}, {size / max(found.positions, 1):.1f} bytes each")
    if found.played:
        click.echo(
            f"{found.played:,} of them now, from {found.games:,} games in {seconds:.0f} s: {found.speed:.0f}/s a core"
        )
