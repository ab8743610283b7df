"""An analysis that runs: stopped, interrupted, let go of, and what others may do meanwhile."""

import _thread
import gc
import threading

import chess
import chess.engine
import pytest
from chess.engine import Limit

import quiesce
from quiesce.api.analysis import Analysis

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
FEW = Limit(nodes=2_000)


def test_options_of_an_analysis_hold_while_it_runs():
    """They change what it finds, and are gone after it, also where it was let go of."""
    with quiesce.Engine({"Hash": 1}) as engine:
        before = engine.analyse(KIWIPETE, Limit(depth=5), game=1)["nodes"]
        with engine.analysis(KIWIPETE, Limit(depth=5), game=2, options={"NullMove": False}) as analysis:
            analysis.wait()
        assert analysis.info["nodes"] != before
        assert engine.analyse(KIWIPETE, Limit(depth=5), game=3)["nodes"] == before
        engine.analysis(KIWIPETE, game=4, options={"NullMove": False, "Hash": 2})
        assert engine.analyse(KIWIPETE, Limit(depth=5), game=5)["nodes"] == before
        with pytest.raises(ValueError, match="NoSuchOption"):
            engine.analysis(KIWIPETE, options={"NoSuchOption": 1})


def test_analysis_stops_when_told():
    """Infos come while it runs and depth grows; stop ends it, wait gives the move, then there is nothing more."""
    with quiesce.Engine({"Hash": 4}) as engine:
        analysis = engine.analysis(chess.Board(KIWIPETE), multipv=2)
        infos = [analysis.get() for _ in range(8)]
        assert [info["multipv"] for info in infos[:4]] == [1, 2, 1, 2]
        assert infos[-1]["depth"] > infos[0]["depth"]
        analysis.stop()
        best = analysis.wait()
        assert best.move in chess.Board(KIWIPETE).legal_moves
        assert len(analysis.multipv) == 2
        left = list(analysis)
        assert (left or infos)[-1]["multipv"] == 2
        assert analysis.empty()
        assert not analysis.would_block()
        assert analysis.next() is None
        with pytest.raises(chess.engine.AnalysisComplete):
            analysis.get()


def test_the_next_call_ends_an_analysis():
    """As python-chess does: it is stopped, has its best move, and the call is served; qsearch leaves it alone."""
    with quiesce.Engine({"Hash": 4}) as engine:
        for call in (
            lambda: engine.play(chess.Board(), FEW),
            lambda: engine.analyse(chess.Board(), FEW),
            lambda: engine.analysis(chess.Board(), FEW).wait(),
            lambda: engine.configure({"Hash": 8}),
            engine.ping,
            engine.new_game,
        ):
            analysis = engine.analysis(chess.Board(KIWIPETE))
            assert engine.qsearch(chess.Board()).nodes > 0
            assert not analysis._running.is_over
            call()
            assert analysis._running.is_over
            assert analysis.wait().move in chess.Board(KIWIPETE).legal_moves
            analysis.stop()


def test_an_analysis_that_runs_long_tells_where_it_is():
    """After a second infos tell the move under way, with all that is known of the best line."""
    with quiesce.Engine({"Hash": 4}) as engine, engine.analysis(chess.Board(KIWIPETE)) as analysis:
        for info in analysis:
            assert {"score", "pv", "depth", "nodes", "nps", "time", "hashfull", "tbhits", "multipv"} <= set(info)
            if "currmove" in info:
                break
        assert info["currmove"] in chess.Board(KIWIPETE).legal_moves
        assert info["currmovenumber"] >= 1
        assert analysis.info["currmove"] == info["currmove"]


def test_an_interrupt_stops_an_analysis(monkeypatch):
    """Whoever is interrupted while waiting for an info, in a loop or by itself, leaves no engine busy for ever."""
    with quiesce.Engine({"Hash": 1}) as engine:
        for ask in (Analysis.get, next, Analysis.wait):
            analysis = engine.analysis(chess.Board())
            with monkeypatch.context() as patch:
                for waits in (analysis._running, "take"), (analysis._running, "wait"):
                    patch.setattr(*waits, interrupt)
                with pytest.raises(KeyboardInterrupt):
                    ask(analysis)
            assert engine.play(chess.Board(), FEW).move


def interrupt():
    """Ctrl-C."""
    raise KeyboardInterrupt


def test_ctrl_c_in_a_loop_stops_an_analysis():
    """A real interrupt, wherever in the loop it comes."""
    with quiesce.Engine({"Hash": 1}) as engine:
        timer = threading.Timer(0.3, _thread.interrupt_main)
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            for _ in engine.analysis(chess.Board()):
                pass
        timer.join()
        assert engine.play(chess.Board(), FEW).move


def test_an_analysis_let_go_of_is_stopped():
    """A loop that is left without `with`, an analysis nobody took, one in a circle of references: all of them end."""
    with quiesce.Engine({"Hash": 1}) as engine:
        for _ in range(5):
            for _ in engine.analysis(chess.Board()):
                break
            assert engine.play(chess.Board(), FEW).move
        engine.analysis(chess.Board())
        assert engine.play(chess.Board(), FEW).move
        analysis = engine.analysis(chess.Board())
        analysis.itself = analysis
        del analysis
        gc.collect()
        assert engine.play(chess.Board(), FEW).move


def test_an_analysis_held_goes_on():
    """Nothing but the analysis itself is needed for it to go on: not its engine, and no collector ends it."""
    analysis = quiesce.Engine({"Hash": 1}).analysis(chess.Board())
    gc.collect()
    assert next(analysis)["depth"] == 1
    assert not analysis._running.is_over
    analysis.stop()
    assert analysis.wait().move in chess.Board().legal_moves


def test_whoever_comes_after_a_stop_is_served():
    """The moment between `stop` and the end is waited for, and a later `stop` ends nothing of anybody else's."""
    with quiesce.Engine({"Hash": 1}) as engine:
        for _ in range(5):
            analysis = engine.analysis(chess.Board())
            analysis.stop()
            later = engine.analysis(chess.Board(), Limit(depth=6))
            analysis.stop()
            later.wait()
            assert later.info["depth"] == 6
