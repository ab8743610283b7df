"""Static exchange evaluation against a published list and against exchanges played out."""

import chess
import pytest

from quiesce.board.bridge import to_chess_move
from quiesce.board.game import Game
from quiesce.board.movetext import parse_san
from quiesce.board.see import see, see_reaches
from quiesce.board.types import is_noisy, u64
from tests.conftest import shared
from tests.oracles import randomplay
from tests.oracles.exchange import exchange

NOISY_MOVES = 5_000
QUIET_SHARE = 0.1
DISPUTED = {"see.71": -800}
"""There the list has Black retake with a bishop and come out even, where the pawn takes and becomes a queen."""


def test_published_exchanges(t):
    """The list of Leorik's tests: every capture is worth what it says."""
    lines = shared("edge/see.epd").read_text("utf-8").splitlines()
    assert len(lines) == 73
    for line in lines:
        board, operations = chess.Board.from_epd(line)
        game = Game(board.fen())
        move = next(m for m in game.legal_moves() if to_chess_move(m) == operations["sm"])
        expected = DISPUTED.get(operations["id"], operations["see"])
        assert int(see(t, game.position, u64(move))) == expected, operations["id"]


def assert_exchange(t, board, game, move, choice):
    """Value and thresholds of one move are what playing the exchange out gives."""
    played = to_chess_move(move, game.chess960)
    expected = exchange(board, played)
    assert int(see(t, game.position, u64(move))) == expected, (board.fen(), played)
    for threshold in (expected - 1, expected, expected + 1, choice.randrange(-1000, 1000)):
        reached = bool(see_reaches(t, game.position, u64(move), threshold))
        assert reached == (expected >= threshold), (board.fen(), played, threshold)


def test_exchanges_played_out(t):
    """On thousands of captures, promotions and quiet moves of random games both forms of SEE are right."""
    noisy = 0
    for board, choice in randomplay.games(seed=7):
        for _ in range(randomplay.LONGEST):
            game = Game(board.shredder_fen() if board.chess960 else board.fen(), board.chess960)
            for move in game.legal_moves():
                if is_noisy(u64(move)) or choice.random() < QUIET_SHARE:
                    assert_exchange(t, board, game, move, choice)
                    noisy += is_noisy(u64(move))
            if not any(board.legal_moves):
                break
            board.push(randomplay.lively(board, choice))
        if noisy > NOISY_MOVES:
            return


@pytest.mark.parametrize(
    ("fen", "move", "value"),
    [
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "exd5", 100),
        ("4k3/8/2p5/3p4/4P3/8/8/4K3 w - - 0 1", "exd5", 0),
        ("4k3/8/2p5/3p4/8/8/8/3RK3 w - - 0 1", "Rxd5", -400),
        ("4k3/8/8/8/4pP2/8/8/4K3 b - f3 0 1", "exf3", 100),
        ("4k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "b8=Q+", 800),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "O-O", 0),
        ("4k3/8/8/8/8/8/3q4/4K3 w - - 0 1", "Kxd2", 900),
    ],
)
def test_simple_exchanges(t, fen, move, value):
    """Exchanges a reader can check by eye."""
    game = Game(fen)
    assert int(see(t, game.position, u64(parse_san(game, move)))) == value


def test_oracle_plays_both_sides():
    """The oracle itself, on a position with recaptures on both sides."""
    board = chess.Board("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1")
    assert exchange(board, board.parse_san("Nxe5")) == -200
