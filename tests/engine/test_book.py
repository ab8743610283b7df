"""Opening books: moves drawn by weight, broken files named."""

import struct

import chess
import chess.polyglot
import pytest

from quiesce.board.bridge import to_chess_move
from quiesce.board.game import Game
from quiesce.engine.book import Book, BookError


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
