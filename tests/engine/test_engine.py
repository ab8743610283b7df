"""The façade: one search at a time, stopped, pondered and told about from other threads."""

import threading
import time

import pytest

from quiesce.board.game import Game
from quiesce.engine import BusyError, Engine, Limits
from quiesce.engine.clock import Clock
from quiesce.engine.task import Task
from quiesce.search.scores import MATE
from quiesce.search.tt import BOUND_EXACT

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


@pytest.fixture
def engine():
    """An engine of its own for each test."""
    with Engine(8) as made:
        yield made


class Listener:
    """Keeps all that is told."""

    def __init__(self):
        self.reports, self.answers, self.done = [], [], threading.Event()

    def on_done(self, report):
        """Take the answer."""
        self.answers.append(report)
        self.done.set()


def test_go_tells_and_ends(engine):
    """Reports grow in depth; the answer comes once, and the last report is its exact line."""
    heard = Listener()
    engine.set_position(Game(KIWIPETE))
    engine.go(Limits(depth=7), heard.reports.append, heard.on_done)
    assert heard.done.wait(10)
    depths = [report.depth for report in heard.reports]
    assert depths == sorted(depths)
    assert depths[-1] == 7
    assert len(heard.answers) == 1
    assert heard.answers[0].lines == heard.reports[-1].lines
    assert heard.reports[-1].lines[0].bound == BOUND_EXACT


def test_only_one_search_at_a_time(engine):
    """While one runs, another go and every change of size is refused."""
    engine.go(Limits(is_infinite=True))
    for refused in (
        engine.go,
        engine.new_game,
        engine.clear_hash,
        lambda: engine.set_threads(2),
        lambda: engine.set_hash(4),
        lambda: engine.configure({}),
        lambda: engine.quiescence(Game()),
    ):
        with pytest.raises(BusyError):
            refused()
    engine.stop()
    assert engine.wait().lines
    engine.set_threads(2)


def test_whoever_hears_of_the_end_may_start_the_next(engine):
    """on_done may call go: the engine is idle by then."""
    answers, over = [], threading.Event()

    def again(report):
        answers.append(report)
        if len(answers) < 5:
            engine.go(Limits(depth=3), on_done=again)
        else:
            over.set()

    engine.go(Limits(depth=3), on_done=again)
    assert over.wait(10)


def test_a_stale_stop_touches_nothing(engine):
    """A stop that comes after its search has ended does not reach the next one."""
    engine.go(Limits(is_infinite=True))
    stale = engine._task
    engine.stop()
    engine.wait()
    engine.set_position(Game(KIWIPETE))
    engine.go(Limits(depth=15))
    while engine.is_searching and engine._team.lead.worker.nodes < 1_000:
        time.sleep(0.001)
    stale.stop()
    assert engine.wait().depth == 15


def test_stop_at_once_still_gives_a_scored_move(engine):
    """Stopped before the first iteration, there is a legal move with a line all the same."""
    for fen in (KIWIPETE, "6k1/8/8/8/8/8/8/K6Q b - - 0 1"):
        for _ in range(50):
            engine.set_position(Game(fen))
            engine.go(Limits(is_infinite=True))
            engine.stop()
            line = engine.wait().lines[0]
            assert abs(line.score) <= MATE
            assert line.moves[0] in Game(fen).legal_moves()


def test_clock_and_ponder(engine):
    """A clock ends a search by itself, pondering waits for the hit, then what was thought counts."""
    engine.set_position(Game(KIWIPETE))
    started = time.monotonic()
    engine.go(Limits(clock=Clock(300)))
    assert engine.wait().lines
    assert time.monotonic() - started < 3.0
    engine.go(Limits(clock=Clock(300), is_ponder=True))
    time.sleep(0.5)
    assert engine.is_searching
    started = time.monotonic()
    engine.ponder_hit()
    assert engine.wait().lines
    assert time.monotonic() - started < 3.0


def test_progress(engine):
    """A running search tells what it is at; an idle engine has nothing to tell."""
    assert engine.progress() is None
    engine.go(Limits(is_infinite=True))
    time.sleep(0.2)
    seen = engine.progress()
    assert seen.nodes > 1_000
    assert seen.depth > 3
    engine.stop()
    engine.wait()


def test_trouble_inside_a_search_still_gives_a_move(engine, monkeypatch):
    """An error in the search reaches whoever waits, and on_done hears a legal move and the reason."""
    heard = Listener()
    monkeypatch.setattr(Task, "_deepen", lambda _task: 1 / 0)
    engine.set_position(Game(KIWIPETE))
    engine.go(Limits(depth=3), on_done=heard.on_done)
    with pytest.raises(ZeroDivisionError):
        engine.wait()
    assert "ZeroDivisionError" in heard.answers[0].trouble
    Game(KIWIPETE).push(heard.answers[0].lines[0].moves[0])
    monkeypatch.undo()
    assert engine.search(Game(), Limits(depth=3)).lines


def test_kernels_without_a_clock_are_stopped_by_a_timer(engine, monkeypatch):
    """Where compiled code can read no clock, the shell stops it."""
    monkeypatch.setattr("quiesce.engine.task.CLOCK_ID", None)
    started = time.monotonic()
    engine.search(Game(KIWIPETE), Limits(seconds=0.2))
    assert 0.15 < time.monotonic() - started < 3.0


def test_evaluation_and_quiescence(engine):
    """Static score and quiescence of a position: the same where nothing is noisy, better where something hangs."""
    assert engine.static_eval(Game()) == engine.quiescence(Game()).lines[0].score
    hanging = Game("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1")
    found = engine.quiescence(hanging)
    assert found.lines[0].score > engine.static_eval(hanging) + 500
    assert found.lines[0].moves
    mated = engine.quiescence(Game("7k/5KQ1/8/8/8/8/8/8 b - - 0 1"))
    assert mated.lines[0].mate == 0


@pytest.mark.parametrize(
    "fen",
    [
        "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
        "1Q5R/4Q1K1/B1Q5/B4Q2/N2Q4/pQ4Q1/pn2Q3/krQ4R w - - 0 1",
        "7K/P1p1p1p1/2P1P1Pk/6pP/3p2P1/1P6/3P4/8 w - - 0 1",
        "q2q3k/1q2q1pp/2q2q2/3q4/3Q4/2Q2Q2/PP1Q2Q1/K3Q2Q w - - 0 1",
    ],
)
@pytest.mark.parametrize("options", [{}, {"QSearchChecks": 1, "QSearchCheckPlies": 4, "QSearchSEE": 0}])
def test_stop_ends_an_explosion(fen, options):
    """Hundreds of moves and captures on every square: an infinite search is stopped as any other."""
    with Engine(1, options) as engine:
        engine.set_position(Game(fen))
        engine.go(Limits())
        time.sleep(0.1)
        engine.stop()
        report = engine.wait()
    assert report.lines


def test_the_clock_counts_from_the_moment_given(engine):
    """What passed before the search began, or before a ponder hit was taken in, is spent already."""
    engine.set_position(Game(KIWIPETE))
    asked = time.monotonic_ns()
    engine.go(Limits(seconds=30), began=asked - 29_900_000_000)
    assert engine.wait().seconds > 29.9
    assert time.monotonic_ns() - asked < 5_000_000_000
    engine.go(Limits(seconds=30, is_ponder=True))
    engine.ponder_hit(at=time.monotonic_ns() - 29_900_000_000)
    engine.wait()
    assert time.monotonic_ns() - asked < 10_000_000_000


def test_the_deadline_is_on_the_clock_that_kernels_read(engine, monkeypatch):
    """A machine that slept: Python's clock stood still, the kernels' did not; searches are as long as ever."""
    monkeypatch.setattr("quiesce.engine.task.time.monotonic_ns", lambda real=time.monotonic_ns: real() - 3_600 * 10**9)
    started = time.perf_counter()
    engine.search(Game(KIWIPETE), Limits(seconds=0.3))
    assert 0.25 < time.perf_counter() - started < 3.0


def test_a_ponder_hit_after_the_time_is_due_answers_at_once(engine, monkeypatch):
    """The soft limit passed while pondering: the hit ends the search, though the hard limit would allow minutes."""

    def goes_on(task, _depth):
        task._is_due = True
        return False

    monkeypatch.setattr(Task, "_is_enough", goes_on)
    engine.set_position(Game(KIWIPETE))
    engine.go(Limits(clock=Clock(6_000_000), is_ponder=True))
    while engine.progress().depth < 5:
        time.sleep(0.01)
    started = time.monotonic()
    engine.ponder_hit()
    engine.wait()
    assert time.monotonic() - started < 3.0


def test_mate_ends_a_search_for_either_side(engine):
    """`mate` ends a search once it is known who is mated: the side to move may be the one."""
    report = engine.search(Game("8/8/8/8/8/2k5/1q6/K7 w - - 0 1"), Limits(mate=5))
    assert report.lines == []
    report = engine.search(Game("7k/8/5K2/8/8/8/8/1Q6 b - - 0 1"), Limits(mate=100, seconds=20))
    assert report.lines[0].mate < 0
    assert report.seconds < 19
