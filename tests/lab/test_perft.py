"""Suites of perft counts: checked, and bad files named."""

import pytest

from quiesce.board.counter import Counter
from quiesce.lab.perft import SuiteError, check_cases, read_suite

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


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
