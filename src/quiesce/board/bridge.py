"""Shell. To python-chess and back: boards with their moves, and single moves."""

from functools import cache
from typing import Any

import chess
import numpy as np

from quiesce.board.fen import MOST_PLIES, FenError
from quiesce.board.game import Game
from quiesce.board.makemove import describe_move
from quiesce.board.position import POSITION
from quiesce.board.rows import GOOD_ROW, gather_position
from quiesce.board.tables import tables
from quiesce.board.types import NO_KIND, NO_MOVE, NO_SQUARE
from quiesce.records import new


@cache
def written(move: int, chess960: bool) -> tuple[int, int, int | None]:
    """A move's squares and the kind it promotes to as python-chess writes them."""
    origin, target, standard, promoted = map(int, describe_move(np.uint64(move)))
    return origin, target if chess960 else standard, None if promoted == NO_KIND else promoted + 1


def to_chess_move(move: int, chess960: bool = False) -> chess.Move:
    """A move as python-chess writes it: castling to the king's target, in Chess960 onto the rook."""
    if move == NO_MOVE:
        return chess.Move.null()
    return chess.Move(*written(move, chess960))


def from_chess_move(game: Game, move: chess.Move) -> int | None:
    """The legal move of a python-chess move, castling in either notation; None if it is not legal."""
    if not move:
        return int(NO_MOVE)
    if move.drop is not None:
        return None
    legal, wanted = game.legal_moves(), (move.from_square, move.to_square, move.promotion)
    for notation in (game.chess960, not game.chess960):
        for own in legal:
            if written(own, notation) == wanted:
                return own
    return None


def to_board(game: Game) -> chess.Board:
    """A python-chess board with the same start and the same moves."""
    board = chess.Board(game.start_fen, chess960=game.chess960)
    for move in game.moves:
        board.push(to_chess_move(move, game.chess960))
    return board


def columns_of(board: chess.Board) -> tuple[int, ...]:
    """A board of python-chess in the numbers that `board/rows.py` makes a position from."""
    return (
        board.pawns,
        board.knights,
        board.bishops,
        board.rooks,
        board.queens,
        board.kings,
        board.occupied_co[chess.WHITE],
        board.occupied_co[chess.BLACK],
        board.clean_castling_rights(),
        int(not board.turn),
        int(NO_SQUARE) if board.ep_square is None else board.ep_square,
        board.halfmove_clock,
        board.fullmove_number,
    )


def position_of(board: chess.Board) -> Any | None:
    """The position on a board that is plainly right, as its FEN would be read; None for any other."""
    if not (0 <= board.halfmove_clock <= MOST_PLIES and 1 <= board.fullmove_number <= MOST_PLIES):
        return None
    try:
        columns = np.array(columns_of(board), np.uint64)
    except OverflowError:
        return None
    position = new(POSITION)
    return position if gather_position(tables(), columns, position) == GOOD_ROW else None


def game_at(board: chess.Board) -> Game:
    """The game that begins on a board; one that is not plainly right is read by its FEN, which says what is wrong."""
    position = position_of(board)
    if position is not None:
        return Game.from_position(position, board.chess960)
    return Game(board.shredder_fen(en_passant="fen") if board.chess960 else board.fen(en_passant="fen"), board.chess960)


def from_board(board: chess.Board) -> Game:
    """The game a python-chess board has seen; its moves count for repetition.

    Raises FenError, a ValueError, for variants and for positions that cannot be played.
    """
    if board.uci_variant != "chess":
        raise FenError(f"this is a board of {board.uci_variant}; only chess and Chess960 are played here")
    game = game_at(board.root())
    for played in board.move_stack:
        move = from_chess_move(game, played)
        if move is None:
            raise FenError(f"the board's own move {played.uci()} is illegal in {game.fen()}")
        if move == NO_MOVE:
            game.push(move)
        else:
            game.follow(move)
    return game
