"""Motifs: each detector on positions made for it, and silent where a thing is missing."""

import chess
import pytest

from quiesce.review.exchange import exchange, listed, settled, won, worth
from quiesce.review.motifs.finding import motifs_of
from quiesce.review.motifs.played import line_of
from tests.conftest import shared

CASES = [
    ("fork", "r3k3/8/8/1N6/8/8/8/4K3 w - - 0 1", "Nc7+ Kd7 Nxa8"),
    ("skewer", "4q3/8/8/4k3/8/8/8/1K5R w - - 0 1", "Re1+ Kd6 Rxe8"),
    ("discovered attack", "3q2k1/5ppp/8/8/8/3B4/5PPP/3R2K1 w - - 0 1", "Bxh7+ Kxh7 Rxd8"),
    ("pin", "4k3/3q4/8/8/P7/8/8/4KB2 w - - 0 1", "Bb5 Qxb5 axb5"),
    ("pin", "4k3/8/4n3/8/2B5/8/8/3R2K1 w - - 0 1", "Re1 Kd7 Bxe6+"),
    ("pin", "8/5pk1/pQp1n3/P3p1p1/2P1P2p/1P2qP1P/4N1P1/4K3 b - - 0 1", "Nd4 Qxd4 exd4"),
    ("hanging piece", "4k3/8/8/3n4/8/8/8/3RK3 w - - 0 1", "Rxd5"),
    ("removed defender", "4k3/8/2n5/8/3r4/8/6B1/3RK3 w - - 0 1", "Bxc6+ Kf8 Rxd4"),
    ("trapped piece", "r1b1r1k1/pp3ppp/2nb1n2/2pqp3/8/1PP2N1P/P2PBPP1/RNBQR1K1 w - - 0 1", "Bc4 Qxc4 bxc4"),
    ("overloaded defender", "8/pp1R2pp/5p2/2k5/3n1P2/1B5P/Pr4P1/6K1 w - - 0 1", "Rd5+ Kc6 Rxd4"),
    ("mate", "7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", "Qg7#"),
    ("back rank", "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "Rd8#"),
    ("promotion", "8/1P3k2/8/8/8/8/5K2/8 w - - 0 1", "b8=Q"),
]


def found_in(fen, text):
    """Names of the motifs of a line in algebraic notation."""
    board = chess.Board(fen)
    stage, moves = board.copy(), []
    for san in text.split():
        moves.append(stage.parse_san(san))
        stage.push(moves[-1])
    return {motif.name: motif for motif in motifs_of(line_of(board, moves))}


@pytest.mark.parametrize(("name", "fen", "text"), CASES)
def test_a_motif_is_found(name, fen, text):
    """Each in a position made for it."""
    assert name in found_in(fen, text)


def test_a_lost_fork_is_none():
    """A knight that is taken forks nothing."""
    assert "fork" not in found_in("r2qk3/8/8/1N6/8/8/8/4K3 w - - 0 1", "Nc7+ Qxc7")


def test_a_guarded_piece_does_not_hang():
    """An exchange is no gift."""
    assert found_in("4k3/8/4p3/3n4/8/8/8/3RK3 w - - 0 1", "Rxd5 exd5") == {}


def test_a_drawn_perpetual_is_told():
    """Checks without end, where nothing is won."""
    text = "Qe8+ Kh7 Qh5+ Kg8 Qe8+"
    assert set(found_in("6k1/6p1/8/7Q/8/8/1q6/7K w - - 0 1", text)) == {"perpetual check"}


def test_words_name_what_stands_there():
    """Pieces and squares in the words are those of the board."""
    motif = found_in("r3k3/8/8/1N6/8/8/8/4K3 w - - 0 1", "Nc7+ Kd7 Nxa8")["fork"]
    assert motif.words == "the knight forks the king on e8 and the rook on a8"


def test_exchanges():
    """By the least piece, with the right to stop; material that settles is counted, equal pieces cancelled."""
    board = chess.Board("4k3/8/4p3/3n4/8/8/8/3RK3 w - - 0 1")
    assert exchange(board, chess.D5) == 0
    assert worth(board, chess.Move.from_uci("d1d5")) == -2
    loose = chess.Board("4k3/8/8/3n4/8/8/8/3RK3 w - - 0 1")
    gained, lost = won(loose, settled(loose), chess.WHITE)
    assert (listed(gained), dict(lost)) == ("a knight", {})


def test_puzzles_of_lichess():
    """On the puzzles to write with, what is told agrees with the themes at least as often as when this was written."""
    rows = shared("suites/lichess_puzzles.epd").read_text("utf-8").splitlines()
    hits = dict.fromkeys(("fork", "skewer", "discoveredAttack", "backRankMate", "promotion"), 0)
    names = dict(zip(hits, ("fork", "skewer", "discovered attack", "back rank", "promotion"), strict=True))
    told, themed = dict.fromkeys(hits, 0), dict.fromkeys(hits, 0)
    for row in rows:
        board, operations = chess.Board.from_epd(row)
        stage = board.copy()
        moves = [stage.push_san(san) for san in row.split("; pv ")[1].split(";")[0].split()]
        motifs = {motif.name for motif in motifs_of(line_of(board, moves))}
        for theme, name in names.items():
            is_themed = theme in operations["c0"]
            told[theme] += name in motifs
            themed[theme] += is_themed
            hits[theme] += is_themed and name in motifs
    for theme in hits:
        assert hits[theme] >= 0.85 * themed[theme], theme
        assert hits[theme] >= 0.8 * told[theme], theme
