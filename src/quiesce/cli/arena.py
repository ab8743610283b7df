"""Shell. `quiesce arena`: fast games between two settings of the engine."""

import json
from pathlib import Path

import click

from quiesce.cli.common import json_option
from quiesce.cli.console import progress, ready
from quiesce.cli.options import search_options
from quiesce.engine.selfplay import DEFAULT_WEIGHTS, KERNELS
from quiesce.lab.arena import DEFAULT_NODES, Arena, Tally
from quiesce.lab.elo import known


@click.command()
@click.option("--first", multiple=True, metavar="NAME=VALUE", help="Option of the first side; repeatable.")
@click.option("--second", multiple=True, metavar="NAME=VALUE", help="Option of the second side; repeatable.")
@click.option(
    "--weights",
    type=(str, str),
    default=DEFAULT_WEIGHTS,
    show_default=True,
    help="Evaluations of both sides: network, fitted, hand, squares or a file.",
)
@click.option(
    "--pairs",
    type=click.IntRange(min=1),
    default=500,
    show_default=True,
    help="Game pairs; each opening is played twice.",
)
@click.option("--nodes", type=click.IntRange(min=100), default=DEFAULT_NODES, show_default=True, help="Nodes per move.")
@click.option(
    "--book", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="File with one FEN per line."
)
@click.option("--threads", type=click.IntRange(1, 256), help="Parallel games.  [default: all cores]")
@click.option("--seed", type=int, default=1, show_default=True, help="Random seed of the openings.")
@json_option
def arena(
    first: tuple[str, ...],
    second: tuple[str, ...],
    weights: tuple[str, str],
    pairs: int,
    nodes: int,
    book: Path | None,
    threads: int | None,
    seed: int,
    as_json: bool,
) -> None:
    """Without a book, openings are a few random moves. The Elo shown is the first side's."""
    sides = search_options(first), search_options(second)
    ready(lazy=KERNELS)
    with progress("arena") as bar:

        def show(tally: Tally) -> None:
            bar(tally.games // 2, pairs, f"arena {tally.strength}")

        try:
            tally = Arena(*sides, nodes, threads, weights).run(pairs, book, seed, show)
        except ValueError as error:
            raise click.UsageError(str(error)) from None
    if as_json:
        facts = {"games": tally.games, "pentanomial": tally.pentanomial, "elo": tally.strength.elo}
        click.echo(json.dumps(facts | {"error": known(tally.strength.error), "los": tally.strength.superiority}))
        return
    counts = " ".join(str(count) for count in tally.pentanomial)
    click.echo(f"{tally.games} games at {nodes} nodes, pentanomial {counts}: {tally.strength}")
