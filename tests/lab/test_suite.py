"""Suites: what is read, what counts as solved and since when, points, engines that break down, runs that go on."""

import sys
import threading

import chess
import pytest

from quiesce.lab.match.engines import EngineSpec
from quiesce.lab.match.ucioptions import SetUpError
from quiesce.lab.suites.own import OwnSolver
from quiesce.lab.suites.problems import BUNDLED, Suite, SuiteFileError, problem_from, read_problem, suite_named
from quiesce.lab.suites.scoring import Glimpse, Limit, Result, lct2_points, outcome_of, points_of, rule_of
from quiesce.lab.suites.solve import Contender, contender_of, run_of, seat, solve, solve_suite
from quiesce.work.pool import LocalPool
from quiesce.work.store import Store, StoreError
from tests.lab.scripted import MATE, QUEENS, ROOKS, Scripted, is_alive

AVOID = '6k1/8/4p3/3p4/8/8/3Q4/4K3 w - - am Qxd5; id "avoid";'
DISTANCE = '7k/8/5K2/8/8/8/8/6R1 w - - dm 2; id "distance";'
POINTS = '6k1/8/8/3q4/8/8/8/3Q2K1 w - - bm Qxd5+; id "points"; c0 "Qxd5+=10, Qd4=3, Kf2=1";'
LIMIT = Limit(seconds=0.5)


class Here:
    """A pool of one, in this process."""

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass

    def do(self, work, tasks):
        """Do all tasks in turn."""
        for key, task in tasks:
            yield key, work(task)


@pytest.fixture(autouse=True)
def _empty_seat():
    """No engine is left in this process when a test ends."""
    yield
    seat(threading.get_ident()).clear()


@pytest.fixture
def store(tmp_path):
    """A store of the test's own."""
    with Store(tmp_path / "lab.sqlite") as opened:
        yield opened


def suite_of(*lines, name="some"):
    """A suite of lines."""
    return Suite(name, tuple(read_problem(line, "nameless") for line in lines))


def solved_by(engine, store, *lines, limit=LIMIT, **more):
    """What an engine makes of some lines, in this process."""
    suite = suite_of(*lines)
    run = run_of(store, suite, engine.contender, limit)
    return solve(suite.problems, Here(), engine.contender, limit, run, rule_of(suite, limit), **more)


def test_our_engine_solves():
    """Best moves, moves to avoid and mates are understood; the solution has its time, nodes and depth."""
    solver = OwnSolver(Limit(nodes=50_000))
    problems = [read_problem(line, "nameless") for line in (MATE, AVOID, DISTANCE)]
    outcomes = [outcome_of(problem, *solver.solve(problem)) for problem in problems]
    solver.close()
    assert [problem.name for problem in problems] == ["mate", "avoid", "distance"]
    for facts in outcomes:
        assert facts["solved"]
        assert 0 < facts["nodes"] <= 50_000
        assert facts["depth"] >= 1
        assert 0 <= facts["seconds"] < 60
    assert outcomes[0]["move"] == "f6f7"
    assert outcomes[2]["score"] == 100_000 - 2


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("8/8/8/8/8/8/8/8 w - - bm e4;", ":1: "),
        (MATE + "\nnonsense", ":2: "),
        ('7k/8/5K2/8/8/8/8/6R1 w - - id "x";', "nothing says"),
        ('7k/8/5K2/8/8/8/8/6R1 w - - dm "soon";', "nothing says"),
        ("7k/8/5K2/8/8/8/8/6R1 w - - bm Qh7;", ":1: "),
        ("7k/6Q1/6K1/8/8/8/8/8 b - - dm 1;", "no legal move"),
        (POINTS.replace("=10", "=11"), "more than 10 points"),
        (POINTS.replace("Kf2", "Kf5"), ":1: "),
        ("", "no positions"),
        ("\udcff", "not a text file"),
    ],
)
def test_bad_files_are_named(tmp_path, text, words):
    """A line that makes no sense is named by number and reason."""
    path = tmp_path / "bad.epd"
    path.write_text(text, encoding="utf-8", errors="surrogateescape")
    with pytest.raises(SuiteFileError, match=r"bad\.epd") as error:
        suite_named(str(path))
    assert words in str(error.value)


def test_bundled_suites():
    """Each bundled suite has the positions it is known for; the gate's hundred are every fourth of the 400."""
    counts = {name: len(suite_named(name).problems) for name in BUNDLED}
    assert counts == {
        "bk": 24,
        "puzzles": 100,
        "lichess_puzzles": 400,
        "lichess_mates": 739,
        "mates_pychess": 891,
        "mz_tactics": 1619,
    }
    fourth, whole = (
        [problem.name for problem in suite_named(name).problems] for name in ("puzzles", "lichess_puzzles")
    )
    assert fourth == whole[::4]
    with pytest.raises(SuiteFileError, match=", ".join(BUNDLED)):
        suite_named("nothing")


def test_digests_tell_what_is_asked():
    """Comments change nothing, another solution or another order does; facts carry a problem whole."""
    plain = suite_of(QUEENS, POINTS)
    assert suite_of(QUEENS + ' c1 "a comment";', POINTS).digest == plain.digest
    assert len({plain.digest, suite_of(POINTS, QUEENS).digest, suite_of(QUEENS, QUEENS).digest}) == 3
    assert [problem_from(problem.facts()) for problem in plain.problems] == list(plain.problems)


def test_points_are_read():
    """c0 of the STS gives points to moves, promotions too; any other comment gives none."""
    promotion = '8/P6k/8/8/8/8/8/K7 w - - bm a8=Q; c0 "a8=Q=10, a8=R=7";'
    assert read_problem(promotion, "").points == {chess.Move.from_uci("a7a8q"): 10, chess.Move.from_uci("a7a8r"): 7}
    for comment in ("rating 1353, short", "eval=3", "Qxd5+=10, and more", ""):
        assert read_problem(QUEENS + f' c0 "{comment}";', "").points == {}


@pytest.mark.parametrize(("move", "points"), [("d1d5", 10), ("d1d4", 3), ("g1f2", 1), ("g1h2", 0), (None, 0)])
def test_points_of_moves(move, points):
    """A move earns what the suite gives it, of the most there is; none is earned without a move."""
    suite = suite_of(POINTS)
    facts = {"move": move, "solved": points == 10, "seconds": 0.1}
    assert points_of(rule_of(suite, LIMIT), suite.problems[0], facts) == (points, 10)


@pytest.mark.parametrize(
    ("seconds", "points"),
    [(0, 30), (9, 30), (9.5, 25), (29, 25), (30, 20), (89, 20), (90, 15), (179, 15), (180, 10), (389, 10), (390, 5),
     (600, 5), (601, 0)],
)  # fmt: skip
def test_lct2_points(seconds, points):
    """Points by the second from which the solution was held, as the test's author gave them."""
    assert lct2_points(seconds) == points


def test_lct2_rating():
    """1900 and the points; what it takes for granted is said; without a time it is a suite like any other."""
    suite = suite_of(*[QUEENS.replace("queens", f"LCTII.POS.{number:02}") for number in range(4)])
    limit = Limit(seconds=200)
    assert rule_of(suite, limit) == "lct2"
    assert rule_of(suite_of(QUEENS, name="my-LCT2"), limit) == "lct2"
    assert rule_of(suite_of(QUEENS), limit) == "solved"
    assert rule_of(suite, Limit(nodes=1000)) == "solved"
    outcomes = []
    for seconds in (5.0, 29.0, 100.0, None):
        found = {"move": "d1d5", "solved": seconds is not None, "seconds": seconds, "trouble": ""}
        points, most = points_of("lct2", suite.problems[0], found)
        outcomes.append(found | {"points": points, "max_points": most})
    result = Result("lct2", "engine", limit, "lct2", outcomes)
    assert (result.points, result.max_points, result.rating) == (30 + 25 + 15, 120, 1970)
    assert (result.solved, result.share, result.median) == (3, 0.75, 29.0)
    assert ["200 s" in words or "35 positions" in words for words in result.assumptions] == [True, True]
    whole = Result("lct2", "engine", Limit(seconds=600), "lct2", [outcomes[0]] * 35)
    assert (whole.rating, whole.assumptions) == (1900 + 35 * 30, [])


def test_any_mate_as_short_as_asked_solves():
    """Where a suite names one mating move and the distance, another as short is as good; a longer one is not."""
    problem = read_problem('7k/8/5K2/8/8/8/8/6R1 w - - bm Kf7; dm 2; id "mate";', "mate")
    other = chess.Move.from_uci("g1g2")
    assert problem.is_solved(chess.Move.from_uci("f6f7"), None)
    assert problem.is_solved(other, 2)
    assert not problem.is_solved(other, 3)
    assert not problem.is_solved(other, -2)
    assert not problem.is_solved(other, None)


def test_a_solution_counts_from_when_it_is_held():
    """Found, lost and found again counts from the last time; lost at the end is not solved."""
    problem = read_problem(QUEENS, "")
    right, wrong = chess.Move.from_uci("d1d5"), chess.Move.from_uci("g1f2")
    line = [Glimpse(move, number, number * 10, number) for number, move in enumerate((right, wrong, right, right), 1)]
    held = outcome_of(problem, line, Glimpse(right, 9))
    assert (held["solved"], held["seconds"], held["nodes"], held["depth"]) == (True, 3, 30, 3)
    assert outcome_of(problem, line[:2], Glimpse(right, 9))["seconds"] == 9
    lost = outcome_of(problem, line, Glimpse(wrong, 9))
    assert (lost["solved"], lost["seconds"], lost["nodes"], lost["depth"]) == (False, None, None, None)


def test_a_program_is_heard_line_by_line(tmp_path, store):
    """The time is our clock's from the line that was held; lines below the window and side lines do not count."""
    steps = [
        "info depth 1 score cp 10 nodes 11 pv d1d5",
        "info depth 2 score cp 10 nodes 22 pv g1f2",
        0.2,
        "info depth 3 score cp 90 lowerbound nodes 33 pv d1d5",
        "info depth 3 score cp 5 upperbound nodes 34 pv g1f2",
        "info depth 3 multipv 2 score cp 5 nodes 35 pv g1f2",
        "info string d1d5 is it",
        0.8,
        "info depth 4 score cp 95 nodes 44 pv d1d5 g8f8",
        "bestmove d1d5",
    ]
    mating = ["info depth 5 score mate 2 nodes 9 pv f6f7 h8h7", "bestmove f6f7"]
    engine = Scripted(tmp_path, {QUEENS: steps, DISTANCE: mating})
    found, mate = solved_by(engine, store, QUEENS, DISTANCE)
    assert (found["solved"], found["move"], found["nodes"], found["depth"]) == (True, "d1d5", 33, 3)
    assert found["score"] == 95
    assert 0.1 < found["seconds"] < 0.9
    assert (mate["solved"], mate["score"], mate["trouble"]) == (True, 99_998, "")
    assert len(set(engine.heard("go"))) == 1
    assert len(engine.heard("ucinewgame")) == 2


@pytest.mark.parametrize(
    ("steps", "trouble"),
    [
        (["info depth 1 score cp 1 pv d1d5", "crash"], "crash: "),
        (["info depth 1 score cp 1 pv d1d5", 60], "stall: "),
        (["bestmove d1h8"], "illegal: "),
        (["bestmove 0000"], "illegal: no move"),
    ],
)
def test_an_engine_that_breaks_down_is_started_anew(tmp_path, store, steps, trouble):
    """The position is not solved and says why, no process is left of it, and the next is solved by a new one."""
    engine = Scripted(tmp_path, {QUEENS: steps, ROOKS: ["bestmove a1a8"]})
    broken, fine = solved_by(engine, store, QUEENS, ROOKS, grace=0.3)
    assert not broken["solved"]
    assert broken["trouble"].startswith(trouble)
    assert (fine["solved"], fine["trouble"]) == (True, "")
    first, second = engine.heard("go")
    assert first != second
    assert not is_alive(first)
    assert engine.heard("quit") == []
    seat(threading.get_ident()).clear()
    assert engine.heard("quit") == [second]


def test_kept_outcomes_are_not_solved_again(tmp_path, store):
    """A run goes on with what is missing; told to begin anew, it forgets; another limit is another run."""
    engine, suite = Scripted(tmp_path, {QUEENS: ["bestmove d1d5"], ROOKS: ["bestmove a1a8"]}), suite_of(QUEENS, ROOKS)
    seen = []

    def go(first=None, limit=LIMIT, again=False):
        """Solve once more; returns how often the engine was asked."""
        before = len(engine.heard("go"))
        result = solve_suite(suite, first, Here(), engine.contender, limit, store, again, seen.append)
        assert result.solved == len(result.outcomes) == (first or 2)
        return len(engine.heard("go")) - before

    assert [go(first=1), go(), go()] == [1, 1, 0]
    assert [facts["id"] for facts in seen] == ["queens", "queens", "rooks", "queens", "rooks"]
    assert [go(limit=Limit(depth=3)), go(again=True), go()] == [2, 2, 0]
    assert [run.name for run in store.runs()] == ["some / scripted / depth 3", "some / scripted / 0.5 s"]
    items = store.runs()[1].items()
    assert list(items) == ["0", "1"]
    assert set(items["0"]) == {
        "id", "fen", "move", "solved", "points", "max_points", "seconds", "nodes", "depth", "score", "trouble"
    }  # fmt: skip


def test_a_damaged_outcome_is_named(tmp_path, store):
    """One without a field that results are made of: the run and the item are told, and nothing is solved."""
    engine, suite = Scripted(tmp_path, {QUEENS: ["bestmove d1d5"]}), suite_of(QUEENS)
    solve_suite(suite, None, Here(), engine.contender, LIMIT, store)
    store.write("UPDATE items SET facts = json_remove(facts, '$.solved')", ())
    with pytest.raises(StoreError, match=r"run 1 \(suite '.*'\): item '0' is damaged: it has no 'solved'"):
        solve_suite(suite, None, Here(), engine.contender, LIMIT, store)


def test_a_pool_of_processes_finds_the_same(store):
    """At fixed nodes two workers find what one finds, each outcome in its place."""
    suite, limit = suite_named("bk"), Limit(nodes=3000)
    timeless = []
    for pool in (LocalPool(2), Here()):
        with pool:
            result = solve_suite(suite, 8, pool, Contender(), limit, store, again=True)
        timeless.append([{key: facts[key] for key in facts if key != "seconds"} for facts in result.outcomes])
    assert timeless[0] == timeless[1]
    assert [facts["id"] for facts in timeless[0]] == [problem.name for problem in suite.problems[:8]]


def test_engines_that_cannot_solve_are_refused(tmp_path):
    """What speaks another protocol, is missing, is deaf to nodes or has no such option is told before anything runs."""
    engine = Scripted(tmp_path, {})
    deaf = tmp_path / "toga2"
    deaf.symlink_to(sys.executable)
    for bad, words in (
        (EngineSpec("x", engine.command, protocol="xboard"), "xboard"),
        (EngineSpec("x", ("/nowhere/at/all",)), "not installed"),
        (EngineSpec("x", (str(deaf), *engine.command[1:])), "give a time"),
        (EngineSpec("x", engine.command, options={"Magic": 1}), "Magic"),
        (EngineSpec("x", (sys.executable, "-c", "")), "process"),
    ):
        with pytest.raises(SetUpError, match=words):
            contender_of(bad, Limit(nodes=1000))
    assert contender_of(EngineSpec("x", engine.command), Limit(nodes=1000)).told == "Scripted"
