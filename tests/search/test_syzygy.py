"""Endgame tables: which moves they leave, and that those win."""

import pytest

from quiesce.board.game import Game
from quiesce.search.scores import MATE_IN_STACK
from quiesce.search.syzygy import TABLE_WIN, Tablebases, TablesError
from tests.conftest import shared


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
