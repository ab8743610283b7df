"""The engine with its book and tables: always as the options say, changed together or not at all."""

import pytest

from quiesce.board.game import Game
from quiesce.engine.book import BookError
from quiesce.engine.options import BadValueError, defaults, read_options
from quiesce.engine.results import Line, Report
from quiesce.engine.setup import Setup, judged, narrowed
from quiesce.engine.syzygy import TablesError, TableVerdict
from tests.conftest import shared

KQK = "8/8/8/4k3/8/8/3QK3/8 w - - 0 1"


@pytest.fixture
def setup():
    """A small setup of its own for each test."""
    made = Setup(defaults() | {"Hash": 1})
    yield made
    made.close()


def test_options_change_together_or_not_at_all(setup):
    """A book that cannot be opened leaves hash, threads, weights and values as they were."""
    before = dict(setup.values)
    for bad, error in (
        ({"OwnBook": True, "Book File": "/no/such.bin"}, BookError),
        ({"SyzygyPath": "/no/such/folder"}, TablesError),
        ({"EvalFile": "/no/such.qnet"}, ValueError),
        ({"Threads": 2, "EvalMode": "classical", "Hash": 1 << 20}, MemoryError),
    ):
        with pytest.raises(error):
            setup.change(before | {"Hash": 2, "NullMove": False} | bad)
        engine = setup.engine
        assert (setup.values, engine.table.megabytes, engine.threads, engine.weights) == (before, 1, 1, "network")
        assert (setup.book, setup.tables) == (None, None)


def test_a_setup_that_cannot_be_had_is_not_made():
    """The error is raised at once, with its reason."""
    with pytest.raises(TablesError, match="nowhere"):
        Setup(defaults() | {"Hash": 1, "SyzygyPath": "/nowhere"})


def test_who_is_not_strict_is_told_and_plays_on():
    """A broken book is told in a sentence, the values are taken, and a good one opens after it."""
    told = []
    setup = Setup(defaults() | {"Hash": 1}, told.append, is_strict=False)
    setup.change(setup.values | {"OwnBook": True, "Book File": "/no/such.bin"})
    assert "playing without a book" in told[0]
    assert setup.book is None
    setup.change(setup.values | {"Book File": str(shared("books/gnuchess_small.bin"))})
    assert setup.book_move(Game(), None) in Game().legal_moves()
    setup.change(setup.values | {"UCI_AnalyseMode": True})
    assert setup.book_move(Game(), None) is None
    setup.close()


def test_a_broken_reader_costs_itself_and_not_the_game(setup, monkeypatch):
    """Tables that raise while they are asked are told and dropped; the next question finds none."""
    told = []
    setup.change(setup.values | {"SyzygyPath": str(shared("syzygy"))})
    monkeypatch.setattr(setup, "_tell", told.append)
    assert setup.verdict(Game(KQK), None).score > 10_000
    monkeypatch.setattr(setup.tables, "verdict", lambda _: 1 // 0)
    assert setup.verdict(Game(KQK), None) is None
    assert "ZeroDivisionError" in told[0]
    assert setup.tables is None


def test_verdicts_narrow_and_judge():
    """Root moves are those of tables that were asked for too; scores are the tables', but for a mate."""
    verdict = TableVerdict([1, 2], 500, 7)
    assert narrowed(None, []) == (None, None)
    assert narrowed(None, [3]) == ([3], None)
    assert narrowed(verdict, None) == ([1, 2], verdict)
    assert narrowed(verdict, [2, 3]) == ([2], verdict)
    assert narrowed(verdict, [3]) == ([3], None)
    report = Report(4, [Line(10, [1], 4, 4)], 0.1, 0)
    assert judged(report, None) is report
    assert (judged(report, verdict).lines[0].score, judged(report, verdict).tablebase_hits) == (500, 7)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"Hsah": 3}, "there is no option 'Hsah'; is 'Hash' meant\\?"),
        ({"Hash": 0}, "Hash goes from 1 to"),
        ({"Hash": "lots"}, "Hash is a whole number, not 'lots'"),
        ({"NullMove": "perhaps"}, "NullMove is true or false, not 'perhaps'"),
        ({"EvalMode": "magic"}, "EvalMode is network or classical, not 'magic'"),
        ({"Book File": "two\nlines"}, "Book File is one line"),
    ],
)
def test_bad_options_are_told_in_words(options, reason):
    """What is wrong, and what would be right."""
    with pytest.raises(BadValueError, match=reason):
        read_options(options)


def test_options_are_read_in_any_case_and_from_text():
    """Names and words in any case, switches as people write them, None for the default."""
    read = read_options({"hASH": "64", "nullmove": "off", "evalmode": "Classical", "Threads": None, "syzygypath": "x"})
    assert read == {"Hash": 64, "NullMove": False, "EvalMode": "classical", "Threads": 1, "SyzygyPath": "x"}
