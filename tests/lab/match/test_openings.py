"""Openings from every kind of file, and what is wrong with bad ones."""

import chess
import chess.pgn
import pytest

from quiesce.lab.match.openings import DEFAULT_BOOK, BookError, Opening, read_book, shuffled
from tests.conftest import shared

PGN = """\
[Event "?"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 *

[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]
[SetUp "1"]

1. e4 *
"""


def test_the_bundled_book_is_sound():
    """Nearly two thousand different positions eight moves deep, none over, none in check by chance of a bad line."""
    book = read_book(DEFAULT_BOOK)
    boards = [opening.board() for opening in book]
    assert len({board.epd() for board in boards}) == len(book) == 1986
    assert {len(board.move_stack) for board in boards} == {16}


def test_every_kind_of_file(tmp_path):
    """Positions, games, lines and Polyglot."""
    (tmp_path / "a.epd").write_text("# two\n" + chess.STARTING_FEN + '\n4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id "x";\n')
    (tmp_path / "a.pgn").write_text(PGN)
    (tmp_path / "a.txt").write_text("e2e4 e7e5\nd2d4 d7d5 # queen's pawn\n")
    assert [opening.fen for opening in read_book(str(tmp_path / "a.epd"))] == [
        chess.STARTING_FEN,
        "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
    ]
    assert [opening.moves for opening in read_book(str(tmp_path / "a.pgn"), plies=4)] == [
        ("e2e4", "e7e5", "g1f3", "b8c6"),
        ("e2e4",),
    ]
    assert [opening.moves for opening in read_book(str(tmp_path / "a.txt"))] == [("e2e4", "e7e5"), ("d2d4", "d7d5")]
    walked = read_book(str(shared("books/gnuchess_small.bin")), plies=8, seed=3)
    assert len({opening.moves for opening in walked}) == len(walked) > 50
    assert all(1 <= len(opening.moves) <= 8 for opening in walked)
    assert walked == read_book(str(shared("books/gnuchess_small.bin")), plies=8, seed=3)


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("a.epd", "", "no openings"),
        ("a.epd", "nonsense\n", "a.epd:1"),
        ("a.epd", "4k3/8/8/8/8/8/8/8 w - - 0 1\n", "not valid"),
        ("a.epd", "7k/5KQ1/8/8/8/8/8/8 b - - 0 1\n", "over"),
        ("a.txt", "e2e4\ne2e5\n", "a.txt:2"),
        ("a.pgn", "1. e4 e5 2. Ke3 *\n", "game 1"),
        ("a.bin", "x" * 16, ""),
        ("missing.epd", None, "bundled books: gnubook"),
    ],
)
def test_bad_books_are_refused(tmp_path, name, text, words):
    """With file, place and reason."""
    if text is not None:
        (tmp_path / name).write_text(text)
    with pytest.raises(BookError) as refused:
        read_book(str(tmp_path / name))
    assert words in str(refused.value)


def test_the_seed_decides_the_order():
    """The same for the same seed, another for another, all there."""
    book = [Opening(str(number)) for number in range(50)]
    assert shuffled(book, 1) == shuffled(book, 1) != shuffled(book, 2)
    assert set(shuffled(book, 1)) == set(book)
