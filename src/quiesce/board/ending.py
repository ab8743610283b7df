"""Shell. Is the game over? One answer for hosts: by our own rules, or, for an independent referee, by python-chess."""

from typing import NamedTuple

import chess

from quiesce.board.draws import FIFTY_MOVES
from quiesce.board.game import Game

CHECKMATE, STALEMATE = "checkmate", "stalemate"
INSUFFICIENT, FIFTY_MOVE_RULE, THREEFOLD = "insufficient material", "the fifty-move rule", "threefold repetition"
PGN_RESULTS = {1: "1-0", 0: "1/2-1/2", -1: "0-1"}


class End(NamedTuple):
    """How a game ended: 1, 0 or -1 for White, and the rule."""

    result: int
    reason: str

    @property
    def pgn_result(self) -> str:
        """The result as PGN writes it."""
        return PGN_RESULTS[self.result]


def end_of_game(game: Game) -> End | None:
    """How a game of ours ended, draws that need a claim included; None while it goes on."""
    if game.is_checkmate:
        return End(1 if int(game.position.turn) else -1, CHECKMATE)
    if game.is_stalemate:
        return End(0, STALEMATE)
    if game.is_insufficient:
        return End(0, INSUFFICIENT)
    if game.is_fifty_moves:
        return End(0, FIFTY_MOVE_RULE)
    return End(0, THREEFOLD) if game.is_threefold else None


def end_of_board(board: chess.Board) -> End | None:
    """The same by python-chess alone, so that matches are judged by rules that are not our own."""
    if not any(board.generate_legal_moves()):
        return End(-1 if board.turn else 1, CHECKMATE) if board.is_check() else End(0, STALEMATE)
    if board.is_insufficient_material():
        return End(0, INSUFFICIENT)
    if board.halfmove_clock >= FIFTY_MOVES:
        return End(0, FIFTY_MOVE_RULE)
    return End(0, THREEFOLD) if board.is_repetition(3) else None
