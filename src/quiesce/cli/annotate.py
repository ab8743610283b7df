"""Shell. `quiesce annotate`: PGN games with marks, evaluations, better lines and reasons."""

import json
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Self

import click

from quiesce.cli.common import NewFile, NewFolder, cluster_option, json_option, resumable, store_option
from quiesce.cli.console import err, progress, ready
from quiesce.jit import is_compiled
from quiesce.lab.reviewpages.game import game_page
from quiesce.lab.reviewpages.index import Entry, entry_of, index_page
from quiesce.lab.reviews import (
    DAMAGED,
    REVIEW,
    FilesError,
    Order,
    check_exercises,
    exercises_in,
    files_of,
    review_all,
    reviews_in,
)
from quiesce.review.plan import BOTH, DEFAULT_NODES, LEAST_NODES, PlanError, ReviewPlan
from quiesce.review.reading import Source, read_source
from quiesce.review.review import SCHEMA, review_from
from quiesce.review.writing import annotated, pgn_text
from quiesce.work.files import written_whole
from quiesce.work.pool import PoolError, WorkerPool
from quiesce.work.pools import worker_pool
from quiesce.work.store import Run, Store, StoreError

PLAIN = ReviewPlan()
SHARE = click.FloatRange(0, 1, min_open=True)


@click.command()
@click.argument("words", nargs=-1, required=True, metavar="FILE|FOLDER|-...")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="PGN file to write, or a folder (a name without suffix).  [default: standard output]",
)
@click.option(
    "--nodes",
    type=click.IntRange(min=LEAST_NODES),
    default=DEFAULT_NODES,
    show_default=True,
    help="Average nodes a move.",
)
@click.option("--time", "seconds", type=click.FloatRange(min=0.001), help="Average seconds a move, instead of nodes.")
@click.option(
    "--player", default="", metavar="NAME", help="Judge only this player's moves; part of the name is enough."
)
@click.option("--colour", type=click.Choice(BOTH), help="Judge only this side's moves.")
@click.option(
    "--from-move", type=click.IntRange(min=1), default=1, show_default=True, help="Start at this move number."
)
@click.option(
    "--inaccuracy", type=SHARE, default=PLAIN.inaccuracy, show_default=True, help="Expected points a ?! loses at least."
)
@click.option(
    "--mistake", type=SHARE, default=PLAIN.mistake, show_default=True, help="Expected points a ? loses at least."
)
@click.option(
    "--blunder", type=SHARE, default=PLAIN.blunder, show_default=True, help="Expected points a ?? loses at least."
)
@click.option("--html", "pages", type=NewFolder(), help="Write a page for each game and an index to this folder.")
@click.option(
    "--exercises",
    "sheets",
    type=NewFile(),
    multiple=True,
    help="Write the marked mistakes as exercises, EPD or .pgn; repeatable.",
)
@click.option("--concurrency", type=click.IntRange(min=1), help="Parallel games.  [default: all cores]")
@store_option
@cluster_option
@click.option("--again", is_flag=True, help="Discard this run's stored results and start over.")
@json_option
def annotate(
    words: tuple[str, ...],
    out: Path | None,
    nodes: int,
    seconds: float | None,
    player: str,
    colour: str | None,
    from_move: int,
    inaccuracy: float,
    mistake: float,
    blunder: float,
    pages: Path | None,
    sheets: tuple[Path, ...],
    concurrency: int | None,
    store_path: Path | None,
    cluster: str | None,
    again: bool,
    as_json: bool,
) -> None:
    """--nodes and --time are averages over a game; deeper checks of suspicious moves are included. Each game is
    searched with one thread.

    Existing comments and variations stay. Finished games are stored: the same command resumes after an interruption.
    """
    colours = BOTH if colour is None else (colour,)
    try:
        plan = ReviewPlan(nodes, seconds, inaccuracy, mistake, blunder, colours, from_move)
        order = Order(files_of(words), plan, player)
    except (PlanError, FilesError) as error:
        raise click.UsageError(str(error)) from None
    targets = Targets(order, out)
    try:
        with resumable(), Store(store_path) as store:
            run = order.run(store)
            if again:
                with run.worked_on():
                    store.forget(run)
                run = order.run(store)
            with worker_pool(cluster, concurrency or 0) as pool:
                work(order, run, pool)
                if sheets:
                    with progress("exercises"):
                        check_exercises(order, run, pool)
            is_plain = pages is None and not sheets
            damaged = deliver(order, run, targets, as_json, is_plain)
            if pages is not None:
                write_pages(order, run, pages, damaged)
            for sheet in sheets:
                write_sheet(order, run, sheet)
    except (StoreError, PoolError, OSError) as error:
        raise click.ClickException(str(error)) from None


@dataclass
class Targets:
    """Where annotated games go: standard output, one file, or one file for each file read."""

    order: Order
    out: Path | None
    _path: Path | None = None
    _file: IO[bytes] | None = None
    _stack: ExitStack = field(default_factory=ExitStack)

    def __post_init__(self) -> None:
        """Refuse to overwrite an input file."""
        read = {file.path.resolve() for file in self.order.files if file.path is not None}
        for place in range(len(self.order.files)):
            target = self.path_of(place)
            if target is not None and target.resolve() in read:
                raise click.UsageError(f"{target} is an input file; name another with --out")
            if target is not None and not self.is_folder:
                NewFile().convert(target, None, None)

    @property
    def is_folder(self) -> bool:
        """Does each input file get its own output file?"""
        return self.out is not None and (self.out.is_dir() or str(self.out).endswith(os.sep) or not self.out.suffix)

    def path_of(self, place: int) -> Path | None:
        """The output file of an input file; None for standard output."""
        if self.out is None or not self.is_folder:
            return self.out
        path = self.order.files[place].path
        same = [file for file in self.order.files[:place] if path and file.path and file.path.name == path.name]
        name = Path(path.name if path is not None else "stdin.pgn")
        return self.out / (f"{name.stem}-{len(same) + 1}{name.suffix}" if same else name)

    def write(self, place: int, text: str) -> None:
        """Write the next game of a file."""
        path = self.path_of(place)
        if path is None:
            click.echo(text, nl=False)
            return
        if self._file is None or path != self._path:
            self._stack.close()
            self._file, self._path = self._stack.enter_context(written_whole(path)), path
        self._file.write(text.encode())

    @contextmanager
    def opened(self) -> Iterator[Self]:
        """The open output file; it gets its final name when all its games are written."""
        with self._stack:
            yield self


def work(order: Order, run: Run, pool: WorkerPool) -> None:
    """Review the missing games, with progress."""
    total, began, done, fresh = sum(1 for _ in order.games()), time.monotonic(), 0, 0
    if total == 0:
        raise click.UsageError("these files contain no games")
    if not is_compiled():
        ready()
    with progress("annotate") as bar:

        def count(found: Mapping[str, Any]) -> None:
            nonlocal done, fresh
            done, fresh = done + 1, fresh + bool(found)
            left = (total - done) * (time.monotonic() - began) / fresh if fresh else 0
            bar(done, total, f"annotate: {total - done} games left, about {left / 60:.0f} min" if fresh else "annotate")

        review_all(order, run, pool, count)


def deliver(order: Order, run: Run, targets: Targets, as_json: bool, is_plain: bool) -> list[str]:
    """Write all games; returns the errors of games that could not be read.

    With pages or exercises, nothing goes to standard output unless it was asked for.
    """
    damaged = list[tuple[Source, str]]()
    with targets.opened():
        if as_json:
            for part in json_parts(order, run):
                click.echo(part, nl=False)
        for place, source, found in reviews_in(order, run):
            if DAMAGED in found:
                damaged.append((source, found[DAMAGED]))
            elif targets.out is not None or (is_plain and not as_json):
                game = annotated(read_source(source.text), review_from(found[REVIEW]))
                targets.write(place, pgn_text(game))
    told = [f"{source.title}: {why}" for source, why in damaged]
    for line in told:
        err.print(f"passed by: {line}", markup=False)
    return told


def write_pages(order: Order, run: Run, folder: Path, damaged: Sequence[str]) -> None:
    """Write a page for each game, and the index."""
    entries = list[Entry]()
    for place, source, found in reviews_in(order, run):
        if REVIEW in found:
            review, page = review_from(found[REVIEW]), f"game-{place + 1}-{source.number}.html"
            write_text(folder / page, game_page(review))
            entries.append(entry_of(review, page))
    write_text(folder / "index.html", index_page(entries, damaged, order.player))


def write_sheet(order: Order, run: Run, sheet: Path) -> None:
    """Write the exercises as EPD, or as PGN if the file name ends so."""
    is_pgn = sheet.suffix.lower() == ".pgn"
    found = [made.pgn() if is_pgn else made.epd() + "\n" for made in exercises_in(order, run)]
    write_text(sheet, "".join(found))
    err.print(f"{len(found)} exercises in {sheet}", markup=False)


def write_text(path: Path, text: str) -> None:
    """Write a file atomically."""
    with written_whole(path) as file:
        file.write(text.encode())


def json_parts(order: Order, run: Run) -> Iterator[str]:
    """One JSON object in parts, so that not all games are in memory at once."""
    yield f'{{"schema": {SCHEMA}, "games": ['
    damaged, comma = list[dict[str, Any]](), ""
    for _, source, found in reviews_in(order, run):
        about = {"file": source.name, "number": source.number}
        if DAMAGED in found:
            damaged.append(about | {"why": found[DAMAGED]})
            continue
        yield comma + json.dumps(about | found[REVIEW])
        comma = ", "
    yield f'], "damaged": {json.dumps(damaged)}}}\n'
