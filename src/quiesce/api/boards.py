"""Shell. Positions as users have them: chess.Board or FEN in, our games and moves out."""

import chess

from quiesce.board.bridge import from_board, from_chess_move
from quiesce.board.game import Game
from quiesce.jit import have_ready

Position = chess.Board | str
"""A board with the moves that led to it, or a FEN."""


def game_of(position: Position, chess960: bool = False) -> Game:
    """The game a user means; raises ValueError with the reason if nothing can be played from it.

    The moves on a board's stack count for repetition, as far back as one can lie. `chess960` is for FENs; a board
    knows it of itself.
    """
    have_ready("board.")
    if isinstance(position, str):
        return Game(position, chess960)
    if not isinstance(position, chess.Board):
        raise TypeError(f"a position is a chess.Board or a FEN, not {type(position).__name__}")
    return from_board(position.copy(stack=position.halfmove_clock))


def move_of(game: Game, move: chess.Move | str) -> int:
    """A legal move of a game, by python-chess or in UCI notation; raises ValueError for any other."""
    wanted = chess.Move.from_uci(move) if isinstance(move, str) else move
    own = from_chess_move(game, wanted) if wanted else None
    if own is None:
        raise ValueError(f"{wanted.uci()} is illegal in {game.fen()}")
    return own
