"""The benchmark's machinery: another engine's perft, ratios, wrong counts."""

import stat
import sys

import pytest

from quiesce.lab.bench import BOARD_CASES, BoardTiming, UciPerft, find_stockfish, timed

FAKE_ENGINE = f"""#!{sys.executable}
import sys
for line in sys.stdin:
    if line.startswith("uci"):
        print("id name Fake 1\\nuciok", flush=True)
    elif line.startswith("go perft"):
        print("e2e4: 20\\n\\nNodes searched: 20\\n", flush=True)
    elif line.startswith("position fen end"):
        break
"""


@pytest.fixture
def fake_engine(tmp_path):
    """An engine that knows one number."""
    path = tmp_path / "engine"
    path.write_text(FAKE_ENGINE)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def test_rival_counts_are_read(fake_engine):
    """Name and count come from the engine's own lines."""
    with UciPerft(fake_engine) as rival:
        assert rival.name == "Fake 1"
        assert rival.count("any", 1) == 20


def test_a_rival_that_dies_is_named(fake_engine):
    """An engine that ends in the middle gives an error, not a wait."""
    with UciPerft(fake_engine) as rival, pytest.raises(RuntimeError, match="the engine ended or did not answer"):
        rival.count("end", 1)


def test_ratio_is_the_median_of_rounds():
    """Rounds are compared one by one; without a rival there is no ratio."""
    assert BoardTiming(BOARD_CASES[0], [2.0, 9.0, 3.0], [1.0, 3.0, 2.0]).ratio == 2.0
    assert BoardTiming(BOARD_CASES[0], [2.0], []).ratio is None


def test_wrong_counts_are_no_speed():
    """A count that is not the published one is an error, however fast."""
    with pytest.raises(RuntimeError, match="instead of 119060324"):
        timed(lambda: 20, BOARD_CASES[0])


def test_stockfish_agrees_where_installed():
    """The installed Stockfish counts the start position's 20 moves."""
    command = find_stockfish()
    if command is None:
        pytest.skip("no Stockfish installed")
    with UciPerft(command) as rival:
        assert rival.count(BOARD_CASES[0].fen, 1) == 20
