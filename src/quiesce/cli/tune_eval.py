"""Shell. `quiesce tune eval`: evaluation weights fitted to game results."""

import json
from pathlib import Path

import click

from quiesce.cli.common import NewFolder, json_option, store_option
from quiesce.cli.console import progress, ready
from quiesce.engine.selfplay import KERNELS
from quiesce.eval.terms import DEFAULT_SET
from quiesce.eval.weights import weights
from quiesce.lab.arena import DEFAULT_NODES
from quiesce.lab.selfplay import Plan
from quiesce.work.store import Store, StoreError

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
STORE = click.Path(dir_okay=False, path_type=Path)


@click.command(name="eval")
@click.argument("folder", type=NewFolder())
@click.option("--games", type=click.IntRange(min=0), default=20_000, show_default=True, help="Self-play games.")
@click.option("--nodes", type=click.IntRange(min=100), default=DEFAULT_NODES, show_default=True, help="Nodes per move.")
@click.option("--book", type=FILE, help="File with one FEN per line.  [default: random moves]")
@click.option("--player", default=DEFAULT_SET, show_default=True, help="Weights of the players, by name or file.")
@click.option("--more", type=FILE, multiple=True, help="More games: another folder's or a PGN file; repeatable.")
@click.option("--steps", type=click.IntRange(min=1), default=150, show_default=True, help="Steps of gradient descent.")
@click.option("--threads", type=click.IntRange(0, 256), default=0, help="Parallel games.  [default: all cores]")
@click.option("--seed", type=int, default=1, show_default=True, help="Random seed of the openings.")
@store_option
@json_option
def fit_eval(
    folder: Path,
    games: int,
    nodes: int,
    book: Path | None,
    player: str,
    more: tuple[Path, ...],
    steps: int,
    threads: int,
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
    if not games and not more:
        raise click.UsageError("there are no games: give --games or --more")
    ready(rare=KERNELS)
    try:
        weights(player)
        plan = Plan(seed, nodes, "" if book is None else str(book), player)
        with Store(store_path) as store, progress("fitting the evaluation") as bar:
            order = Order(folder, plan, games, more, steps, threads)
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
