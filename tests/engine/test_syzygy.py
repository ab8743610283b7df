"""Endgame tables: which moves they leave, that those win, and that damaged ones are named."""

import struct
import threading
from concurrent.futures import ThreadPoolExecutor

import chess
import chess.syzygy
import pytest

from quiesce.board.bridge import from_chess_move, to_board, to_chess_move
from quiesce.board.game import Game
from quiesce.board.movetext import parse_uci
from quiesce.engine.syzygy import TABLE_EDGE, TABLE_WIN, Tablebases, TablesError
from quiesce.search.scores import MATE_IN_STACK
from tests.conftest import shared

QUEEN = "8/8/8/4k3/8/8/3QK3/8 w - - {} 60"


class FakeTables:
    """What tables would say if a queen always won, some plies before the next capture; or the reader's trouble."""

    def __init__(self, plies=1, trouble=None):
        self.plies, self.trouble, self.is_closed = plies, trouble, False

    def probe_wdl(self, board):
        """Who has the queen wins."""
        if self.trouble is not None:
            raise self.trouble
        return 2 if board.pieces(chess.QUEEN, board.turn) else -2 if board.queens else 0

    def probe_dtz(self, board):
        """As many plies as were said."""
        return self.plies if self.probe_wdl(board) > 0 else -self.plies

    def close(self):
        """Remember it."""
        self.is_closed = True


@pytest.fixture
def faked(tmp_path):
    """Makes tables of a queen against a king out of a fake."""

    def make(fake):
        (tmp_path / "KQvK.rtbw").touch()
        tables = Tablebases(str(tmp_path))
        tables._tables = fake
        return tables

    return make


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


def test_the_fifty_move_rule_takes_a_win_away(faked):
    """A win whose next capture is ply 100 of the count is one; with ply 101 it is worth a little more than a draw."""
    for plies in (2, 3, 40, 98):
        tables = faked(FakeTables(plies))
        assert tables.verdict(Game(QUEEN.format(99 - plies))).score == TABLE_WIN - plies
        assert tables.verdict(Game(QUEEN.format(100 - plies))).score == TABLE_EDGE


def test_the_fifty_move_rule_saves_the_loser(faked):
    """The other side of the same edge."""
    lost = "8/8/8/4k3/8/8/3QK3/8 b - - {} 60"
    tables = faked(FakeTables(3))
    assert tables.verdict(Game(lost.format(96))).score == 3 - TABLE_WIN
    assert tables.verdict(Game(lost.format(97))).score == -TABLE_EDGE


def test_a_third_occurrence_is_no_win(faked):
    """A move that brings a position about for the third time draws, so it is not among those that win."""
    game = Game("8/8/8/4k3/8/8/Q3K3/8 w - - 0 60")
    for word in 2 * ["a2a1", "e5e6", "a1a2", "e6e5"]:
        game.push(parse_uci(game, word))
    repeated = parse_uci(game, "a2a1")
    verdict = faked(FakeTables()).verdict(game)
    assert verdict.score > 0
    assert repeated not in verdict.moves
    assert repeated in faked(FakeTables()).verdict(Game(game.fen())).moves


def test_real_tables_mate_before_the_count_is_full():
    """With as many plies left as the mate needs, tables win the game in time; with fewer, they say it is no win."""
    tables = Tablebases(str(shared("syzygy")))
    for fen in (QUEEN, "8/8/8/4k3/8/8/3RK3/8 w - - {} 60"):
        plies = TABLE_WIN - tables.verdict(Game(fen.format(1))).score + 1
        game = Game(fen.format(100 - plies))
        while not game.is_checkmate:
            verdict = tables.verdict(game)
            assert abs(verdict.score) > TABLE_EDGE
            game.push(verdict.moves[0])
        assert int(game.position.halfmove) <= 100
        assert tables.verdict(Game(fen.format(101 - plies))).score == TABLE_EDGE
    tables.close()


def test_real_tables_do_not_repeat():
    """The best move is left out where it would repeat a position for the third time."""
    tables = Tablebases(str(shared("syzygy")))
    game = Game(QUEEN.format(0))
    best = to_chess_move(tables.verdict(game).moves[0])
    board = to_board(game)
    board.push(best)
    forth = [best, next(iter(board.legal_moves))]
    back = [chess.Move(move.to_square, move.from_square) for move in forth]
    game.push_all(from_chess_move(game, move) for move in 2 * [*forth, *back])
    assert to_chess_move(tables.verdict(Game(game.fen())).moves[0]) == best
    assert best not in map(to_chess_move, tables.verdict(game).moves)
    tables.close()


@pytest.mark.parametrize(
    "trouble",
    [IndexError("of a list"), struct.error("short"), RecursionError(), OverflowError(), AssertionError(), KeyError(2)],
    ids=repr,
)
def test_whatever_the_reader_raises_names_the_tables(faked, tmp_path, trouble):
    """Damaged tables make the reader raise anything; it is always the same error, and says where they lie."""
    with pytest.raises(TablesError, match=tmp_path.name):
        faked(FakeTables(trouble=trouble)).verdict(Game(QUEEN.format(0)))


def test_tables_that_are_missing_are_silent(faked):
    """A missing table is no damage."""
    trouble = chess.syzygy.MissingTableError("none")
    assert faked(FakeTables(trouble=trouble)).verdict(Game(QUEEN.format(0))) is None


def made(pieces, size=272):
    """A table's file with a right beginning that lists some pieces for both sides, and nothing behind."""
    return chess.Board.tbw_magic + bytes([1, 0, *(17 * piece for piece in pieces)]).ljust(size - 4, b"U")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "other pieces"),
        (b"x" * 272, "other pieces"),
        (made([6, 5, 14]), "IndexError"),
        (made([6, 4, 14]), "other pieces"),
        (made([6, 5, 0]), "other pieces"),
        (chess.Board.tbw_magic + bytes([1, 0, 0xEE, 0x66, 0xD5]).ljust(268, b"U"), "other pieces"),
        (made([6, 5, 14])[:7], "other pieces"),
        (made([6, 5, 14], size=271), "invalid file size"),
    ],
)
def test_damaged_tables_are_named(tmp_path, content, words):
    """Empty, foreign, cut short or with other pieces: the file is named, and the reader does not loop."""
    (tmp_path / "KQvK.rtbw").write_bytes(content)
    tables = Tablebases(str(tmp_path))
    with pytest.raises(TablesError, match=words) as error:
        tables.verdict(Game(QUEEN.format(0)))
    assert "KQvK.rtbw" in str(error.value)
    tables.close()


def test_closing_does_not_wait_for_a_probe(faked):
    """A probe that takes for ever keeps no one: the tables are closed at once, and it gives up before its next move."""
    may_go_on, has_begun = threading.Event(), threading.Event()

    class SlowTables(FakeTables):
        """Says nothing until it may."""

        def probe_wdl(self, board):
            """Wait, then answer."""
            has_begun.set()
            assert may_go_on.wait(10)
            return super().probe_wdl(board)

    fake = SlowTables()
    tables = faked(fake)
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(tables.verdict, Game(QUEEN.format(0)))
        assert has_begun.wait(10)
        tables.close()
        assert not fake.is_closed
        may_go_on.set()
        with pytest.raises(TablesError, match="closed"):
            asked.result(10)
    assert fake.is_closed
    with pytest.raises(TablesError, match="closed"):
        tables.verdict(Game(QUEEN.format(0)))
