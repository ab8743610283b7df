"""Workers together: who is believed, who helps, what is shared."""

import pytest

from quiesce.board.game import Game
from quiesce.engine import Engine, Limits
from quiesce.engine.clock import Clock
from quiesce.engine.results import Line
from quiesce.engine.team import HELPER_BLOCK, elected, is_skipped
from quiesce.search.scores import MATE

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def line(score, move, depth):
    """A voter's line."""
    return Line(score, [move], depth, depth)


def test_the_vote():
    """Most votes win, weighed by depth and score; the deepest speaks for its move; the shortest mate wins always."""
    assert elected({0: line(10, 1, 10), 1: line(10, 2, 12), 2: line(10, 2, 11)}) == 1
    assert elected({0: line(10, 1, 10), 1: line(300, 2, 10)}) == 1
    assert elected({0: line(10, 1, 20), 1: line(12, 2, 5)}) == 0
    assert elected({0: line(MATE - 9, 1, 20), 1: line(MATE - 5, 2, 5), 2: line(900, 3, 30)}) == 1


def test_helpers_spread_over_depths():
    """Each helper leaves out some depths, neighbours different ones, none all."""
    kept = [{depth for depth in range(1, 30) if not is_skipped(number, depth)} for number in range(len(HELPER_BLOCK))]
    assert kept[0] != kept[1]
    assert kept[0] | kept[1] == set(range(1, 30))
    assert all(8 < len(depths) < 22 for depths in kept)


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_any_number_of_threads_answers_rightly(threads):
    """Mates are exact, lines legal, nodes those of all, whatever the number of threads."""
    with Engine(8, threads=threads) as engine:
        mate = engine.search(Game("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"), Limits(seconds=2, mate=2))
        assert mate.lines[0].mate == 2
        report = engine.search(Game(KIWIPETE), Limits(nodes=40_000))
        assert 0 < report.nodes <= 40_000 + threads * 600
        game = Game(KIWIPETE)
        game.push_all(report.lines[0].moves)
        lines = engine.search(Game(KIWIPETE), Limits(depth=6), multi_pv=4).lines
        assert len({found.moves[0] for found in lines}) == 4
        assert [found.score for found in lines] == sorted((found.score for found in lines), reverse=True)


def test_threads_come_and_go():
    """Workers are added and let go between searches."""
    with Engine(4) as engine:
        for threads in (3, 1, 16, 2):
            engine.set_threads(threads)
            assert engine.threads == threads
            assert engine.search(Game(), Limits(nodes=3_000)).lines


@pytest.mark.parametrize("threads", [1, 2, 8])
@pytest.mark.parametrize("fen", ["7k/5KQ1/8/8/8/8/8/8 b - - 0 1", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"])
@pytest.mark.parametrize(
    "limits",
    [Limits(), Limits(depth=3), Limits(nodes=50), Limits(seconds=0.02), Limits(mate=2), Limits(clock=Clock(50))],
)
def test_a_finished_game_has_no_line(threads, fen, limits):
    """Mate and stalemate end at once and without a line, also after another search and with any number of threads."""
    with Engine(1, threads=threads) as engine:
        assert engine.search(Game(fen), limits).lines == []
        assert engine.search(Game(), Limits(nodes=2_000)).lines
        assert engine.search(Game(fen), limits).lines == []


def test_what_a_helper_raises_is_told(monkeypatch):
    """An error in a helper's thread is the search's trouble; the answer of the lead stands."""
    heard = []
    monkeypatch.setattr("quiesce.engine.team.help_out", lambda *_: 1 / 0)
    with Engine(1, threads=2) as engine:
        engine.go(Limits(depth=4), on_done=heard.append)
        with pytest.raises(ZeroDivisionError):
            engine.wait()
        monkeypatch.undo()
        assert "ZeroDivisionError" in heard[0].trouble
        assert heard[0].lines[0].depth == 4
        assert engine.search(Game(), Limits(depth=4)).lines
