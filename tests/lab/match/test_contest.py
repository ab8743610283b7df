"""Contests: kept pair by pair, stopped and killed and gone on with, the same result whoever plays and how often."""

import json
import random
import signal
import subprocess
import sys
import time
from dataclasses import replace

import chess
import pytest

from quiesce.lab.match import pair
from quiesce.lab.match.contest import ABOUT, Contest, Score, sequential_test, sprt_counts
from quiesce.lab.match.engines import EngineSpec
from quiesce.lab.match.openings import Opening
from quiesce.lab.match.pair import play_pair, task_of
from quiesce.lab.match.plan import PlanError, read_plan
from quiesce.lab.match.referee import Control
from quiesce.lab.report import matches
from quiesce.lab.sprt import Sprt
from quiesce.work.pool import LocalPool
from quiesce.work.store import Store, StoreError

from .conftest import SHORT, mock, plan_with


def played(plan, path, pool=None):
    """Play a plan to its end; returns the score and the moves of every pair."""
    with Store(path) as store, pool or LocalPool(2) as hands:
        contest = Contest(plan, store)
        score = contest.play(hands)
        return score, {key: [game["moves"] for game in facts["games"]] for key, facts in contest.kept()}


def test_a_contest_is_repeatable_and_goes_on(tmp_path, mocks):
    """Twice the same games; more pairs later begin where the first ones ended; the rest is not played again."""
    plan = plan_with(*mocks, pairs=4)
    score, moves = played(plan, tmp_path / "a")
    assert score.pairs == 4
    assert sum(score.games) == 8
    assert played(plan, tmp_path / "b")[1] == moves
    begun = []
    with Store(tmp_path / "a") as store, LocalPool(1) as pool:
        contest = Contest(replace(plan, pairs=6), store)
        contest.tasks = lambda kept, tasks=contest.tasks: (begun.append(task[0]) or task for task in tasks(kept))
        assert contest.play(pool).pairs == 6
    assert begun == ["4", "5"]


def test_colours_are_reversed_in_a_pair(tmp_path, mocks):
    """Both engines have White once, from the same opening."""
    with Store(tmp_path / "a") as store, LocalPool(1) as pool:
        contest = Contest(plan_with(*mocks, pairs=1), store)
        contest.play(pool)
        (_, facts), *_ = contest.kept()
        first, second = facts["games"]
        assert (first["white"], second["white"]) == (1, 2)
        assert first["moves"].split()[:16] == second["moves"].split()[:16]
        assert contest.pgn().count("[Event ") == 2


@pytest.mark.parametrize(
    ("key", "facts", "words"),
    [
        ("0", '{"seconds": 1}', "it has no 'games'"),
        ("0", '{"games": [{"result": 7}, {"result": 7}]}', "list index out of range"),
        ("0", '{"games', "Unterminated"),
        ("0x", '{"games": []}', "invalid literal"),
    ],
)
def test_a_damaged_pair_is_named(tmp_path, mocks, key, facts, words):
    """What cannot be counted ends the contest at once, with the item's name; so it does when games are written."""
    plan = plan_with(*mocks, pairs=1)
    played(plan, tmp_path / "a")
    with Store(tmp_path / "a") as store:
        store.write("UPDATE items SET key = ?, facts = ? WHERE key = '0'", (key, facts))
    for act, told in (
        (lambda contest: contest.play(None), words),
        (Contest.pgn, words if "index" not in words else "pgn"),
    ):
        with Store(tmp_path / "a") as store:
            contest = Contest(plan, store)
            with pytest.raises(StoreError, match=f"item '{key}' is damaged: .*{told}"):
                act(contest)


def test_other_engines_are_other_runs(tmp_path, mocks):
    """So are another control and another seed; not another number of pairs or hands."""
    plan = plan_with(*mocks)
    same = [plan, replace(plan, pairs=9), replace(plan, concurrency=7), replace(plan, sprt=Sprt())]
    others = [replace(plan, seed=2), replace(plan, control=Control(nodes=2)), replace(plan, engine1=mock(salt="c"))]
    with Store(tmp_path / "a") as store:
        assert len({Contest(one, store).run.id for one in same}) == 1
        assert len({Contest(one, store).run.id for one in [plan, *others]}) == 4
    ours = replace(plan, engine1=EngineSpec())
    assert "sources" in ours.identity()["engine1"]
    assert "sources" not in plan.identity()["engine1"]


def test_the_sequential_test_stops_the_games(tmp_path):
    """An engine that always crashes is found out long before the pairs run out, and stays so when asked again."""
    plan = plan_with(mock(), mock("crash", 16), pairs=500, sprt=Sprt(0, 50))
    score, _ = played(plan, tmp_path / "a")
    assert plan.sprt.verdict(score.pentanomial) == 1
    assert score.pairs < 60
    assert score.games[0] == score.games[1] == 0
    assert score.faults == {(2, "crash"): 2 * score.pairs}
    assert score.warnings() == [f"engine 2 broke down {2 * score.pairs} times"]
    again, _ = played(plan, tmp_path / "a")
    assert again.pentanomial == score.pentanomial


def test_the_test_may_count_single_games(tmp_path):
    """As older tools do; with the same results it comes to its own verdict, by its own count."""
    plan = plan_with(mock(), mock("crash", 16), pairs=500, sprt=Sprt(0, 50), is_trinomial=True)
    score, _ = played(plan, tmp_path / "a")
    assert plan.sprt.verdict(score.games) == 1
    assert plan.sprt.verdict([0, 0, score.games[2] - 4]) == 0
    assert sprt_counts(plan, score) == score.games
    assert sprt_counts(replace(plan, is_trinomial=False), score) == score.pentanomial


@pytest.mark.parametrize("is_trinomial", [False, True])
def test_the_report_judges_as_the_match_did(tmp_path, is_trinomial):
    """By pairs or by single games: the same ratio, the same verdict after as many pairs; and the page says which."""
    plan = plan_with(mock(), mock("crash", 16), pairs=500, sprt=Sprt(0, 50), is_trinomial=is_trinomial)
    score, _ = played(plan, tmp_path / "a")
    llr = plan.sprt.llr(sprt_counts(plan, score))
    with Store(tmp_path / "a") as store:
        (run,) = store.runs()
        match, text = matches.read(run), matches.section([run])
    assert plan.sprt.llr(match.evidence[-1]) == llr
    assert matches.decision(match, match.sprt) == (1, score.pairs)
    assert f"<dd>{llr:.2f}</dd>" in text
    assert ("of single games" in text) == is_trinomial
    other = sprt_counts(replace(plan, is_trinomial=not is_trinomial), score)
    assert plan.sprt.llr(other) != pytest.approx(llr, abs=0.1)


def test_runs_of_old_were_judged_by_pairs():
    """They keep the strengths of their test and not what it counted."""
    assert sequential_test({"sprt": {"elo0": 1.0, "elo1": 3.0}}) == (Sprt(1, 3), False)
    assert sequential_test({"sprt": None}) == sequential_test(None) == (None, False)


def test_trouble_ends_the_contest(tmp_path):
    """An engine that is not there is an error, not a lost game."""
    with pytest.raises(PlanError, match="cannot be started"):
        played(plan_with(mock(), EngineSpec("x", ("/no/such/engine",))), tmp_path / "a")


def test_without_a_clock_an_opening_is_one_pair(tmp_path, mocks):
    """Played again it would be the same game, and no evidence; by the clock it may be played again."""
    book = tmp_path / "book.txt"
    book.write_text("e2e4\nd2d4\n")
    plan = plan_with(*mocks, pairs=9, book=str(book))
    with Store(tmp_path / "a") as store, LocalPool(1) as pool:
        assert Contest(plan, store).play(pool).pairs == 2
        assert Contest(replace(plan, control=Control(1.0)), store).pairs == 9


def test_what_decides_the_games_makes_the_run(tmp_path, mocks):
    """A book of another content, or an engine of other bytes, under the same name is another run."""
    book, program = tmp_path / "book.txt", tmp_path / "engine"
    runs = []
    with Store(tmp_path / "a") as store:
        for lines, text in (("e2e4\n", "one"), ("d2d4\n", "one"), ("d2d4\n", "two")):
            book.write_text(lines)
            program.write_text(text)
            plan = plan_with(mocks[0], EngineSpec("x", (str(program),)), book=str(book))
            runs.append(Contest(plan, store).run.id)
    assert len(set(runs)) == 3


def test_sources_that_change_end_the_run(monkeypatch):
    """An engine of ours started after an edit is not the one the run is about."""
    task = task_of(0, [EngineSpec(), mock()], Opening(chess.STARTING_FEN), Control(nodes=1), SHORT)
    monkeypatch.setattr(pair, "current_digest", lambda: "edited")
    assert "sources have changed" in play_pair(task)["trouble"]


def test_beginning_anew_waits_for_nobody(tmp_path, plan_file):
    """While another process works on the run, --again changes nothing and says so."""
    with Store(tmp_path / "lab.sqlite") as store:
        contest = Contest(read_plan(plan_file), store)
        contest.run.add("0", {"n": 1})
        with contest.run.worked_on():
            words = command(plan_file, tmp_path / "lab.sqlite", "--again")
            done = subprocess.run(words, capture_output=True, text=True, check=False)
        assert done.returncode == 1
        assert "another process" in done.stderr
        assert done.stdout == ""
        assert contest.run.items() == {"0": {"n": 1}}


def test_a_match_keeps_the_test_of_an_sprt(tmp_path, mocks):
    """The same games looked at without a test do not lose it; a decided one has it too."""
    plan = plan_with(*mocks, pairs=1)
    with Store(tmp_path / "a") as store, LocalPool(1) as pool:
        Contest(replace(plan, sprt=Sprt(1, 3)), store).play(pool)
        contest = Contest(plan, store)
        contest.play(pool)
        assert contest.run.items()[ABOUT]["sprt"]["elo1"] == 3


def test_the_test_of_a_run_is_kept(tmp_path, mocks):
    """For reports."""
    with Store(tmp_path / "a") as store, LocalPool(1) as pool:
        contest = Contest(plan_with(*mocks, pairs=1, sprt=Sprt(1, 3)), store)
        contest.play(pool)
        assert contest.run.items()[ABOUT]["sprt"]["elo1"] == 3


def test_scores_count_pairs_and_faults():
    """Results of pairs, games, faults by engine, and what is doubtful."""
    score = Score()
    late = {"result": -1, "fault": "time", "offender": 1}
    win, draw = {"result": 1, "fault": "", "offender": None}, {"result": 0, "fault": "", "offender": None}
    for games in ((late, late), (late, draw), (win, late), (win, draw), (win, win)):
        score.add({"games": games, "thinking": 1.0, "seconds": 2.0})
    assert score.pentanomial == [1, 1, 1, 1, 1]
    assert score.games == [4, 2, 4]
    assert score.share == 0.5
    assert score.warnings() == ["engine 1 lost 4 games on time"]


def command(plan_file, store, *more):
    """The command line of a run."""
    words = ["match", "--config", str(plan_file), "--store", str(store), "--json", "--concurrency", "2", *more]
    return [sys.executable, "-m", "quiesce", *words]


@pytest.fixture
def plan_file(tmp_path, mocks):
    """A plan for a process of its own: thirty short pairs."""
    path = tmp_path / "plan.json"
    engines = {f"engine{seat}": {"name": one.name, "command": list(one.command)} for seat, one in enumerate(mocks, 1)}
    rules = {"draw_moves": 0, "win_moves": 0, "longest": 14}
    path.write_text(json.dumps(engines | {"nodes": 1, "games": 60, "seed": 7, "adjudication": rules}))
    return path


def moves_kept(path):
    """Every pair's moves in a store."""
    with Store(path) as store:
        pairs = [pair for run in store.runs() for pair in run.items().items() if pair[0] != ABOUT]
    assert len(dict(pairs)) == len(pairs)
    return {key: [game["moves"] for game in facts["games"]] for key, facts in pairs}


def engines_running(marker):
    """Processes whose command line has a word in it."""
    done = subprocess.run(["pgrep", "-f", marker], capture_output=True, text=True, check=False)
    return done.stdout.split()


def test_kills_lose_nothing(tmp_path, plan_file):
    """SIGKILL at ten random moments: no pair lost or doubled, all as in an undisturbed run, nobody left behind."""
    choice, store = random.Random(3), tmp_path / "killed.sqlite"
    kept = 0
    for _ in range(10):
        process = subprocess.Popen(command(plan_file, store), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(choice.uniform(0.8, 2.2))
        process.send_signal(signal.SIGKILL)
        process.wait()
        now = len(moves_kept(store)) if store.exists() else 0
        assert now >= kept
        kept = now
    done = subprocess.run(command(plan_file, store), capture_output=True, text=True, timeout=120, check=True)
    undisturbed = tmp_path / "undisturbed.sqlite"
    subprocess.run(command(plan_file, undisturbed), capture_output=True, timeout=120, check=True)
    assert json.loads(done.stdout)["games"] == 60
    assert moves_kept(store) == moves_kept(undisturbed)
    assert len(moves_kept(store)) == 30
    deadline = time.monotonic() + 10
    while engines_running("mockengine.py good 0 a"):
        assert time.monotonic() < deadline
        time.sleep(0.1)


def test_ctrl_c_leaves_a_readable_state(tmp_path, plan_file):
    """The result so far, the usual exit code, the games in PGN, no engine left."""
    store, pgn = tmp_path / "lab.sqlite", tmp_path / "games.pgn"
    process = subprocess.Popen(
        command(plan_file, store, "--pgn", str(pgn)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    while not store.exists() or not moves_of_any(store):
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    told, complaint = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "the same command resumes" in complaint
    assert "Traceback" not in complaint
    facts = json.loads(told)
    assert facts["games"] == 2 * len(moves_kept(store)) == pgn.read_text().count("[Event ")
    assert facts["games"] < 60
    assert not engines_running("mockengine.py good 0 a")


def moves_of_any(path):
    """Pairs kept so far, whatever state the file is in."""
    with Store(path) as store:
        return [key for run in store.runs() for key in run.items() if key != ABOUT]


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ({"engine1": "no-such-engine"}, "no engine 'no-such-engine'"),
        ({"engine1": {"command": "x", "colour": 1}}, "unknown key 'colour'"),
        ({"engine1": {"command": "x", "protocol": "telepathy"}}, "the protocol is uci or xboard"),
        ({"games": 0}, "at least two games"),
        ({"time_control": "soon"}, "no time control"),
        ({"speed": 3}, "unknown key 'speed'"),
        ({"sprt": {"elo0": 5, "elo1": 1}}, "elo0 must be less"),
        ({"sprt": {"elo9": 5}}, "unknown key 'elo9'"),
        ({"adjudication": {"tablebase": "/no/such/folder"}}, "no folder of tables"),
        ([1, 2], "not a table"),
        ({"nodes": "5000"}, "nodes is a whole number"),
        ({"nodes": -5}, "nodes must be more than 0"),
        ({"book": 5}, "book is text"),
        ({"statistics": "binomial"}, "statistics is pentanomial or trinomial"),
        ({"engine1": {"command": "x", "options": "y"}}, "options are a table"),
        ({"engine1": {"command": 'x "y'}}, "no command"),
        ({"adjudication": {"win_moves": "4"}}, "adjudication.win_moves is a whole number"),
        ({"time_control": "1+1", "movetime": 1}, "exclude each other"),
        ({"engine1": "quiesce@no-such-branch"}, "no revision"),
    ],
)
def test_bad_plans_are_refused(tmp_path, table, words):
    """With the file's name and a reason."""
    path = tmp_path / "plan.json"
    path.write_text(json.dumps(table))
    with pytest.raises(PlanError) as refused:
        read_plan(path)
    assert str(path) in str(refused.value)
    assert words in str(refused.value)


def test_a_bad_plan_is_a_usage_error(tmp_path):
    """A book that is not there: exit code 2, a word, no traceback."""
    path = tmp_path / "plan.json"
    path.write_text(json.dumps({"book": "missing.pgn"}))
    done = subprocess.run(command(path, tmp_path / "lab.sqlite"), capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "missing.pgn" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_documents_example_is_accepted(tmp_path):
    """The plan of the design documents, in JSON, and the same in TOML."""
    example = {
        "engine1": f"{sys.executable} a", "engine2": f"{sys.executable} b", "time_control": "10+0.1",
        "book": "8moves_v3.pgn", "games": 10000, "concurrency": 8,
        "sprt": {"alpha": 0.05, "beta": 0.05, "elo0": 0, "elo1": 50, "model": "logistic"},
    }  # fmt: skip
    (tmp_path / "plan.json").write_text(json.dumps(example))
    lines = [f"{key} = {json.dumps(value)}" for key, value in example.items() if key != "sprt"]
    lines += ["[sprt]", *(f"{key} = {json.dumps(value)}" for key, value in example["sprt"].items())]
    (tmp_path / "plan.toml").write_text("\n".join(lines))
    plan = read_plan(tmp_path / "plan.json")
    assert plan == read_plan(tmp_path / "plan.toml")
    assert (plan.control.base, plan.control.increment, plan.pairs, plan.concurrency) == (10.0, 0.1, 5000, 8)
    assert plan.sprt == Sprt(0, 50, 0.05, 0.05, "logistic")
    assert plan.engine2.command == (sys.executable, "b")
