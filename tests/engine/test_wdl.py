"""Chances of a score: won, drawn, lost."""

import pytest

from quiesce.engine.syzygy import TABLE_WIN
from quiesce.engine.wdl import HALF_WIN, centipawns, expected, half_win, wdl
from quiesce.search.scores import MATE

PIECES = (3, 8, 16, 24, 32)


@pytest.mark.parametrize("pieces", PIECES)
def test_wdl(pieces):
    """A thousand in all, symmetric, monotone, half won where it should be; mates are certain."""
    previous = -1_000
    for score in range(-3_000, 3_001, 7):
        won, drawn, lost = wdl(score, pieces)
        assert won + drawn + lost == 1_000
        assert min(won, drawn, lost) >= 0
        assert wdl(-score, pieces) == (lost, drawn, won)
        assert won - lost >= previous
        previous = won - lost
    assert wdl(round(half_win(pieces)), pieces)[0] == pytest.approx(500, abs=5)
    assert wdl(MATE - 3, pieces) == (1_000, 0, 0)
    assert wdl(3 - MATE, pieces) == (0, 0, 1_000)


def test_fewer_pieces_need_more_to_win():
    """The same advantage wins less often when pieces have been exchanged, and level games are drawn more often."""
    won = [wdl(150, pieces)[0] for pieces in PIECES]
    drawn = [wdl(0, pieces)[1] for pieces in PIECES]
    assert won == sorted(set(won))
    assert drawn == sorted(set(drawn), reverse=True)


def test_expected_points():
    """Even is half a point, mates are certain, more is more, and one side's gain is the other's loss."""
    assert expected(0, 20) == 0.5
    assert (expected(MATE - 3, 32), expected(3 - MATE, 3)) == (1.0, 0.0)
    assert expected(100, 20) + expected(-100, 20) == pytest.approx(1)
    assert expected(50, 20) < expected(60, 20)


def test_centipawns():
    """A score as it is shown; what is certain is shown as it is."""
    assert centipawns(round(HALF_WIN)) == 100
    assert centipawns(-7) == -centipawns(7)
    assert centipawns(-TABLE_WIN) == -TABLE_WIN
