"""Chances of a score: won, drawn, lost."""

import pytest

from quiesce.engine.syzygy import TABLE_WIN
from quiesce.engine.wdl import HALF_WIN, centipawns, wdl
from quiesce.search.scores import MATE


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
    assert wdl(0) == (114, 772, 114), "as docs/explanation/network.md tells of level games"
    assert centipawns(round(HALF_WIN)) == 100
    assert centipawns(-7) == -centipawns(7)
    assert centipawns(-TABLE_WIN) == -TABLE_WIN
    assert wdl(MATE - 3) == (1_000, 0, 0)
    assert wdl(3 - MATE) == (0, 0, 1_000)
