"""From the first line to the last: starting warm and cold, python-chess as the GUI, every way to end."""

import os
import re
import signal
import sys
import time

import chess
import chess.engine
import pytest

from quiesce.engine.options import OPTIONS
from tests.conftest import run_json
from tests.uci.driver import SOON, Gui, last_info


def test_uciok_comes_before_numba():
    """Names, all options, then uciok without a trailing space, from modules that load neither NumPy nor Numba."""
    with Gui() as fresh:
        fresh.send("uci")
        lines = fresh.expect("uciok", timeout=SOON)
    script = "import json, sys, quiesce.cli.uci; print(json.dumps(sorted(sys.modules)))"
    assert not {"numpy", "numba", "chess", "rich"} & set(run_json("-c", script))
    assert lines[0].startswith("id name Quiesce")
    assert lines[1].startswith("id author")
    assert lines[-1] == "uciok"
    declared = {line.split(" type ")[0].removeprefix("option name ").lower() for line in lines[2:-1]}
    assert declared == set(OPTIONS)


def test_readyok_waits_for_no_asyncio():
    """What an engine loads until readyok leaves out python-chess's clients of engines, and asyncio with them."""
    script = "import json, sys, quiesce.uci.session; print(json.dumps(sorted(sys.modules)))"
    loaded = set(run_json("-c", script, QUIESCE_OPEN=""))
    assert "quiesce.engine.searcher" in loaded
    assert not {"asyncio", "chess.engine", "numba"} & loaded


def test_first_go_after_readyok_has_nothing_to_compile():
    """A search of 200 ms right after readyok ends in time: nothing compiles on the clock."""
    with Gui() as fresh:
        fresh.send("uci")
        fresh.expect("^uciok$")
        fresh.ready()
        started = time.monotonic()
        lines = fresh.ask("go movetime 200")
        assert time.monotonic() - started < SOON
        assert int(re.search(r" depth (\d+)", last_info(lines))[1]) >= 5


def test_a_cold_start_answers_and_tells(tmp_path):
    """Without any compiled kernel uciok comes as fast, compiling is told, and quit does not wait for it."""
    with Gui(QUIESCE_CACHE_DIR=str(tmp_path)) as fresh:
        fresh.send("uci")
        fresh.expect("^uciok$", timeout=SOON)
        fresh.send("isready")
        fresh.expect("^info string compiling", timeout=20)
        fresh.send("quit")
        assert fresh.process.wait(timeout=10) == 0
    with chess.engine.SimpleEngine.popen_uci(
        [sys.executable, "-m", "quiesce"], env=os.environ | {"QUIESCE_CACHE_DIR": str(tmp_path / "other")}
    ) as engine:
        assert engine.id["name"].startswith("Quiesce")


def test_end_of_input_answers_what_was_asked():
    """All before the end of input is answered, then the process ends with code 0."""
    with Gui() as fresh:
        fresh.send("uci", "position startpos", "go perft 3", "go depth 200")
        code, said = fresh.end(timeout=30)
    assert code == 0
    assert "Nodes searched: 8902" in said
    with Gui() as fresh:
        fresh.send("isready", "go infinite")
        code, said = fresh.end(timeout=30)
    assert code == 0
    assert said[-1].startswith("bestmove") if said[-1] else said[-2].startswith("bestmove")


def test_quit_while_searching_ends_at_once():
    """Quit ends a search without limits; while kernels load, what was asked before it is answered first."""
    with Gui() as fresh:
        fresh.ready()
        fresh.send("go infinite", "quit")
        assert fresh.process.wait(timeout=SOON) == 0
    with Gui() as fresh:
        fresh.send("isready", "quit")
        fresh.expect("^readyok$")
        assert fresh.process.wait(timeout=SOON) == 0


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT to a child there")
def test_interrupt_ends_cleanly():
    """Ctrl-C while searching: the process ends, without a traceback."""
    with Gui() as fresh:
        fresh.ready()
        fresh.send("go infinite")
        fresh.ready()
        fresh.process.send_signal(signal.SIGINT)
        fresh.process.wait(timeout=5)
        assert b"Traceback" not in fresh.process.stderr.read()


def test_python_chess_plays_and_analyses():
    """chess.engine with its default time-outs: play, analyse, analysis with stop, ping, configure, ponder."""
    with chess.engine.SimpleEngine.popen_uci([sys.executable, "-m", "quiesce"]) as engine:
        engine.ping()
        engine.configure({"Hash": 8, "NullMove": False})
        board = chess.Board()
        for _ in range(6):
            played = engine.play(board, chess.engine.Limit(time=0.05), ponder=True, info=chess.engine.INFO_ALL)
            assert played.info["score"].white() is not None
            board.push(played.move)
        assert engine.analyse(board, chess.engine.Limit(depth=6), multipv=3)[2]["pv"]
        with engine.analysis(board) as analysis:
            for info in analysis:
                if info.get("depth", 0) >= 8:
                    break
            analysis.stop()
            assert analysis.wait().move in board.legal_moves
        with pytest.raises(chess.engine.EngineError):
            engine.configure({"No such option": 1})
        clock = chess.engine.Limit(white_clock=1, black_clock=1, white_inc=0.01, black_inc=0.01)
        assert engine.play(board, clock, game="next").move in board.legal_moves


def test_a_clock_runs_while_kernels_load():
    """GNOME Chess sends `go` without waiting for `readyok`: loading is on the clock of the game, and a move comes."""
    with Gui() as fresh:
        fresh.send("uci", "isready", "position startpos", "go wtime 60 btime 60", "go movetime 300")
        fresh.expect("^readyok")
        clock = last_info(fresh.expect("^bestmove"))
        alone = last_info(fresh.expect("^bestmove"))
    assert int(re.search(r" time (\d+)", clock)[1]) >= 60, "loading takes longer than the clock has"
    assert int(re.search(r" depth (\d+)", alone)[1]) > int(re.search(r" depth (\d+)", clock)[1])
