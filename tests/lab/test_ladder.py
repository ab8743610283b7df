"""The ladder: a match with each opponent that is there, kept, and a rating from all."""

from dataclasses import replace

import pytest

from quiesce.lab.ladder import OURSELVES, Ladder
from quiesce.lab.match.engines import EngineSpec, opponents
from quiesce.lab.match.ucioptions import SetUpError
from quiesce.work.pool import LocalPool
from quiesce.work.store import Store

from .match.conftest import mock, plan_with


def test_absent_opponents_are_passed_over(tmp_path):
    """The others are met; what came of it is in the store; a second climb plays nothing."""
    rungs = {
        "weak": replace(mock("crash", 22), rating=1500.0),
        "absent": EngineSpec("absent", ("/no/such/engine",), rating=1800.0),
        "equal": replace(mock(salt="x"), rating=2000.0),
    }
    ladder = Ladder(plan_with(mock(), mock(), pairs=2), rungs)
    assert ladder.missing == ["absent"]
    told = []
    with Store(tmp_path / "lab.sqlite") as store, LocalPool(2) as pool:
        rating = ladder.climb(pool, store, lambda name, score: told.append((name, score.pairs)))
        (run,) = [run for run in store.runs() if run.kind == "ladder"]
        assert list(run.items()) == ["weak", "equal", OURSELVES]
        assert run.items()["weak"]["games"] == [0, 0, 4]
        assert run.items()[OURSELVES]["rating"] == pytest.approx(rating.value)
        again = Ladder(plan_with(mock(), mock(), pairs=2), rungs)
        assert again.climb(pool, store, lambda *_: told.append("played again")) == rating
    assert told == [("weak", 1), ("weak", 2), ("equal", 1), ("equal", 2)]


def test_the_bundled_opponents():
    """Every one has a rating and a command; books are off where engines have them."""
    known = opponents()
    assert {"glaurung", "toga2", "gnuchess", "fairymax", "hoichess", "phalanx", "sunfish"} <= set(known)
    assert all(engine.rating and engine.command for engine in known.values())
    assert all(known[name].options["OwnBook"] is False for name in ("glaurung", "toga2", "gnuchess"))
    assert known["hoichess"].options["book"] == "off"


def test_files_of_opponents(tmp_path):
    """A user's own; a bad one is refused with its name."""
    path = tmp_path / "mine.toml"
    path.write_text('[mine]\ncommand = "/bin/mine --fast"\nrating = 2100\n')
    assert opponents(path)["mine"] == EngineSpec("mine", ("/bin/mine", "--fast"), rating=2100)
    for text, words in (
        ("[", "mine.toml"),
        ('[mine]\ncolour = "red"\n', "colour"),
        ("mine = 3\n", "an engine must be a name"),
        ('[mine]\ncommand = "a \\"b"\n', "no command"),
        ("[mine]\noptions = 3\n", "a table"),
    ):
        path.write_text(text)
        with pytest.raises(SetUpError, match=words):
            opponents(path)
