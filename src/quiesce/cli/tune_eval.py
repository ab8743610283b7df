"""Shell. `quiesce tune eval`: evaluation weights fitted to game results."""

import json
from pathlib import Path

import click

from quiesce.cli.common import NewFolder, json_option, store_option
from quiesce.cli.console import progress, ready
from quiesce.eval.terms import DEFAULT_SET
from quiesce.eval.weights import weights
from quiesce.lab.arena import DEFAULT_NODES
from quiesce.lab.datagen import DEFAULT_POSITIONS, LAZY_KERNELS, DataPlan
from quiesce.lab.match.openings import DEFAULT_BOOK
from quiesce.work.store import Store, StoreError

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
POSITIONS_A_GAME = 50
"""About what datagen keeps of one."""
STORE = click.Path(dir_okay=False, path_type=Path)


@click.command(name="eval")
@click.argument("folder", type=NewFolder())
@click.option(
    "--positions",
    type=click.IntRange(min=0),
    default=DEFAULT_POSITIONS,
    show_default=True,
    help="Positions of self-play.",
)
@click.option("--games", type=click.IntRange(min=0), help="Self-play games, instead of --positions.", hidden=True)
@click.option("--nodes", type=click.IntRange(min=100), default=DEFAULT_NODES, show_default=True, help="Nodes per move.")
@click.option("--book", default=DEFAULT_BOOK, show_default=True, help="Openings: a book's name, or a file.")
@click.option("--player", default=DEFAULT_SET, show_default=True, help="Weights of the players, by name or file.")
@click.option("--more", type=FILE, multiple=True, help="More games: a file of samples or PGN; repeatable.")
@click.option("--steps", type=click.IntRange(min=1), default=150, show_default=True, help="Steps of gradient descent.")
@click.option(
    "--concurrency", "--threads", type=click.IntRange(0, 256), default=0, help="Parallel games.  [default: all cores]"
)
@click.option("--seed", type=int, default=1, show_default=True, help="Random seed of the openings.")
@store_option
@json_option
def fit_eval(
    folder: Path,
    positions: int,
    games: int | None,
    nodes: int,
    book: str,
    player: str,
    more: tuple[Path, ...],
    steps: int,
    concurrency: int,
    seed: int,
    store_path: Path | None,
    as_json: bool,
) -> None:
    """Fit the evaluation weights to game results (Texel's method) and write them to FOLDER/fitted.json.

    Test them with `quiesce arena --weights FOLDER/fitted.json fitted`; to ship them copy the file to eval/fitted.json.
    """
    try:
        from quiesce.lab.fit import Order, fit, keep_fit  # noqa: PLC0415  (needs SciPy, which only the fit does)
    except ModuleNotFoundError as error:
        raise click.ClickException(f"{error}: pip install 'quiesce[lab]'") from None
    if games is not None:
        positions = games * POSITIONS_A_GAME
    if not positions and not more:
        raise click.UsageError("there are no games: give --positions or --more")
    ready(lazy=LAZY_KERNELS)
    try:
        weights(player)
        plan = DataPlan(seed, nodes, weights=player, book=book)
        with Store(store_path) as store, progress("fitting the evaluation") as bar:
            order = Order(folder, plan, positions, more, steps, concurrency)
            found = fit(order, lambda what, done, total: bar(done, total, what))
            keep_fit(store, folder, found["record"])
    except (ValueError, OSError, MemoryError, StoreError) as error:
        raise click.ClickException(str(error)) from None
    record = found["record"]
    if as_json:
        click.echo(json.dumps(found))
        return
    click.echo(f"{record['positions']:,} positions of {record['games']:,} games")
    for name, loss in record["held_out_before"].items():
        click.echo(f"held-out loss of {name:<8} {loss}")
    click.echo(f"held-out loss of the fit  {record['held_out_loss']}, training loss {record['loss']}")
    click.echo(f"weights in {folder / 'fitted.json'}")
