"""Shell. `quiesce datagen`: positions to learn from, made by self-play."""

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
from quiesce.work.pool import CrewError
from quiesce.work.pools import crew_of

POSITIVE = click.IntRange(min=1)
NEWS_SECONDS = 60.0
"""Between lines of progress where there is no terminal to draw a bar on."""


def read_span(_context: click.Context, _parameter: click.Parameter, text: str | None) -> tuple[int, int] | None:
    """A span such as 4..8, or one number."""
    if text is None:
        return None
    found = re.fullmatch(r"(\d{1,2})(?:\.\.(\d{1,2}))?", text)
    if found is None:
        raise click.BadParameter(f"{text!r} is not a span such as 4..8")
    return int(found[1]), int(found[2] or found[1])


@click.command()
@click.argument("folder", type=NewFolder())
@click.option("--positions", type=POSITIVE, default=DEFAULT_POSITIONS, show_default=True, help="At least so many.")
@click.option("--nodes", type=click.IntRange(min=100), default=DEFAULT_NODES, show_default=True, help="Nodes a move.")
@click.option("--seed", type=int, default=1, show_default=True, help="Decides the openings.")
@click.option("--openings", type=click.Choice(SOURCES), default=LINES, show_default=True,
              help="From anywhere along a line of the book, or from where it ends.")  # fmt: skip
@click.option("--book", default=DEFAULT_BOOK, show_default=True, help="By name, or a file as for `quiesce match`.")
@click.option("--random-plies", callback=read_span,
              help="Random moves after that.  [default: {}..{} along lines, {}..{} from ends]".format(
                  *DEFAULT_RANDOM_PLIES, *CALM_PLIES))  # fmt: skip
@click.option("--largest-opening", type=click.IntRange(min=0),
              help=f"Points a side may be ahead.  [default: {LARGEST_OPENING}, {CALM_OPENING} from ends]")  # fmt: skip
@click.option("--offshoots", type=click.IntRange(0, PERTURBED_SLOTS), default=0, show_default=True,
              help="Keep so many positions a few random moves off each instead, with what the terms say.")  # fmt: skip
@click.option("--interior", type=click.IntRange(min=0), default=0, show_default=True,
              help="Positions kept from inside each search beside the game's own, at most.")  # fmt: skip
@click.option("--weights", default=DEFAULT_EVAL, show_default=True, help="Of the evaluation, by name or file.")
@option_option
@click.option("--bench", type=POSITIVE, help="The engine's bench, for the file's header.")
@click.option("--concurrency", type=click.IntRange(min=0), default=0, help="Games at once.  [default: one a core]")
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
    """Add quiet positions of self-play, with scores and results, to the one file that this plan has in FOLDER.

    Seed, nodes, openings, weights, options and the engine's sources make the plan. After a kill, or to have more
    positions, the same command goes on.
    """
    is_calm = told["openings"] == ENDS
    told["random_plies"] = told["random_plies"] or (CALM_PLIES if is_calm else DEFAULT_RANDOM_PLIES)
    if told["largest_opening"] is None:
        told["largest_opening"] = CALM_OPENING if is_calm else LARGEST_OPENING
    plan = DataPlan(options=search_options(options), **told)
    started = time.monotonic()
    try:
        plan.checked()
        ready()
        prepare()
        with resumable(), crew_of(cluster, concurrency) as crew, progress("datagen") as bar:
            teller = Teller(bar)
            path, found = grow_file(folder, plan, positions, crew, teller, bench)
    except DatagenError as error:
        raise click.UsageError(str(error)) from None
    except (SamplesError, CrewError, OSError) as error:
        raise click.ClickException(str(error)) from None
    show(path, found, time.monotonic() - started, as_json)


class Teller:
    """Shows how far it is: a bar, or a line now and then."""

    def __init__(self, bar: Any) -> None:
        self._bar, self._last = bar, time.monotonic()

    def __call__(self, now: Progress) -> None:
        """Show it."""
        words = f"{now.positions:,} positions, {now.speed:.0f}/s a core"
        self._bar(now.chunks, now.wanted, words)
        if not err.is_terminal and time.monotonic() - self._last >= NEWS_SECONDS:
            self._last = time.monotonic()
            err.print(f"chunk {now.chunks} of {now.wanted}: {words}")


def show(path: Path, found: Progress, seconds: float, as_json: bool) -> None:
    """Print what came of it."""
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
