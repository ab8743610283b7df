"""Published perft counts: the proof that generator and make_move are right together."""

import chess
import pytest

from quiesce.board.counter import Counter
from quiesce.board.fen import START_FEN
from quiesce.board.game import Game
from quiesce.board.perft import PERFT, QPERFT, QPERFT_PLIES, perft, qperft
from quiesce.lab.perft import check_cases, read_suite
from quiesce.records import new
from tests.conftest import DATA, SHARED, shared

QUICK_LEAVES = 150_000
ALL_LEAVES = 20_000_000
OWN_FILES = sorted(path.name for path in (DATA / "perft").glob("*.epd"))
SHARED_FILES = sorted(path.name for path in (SHARED / "perft").glob("*.epd")) or ["(absent)"]
WIKI_COUNTS = (
    (START_FEN, 5, 4_865_609),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4, 4_085_603),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6, 11_030_083),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 5, 15_833_292),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 4, 2_103_487),
    ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 4, 3_894_594),
)
"""From the Chess Programming Wiki, "Perft Results"."""


def assert_counts(path, most):
    """Every count of a file up to a size is right, and there are some."""
    with Counter() as counter:
        verdicts = list(check_cases(read_suite(path), most, counter))
    assert verdicts
    assert [verdict for verdict in verdicts if not verdict.passed] == []


@pytest.mark.parametrize(("fen", "depth", "leaves"), WIKI_COUNTS)
def test_wiki_positions(fen, depth, leaves):
    """The six best-known positions, deep."""
    with Counter() as counter:
        assert counter.count(Game(fen).position, depth) == leaves


@pytest.mark.parametrize("name", OWN_FILES)
def test_own_files(name):
    """All small counts of the files that come with the project."""
    assert_counts(DATA / "perft" / name, QUICK_LEAVES)


@pytest.mark.parametrize("name", SHARED_FILES)
def test_shared_files(name):
    """All small counts of the shared files."""
    assert_counts(shared(f"perft/{name}"), QUICK_LEAVES)


@pytest.mark.slow
@pytest.mark.parametrize("name", OWN_FILES)
def test_own_files_whole(name):
    """Every count up to 20 million leaves of the files that come with the project."""
    assert_counts(DATA / "perft" / name, ALL_LEAVES)


@pytest.mark.slow
@pytest.mark.parametrize("name", SHARED_FILES)
def test_shared_files_whole(name):
    """Every count up to 20 million leaves of the shared files."""
    assert_counts(shared(f"perft/{name}"), ALL_LEAVES)


def test_depth_zero_is_one_line(t):
    """No move played is one way to play."""
    work = new(PERFT)
    assert perft(t, work, 0, 0) == 1


def test_stop_flag_ends_a_count(t):
    """A count that is told to stop gives up long before its end."""
    work = new(PERFT)
    work.stack[0] = Game().position
    work.stop[0] = 1
    assert 0 < perft(t, work, 0, 9) < 10_000_000


def plain_qperft(board, depth, counts):
    """The same counts by python-chess."""
    counts["regular_nodes" if depth > 0 else "quiescence_nodes"] += 1
    if depth <= -QPERFT_PLIES:
        return
    for move in list(board.legal_moves):
        captures, promotes = board.is_capture(move), move.promotion is not None
        if depth > 0 or board.is_check() or captures or promotes:
            board.push(move)
            if depth <= 0:
                counts["captures"] += captures
                counts["promotions"] += promotes
                counts["checks"] += board.is_check()
            plain_qperft(board, depth - 1, counts)
            board.pop()


@pytest.mark.parametrize(
    ("fen", "depth"),
    [
        (chess.STARTING_FEN, 2),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 2),
        ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 1),
        ("8/2P5/3K4/8/8/8/2p5/3k4 w - - 0 1", 2),
    ],
)
def test_qperft_agrees_with_a_plain_count(t, fen, depth):
    """Regular and quiescence nodes, captures, promotions and checks are python-chess's."""
    p, counts = new(PERFT), new(QPERFT)
    p.stack[0] = Game(fen).position
    qperft(t, p, counts, 0, depth)
    expected = dict.fromkeys(QPERFT.names, 0)
    plain_qperft(chess.Board(fen), depth, expected)
    assert {name: int(counts[name]) for name in QPERFT.names} == expected
