"""Tuning the search: runs stop and go on without a trace, timing decides nothing, the journal is whole."""

import json
import random
from dataclasses import replace

import pytest
from click.testing import CliRunner

from quiesce.board.fen import write_fen
from quiesce.board.game import Game
from quiesce.cli import cli
from quiesce.lab.spsa import Parameter
from quiesce.lab.tunesearch import Openings, TuneError, TunePlan, Tuning, parameters_of, play_pairs
from quiesce.search.params import options
from quiesce.work.pool import PoolError
from quiesce.work.store import Store, StoreError

from .test_spsa import GAMES, TOY, toy_elo, toy_pentanomial

DEFAULTS = {name: default for name, default, *_ in options()}


class ToyPool:
    """Does tasks by the toy, a few at once, in an order a generator decides; stops after a number of them."""

    def __init__(self, size=1, seed=0, stop_after=None):
        self.size, self.order, self.left, self.done = size, random.Random(seed), stop_after, []

    def __enter__(self):
        return self

    def __exit__(self, *error):
        """Nothing is to be ended."""

    def do(self, work, tasks):
        """Results of the toy, whatever the work."""
        assert work is play_pairs
        waiting, under_way = iter(tasks), {}
        while True:
            while len(under_way) < self.size and (task := next(waiting, None)) is not None:
                under_way[task[0]] = task[1]
            if not under_way:
                return
            if self.left == 0:
                raise KeyboardInterrupt
            self.left = None if self.left is None else self.left - 1
            key = self.order.choice(list(under_way))
            task = under_way.pop(key)
            self.done.append(key)
            yield key, {"pentanomial": toy_pentanomial(task["first"], task["second"], key)}


class OneRound(ToyPool):
    """A pool that does not ask again once there was nothing to do."""

    def do(self, work, tasks):
        """Results of the tasks there are at first."""
        return super().do(work, list(tasks))


@pytest.fixture
def store(tmp_path):
    """A store of its own."""
    with Store(tmp_path / "lab.sqlite") as opened:
        yield opened


PLAN = TunePlan(TOY, 40, 1, in_flight=6, rate=0.01)
"""The toy plays its own number of games, whatever openings it is given."""


def journal(tuning):
    """Items of a run without the order they were kept in."""
    return dict(sorted(tuning.run.items().items()))


def test_a_run_goes_on_where_it_was(store, tmp_path):
    """Interrupted again and again, with results of later iterations already there, it ends exactly as another does."""
    with Store(tmp_path / "other.sqlite") as other:
        whole = Tuning(PLAN, other)
        expected = whole.play(ToyPool())
        done = []
        for seed, count in enumerate((0, 7, 1, 15)):
            pool = ToyPool(4, seed, count)
            with pytest.raises(KeyboardInterrupt):
                Tuning(PLAN, store).play(pool)
            done += pool.done
        last = ToyPool(3, 9)
        tuning = Tuning(PLAN, store)
        assert tuning.play(last) == expected
        assert sorted([*done, *last.done]) == [f"{number:05d}" for number in range(40)]
        assert journal(tuning) == journal(whole)
        assert tuning.tally == whole.tally
        again = ToyPool()
        assert Tuning(PLAN, store).play(again) == expected
        assert not again.done


def test_a_damaged_iteration_is_named(store):
    """One without its counts: the run and the item are told."""
    Tuning(PLAN, store).play(ToyPool())
    store.write("UPDATE items SET facts = '{}' WHERE key = '00007'", ())
    with pytest.raises(StoreError, match=r"item '00007' is damaged: it has no 'pentanomial'"):
        Tuning(PLAN, store).play(ToyPool())


def test_a_run_climbs(store):
    """The side that is told to have won is the one whose direction is taken."""
    tuning = Tuning(replace(PLAN, iterations=200, rate=0.02), store)
    assert toy_elo(tuning.play(ToyPool(3, 1))) > toy_elo(tuning.start) / 2
    assert toy_elo(tuning.found) > toy_elo(tuning.start) / 2


def test_any_pool_will_do(store, tmp_path):
    """One that asks for tasks only once, or has more hands than iterations may be under way, finds the same."""
    expected = Tuning(PLAN, store).play(ToyPool())
    for number, pool in enumerate((OneRound(4, 1), ToyPool(100, 2))):
        with Store(tmp_path / f"{number}.sqlite") as other:
            assert Tuning(PLAN, other).play(pool) == expected


def test_results_are_kept_before_they_count(store):
    """A result that waits for an earlier one is in the journal already, without values; these follow in order."""
    tuning = Tuning(PLAN, store)
    with pytest.raises(KeyboardInterrupt):
        tuning.play(ToyPool(6, 3, 5))
    items = tuning.run.items()
    assert len(items) == 5
    assert tuning.applied < 5
    for number in range(6):
        facts = items.get(f"{number:05d}", {})
        assert ("values" in facts) == (number < tuning.applied)


def test_the_journal_says_all(store):
    """The run has what decided it; each item the values after it, the score of plus, games and pairs."""
    tuning = Tuning(PLAN, store)
    tuning.play(ToyPool(2, 1))
    run = store.runs()[0]
    assert (run.kind, run.name) == ("tune", "wide, narrow, middle, idle")
    assert run.config["parameters"]["narrow"] == {"start": 8, "low": 2, "high": 14, "c": 0.6}
    assert {"iterations", "pairs", "nodes", "seed", "book", "sources", "in_flight"} < set(run.config)
    items = run.items()
    assert list(items) == [f"{number:05d}" for number in range(40)]
    values = {item.name: float(item.start) for item in TOY}
    for number, facts in enumerate(items.values()):
        lead = sum((place - 2) * count for place, count in enumerate(facts["pentanomial"]))
        assert facts["games"] == GAMES
        assert facts["score"] == lead / GAMES / 2
        values = PLAN.spsa.stepped(values, number, lead)
        assert facts["values"] == values


@pytest.mark.parametrize(
    "change", [{"seed": 2}, {"pairs": 2}, {"in_flight": 7}, {"rate": 0.02}, {"parameters": TOY[:3]}]
)
def test_another_plan_is_another_run(store, change):
    """Results of one are never taken for another's."""
    assert Tuning(PLAN, store).run.id == Tuning(PLAN, store).run.id != Tuning(replace(PLAN, **change), store).run.id


def test_one_process_at_a_time(store):
    """A second one on the same run is told so."""
    tuning = Tuning(PLAN, store)
    with tuning.run.worked_on(), pytest.raises(StoreError, match="another process"):
        Tuning(PLAN, store).play(ToyPool())


def test_verification(store):
    """What was found plays the start from openings never used before; it is kept, and more can be added later."""
    tuning = Tuning(PLAN, store)
    tuning.play(ToyPool())
    tasks = []

    class Watched(ToyPool):
        def do(self, work, given):
            tasks.extend(given)
            return super().do(work, tasks)

    assert sum(tuning.verify(Watched(), 5).pentanomial) == 5 * GAMES / 2
    assert [task["openings"] for _, task in tasks] == [[tuning.openings.unseen(40 + pair)] for pair in range(5)]
    assert all((task["first"], task["second"]) == (tuning.found, tuning.start) for _, task in tasks)
    pool = ToyPool()
    assert sum(tuning.verify(pool, 7).pentanomial) == 7 * GAMES / 2
    assert pool.done == ["verify 00005", "verify 00006"]
    assert Tuning(PLAN, store).play(ToyPool()) == tuning.values


def test_openings_by_number(tmp_path):
    """The same number and seed give the same opening; a book is gone through before any comes again."""
    plain = Openings("", 1)
    fens = [plain.fen(number) for number in range(6)]
    assert fens == [Openings("", 1).fen(number) for number in range(6)]
    assert len({*fens, Openings("", 2).fen(0)}) == 7
    assert all(write_fen(Game(fen).position, shredder=True) == fen for fen in fens)
    path = tmp_path / "book.epd"
    path.write_text("".join(f"4k3/8/8/8/8/8/8/{place}K{6 - place}R w - - 0 1\n" for place in range(1, 6)))
    book = Openings(str(path), 1)
    rounds = [[book.fen(5 * again + place) for place in range(5)] for again in range(4)]
    assert all(len(set(fens)) == 5 for fens in rounds)
    assert len({tuple(fens) for fens in rounds}) > 1
    assert Openings(str(path), 1).fen(12) == rounds[2][2]
    path.write_text("nonsense\n")
    with pytest.raises(TuneError, match=r"book\.epd:1: "):
        Openings(str(path), 1)


def names(*words, settings=None, **options):
    """Names of the parameters that words stand for."""
    return [item.name for item in parameters_of(words, options, settings or {})]


def test_names():
    """A number, a technique, how names begin: in the order of the table, each once, and nothing that is off."""
    assert names("FutilityBase") == ["FutilityBase"]
    assert names("FutilityMargin", "Futility") == ["FutilityDepth", "FutilityBase", "FutilityMargin"]
    assert names("LateMoveReductions") == names("Reduction")
    found = names("QSearch")
    assert {"QSearchFutilityBase", "QSearchDeltaMargin"} < set(found)
    assert "QSearchStandPatShare" not in found
    assert "QSearchStandPatShare" in names("QSearch", QSearchStandPatBlend=1)
    for word, match in {
        "FutilitBase": "near it: FutilityBase",
        "futilitybase": "near it: FutilityBase",
        "Fut": "near it: .*FutilityBase",
        "TtCut": "a switch",
        "RazoringBase": "add --option Razoring=1",
    }.items():
        with pytest.raises(TuneError, match=match):
            names(word)
    with pytest.raises(TuneError, match="nothing to tune"):
        names()


def test_settings_of_a_number():
    """Start, bounds and reach come from the table, from options, or as told; what the search forbids is refused."""
    plain, depth = parameters_of(["FutilityBase", "FutilityDepth"], {"FutilityBase": 90}, {})[::-1]
    assert plain == Parameter("FutilityBase", 90, 20, 300, 14.0)
    assert depth.c == 0.6
    told = parameters_of(["FutilityBase"], {}, {"FutilityBase": {"start": 100, "low": 50, "high": 150, "c": 8}})
    assert told == (Parameter("FutilityBase", 100, 50, 150, 8),)
    for settings, match in (
        ({"FutilityBase": {"low": 10}}, "more than the search allows"),
        ({"FutilityBase": {"reach": 10}}, "unknown key 'reach'"),
        ({"FutilityBase": {"low": 30.5}}, "low is a number"),
        ({"FutilityBase": {"c": 0.1}}, "tell two values apart"),
        ({"Futility": {"c": 5}}, "several numbers"),
    ):
        with pytest.raises(TuneError, match=match):
            parameters_of(settings, {}, settings)


def invoke(*words):
    """Run `quiesce tune search`."""
    return CliRunner().invoke(cli, ["tune", "search", *words])


def test_the_command(tmp_path):
    """It plays in other processes, keeps what it plays, goes on from a file's settings, and prints what to try next."""
    config, path = tmp_path / "tune.toml", tmp_path / "lab.sqlite"
    config.write_text(
        "iterations = 7\npairs = 1\nnodes = 200\nin_flight = 1\nrate = 1.0\nseed = 4\n"
        "[parameters]\nReductionBase = { c = 60 }\nFutilityMargin = {}\n"
    )
    words = ["--config", str(config), "--iterations", "2", "--store", str(path), "--concurrency", "1"]
    done = invoke(*words, "--json")
    assert done.exit_code == 0, done.output
    facts = json.loads(done.stdout)
    assert (facts["iterations"], facts["games"]) == (2, 4)
    assert set(facts["parameters"]) == {"ReductionBase", "FutilityMargin"}
    with Store(path) as store:
        (run,) = store.runs()
        items = run.items()
        assert (run.config["pairs"], run.config["nodes"], run.config["in_flight"]) == (1, 200, 1)
        stamp = store.read("SELECT max(rowid), count(*) FROM items")
    assert list(items) == ["00000", "00001"]
    ends = {name: value["end"] for name, value in facts["parameters"].items()}
    assert items["00001"]["values"] == ends
    again = invoke(*words)
    assert again.exit_code == 0, again.output
    with Store(path) as store:
        assert store.read("SELECT max(rowid), count(*) FROM items") == stamp
    rounded = facts["parameters"]["FutilityMargin"]["rounded"]
    assert f"--first FutilityMargin={rounded}" in again.stdout


def test_what_is_shown(tmp_path, monkeypatch):
    """A table of the numbers, the line to try them with, and how what was found did against the start."""

    class Winners(ToyPool):
        def do(self, work, tasks):
            return ((key, {"pentanomial": [0, 0, 0, 1, 3]}) for key, _ in super().do(work, tasks))

    monkeypatch.setattr("quiesce.cli.tune_search.worker_pool", lambda *_: Winners())
    monkeypatch.setattr("tests.lab.test_tunesearch.toy_pentanomial", lambda *_: None)
    words = [
        "FutilityBase",
        "--rate",
        "0.5",
        "--iterations",
        "1",
        "--pairs",
        "4",
        "--verify",
        "2",
        "--option",
        "Killers=0",
    ]
    words += ["--store", str(tmp_path / "lab.sqlite")]
    facts = json.loads(invoke(*words, "--json").stdout)
    start, end = DEFAULTS["FutilityBase"], facts["parameters"]["FutilityBase"]["rounded"]
    assert abs(end - start) == 0.5 * 14 * 7
    assert facts["verified"]["pentanomial"] == [0, 0, 0, 2, 6]
    shown = invoke(*words).stdout.splitlines()
    assert shown[1].split() == ["FutilityBase", str(start), str(end), f"{end}.00"]
    assert shown[3] == f"quiesce arena --first Killers=0 --second Killers=0 --first FutilityBase={end}"
    assert shown[4].startswith("verified by 16 other games, pentanomial 0 0 0 2 6: +")


def test_errors_of_the_command(tmp_path, monkeypatch):
    """Wrong names, files and stores are said in words."""
    monkeypatch.setenv("QUIESCE_STORE", str(tmp_path / "lab.sqlite"))
    config = tmp_path / "tune.toml"
    for text, match in (
        ("iteration = 5", "unknown key 'iteration'"),
        ("parameters = 5", "parameters must be"),
        ("names = ['FutilityBase']", "unknown key 'names'"),
        ("iterations = 0\n[parameters]\nFutilityBase = {}", "0 is out of range: at least 1"),
        ("[", "tune.toml"),
    ):
        config.write_text(text)
        done = invoke("--config", str(config))
        assert done.exit_code == 2
        assert match in " ".join(done.output.split())
    assert "near it: FutilityBase" in invoke("FutilitBase").output
    assert "there is no option 'Nothing'" in invoke("FutilityBase", "--option", "Nothing=1").output
    broken = tmp_path / "broken.sqlite"
    broken.write_text("no database" * 100)
    done = invoke("FutilityBase", "--store", str(broken), "--iterations", "1")
    assert done.exit_code == 1
    assert "broken.sqlite" in done.output


def test_trouble_in_a_process_is_told(tmp_path, monkeypatch):
    """A task that fails ends the run with its reason."""
    monkeypatch.setattr(
        "quiesce.cli.tune_search.worker_pool", lambda *_: (_ for _ in ()).throw(PoolError("00000: it broke"))
    )
    done = invoke("FutilityBase", "--store", str(tmp_path / "lab.sqlite"))
    assert done.exit_code == 1
    assert "it broke" in done.output
