"""Options as a GUI sets them: each reaches what it names, and a bad one changes nothing."""

import re

import chess
import chess.engine

from quiesce.engine.options import OPTIONS
from quiesce.eval.network import BUILT_IN
from tests.conftest import shared
from tests.uci.driver import KIWIPETE, last_info


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
    margin = OPTIONS["futilitymargin"].default
    gui.send("setoption name NullMove value true", f"setoption name FutilityMargin value {margin}")
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


def test_weights_reach_the_evaluation(gui):
    """Other weights change what is evaluated and searched; bad ones change nothing; the old ones give the old tree."""

    def judged():
        gui.send("ucinewgame", f"position fen {KIWIPETE}", "eval")
        value = next(line for line in gui.ready() if line.startswith("eval:"))
        return value, re.search(r" nodes (\d+)", last_info(gui.ask("go depth 6")))[1]

    gui.send("setoption name EvalMode value classical")
    fitted = judged()
    gui.send("setoption name EvalWeights value hand")
    by_hand = judged()
    assert all(one != other for one, other in zip(fitted, by_hand, strict=True))
    gui.send("setoption name EvalWeights value /no/such/file.json")
    said = gui.ready()
    assert "no file of weights" in said[0]
    assert "hand stays" in said[0]
    assert judged() == by_hand
    gui.send(
        "setoption name EvalWeights value fitted", "setoption name Threads value 2", "setoption name Threads value 1"
    )
    assert judged() == fitted
    gui.send("setoption name EvalWeights value squares", "setoption name EvalWeights value fitted")
    gui.send(f"position fen {KIWIPETE}")
    assert re.search(r" nodes (\d+)", last_info(gui.ask("go depth 6")))[1] == fitted[1], (
        "nothing is left of other weights"
    )


def test_networks_reach_the_evaluation(gui, tmp_path):
    """The built-in one is the default; a file of it says the same; a bad file is refused and what was there stays."""

    def value():
        gui.send(f"position fen {KIWIPETE}", "eval")
        return next(line for line in gui.ready() if line.startswith("eval:"))

    built_in = value()
    copied, cut, foreign = (tmp_path / name for name in ("copied.qnet", "cut.qnet", "foreign.qnet"))
    copied.write_bytes(BUILT_IN.read_bytes())
    cut.write_bytes(BUILT_IN.read_bytes()[:-100])
    foreign.write_bytes(b"something else altogether")
    for path in (cut, foreign, tmp_path / "missing.qnet"):
        gui.send(f"setoption name EvalFile value {path}")
        said = gui.ready()
        assert len(said) == 1
        assert path.name in said[0]
        assert "network stays" in said[0]
        assert value() == built_in
    gui.send(f"setoption name EvalFile value {copied}")
    assert gui.ready() == []
    assert value() == built_in
    gui.send("setoption name EvalMode value Classical")
    assert value() != built_in
    gui.send("setoption name EvalMode value magic")
    assert "network or classical" in gui.ready()[0]
    gui.send("setoption name EvalMode value network", "setoption name EvalFile value <empty>")
    assert value() == built_in
