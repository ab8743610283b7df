"""Shell. Moves as text: UCI (e2e4, e7e8q, castling e1g1, in Chess960 e1h1) and, by python-chess, SAN (Nf3)."""

import re
from functools import cache

import chess
import numpy as np

from quiesce.board.bridge import from_chess_move, to_board, to_chess_move
from quiesce.board.fen import PIECE_LETTERS, SIDES, shorten, square_name, square_of
from quiesce.board.game import Game, MoveError
from quiesce.board.makemove import describe_move
from quiesce.board.types import NO_KIND, NO_MOVE, NO_PIECE

KIND_NAMES = ("pawn", "knight", "bishop", "rook", "queen", "king")
KIND_LETTERS = PIECE_LETTERS[1::2]
NULL_MOVE = "0000"
UCI_MOVE = re.compile("[a-h][1-8][a-h][1-8][nbrq]?")
"""How a move of UCI looks."""


@cache
def move_to_uci(move: int, chess960: bool = False) -> str:
    """A move in UCI notation."""
    if move == NO_MOVE:
        return NULL_MOVE
    origin, target, standard, promoted = describe_move(np.uint64(move))
    letter = "" if promoted == NO_KIND else KIND_LETTERS[promoted]
    return square_name(origin) + square_name(target if chess960 else standard) + letter


def parse_uci(game: Game, text: str) -> int:
    """The legal move a UCI text names; castling may be written either way where that leaves no doubt."""
    legal = game.legal_moves()
    for notation in (game.chess960, not game.chess960):
        for move in legal:
            if move_to_uci(move, notation) == text:
                return move
    raise MoveError(why_illegal(game, text))


def why_illegal(game: Game, text: str) -> str:
    """One sentence on why a UCI text is no legal move here."""
    shown = shorten(text)
    if not UCI_MOVE.fullmatch(text) or text[:2] == text[2:4]:
        return f"{shown} is not a move in UCI notation, such as e2e4 or e7e8q"
    mover = SIDES[game.position.turn]
    piece = int(game.position.board[square_of(text[:2])])
    if piece == NO_PIECE:
        return f"{shown} is illegal: there is no piece on {text[:2]}"
    name = f"{KIND_NAMES[piece // 2]} on {text[:2]}"
    if piece % 2 != game.position.turn:
        return f"{shown} is illegal: the {name} is {SIDES[piece % 2]}'s and {mover} is to move"
    legal = {move_to_uci(move, game.chess960) for move in game.legal_moves()}
    if f"{text[:4]}q" in legal:
        return f"{shown} is illegal: the pawn promotes, so the move needs a piece, such as {text[:4]}q"
    if text[:4] in legal:
        return f"{shown} is illegal: the {name} does not promote there"
    if to_board(game).is_pseudo_legal(chess.Move.from_uci(text)):
        return f"{shown} is illegal: it would leave {mover}'s king in check"
    return f"{shown} is illegal: the {name} cannot go to {text[2:4]}"


def parse_move(game: Game, text: str) -> int:
    """The legal move that a text names, in UCI or in algebraic notation; `!` and `?` behind it count for nothing."""
    if UCI_MOVE.fullmatch(text):
        return parse_uci(game, text)
    return parse_san(game, text.rstrip("!?"))


def move_to_san(game: Game, move: int) -> str:
    """A legal move in standard algebraic notation."""
    return to_board(game).san(to_chess_move(move, game.chess960))


def parse_san(game: Game, text: str) -> int:
    """The legal move a SAN text names."""
    try:
        move = from_chess_move(game, to_board(game).parse_san(text))
    except chess.AmbiguousMoveError:
        raise MoveError(f"{shorten(text)} is ambiguous: more than one piece can move so") from None
    except chess.IllegalMoveError:
        raise MoveError(f"{shorten(text)} is illegal in {game.fen()}") from None
    except chess.InvalidMoveError:
        raise MoveError(f"{shorten(text)} is not a move in algebraic notation, such as Nf3 or exd5") from None
    if move is None or move == NO_MOVE:
        raise MoveError(f"{shorten(text)} is no move of a piece")
    return move
