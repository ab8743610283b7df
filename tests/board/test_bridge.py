"""Boards of python-chess: taken as they are, they are what their FENs say, and as wrong."""

import itertools

import chess
import numpy as np
import pytest

from quiesce.board import bridge
from quiesce.board.bridge import from_board, game_at, position_of
from quiesce.board.fen import FenError
from quiesce.board.game import Game
from tests.conftest import run_python
from tests.oracles import randomplay

GAMES, PLIES = 30, 80
FORWARD = "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3"


def by_text(board):
    """The game a board's FEN describes."""
    fen = board.shredder_fen(en_passant="fen") if board.chess960 else board.fen(en_passant="fen")
    return Game(fen, board.chess960)


def same(one, other):
    """Do two games stand alike in everything?"""
    assert one.position.tobytes() == other.position.tobytes()
    assert (one.chess960, one.start_fen, one.moves) == (other.chess960, other.start_fen, other.moves)
    assert (one.path.keys == other.path.keys).all()
    assert one.index == other.index


def test_boards_are_what_their_fens_say():
    """Through random games of standard chess, Chess960 and endings, en passant squares and lost castling among them."""
    passed = 0
    for board, choice in itertools.islice(randomplay.games(seed=5), GAMES):
        for _ in range(PLIES):
            alone = board.copy(stack=False)
            assert position_of(alone) is not None
            same(game_at(alone), by_text(alone))
            passed += board.ep_square is not None
            if not any(board.legal_moves):
                break
            board.push(randomplay.lively(board, choice))
    assert passed > 20


def test_games_are_replayed():
    """Moves on a board's stack are played one by one, castling and passing included, as if their text had been read."""
    for board, choice in itertools.islice(randomplay.games(seed=6), GAMES):
        while len(board.move_stack) < PLIES and any(board.legal_moves):
            passes = len(board.move_stack) % 9 == 4 and not board.is_check()
            board.push(chess.Move.null() if passes else randomplay.lively(board, choice))
        slow = by_text(board.root())
        for move in board.move_stack:
            slow.push(bridge.from_chess_move(slow, move))
        same(from_board(board), slow)


def outcome(made, board):
    """The position a board is made into, or why not."""
    try:
        return made(board).position.tobytes()
    except FenError as error:
        return str(error)


def spoilt(change, fen=FORWARD, chess960=False):
    """A board after something was done to it."""
    board = chess.Board(fen, chess960=chess960)
    change(board)
    return board


def setting(**values):
    """Something to do to a board: give its fields these values."""
    return lambda board: [setattr(board, name, value) for name, value in values.items()]


@pytest.mark.parametrize(
    "board",
    [
        spoilt(lambda board: board.clear()),
        spoilt(lambda board: board.set_piece_at(chess.E4, chess.Piece.from_symbol("k"))),
        spoilt(lambda board: board.set_piece_at(chess.A1, chess.Piece.from_symbol("P"))),
        spoilt(lambda board: [board.set_piece_at(square, chess.Piece.from_symbol("N")) for square in range(16, 24)]),
        spoilt(lambda board: board.remove_piece_at(chess.E1)),
        spoilt(lambda board: board.set_piece_at(chess.E3, chess.Piece.from_symbol("p"))),
        spoilt(setting(turn=chess.BLACK)),
        spoilt(setting(ep_square=chess.E3)),
        spoilt(setting(ep_square=chess.A6)),
        spoilt(setting(halfmove_clock=10_000)),
        spoilt(setting(halfmove_clock=-1)),
        spoilt(setting(fullmove_number=10_000)),
        spoilt(setting(fullmove_number=-3)),
        spoilt(setting(castling_rights=chess.BB_D1), chess960=True),
        chess.Board("4k3/8/8/8/1b2r3/8/8/4K1n1 w - - 0 1"),
        chess.Board("4k3/8/8/8/1b2r3/5n2/8/4K3 w - - 0 1"),
        chess.Board("4k3/8/4Q3/8/8/8/8/4K3 w - - 0 1"),
    ],
)
def test_wrong_boards_are_refused_in_the_same_words(board):
    """What its FEN is refused for, a board is; what its FEN is repaired for, a board is too."""
    assert outcome(game_at, board) == outcome(by_text, board)


def test_move_number_nought_is_one():
    """As in a FEN."""
    assert from_board(spoilt(setting(fullmove_number=0))).position.fullmove == 1


def test_sets_that_disagree_are_read_as_python_chess_shows_them():
    """A piece of two kinds, or of no colour, is what the board's FEN makes of it."""
    board = chess.Board()
    board.queens |= chess.BB_A1
    assert position_of(board) is None
    same(game_at(board), by_text(board))
    board = chess.Board()
    board.knights |= chess.BB_E4
    assert position_of(board) is None
    same(game_at(board), by_text(board))


def test_drops_are_no_moves():
    """What looks like one of our moves but drops a piece is none."""
    drop = chess.Move(chess.E2, chess.E4, drop=chess.PAWN)
    assert bridge.from_chess_move(Game(), drop) is None


def test_a_game_keeps_its_start():
    """The FEN it began with is known after moves, and in copies."""
    board = chess.Board(FORWARD)
    board.push_san("exf6")
    game = from_board(board)
    assert game.start_fen == game.copy().start_fen == FORWARD
    assert np.uint64(game.position.key) != np.uint64(Game(FORWARD).position.key)


def test_moves_without_the_compiler():
    """Squares are plain numbers there too: python-chess took a king's step for castling, comparing by identity."""
    script = (
        "import chess; from quiesce.board.bridge import to_chess_move; from quiesce.board.game import Game;"
        "board = chess.Board('4k3/8/8/8/8/8/8/4K2R w K - 0 1'); game = Game(board.fen());"
        "print(sorted(board.san(to_chess_move(move)) for move in game.legal_moves()))"
    )
    done = run_python("-c", script, NUMBA_DISABLE_JIT="1")
    board = chess.Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    assert done.stdout.strip() == str(sorted(board.san(move) for move in board.legal_moves)), done.stderr
