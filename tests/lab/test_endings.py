"""Basic endings are won against a defender who knows them all."""

import random

import chess
import chess.syzygy
import pytest

from quiesce.board.bridge import from_board, to_chess_move
from quiesce.engine import Engine, Limits
from tests.conftest import SHARED

TABLES = SHARED / "syzygy"
STARTS = 20
NODES = 100_000
LONGEST = 50


def start_of(men, choice):
    """A random position with these white pieces against a bare king, White to move, which is won."""
    while True:
        board = chess.Board(None)
        squares = choice.sample(range(64), len(men) + 2)
        for square, piece in zip(squares, f"K{men}k", strict=True):
            board.set_piece_at(square, chess.Piece.from_symbol(piece))
        if board.is_valid() and not is_same_shade(board) and not hangs(board):
            return board


def is_same_shade(board):
    """Do two bishops share a colour, with which nothing is won?"""
    bishops = board.pieces(chess.BISHOP, chess.WHITE)
    return len(bishops) == 2 and len({(square + square // 8) % 2 for square in bishops}) == 1


def hangs(board):
    """May the bare king take something at once, whatever White does?"""
    return bool(board.attacks(board.king(chess.BLACK)) & board.occupied_co[chess.WHITE])


def defence(tables, board):
    """The move that puts off the mate the longest, or takes a piece that hangs."""
    worst = {}
    for move in board.legal_moves:
        board.push(move)
        worst[move] = tables.probe_dtz(board) if len(board.piece_map()) > 2 else -1_000
        board.pop()
    draws = [move for move, distance in worst.items() if distance <= 0]
    return draws[0] if draws else max(worst, key=worst.get)


@pytest.mark.lab
@pytest.mark.timeout(900)
@pytest.mark.skipif(not TABLES.exists(), reason="no Syzygy tables beside the project")
@pytest.mark.parametrize("men", ["Q", "R", "BB", "BN"])
def test_a_bare_king_is_mated(men):
    """Twenty random starts each, mate within fifty moves, by search and evaluation alone."""
    choice, plies = random.Random(7), []
    with Engine(8) as engine, chess.syzygy.open_tablebase(str(TABLES)) as tables:
        for _ in range(STARTS):
            board = start_of(men, choice)
            engine.new_game()
            while not (board.is_game_over() or board.is_repetition()) and len(board.move_stack) < 2 * LONGEST:
                if board.turn:
                    board.push(to_chess_move(engine.search(from_board(board), Limits(nodes=NODES)).lines[0].moves[0]))
                else:
                    board.push(defence(tables, board))
            assert board.is_checkmate(), f"{board.root().fen()}: {' '.join(m.uci() for m in board.move_stack)}"
            plies.append(len(board.move_stack))
    print(f"K{men}K: {STARTS} won, at most {max(plies) // 2 + 1} moves")
