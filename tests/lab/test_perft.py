"""Perft for people: division by root move, suites, bad files."""

import pytest

from quiesce.board.game import Game
from quiesce.lab.perft import Counter, SuiteError, check_cases, read_suite

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def test_divide_adds_up():
    """Counts by root move sum to the whole, and progress ends at the end."""
    told = []
    with Counter() as counter:
        found = counter.divide(Game(KIWIPETE), 3, lambda done, total: told.append((done, total)))
    assert found.nodes == sum(found.divide.values()) == 97_862
    assert len(found.divide) == 48
    assert found.divide["e1g1"] == 2_059
    assert told[0] == (0, 48)
    assert told[-1] == (48, 48)


def test_divide_depth_zero_and_mate():
    """Depth 0 is one leaf; a mated side has none below."""
    with Counter() as counter:
        assert counter.divide(Game(), 0).nodes == 1
        assert counter.divide(Game("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"), 3).nodes == 0


def test_depth_is_bounded():
    """Depths without room are refused before anything runs."""
    with Counter() as counter, pytest.raises(ValueError, match="outside 0 to 31"):
        counter.divide(Game(), 32)


def test_wrong_counts_are_found(tmp_path):
    """A suite with one wrong count yields one failure that names it."""
    path = tmp_path / "suite.epd"
    path.write_text(f"# a remark\n\n{KIWIPETE} ;D1 48 ;D2 2040 ;D3 97862 ;id two\n")
    with Counter() as counter:
        verdicts = list(check_cases(read_suite(path), 10_000, counter))
    assert [(verdict.depth, verdict.passed) for verdict in verdicts] == [(1, True), (2, False)]
    assert (verdicts[1].case.line, verdicts[1].found) == (3, 2_039)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"", "no perft counts"),
        (b"# nothing here\n", "no perft counts"),
        (b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n", ":1: no counts"),
        (b"hello w - - 0 1 ;D1 20\n", ":1: board field"),
        (b"4k3/8/8/8/8/8/8/4K3 w - - 0 1 ;D1 5 ;D2 2O\n", ":1: 'D2 2O' is no count"),
        (b"4k3/8/8/8/8/8/8/4K3 w - - 0 1 ;D40 5\n", "up to D31"),
        (b"\xff\xfe\x00", "not a text file"),
    ],
)
def test_bad_files_are_named(tmp_path, text, reason):
    """A file that is no suite is refused with its name, the line and the reason."""
    path = tmp_path / "bad.epd"
    path.write_bytes(text)
    with pytest.raises(SuiteError, match=reason):
        read_suite(path)
