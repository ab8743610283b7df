"""What stands beside the search: chances, limited strength, books, endgame tables, memory."""

import struct

import chess
import chess.polyglot
import pytest

from quiesce.board.bridge import to_chess_move
from quiesce.board.game import Game
from quiesce.search import table as table_module
from quiesce.search.book import Book, BookError
from quiesce.search.scores import MATE, MATE_IN_STACK
from quiesce.search.strength import LEAST_ELO, MOST_ELO, nodes_for
from quiesce.search.syzygy import TABLE_WIN, Tablebases, TablesError
from quiesce.search.table import Table, free_megabytes
from quiesce.search.wdl import HALF_WIN, centipawns, wdl
from tests.conftest import shared


def test_wdl():
    """A thousand in all, symmetric, monotone; mates are certain, level is level."""
    previous = -1
    for score in range(-3_000, 3_001, 7):
        won, drawn, lost = wdl(score)
        assert won + drawn + lost == 1_000
        assert min(won, drawn, lost) >= 0
        assert wdl(-score) == (lost, drawn, won)
        assert won - lost >= previous if score > -3_000 else True
        previous = won - lost
    assert wdl(round(HALF_WIN))[0] == pytest.approx(500, abs=5)
    assert centipawns(round(HALF_WIN)) == 100
    assert centipawns(-7) == -centipawns(7)
    assert centipawns(-TABLE_WIN) == -TABLE_WIN
    assert wdl(MATE - 3) == (1_000, 0, 0)
    assert wdl(3 - MATE) == (0, 0, 1_000)


def test_more_elo_is_more_nodes():
    """Strictly, at every step."""
    counts = [nodes_for(elo) for elo in range(LEAST_ELO, MOST_ELO + 1, 25)]
    assert counts == sorted(set(counts))


def polyglot(entries):
    """Bytes of a book: FEN and move in UCI, with a weight."""
    rows = []
    for fen, text, weight in entries:
        board, move = chess.Board(fen), chess.Move.from_uci(text)
        number = move.to_square | (move.from_square << 6)
        rows.append(struct.pack(">QHHI", chess.polyglot.zobrist_hash(board), number, weight, 0))
    return b"".join(sorted(rows))


def test_book(tmp_path):
    """Moves are drawn by weight; other positions have none; castling is written king takes rook."""
    path = tmp_path / "a book.bin"
    castle = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
    path.write_bytes(polyglot([(chess.STARTING_FEN, "e2e4", 3), (chess.STARTING_FEN, "a2a3", 0), (castle, "e1h1", 1)]))
    book = Book(path, seed=1)
    assert len(book) == 3
    assert {to_chess_move(book.move(Game())).uci() for _ in range(20)} == {"e2e4"}
    assert to_chess_move(book.move(Game(castle))).uci() == "e1g1"
    assert book.move(Game("4k3/8/8/8/8/8/8/4K3 w - - 0 1")) is None
    book.close()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "0 bytes"),
        (b"x" * 17, "17 bytes"),
        (b"\xff" * 16 + b"\x00" * 16, "not in order"),
        (None, "cannot be read"),
    ],
)
def test_broken_books_are_named(tmp_path, content, words):
    """Empty, cut short, shuffled or missing: the file is named with the reason."""
    path = tmp_path / "broken.bin"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(BookError, match=words) as error:
        Book(path)
    assert "broken.bin" in str(error.value)


def test_tables_choose_moves():
    """Only moves that keep the best result are left: quick wins, holding draws, long losses."""
    tables = Tablebases(str(shared("syzygy")))
    won = Game("8/8/8/4k3/8/8/3QK3/8 w - - 0 1")
    verdict = tables.verdict(won)
    assert verdict.score > TABLE_WIN - 100
    assert TABLE_WIN < MATE_IN_STACK
    drawn = tables.verdict(Game("8/8/8/8/4k3/4p3/8/4K3 w - - 0 1"))
    assert drawn.score == 0
    lost = tables.verdict(Game("8/8/8/4k3/8/8/3QK3/8 b - - 0 1"))
    assert lost.score < 0
    assert tables.verdict(Game()) is None
    assert tables.verdict(Game("4k3/8/8/8/8/8/8/4K2R w K - 0 1")) is None
    tables.close()


def test_tables_win_the_game():
    """Played to the end by tables alone, queen and rook endings are won within the rules."""
    tables = Tablebases(str(shared("syzygy")))
    for fen in ("8/8/8/4k3/8/8/3QK3/8 w - - 0 1", "8/8/8/4k3/8/8/3RK3/8 w - - 0 1"):
        game = Game(fen)
        for _ in range(120):
            if game.is_checkmate:
                break
            game.push(tables.verdict(game).moves[0])
        assert game.is_checkmate
    tables.close()


def test_no_tables_are_named(tmp_path):
    """A folder that is missing or empty is named."""
    for path in (tmp_path, tmp_path / "missing"):
        with pytest.raises(TablesError, match=path.name):
            Tablebases(str(path))


def test_a_table_that_does_not_fit_is_refused(monkeypatch, tmp_path):
    """Too much is refused with the numbers, and the old table stays; a container's limit counts."""
    made = Table(2)
    address = int(made.record.address)
    limit, used = tmp_path / "max", tmp_path / "current"
    limit.write_text(str(200 << 20))
    used.write_text(str(100 << 20))
    monkeypatch.setattr(table_module, "GROUP_LIMIT", limit)
    monkeypatch.setattr(table_module, "GROUP_USED", used)
    assert free_megabytes() == 100
    with pytest.raises(MemoryError, match="500 MB of hash do not fit: 100 MB are free"):
        made.resize(500)
    assert (made.megabytes, int(made.record.address)) == (2, address)
    made.resize(30)
    assert made.megabytes == 30
    limit.write_text("max\n")
    assert free_megabytes() != 100
