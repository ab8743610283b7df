"""Shell. To python-chess and back: boards with their moves, and single moves."""

import chess
import numpy as np

from quiesce.board.fen import FenError
from quiesce.board.game import Game
from quiesce.board.makemove import describe_move
from quiesce.board.types import NO_KIND, NO_MOVE


def to_chess_move(move: int, chess960: bool = False) -> chess.Move:
    """A move as python-chess writes it: castling to the king's target, in Chess960 onto the rook."""
    if move == NO_MOVE:
        return chess.Move.null()
    origin, target, standard, promoted = describe_move(np.uint64(move))
    return chess.Move(origin, target if chess960 else standard, None if promoted == NO_KIND else promoted + 1)


def from_chess_move(game: Game, move: chess.Move) -> int | None:
    """The legal move that python-chess writes so, either way of castling; None if there is none."""
    if not move:
        return int(NO_MOVE)
    legal = game.legal_moves()
    for notation in (game.chess960, not game.chess960):
        for own in legal:
            if to_chess_move(own, notation) == move:
                return own
    return None


def to_board(game: Game) -> chess.Board:
    """A python-chess board with the same start and the same moves."""
    board = chess.Board(game.start_fen, chess960=game.chess960)
    for move in game.moves:
        board.push(to_chess_move(move, game.chess960))
    return board


def from_board(board: chess.Board) -> Game:
    """The game a python-chess board has seen; its moves count for repetition.

    Raises FenError, a ValueError, for variants and for positions that cannot be played.
    """
    if board.uci_variant != "chess":
        raise FenError(f"this is a board of {board.uci_variant}; only chess and Chess960 are played here")
    root = board.root()
    game = Game(root.shredder_fen(en_passant="fen") if root.chess960 else root.fen(en_passant="fen"), root.chess960)
    for played in board.move_stack:
        move = from_chess_move(game, played)
        if move is None:
            raise FenError(f"the board's own move {played.uci()} is illegal in {game.fen()}")
        game.push(move)
    return game
