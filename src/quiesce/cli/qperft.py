"""Shell. `quiesce qperft`: count nodes to a depth, and of the noisy lines after it."""

import json

import click

from quiesce.board.counter import MOST_QPERFT_DEPTH, count_quiescence
from quiesce.board.perft import QPERFT_PLIES
from quiesce.cli.common import POSITION, chess960_option, game_of, is_of_board, json_option, position_argument
from quiesce.cli.console import err


@click.command()
@position_argument("words", f"{POSITION} DEPTH")
@chess960_option
@json_option
def qperft(words: tuple[str, ...], chess960: bool, as_json: bool) -> None:
    """After DEPTH plies, noisy moves (captures and promotions; in check all evasions) are followed for four plies."""
    if not words or not words[-1].isdigit() or int(words[-1]) > MOST_QPERFT_DEPTH:
        raise click.UsageError(f"DEPTH, the last argument, must be 0 to {MOST_QPERFT_DEPTH}")
    game, depth = game_of(words[:-1], chess960, is_of_board), int(words[-1])
    with err.status("counting"):
        counts = count_quiescence(game, depth)
    total = counts["regular_nodes"] + counts["quiescence_nodes"]
    share = counts["quiescence_nodes"] / total
    if as_json:
        click.echo(json.dumps(counts | {"depth": depth, "noisy_plies": QPERFT_PLIES, "share": round(share, 4)}))
        return
    for name, count in counts.items():
        click.echo(f"{name.replace('_', ' '):<18}{count:>14,}")
    click.echo(f"{'share of q-nodes':<18}{share:>14.1%}")
