"""Searches of a few thousand nodes: quick even without the compiler, where they are watched line by line.

Coverage of the kernels (tools/measure_coverage.py) rests on these; compiled, they take no time.
"""

import json
import sys

import chess
import pytest

from quiesce.board.bridge import to_chess_move
from quiesce.board.game import Game
from quiesce.engine import Engine, Limits
from quiesce.search.params import all_off
from tests.conftest import run_json

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
LIMITS = Limits(depth=7, nodes=1_500)
FENS = (
    KIWIPETE,
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "4k3/8/8/8/8/4p3/4r3/4K2R w K - 90 80",
    "8/8/8/8/5k2/8/5p2/5K2 w - - 0 1",
)
MATES = (("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", 1), ("7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", 2))


def searched(fen, options=None):
    """Nodes, score and line of a short search by an engine that knows nothing yet."""
    with Engine(1, options) as engine:
        found = engine.search(Game(fen), LIMITS)
    return [found.nodes, found.lines[0].score, [to_chess_move(move).uci() for move in found.lines[0].moves]]


@pytest.mark.parametrize(
    ("fen", "options"),
    [(fen, None) for fen in FENS] + [(fen, all_off()) for fen in FENS[1:]],  # plain, Kiwipete's first ply is 21,500
)
def test_a_short_search_ends_in_a_line_that_can_be_played(fen, options):
    """Within its nodes, more or less, with a legal move at least."""
    nodes, score, line = searched(fen, options)
    assert 0 < nodes < 2 * LIMITS.nodes
    assert abs(score) < 5_000
    board = chess.Board(fen)
    for uci in line:
        board.push(board.parse_uci(uci))
    assert line


@pytest.mark.parametrize(("fen", "moves"), MATES)
def test_mates_are_found_and_counted(fen, moves):
    """The line ends in mate after as many moves as the score says."""
    _, _, line = searched(fen)
    board = chess.Board(fen)
    for uci in line:
        board.push(board.parse_uci(uci))
    assert board.is_checkmate()
    assert len(line) == 2 * moves - 1


def test_without_the_compiler_the_search_is_the_same():
    """The same nodes, score and line as plain Python: nothing rests on how a number is compiled."""
    fen = FENS[1]
    assert run_json("-W", "ignore", "-m", __name__, fen, NUMBA_DISABLE_JIT="1") == searched(fen)


if __name__ == "__main__":
    print(json.dumps(searched(sys.argv[1])))
