"""Shell. Positions and moves of users: chess.Board or text in, our own types out."""

import chess

from quiesce.board.bridge import from_board, from_chess_move
from quiesce.board.game import Game
from quiesce.board.movetext import parse_move
from quiesce.board.positiontext import game_from_text
from quiesce.jit import have_ready

Position = chess.Board | str
"""A chess.Board with its move stack, a FEN, `startpos`, or moves from the start position such as `e4 e5`."""


def game_of(position: Position, chess960: bool = False) -> Game:
    """The game of a position. Raises ValueError with the reason if the position is not playable.

    Moves on a board's stack count for repetition. `chess960` applies to text; a board has its own flag.
    """
    have_ready("board.")
    if isinstance(position, str):
        return game_from_text(position, chess960)
    if not isinstance(position, chess.Board):
        raise TypeError(
            f"a position is a chess.Board, a FEN, startpos or moves such as 'e4 e5', not {type(position).__name__}"
        )
    return from_board(position.copy(stack=position.halfmove_clock))


def move_of(game: Game, move: chess.Move | str) -> int:
    """A legal move from a chess.Move, UCI or SAN. Raises ValueError for any other."""
    if isinstance(move, str):
        return parse_move(game, move.strip())
    if not isinstance(move, chess.Move):
        raise TypeError(f"a move is a chess.Move, or text such as e2e4 or Nf3, not {move!r}")
    own = from_chess_move(game, move) if move else None
    if own is None:
        raise ValueError(f"{move.uci()} is illegal in {game.fen()}")
    return own
