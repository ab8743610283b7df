"""The protocol as a GUI sees it: the real process, driven line by line through the whole checklist."""

import os
import re
import signal
import sys
import time

import chess
import chess.engine
import pytest

from quiesce.uci.options import OPTIONS
from tests.conftest import run_json, shared
from tests.uci.driver import Gui, last_info

SOON = 4.0
"""Seconds that mean at once, on a machine that may be busy; how fast it is, the lab measures."""
MATED = "7k/5KQ1/8/8/8/8/8/8 b - - 0 1"
STALEMATED = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"
ONE_REPLY = "7k/8/8/8/8/8/6q1/7K w - - 0 1"
MATE_IN_TWO = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


@pytest.fixture(scope="module")
def gui():
    """An engine that has been asked for its options."""
    with Gui() as made:
        made.send("uci")
        made.expect("^uciok$")
        made.ready()
        yield made


@pytest.fixture(autouse=True)
def _fresh(gui):
    """Each test starts idle, with default options and the start position."""
    gui.send("stop")
    for option in OPTIONS.values():
        if option.kind != "button" and not option.is_search:
            value = str(option.default).lower() if option.kind == "check" else option.default or "<empty>"
            gui.send(f"setoption name {option.name} value {value}")
    gui.send("debug off", "ucinewgame", "position startpos")
    gui.ready()


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


def test_isready_is_answered_while_searching(gui):
    """Isready needs no end of the search."""
    gui.send("go infinite")
    for _ in range(20):
        gui.ready(timeout=2)
    gui.send("stop")
    gui.expect("^bestmove")


def test_infinite_waits_for_stop_even_at_the_last_depth(gui):
    """Mate found, nothing more to search: still no bestmove before stop."""
    gui.send(f"position fen {ONE_REPLY}", "go infinite", "isready")
    lines = gui.expect("^readyok$")
    time.sleep(0.5)
    gui.send("isready")
    lines += gui.expect("^readyok$")
    assert not any(line.startswith("bestmove") for line in lines)
    assert gui.ask("stop")[-1].startswith("bestmove h1g2")


@pytest.mark.parametrize(("fen", "score"), [(MATED, "mate 0"), (STALEMATED, "cp 0")])
def test_no_legal_move(gui, fen, score):
    """Mate or stalemate at the root: bestmove (none) at once, in infinite mode after stop."""
    lines = gui.ask(f"position fen {fen}", "go depth 3")
    assert lines[-1] == "bestmove (none)"
    assert f"score {score}" in lines[-2]
    gui.send("go infinite")
    gui.ready()
    gui.silence(0.3)
    assert gui.ask("stop")[-1] == "bestmove (none)"
    gui.send("go ponder wtime 1000 btime 1000")
    gui.ready()
    gui.silence(0.2)
    assert gui.ask("ponderhit")[-1] == "bestmove (none)"


def test_stop_without_go_does_nothing_and_never_leaks(gui):
    """Idle stops are silent, and the next search is not cut short."""
    gui.send("stop", "stop", "ponderhit", "stop")
    assert gui.ready() == []
    lines = gui.ask("go depth 8")
    assert " depth 8 " in last_info(lines)
    for _ in range(30):
        lines = gui.ask("go depth 4", "stop", "stop")
        assert lines[-1].startswith("bestmove")
        assert " depth 6 " in last_info(gui.ask("go depth 6"))


def test_second_go_is_refused(gui):
    """A go while searching gets a word, and there is one bestmove."""
    gui.send("go infinite", "go depth 1")
    lines = gui.ready()
    assert any("a search is running" in line for line in lines)
    gui.ask("stop")
    assert not any(line.startswith("bestmove") for line in gui.ready())


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "king"),
        ("position startpos moves e2e5", "e2e5"),
        ("position startpos moves e2e4 e7e5 e1e3", "e1e3"),
        ("position", "startpos or fen"),
        ("position fen", "startpos or fen"),
        ("position startpos moves e2e4 zzzz", "zzzz"),
    ],
)
def test_errors_leave_the_position(gui, line, words):
    """A bad FEN or move is explained, and the old position stays, whole."""
    gui.send("position startpos moves d2d4 g8f6", "d")
    before = gui.ready()
    gui.send(line)
    said = gui.ready()
    assert len(said) == 1
    assert said[0].startswith("info string position not set")
    assert words in said[0]
    gui.send("d")
    assert gui.ready() == before


def test_a_game_told_move_by_move(gui):
    """Positions that go on, go back, or start anew end where python-chess does."""
    board = chess.Board()
    for text in ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5c6", "d7c6", "e1g1"]:
        board.push_uci(text)
        gui.send("position startpos moves " + " ".join(move.uci() for move in board.move_stack), "d")
        assert any(line == f"fen: {board.fen()}" for line in gui.ready())
    gui.send("position startpos moves e2e4 e7e5", "d")
    assert any("PPPP1PPP/RNBQKBNR w KQkq - 0 2" in line for line in gui.ready())
    gui.send(f"position fen {KIWIPETE} moves e1g1", "d")
    assert any("R4RK1 b kq - 1 1" in line for line in gui.ready())


@pytest.mark.parametrize(
    "go",
    [
        "go wtime 0 btime 0",
        "go wtime -500 btime -500 winc 0 binc 0",
        "go wtime 1 btime 1 movestogo 1",
        "go movetime 0",
        "go movetime -5",
        "go depth 0",
        "go depth -3",
        "go nodes 0",
        "go nodes 1",
        "go winc 100 binc 100",
        "go movestogo 1",
        "go wtime 99999999999999999 btime 1 depth 3",
        "go wtime 60 btime 60 winc 10 binc 10",
        "go mate 0 depth 2",
    ],
)
def test_odd_limits_still_give_a_move(gui, go):
    """Whatever the clock says, a legal move with a score and a line comes soon."""
    started = time.monotonic()
    lines = gui.ask(f"position fen {KIWIPETE}", go, timeout=5)
    assert time.monotonic() - started < SOON
    move = chess.Move.from_uci(lines[-1].split()[1])
    assert chess.Board(KIWIPETE).is_legal(move)
    assert f" pv {move.uci()}" in last_info(lines)


def test_unknown_words(gui):
    """Unknown lines get a word at most, unknown words before a command are skipped, unknown go words named."""
    gui.send("xyzzy", "", "   ", "go nonsense depth 2")
    lines = gui.expect("^bestmove")
    assert "unknown command: xyzzy" in lines[0]
    assert "unknown word nonsense" in lines[1]
    gui.send("hello there isready")
    assert gui.expect("readyok")[-1] == "readyok"
    gui.send("register later")
    assert gui.ready() == []


def test_hostile_bytes(gui):
    """Long lines, CRLF, NUL and bad UTF-8 do no harm."""
    gui.send_bytes(b"position startpos moves e2e4\r\nisready\r\n")
    gui.expect("^readyok$")
    gui.send_bytes(
        b"x" * 10_000 + b"\n" + b"\xff\xfe\x00\x01garbage\n" + b"\x00\n" + b"setoption name \xc3\x28 value \x80\n"
    )
    gui.send_bytes(b"position fen " + b"8" * 100_000 + b"\n")
    gui.ready()
    assert gui.ask("go depth 3")[-1].startswith("bestmove")


def test_options_answer_for_themselves(gui):
    """Names in any case and with spaces are known; a bad name or value is named and changes nothing."""
    gui.send("setoption name mULTIpv value 3")
    assert gui.ready() == []
    lines = gui.ask("go depth 4")
    assert {int(number) for line in lines for number in re.findall(r"multipv (\d+)", line)} == {1, 2, 3}
    for text, words in (
        ("name MultiPV value 0", "MultiPV goes from 1 to 256"),
        ("name MultiPV value many", "whole number"),
        ("name Ponder value maybe", "true or false"),
        ("name No Such Thing value 3", "No Such Thing"),
        ("name NullMove value 1", "true or false"),
        ("value 3", "no option"),
        ("", "no option"),
        ("name Hash value 999999999999", "Hash goes from"),
    ):
        gui.send(f"setoption {text}")
        said = gui.ready()
        assert len(said) == 1, text
        assert words in said[0]
    gui.send("setoption name Clear Hash")
    assert gui.ready() == []


def test_search_options_reach_the_search(gui):
    """A switch set by the GUI changes the tree; back to the default it is the same again."""

    def nodes():
        gui.send("ucinewgame", "position startpos")
        return re.search(r" nodes (\d+)", last_info(gui.ask("go depth 8")))[1]

    before = nodes()
    gui.send("setoption name NullMove value false", "setoption name FutilityMargin value 40")
    assert nodes() != before
    gui.send("setoption name NullMove value true", "setoption name FutilityMargin value 85")
    assert nodes() == before


def test_threads_and_hash_change_between_searches(gui):
    """Sizes change while idle; one that does not fit is refused with a reason and the old one stays."""
    for threads, megabytes in ((2, 1), (7, 33), (1, 64), (3, 16)):
        gui.send(f"setoption name Threads value {threads}", f"setoption name Hash value {megabytes}")
        assert gui.ready() == []
        assert gui.ask("go nodes 20000")[-1].startswith("bestmove")
    gui.send("setoption name Hash value 1048576")
    said = gui.ready()
    assert "do not fit" in said[0]
    assert "16 MB and 3 threads stay" in said[0]
    gui.send("go infinite", "setoption name Threads value 2", "setoption name Hash value 8")
    assert not any(line.startswith("info string") for line in gui.ready())
    gui.ask("stop")
    assert gui.ask("go depth 5")[-1].startswith("bestmove")


def test_ponder(gui):
    """No answer while pondering, one within the clock after ponderhit, and at once after stop."""
    gui.send("position startpos moves e2e4", "go ponder wtime 1000 btime 1000 winc 0 binc 0")
    time.sleep(0.4)
    assert not any(line.startswith("bestmove") for line in gui.ready())
    started = time.monotonic()
    lines = gui.ask("ponderhit")
    assert time.monotonic() - started < SOON
    assert lines[-1].startswith("bestmove")
    gui.send("go ponder wtime 100000 btime 100000")
    gui.ready()
    started = time.monotonic()
    gui.ask("stop")
    assert time.monotonic() - started < SOON


def test_only_move_is_played_at_once(gui):
    """One legal move: played without spending the clock, with a score and a line."""
    started = time.monotonic()
    lines = gui.ask(f"position fen {ONE_REPLY}", "go wtime 60000 btime 60000")
    assert time.monotonic() - started < SOON
    assert lines[-1].startswith("bestmove h1g2")
    assert " pv h1g2" in last_info(lines)


def test_mate_is_found_exactly(gui):
    """Go mate ends when the mate is found; its line is as long as it says."""
    lines = gui.ask(f"position fen {MATE_IN_TWO}", "go mate 2", timeout=20)
    info = last_info(lines)
    assert " score mate 2 " in info
    assert len(info.split(" pv ")[1].split()) == 3


def test_searchmoves(gui):
    """Only named moves are considered; illegal names are told and passed over."""
    lines = gui.ask("go depth 6 searchmoves a2a3 h2h3")
    assert lines[-1].split()[1] in ("a2a3", "h2h3")
    lines = gui.ask("go searchmoves e2e5 a2a3 depth 4")
    assert any("e2e5" in line for line in lines if line.startswith("info string"))
    assert lines[-1].split()[1] == "a2a3"


def test_wdl_and_debug(gui):
    """UCI_ShowWDL adds three numbers that make a thousand; debug adds the statistics."""
    gui.send("setoption name UCI_ShowWDL value true", "debug on")
    lines = gui.ask("go depth 6")
    chances = [int(number) for number in re.search(r" wdl (\d+) (\d+) (\d+)", last_info(lines)).groups()]
    assert sum(chances) == 1000
    assert any(line.startswith("info string stats nodes") for line in lines)


def test_chess960_castling(gui):
    """Castling is king takes rook under UCI_Chess960, both ways in and out."""
    fen = "4k3/8/8/8/8/8/8/RK6 w A - 0 1"
    gui.send("setoption name UCI_Chess960 value true", f"position fen {fen} moves b1a1", "d")
    assert any(line == "fen: 4k3/8/8/8/8/8/8/2KR4 b - - 1 1" for line in gui.ready())
    lines = gui.ask(f"position fen {fen}", "go depth 4 searchmoves b1a1")
    assert lines[-1].startswith("bestmove b1a1")
    gui.send("setoption name UCI_Chess960 value false", f"position fen {KIWIPETE}")
    assert gui.ask("go depth 2 searchmoves e1g1")[-1].startswith("bestmove e1g1")


def test_limited_strength_searches_fewer_nodes(gui):
    """A lower Elo means fewer nodes; analysis mode lifts the limit."""

    def nodes(elo):
        gui.send("setoption name UCI_LimitStrength value true", f"setoption name UCI_Elo value {elo}")
        return int(re.search(r" nodes (\d+)", last_info(gui.ask("go depth 12")))[1])

    counts = [nodes(elo) for elo in (1000, 1300, 1600)]
    assert counts == sorted(set(counts))
    gui.send("setoption name UCI_AnalyseMode value true")
    assert nodes(1000) > counts[-1]


def test_commands_by_hand(gui):
    """d, eval, flip, qsearch, perft, qperft, compiler and help answer."""
    gui.send(f"position fen {KIWIPETE}", "d", "eval", "flip", "d", "eval", "qsearch", "compiler", "help")
    said = "\n".join(gui.ready())
    evals = re.findall(r"eval: (-?\d+) cp", said)
    assert len(evals) == 2
    assert evals[0] == evals[1], "colours exchanged, the mover's view is the same"
    assert chess.Board(KIWIPETE).mirror().fen() in said
    assert re.search(r"qsearch: -?\d+ cp, nodes \d+", said)
    assert "Numba" in said
    gui.send("flip", "go perft 3")
    assert gui.expect("Nodes searched")[-1] == "Nodes searched: 97862"
    gui.send("qperft 1")
    assert "regular nodes 1, quiescence nodes" in gui.expect("^qperft")[-1]
    gui.send("qperft 99")
    assert "depth goes from" in gui.expect("^info string")[-1]


def test_perft_can_be_given_up(gui):
    """A long perft does not keep isready or stop waiting."""
    gui.send("go perft 9")
    gui.ready(timeout=2)
    gui.send("go depth 1")
    assert any("a search is running" in line for line in gui.ready())
    gui.send("stop")
    gui.expect("perft given up", timeout=5)


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
    """Quit ends a search and the process, also while kernels load."""
    with Gui() as fresh:
        fresh.ready()
        fresh.send("go infinite", "quit")
        started = time.monotonic()
        assert fresh.process.wait(timeout=5) == 0
        assert time.monotonic() - started < SOON
    with Gui() as fresh:
        fresh.send("isready", "quit")
        assert fresh.process.wait(timeout=5) == 0


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


def test_book_and_tables(gui, tmp_path):
    """A book is played from, a broken one named and ignored; tables choose the root moves and are counted."""
    gui.send(
        f"setoption name Book File value {shared('books/gnuchess_small.bin')}", "setoption name OwnBook value true"
    )
    assert any("entries" in line for line in gui.ready())
    lines = gui.ask("position startpos", "go wtime 1000 btime 1000")
    assert len(lines) == 1
    assert chess.Board().is_legal(chess.Move.from_uci(lines[0].split()[1]))
    gui.send("go infinite")
    assert not any(line.startswith("bestmove") for line in gui.ready())
    gui.ask("stop")
    broken = tmp_path / "broken.bin"
    broken.write_bytes(b"no book at all")
    gui.send(f"setoption name Book File value {broken}")
    assert any("broken.bin" in line and "without a book" in line for line in gui.ready())
    assert len(gui.ask("position startpos", "go depth 3")) > 1
    gui.send(f"setoption name SyzygyPath value {tmp_path / 'nowhere'}")
    assert any("nowhere" in line for line in gui.ready())
    gui.send(f"setoption name SyzygyPath value {shared('syzygy')}")
    assert any("tablebases" in line for line in gui.ready())
    lines = gui.ask("position fen 8/8/8/4k3/8/8/3QK3/8 w - - 0 1", "go depth 5")
    assert re.search(r" tbhits [1-9]", last_info(lines))
    assert re.search(r"score (cp (19|20)\d\d\d|mate)", last_info(lines))


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
