"""Is the game over? Our rules and python-chess agree on the answer and the reason, on random and made games."""

import random

import chess
import pytest

from quiesce.board.bridge import from_chess_move
from quiesce.board.ending import (
    CHECKMATE,
    FIFTY_MOVE_RULE,
    INSUFFICIENT,
    STALEMATE,
    THREEFOLD,
    end_of_board,
    end_of_game,
)
from quiesce.board.game import Game

ENDS = [
    ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", [], -1, CHECKMATE),
    ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", [], 0, STALEMATE),
    ("7k/8/8/8/8/8/8/K1B5 w - - 0 1", [], 0, INSUFFICIENT),
    ("7k/8/6K1/8/8/8/8/R7 b - - 100 90", [], 0, FIFTY_MOVE_RULE),
    ("R6k/8/7K/8/8/8/8/8 b - - 100 90", [], 1, CHECKMATE),
    (chess.STARTING_FEN, ["g1f3", "g8f6", "f3g1", "f6g8"] * 2, 0, THREEFOLD),
]


def played(fen, moves):
    """A game of ours, and python-chess's board."""
    game, board = Game(fen), chess.Board(fen)
    for uci in moves:
        game.push(from_chess_move(game, chess.Move.from_uci(uci)))
        board.push_uci(uci)
    return game, board


@pytest.mark.parametrize(("fen", "moves", "result", "reason"), ENDS)
def test_each_rule_ends_a_game(fen, moves, result, reason):
    """Mate comes before the move clock; the third time of a position is a draw, the second is not."""
    game, board = played(fen, moves)
    assert end_of_game(game) == end_of_board(board) == (result, reason)
    if moves:
        assert end_of_game(played(fen, moves[:-1])[0]) is None


@pytest.mark.parametrize("seed", range(6))
def test_random_games_end_alike(seed):
    """After every move of games of few pieces, which end by all rules."""
    choice = random.Random(seed)
    game, board = played("4k3/3p4/8/8/8/8/3P4/4KN2 w - - 70 60", [])
    for _ in range(300):
        end = end_of_game(game)
        assert end == end_of_board(board)
        if end is not None:
            return
        move = choice.choice(list(board.legal_moves))
        game.push(from_chess_move(game, move))
        board.push(move)
