"""Moves as text and boards of python-chess, there and back, with a sentence for every mistake."""

import random

import chess
import chess.variant
import pytest

from quiesce.board.bridge import from_board, from_chess_move, to_board
from quiesce.board.fen import FenError
from quiesce.board.game import Game, MoveError
from quiesce.board.movetext import move_to_san, move_to_uci, parse_san, parse_uci
from tests.oracles import randomplay

ITALIAN = "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4"
PROMOTING = "4k3/1P6/8/8/8/8/8/4K3 w - - 0 1"
PINNED = "4k3/4r3/8/8/8/8/4N3/4K3 w - - 0 1"
CASTLING_960 = "4k3/8/8/8/8/8/8/1R2KR2 w FB - 0 1"

BAD_UCI = (
    (ITALIAN, "e2e4", "there is no piece on e2"),
    (ITALIAN, "g8f6", "the knight on g8 is Black's and White is to move"),
    (ITALIAN, "f3f5", "the knight on f3 cannot go to f5"),
    (ITALIAN, "f3g5q", "the knight on f3 does not promote there"),
    (ITALIAN, "e9e4", "not a move in UCI notation"),
    (ITALIAN, "", "not a move in UCI notation"),
    (ITALIAN, "e2e2", "not a move in UCI notation"),
    (ITALIAN, "0000", "not a move in UCI notation"),
    (PROMOTING, "b7b8", "needs a piece, such as b7b8q"),
    (PINNED, "e2c3", "would leave White's king in check"),
)
BAD_SAN = (
    (ITALIAN, "Nxe4", "is illegal in"),
    (ITALIAN, "castle", "is not a move in algebraic notation"),
    (ITALIAN, "--", "is no move of a piece"),
    ("4k3/8/8/8/8/2K5/8/R6R w - - 0 1", "Rd1", "is ambiguous"),
)


@pytest.mark.parametrize(("fen", "text", "reason"), BAD_UCI)
def test_bad_uci_moves(fen, text, reason):
    """An illegal move says why."""
    with pytest.raises(MoveError, match=reason):
        parse_uci(Game(fen), text)


@pytest.mark.parametrize(("fen", "text", "reason"), BAD_SAN)
def test_bad_san_moves(fen, text, reason):
    """So does one in algebraic notation."""
    with pytest.raises(MoveError, match=reason):
        parse_san(Game(fen), text)


def test_castling_both_ways():
    """Castling is read in either notation and written in the game's own."""
    standard, other = Game(ITALIAN), Game(CASTLING_960)
    assert parse_uci(standard, "e1g1") == parse_uci(standard, "e1h1")
    assert move_to_uci(parse_uci(standard, "e1h1")) == "e1g1"
    assert move_to_uci(parse_uci(other, "e1b1"), chess960=True) == "e1b1"
    assert move_to_san(other, parse_uci(other, "e1f1")) == "O-O"


def test_king_step_is_not_castling_in_chess960():
    """Where e1f1 could be a step or a castling move, the notation of the game decides."""
    game = Game("4k3/8/8/8/8/8/8/4K1R1 w G - 0 1")
    assert move_to_san(game, parse_uci(game, "e1f1")) == "Kf1"
    assert move_to_san(game, parse_uci(game, "e1g1")) == "O-O"


@pytest.mark.parametrize("seed", range(6))
def test_boards_there_and_back(seed):
    """A board with its moves becomes a game and the same board again; text of every move agrees."""
    board, _ = next(pair for number, pair in enumerate(randomplay.games(seed)) if number == seed % 3)
    choice = random.Random(seed)
    for _ in range(60):
        if not any(board.legal_moves):
            break
        board.push(randomplay.lively(board, choice))
    game = from_board(board)
    assert game.fen() == board.fen(en_passant="legal")
    again = to_board(game)
    assert (again.fen(), again.move_stack, again.chess960) == (board.fen(), board.move_stack, board.chess960)
    for move in game.legal_moves():
        text = move_to_uci(move, game.chess960)
        assert parse_uci(game, text) == move
        assert parse_san(game, move_to_san(game, move)) == move
        assert from_chess_move(game, board.parse_uci(text)) == move


def test_null_moves_cross_the_bridge():
    """A board with a null move on its stack is taken as it is."""
    board = chess.Board()
    board.push(chess.Move.null())
    game = from_board(board)
    assert game.fen() == board.fen()
    assert to_board(game).move_stack == board.move_stack


def test_illegal_moves_are_never_played():
    """A number that is no legal move, and a null move in check, are refused and change nothing."""
    game = Game()
    with pytest.raises(MoveError, match="is illegal in"):
        game.push(28 | 52 << 6 | 4 << 12)
    assert game.fen() == Game().fen()
    board = chess.Board("4k3/8/8/8/8/8/8/4RK2 b - - 0 1")
    board.push(chess.Move.null())
    with pytest.raises(ValueError, match="null move cannot be played in check"):
        from_board(board)


def test_bad_boards_are_refused():
    """Invalid positions, foreign variants and boards with illegal moves raise at once."""
    with pytest.raises(ValueError, match="no king"):
        from_board(chess.Board(None))
    with pytest.raises(FenError, match="atomic"):
        from_board(chess.variant.AtomicBoard())
    board = chess.Board()
    board.push(chess.Move.from_uci("e2e5"))
    with pytest.raises(FenError, match="e2e5 is illegal"):
        from_board(board)
