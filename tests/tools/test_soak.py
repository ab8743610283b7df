"""The soak's account: whatever is planted is counted, in its column, and nothing else is."""

import json
import random
import sys
import time
from dataclasses import asdict
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from quiesce.lab.match.openings import Opening
from quiesce.lab.match.pair import play_pair, task_of
from quiesce.lab.match.referee import Control
from quiesce.work.store import Store
from tests.lab.match.conftest import SHORT, mock
from tools.soak import browse, games, killing, processes, talk
from tools.soak.__main__ import main
from tools.soak.table import FAULTS, LARGEST_GROWTH, Account, Tally

FAKES = str(Path(__file__).with_name("fakes.py"))
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def faults(tally):
    """Columns that are not zero."""
    return {kind for kind in (*FAULTS, "theirs") if getattr(tally, kind)}


def pair_of(engine1, engine2, control=None):
    """A pair of games between scripted engines."""
    return play_pair(task_of(0, [engine1, engine2], Opening(START), control or Control(nodes=1), SHORT))


@pytest.fixture(scope="module")
def good_games():
    """Two games in which nothing went wrong."""
    return pair_of(mock(salt="a"), mock(salt="b"))["games"]


@pytest.mark.parametrize(("behaviour", "column"), [("crash", "crashes"), ("illegal", "illegal"), ("late", "late")])
def test_a_planted_fault_of_an_engine_is_counted(behaviour, column):
    """In its own column if the engine is ours, apart if it is not; the good games around it are replayed in peace."""
    control = Control(base=0.5) if behaviour == "late" else None
    tally, other = Tally("games"), Tally("games")
    for game in pair_of(mock(behaviour, 4), mock(), control)["games"]:
        games.count_game(tally, game, {1})
        games.count_game(other, game, {2})
    assert tally.rounds == getattr(tally, column) == 2
    assert faults(tally) == {column}
    assert faults(other) == {"theirs"}


def test_a_stall_is_a_hang(good_games):
    """A match calls it a stall; it takes ten seconds, so here it is only told."""
    tally = Tally("games")
    games.count_game(tally, good_games[0] | {"fault": "stall", "offender": 1}, {1})
    assert faults(tally) == {"hangs"}


@pytest.mark.parametrize(
    "change", [{"moves": "e2e4"}, {"result": -1}, {"pgn": "1. e4 e5 2. Ke3 *"}, {"pgn": ""}, {"reason": "checkmate"}]
)
def test_python_chess_objects_to_a_wrong_game(good_games, change):
    """Moves, result, reason and PGN must agree with one another and with the board."""
    assert games.objection_to(good_games[0]) == ""
    assert games.objection_to(good_games[0] | change) != ""


def test_a_game_that_was_kept_but_not_told_is_lost(tmp_path, good_games):
    """Store, answer and PGN have the same number of games."""
    with Store(tmp_path / "store") as store:
        store.run("match", "x", {}).add("0", {"games": good_games})
    pgn = tmp_path / "games.pgn"
    pgn.write_text("\n\n".join(game["pgn"] for game in good_games))
    for told, lost in ((2, 0), (4, 1)):
        tally = Tally("games")
        games.account(tally, json.dumps({"games": told}), tmp_path / "store", pgn, {1})
        assert (tally.rounds, tally.lost) == (2, lost)


@pytest.mark.parametrize(
    ("behaviour", "columns"), [("well", set()), ("crash", {"crashes"}), ("hang", {"hangs"}), ("illegal", {"illegal"})]
)
def test_fuzzing_counts_what_an_engine_does(behaviour, columns):
    """A fake engine crashes, hangs, or plays what is not allowed."""
    command = (sys.executable, FAKES, "engine", behaviour)
    tally = talk.fuzz(1.5, random.Random(1), None, command, patience=3.0)
    assert faults(tally) == columns, tally.notes


@pytest.mark.parametrize(("behaviour", "columns"), [("well", set()), ("forgetful", {"lost"}), ("orphan", {"hangs"})])
def test_kills_count_what_a_run_loses(tmp_path, monkeypatch, behaviour, columns):
    """A fake run goes on, begins anew, or leaves a child behind."""
    monkeypatch.setattr(killing, "LONGEST_LIFE", 0.6)
    monkeypatch.setattr(processes, "PARTING_SECONDS", 0.5)
    tally = killing.kill_and_resume(
        Tally("run"),
        4.0,
        random.Random(2),
        tmp_path,
        lambda place: [sys.executable, FAKES, "run", behaviour, str(place)],
        lambda place: {line: True for path in place.glob("items") for line in path.read_text().split()},
        lambda said, items: said["items"] == len(items),
    )
    assert tally.rounds > 1
    assert faults(tally) == columns, tally.notes


def test_runs_that_end_early_are_begun_again(tmp_path):
    """On a quick machine a turn holds several, each in a folder of its own with the time that is left; one at least."""
    told = []

    def once(tally, left, home):
        told.append((left, home.is_dir()))
        tally.rounds += 1
        time.sleep(0.1)

    tally = killing.again_and_again(Tally("kill match"), 0.5, tmp_path, once)
    assert 2 <= tally.rounds == len(told) <= 4
    assert [left for left, _ in told] == sorted((left for left, _ in told), reverse=True)
    assert all(is_there for _, is_there in told)
    assert len(list(tmp_path.iterdir())) == len(told)
    (tmp_path / "late").mkdir()
    assert killing.again_and_again(Tally("kill match"), 0, tmp_path / "late", once).rounds == 1


@pytest.mark.parametrize(
    ("change", "columns"),
    [
        ({"words": ["Traceback (most recent call last):"]}, {"crashes", "hangs"}),
        ({"process": SimpleNamespace(poll=lambda: 1, returncode=1)}, {"crashes"}),
        ({"settled": lambda: False}, {"hangs"}),
    ],
)
def test_a_server_that_is_not_well_is_counted(change, columns):
    """It ended, left searches running, said that something failed; and nobody answers at this address."""
    well = {
        "words": [],
        "process": SimpleNamespace(poll=lambda: None),
        "settled": lambda: True,
        "address": "127.0.0.1:9",
    }
    tally = Tally("web")
    assert not browse.is_well(tally, SimpleNamespace(**(well | change)))
    assert faults(tally) == columns


def test_growth_is_what_a_warm_process_gains(monkeypatch):
    """The first samples are warming up, a peak that goes is no leak, what stays is."""
    told = iter([10, 50, 50, 90, 60, 60, 60])
    monkeypatch.setattr(processes, "memory", lambda _process: next(told))
    growth = processes.Growth(warm_samples=3)
    for _ in range(7):
        growth.sample([1])
    assert growth.megabytes() == 10


def test_accounts_add_up(tmp_path):
    """Counts are summed, growth is the largest, and the table has a row for each station and one for all."""
    first, second = Tally("a", 60, 5, late=1, growth=3.0), Tally("a", 30, 2, growth=2.0)
    account = Account()
    for tally in (first, second, Tally("b", 6, 1)):
        account.add(tally)
    assert asdict(account.tallies["a"]) == asdict(Tally("a", 90, 7, late=1, growth=3.0))
    account.write(tmp_path / "kept.json")
    account.read(tmp_path / "kept.json")
    assert account.tallies["a"].rounds == 14
    lines = account.table().splitlines()
    assert [line.split("|")[1].strip() for line in lines[2:]] == ["a", "b", "all"]
    assert len({len(line) for line in lines}) == 1


@pytest.mark.parametrize(
    ("tally", "code"), [(Tally("a", 60, 5), 0), (Tally("a", hangs=1), 1), (Tally("a", growth=LARGEST_GROWTH + 1), 1)]
)
def test_the_exit_code_tells(tmp_path, tally, code):
    """Zero if all is zero that must be and memory is bounded."""
    account = Account()
    account.add(tally)
    account.write(tmp_path / "kept.json")
    done = CliRunner().invoke(main, ["--sum", str(tmp_path / "kept.json"), "--json"])
    assert done.exit_code == code
    assert json.loads(done.stdout)["clean"] == (code == 0)
