"""Shell. `quiesce board`: show a position."""

import json

import click

from quiesce.board.ending import CHECKMATE, STALEMATE, end_of_game
from quiesce.board.game import Game
from quiesce.board.movetext import move_to_uci
from quiesce.cli.common import chess960_option, game_of, is_of_board, json_option, position_argument
from quiesce.cli.console import show_board


def state_of(game: Game) -> str:
    """The state of the position: in play, checkmate, stalemate or a draw."""
    end = end_of_game(game)
    if end is None:
        return "check" if game.is_check else "in play"
    return end.reason if end.reason in (CHECKMATE, STALEMATE) else f"draw by {end.reason}"


@click.command()
@position_argument("position")
@chess960_option
@json_option
def board(position: tuple[str, ...], chess960: bool, as_json: bool) -> None:
    """A FEN needs no quotes. MOVES are played from the start position. With - the position is read from standard input.

    Without a position the start position is shown.
    """
    game = game_of(position, chess960, is_of_board)
    moves = sorted(move_to_uci(move, game.chess960) for move in game.legal_moves())
    facts = {"fen": game.fen(shredder=game.chess960), "key": f"{int(game.position.key):016x}", "state": state_of(game)}
    if as_json:
        click.echo(json.dumps({**facts, "chess960": game.chess960, "moves": moves}))
        return
    show_board(game)
    for name, value in facts.items():
        click.echo(f"{name:<6} {value}")
    click.echo(f"legal  {len(moves)}: {' '.join(moves)}" if moves else "legal  none")
