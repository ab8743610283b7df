"""Shell. `quiesce eval`: the static evaluation, piece by piece or term by term."""

import json
from dataclasses import asdict
from typing import Any

import click
from rich.table import Table

from quiesce.board.fen import PIECE_LETTERS, square_name
from quiesce.board.game import Game
from quiesce.cli.common import chess960_option, game_of, json_option, position_argument
from quiesce.cli.console import out, show_board
from quiesce.engine.wdl import PAWN, centipawns
from quiesce.eval.breakdown import Breakdown, Row, breakdown, grouped
from quiesce.eval.bypiece import ByPiece, by_piece
from quiesce.eval.names import DEFAULT_EVAL, EVALS, uses_network
from quiesce.eval.terms import DEFAULT_SET
from quiesce.eval.weights import WeightsError, unfitted


@click.command(name="eval")
@position_argument("position")
@click.option(
    "--terms", is_flag=True, help="Show every weight of the hand-made evaluation that counts, not only groups."
)
@click.option("--weights", default=DEFAULT_EVAL, show_default=True, help=f"One of {', '.join(EVALS)}, or a file.")
@chess960_option
@json_option
def evaluate(position: tuple[str, ...], terms: bool, weights: str, chess960: bool, as_json: bool) -> None:
    """The evaluation without any search.

    With the network: how the evaluation would change without each piece, in points for White. With --weights fitted:
    the terms of the hand-made evaluation for both sides, in middlegame and endgame points.
    """
    game = game_of(position, chess960, is_needed)
    weights = DEFAULT_SET if terms and weights == DEFAULT_EVAL else weights
    try:
        if uses_network(weights):
            show_shares(game, by_piece(game.position, weights), as_json)
        else:
            show_terms(game, breakdown(game.position, weights), terms, as_json)
            if (by_hand := unfitted(weights)) and not as_json:
                out.print(f"not fitted, by hand: {', '.join(by_hand)}")
    except WeightsError as error:
        raise click.UsageError(str(error)) from None
    if game.is_check and not as_json:
        out.print("[yellow]the mover is in check: the search does not evaluate such positions[/]")


def show_terms(game: Game, found: Breakdown, terms: bool, as_json: bool) -> None:
    """Print the terms, one by one or by groups."""
    if as_json:
        click.echo(json.dumps({"fen": game.fen(shredder=game.chess960)} | facts_of(found)))
        return
    show_board(game)
    out.print(table_of(found.rows if terms else grouped(found), found))
    value = -found.value if found.black_moves else found.value
    out.print(f"{found.formula} = {value}, shown as {centipawns(value) / PAWN:+.2f} pawns for White")


def show_shares(game: Game, found: ByPiece, as_json: bool) -> None:
    """Print what each piece contributes to the network's evaluation."""
    if as_json:
        facts = {"fen": game.fen(shredder=game.chess960), "value": found.value, "cp": centipawns(found.value)}
        pieces = {square_name(share.square): [PIECE_LETTERS[share.piece], share.points] for share in found.shares}
        click.echo(json.dumps(facts | {"pieces": pieces}))
        return
    value = -found.value if found.black_moves else found.value
    out.print("\n".join(found.rows(PIECE_LETTERS)), highlight=False)
    out.print(f"{value} points, shown as {centipawns(value) / PAWN:+.2f} pawns for White")


def is_needed(name: str) -> bool:
    """Does the static evaluation need this kernel?"""
    return not name.startswith("search.")


def table_of(rows: list[Row], found: Breakdown) -> Table:
    """Rows and their sum as a table."""
    table = Table("term", "White", "Black", "total mg", "total eg", box=None, pad_edge=False)
    for column in table.columns[1:]:
        column.justify = "right"
    for row in rows:
        sides = [f"{middle:>5} {ending:>5}" for middle, ending in (row.white, row.black)]
        table.add_row(row.name.replace("[", "\\["), *sides, *(f"{part:+d}" for part in row.total))
    table.add_row("[bold]total[/]", "", "", *(f"[bold]{part:+d}[/]" for part in found.total))
    return table


def facts_of(found: Breakdown) -> dict[str, Any]:
    """The breakdown for --json; `value` is for the side to move, all else for White and Black."""
    groups = [asdict(row) | {"total": row.total} for row in grouped(found)]
    terms = [asdict(row) | {"total": row.total} for row in found.rows]
    return {
        "value": found.value,
        "cp": centipawns(found.value),
        "total": found.total,
        "phase": found.phase,
        "scale": found.scale,
        "groups": groups,
        "terms": terms,
    }
