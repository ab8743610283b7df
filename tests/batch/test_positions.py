"""Positions in and out: FENs, boards, files; whatever is wrong is told by row and does no harm."""

import chess
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from quiesce import batch
from quiesce.board.fen import FenError, read_fen, write_fen

FENS = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "4k3/8/8/8/8/8/8/4K3 b - - 9999 9999",
    "4k3/8/8/8/8/8/8/4K3 b - -",
)
BROKEN = (
    "",
    "rubbish",
    "8/8/8/8/8/8/8/8 w - - 0 1",
    FENS[0].replace(" w ", " x "),
    FENS[0].replace("8/8/", "8/44/", 1),
)


def test_a_row_is_small_and_saved_plainly(tmp_path, positions):
    """32 bytes a row; np.save and np.load keep them, also mapped read-only, and every call takes what was loaded."""
    assert positions.dtype.itemsize == 32
    np.save(tmp_path / "rows.npy", positions)
    for mode in (None, "r"):
        loaded = np.load(tmp_path / "rows.npy", mmap_mode=mode)
        assert (batch.keys(loaded) == batch.keys(positions)).all()
        assert (batch.legal_counts(loaded[::3]) == batch.legal_counts(positions)[::3]).all()
    assert len(batch.from_fens([])) == 0
    assert batch.legal_counts(positions[:0]).shape == (0,)


def test_fens_of_boards(boards, positions):
    """FENs are python-chess's own, and reading them gives the same rows."""
    expected = [board.shredder_fen(en_passant="legal") for board in boards]
    assert batch.to_fens(positions, shredder=True) == expected
    assert batch.from_fens(expected).tobytes() == positions.tobytes()
    standard = [not board.chess960 for board in boards]
    plain = [board.fen(en_passant="legal") for board in boards if not board.chess960]
    assert batch.to_fens(positions[standard]) == plain
    assert batch.from_fens(plain).tobytes() == positions[standard].tobytes()


def as_the_reader_reads(text):
    """The Shredder-FEN and no reason, or no FEN and the reason, that `read_fen` has for a text."""
    try:
        return write_fen(read_fen(text)[0], shredder=True), {}
    except FenError as error:
        return "", {0: str(error)}


SIGNS = " /-0189KQkqPpaehx\N{LATIN SMALL LETTER E WITH ACUTE}"


@given(st.sampled_from(FENS), st.integers(0, 70), st.sampled_from(SIGNS))
def test_fens_with_slips_are_read_as_the_strict_reader_reads_them(fen, where, sign):
    """One letter changed, added or gone: the row is what `read_fen` makes of it, or bad for the reason it gives."""
    before, after = fen[:where], fen[where:]
    for text in (before + sign + after[1:], before + sign + after, before + after[1:]):
        bad, worse = {}, {}
        rows = batch.from_fens([text], bad=bad)
        written = batch.to_fens(rows, shredder=True, bad=worse)[0]
        assert (written, bad) == as_the_reader_reads(text)
        assert bool(worse) == bool(bad)


def test_bad_fens_are_told_by_row():
    """Good rows are read all the same, whether errors are asked for or raised."""
    fens = [FENS[0], *BROKEN, FENS[1], None]
    bad = {}
    rows = batch.from_fens(fens, bad=bad)
    wrong = [*range(1, len(BROKEN) + 1), len(fens) - 1]
    assert sorted(bad) == wrong
    assert all(bad.values())
    assert batch.to_fens(rows[[0, -2]]) == [FENS[0], FENS[1]]
    with pytest.raises(batch.BadRowsError, match="row 1: FEN has 0 fields") as caught:
        batch.from_fens(fens)
    assert caught.value.reasons == bad
    assert caught.value.result.tobytes() == rows.tobytes()


def test_chess960_fens():
    """K means the outermost rook where Chess960 is asked for, and is refused where it is not."""
    fen = "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1"
    rows = batch.from_fens([fen], chess960=True)
    assert batch.to_fens(rows) == [fen]
    assert batch.to_fens(rows, shredder=True) == [fen.replace("KQkq", "GBgb")]
    with pytest.raises(batch.BadRowsError, match="Chess960 must be asked for"):
        batch.from_fens([fen])


def test_bad_boards_are_told_by_row():
    """Invalid boards, variants and things that are no boards."""
    boards = [chess.Board(), chess.Board("8/8/8/8/8/8/8/K7 w - - 0 1"), chess.Board(None), "e4", chess.Board()]
    boards[4].turn = chess.BLACK
    boards.append(chess.Board("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1"))
    bad = {}
    rows = batch.from_boards(boards, bad=bad)
    assert sorted(bad) == [1, 2, 3, 5]
    assert "str" in bad[3]
    assert "in check" in bad[5]
    assert batch.legal_counts(rows[[0, 4]]).tolist() == [20, 20]


@pytest.mark.parametrize("number", [-1, 2**64, 2**70, None])
def test_a_counter_beyond_all_measure_is_its_own_rows_trouble(number):
    """One board's impossible counter costs no other board its row."""
    boards = [chess.Board(), chess.Board(), chess.Board("8/8/8/8/8/8/8/K7 w - - 0 1"), chess.Board()]
    boards[1].halfmove_clock = number
    boards[3].ep_square = -3
    bad = {}
    rows = batch.from_boards(boards, bad=bad)
    assert sorted(bad) == [1, 2, 3]
    assert "counter" in bad[1]
    assert batch.to_fens(rows[:1]) == [chess.STARTING_FEN]
    assert not rows[1:].tobytes().strip(bytes(1))


CALLS = (
    batch.legal_counts,
    batch.legal_moves,
    batch.in_check,
    batch.is_quiet,
    batch.keys,
    batch.features,
    batch.evaluate,
    batch.qsearch,
    lambda rows, bad: batch.features(rows, "planes", bad=bad),
    lambda rows, bad: batch.search(rows, nodes=20, threads=1, bad=bad),
)


@given(arrays(np.uint8, 32 * 8))
def test_rubbish_does_no_harm(memory):
    """Any bytes at all: every call ends, and all calls find the same rows bad."""
    rows = memory.view(batch.ROW)
    bad = {}
    fens = batch.to_fens(rows, bad=bad)
    assert [not fen for fen in fens] == [row in bad for row in range(len(rows))]
    for call in CALLS:
        found = {}
        call(rows, bad=found)
        assert found == bad


@given(st.data())
def test_spoilt_rows_are_bad_or_positions(positions, data):
    """One byte of a good row changed: it is a position for python-chess too, or it is bad, for all calls alike."""
    rows = positions[data.draw(st.integers(0, len(positions) - 8)) :][:8].copy()
    memory = rows.view(np.uint8)
    memory[data.draw(st.integers(0, len(memory) - 1))] = data.draw(st.integers(0, 255))
    bad = {}
    fens = batch.to_fens(rows, shredder=True, bad=bad)
    counts = batch.legal_counts(rows, bad={})
    for row, fen in enumerate(fens):
        if row not in bad:
            board = chess.Board(fen, chess960=True)
            assert board.status() & ~(chess.STATUS_TOO_MANY_CHECKERS | chess.STATUS_IMPOSSIBLE_CHECK) == 0
            assert board.legal_moves.count() == counts[row]
    for call in CALLS:
        found = {}
        call(rows, bad=found)
        assert found == bad


def test_other_arrays_are_refused(positions):
    """What is no array of rows is refused before anything runs."""
    for wrong in (np.zeros(3), positions.reshape(1, -1), positions[0], [1, 2], positions["men"]):
        with pytest.raises(ValueError, match=r"quiesce\.batch\.ROW"):
            batch.legal_counts(wrong)
    with pytest.raises(ValueError, match="at least 1"):
        batch.legal_counts(positions, threads=0)


def test_one_alone_is_not_several():
    """A text would be read letter by letter: who gives one FEN or board, or no iterable, is told what is asked for."""
    for one in (lambda: batch.from_fens(chess.STARTING_FEN), lambda: batch.from_boards(chess.Board())):
        with pytest.raises(TypeError, match="must be a list"):
            one()
    for none in (lambda: batch.from_fens(3), lambda: batch.from_boards(None)):
        with pytest.raises(TypeError, match="must be a list"):
            none()
    bad = {}
    batch.from_fens([b"bytes", 3, chess.STARTING_FEN], bad=bad)
    assert bad == {0: "a FEN is a str, not bytes", 1: "a FEN is a str, not int"}


def test_columns_are_one_dimensional():
    """Data frames take them as they are, and all 32 bytes are in them."""
    rows = batch.from_fens([chess.STARTING_FEN, "4k3/8/8/3q4/4P3/8/8/4K3 w - - 7 30"])
    found = batch.columns(rows)
    assert all(array.shape == (2,) for array in found.values())
    assert found["fullmove"].tolist() == [1, 30]
    again = rows.copy()
    again["men"] = np.stack([found[f"men_{part}"] for part in range(16)], axis=1)
    assert again.tobytes() == rows.tobytes()
    assert sum(array.itemsize for array in found.values()) == rows.itemsize
