"""What is said of a search: every line under a strict grammar, lines legal to the end, mates as long as they say."""

import re
import time

import chess
import pytest

from tests.conftest import shared
from tests.uci.driver import Gui

MOVE = "[a-h][1-8][a-h][1-8][nbrq]?"
LINE = re.compile(
    r"info depth (?P<depth>\d+) seldepth (?P<seldepth>\d+) multipv (?P<multipv>\d+) "
    r"score (cp (?P<cp>-?\d+)|mate (?P<mate>-?\d+))(?P<bound> lowerbound| upperbound)?"
    r"( wdl (?P<win>\d+) (?P<draw>\d+) (?P<loss>\d+))? "
    rf"nodes \d+ nps \d+ hashfull \d+ tbhits \d+ time (?P<time>\d+) pv (?P<pv>{MOVE}( {MOVE})*)"
)
TICK = re.compile(rf"info depth \d+( currmove {MOVE} currmovenumber \d+)? nodes \d+ nps \d+ hashfull \d+ time \d+")
BEST = re.compile(rf"bestmove (?P<move>{MOVE}|\(none\))( ponder {MOVE})?")
POSITIONS = (
    chess.STARTING_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1",
    "8/8/8/8/5kp1/P7/8/1K1N4 w - - 0 1",
    "6k1/3b3r/1p1p4/p1n2p2/1PPNpP1q/P3Q1p1/1R1RB1P1/5K2 b - - 0 1",
)


def check_line(board, found):
    """One line of a search: legal to the end, and as long as its mate."""
    line = board.copy(stack=False)
    for text in found["pv"].split():
        line.push_uci(text)
    assert int(found["seldepth"]) >= int(found["depth"])
    if found["mate"] is not None and found["bound"] is None:
        mate, plies = int(found["mate"]), len(found["pv"].split())
        assert plies == (2 * mate - 1 if mate > 0 else -2 * mate), found[0]
        assert line.is_checkmate()
    if found["win"] is not None:
        assert int(found["win"]) + int(found["draw"]) + int(found["loss"]) == 1000


def check_search(fen, lines):
    """All that was said of one search; its last line starts with the move played, and is exact or a deeper bound."""
    board, last, finished = chess.Board(fen), None, 0
    for line in lines[:-1]:
        if line.startswith("info string") or TICK.fullmatch(line):
            continue
        found = LINE.fullmatch(line)
        assert found, line
        check_line(board, found)
        last = found if found["multipv"] == "1" else last
        finished = finished if found["bound"] else int(found["depth"])
    best = BEST.fullmatch(lines[-1])
    assert best, lines[-1]
    assert last["bound"] is None or (last["bound"] == " lowerbound" and int(last["depth"]) > finished)
    assert last["pv"].split()[0] == best["move"]


@pytest.mark.parametrize("threads", [1, 2])
def test_long_searches_keep_to_the_grammar(threads):
    """Several seconds on different positions, several lines, stopped at odd moments."""
    with Gui() as gui:
        gui.send(f"setoption name Threads value {threads}", "setoption name UCI_ShowWDL value true")
        for number, fen in enumerate(POSITIONS):
            gui.send(f"setoption name MultiPV value {1 + 2 * (number % 2)}", f"position fen {fen}", "go infinite")
            time.sleep(1.3)
            check_search(fen, gui.ask("stop"))
            check_search(fen, gui.ask("go movetime 37"))
            check_search(fen, gui.ask("go wtime 900 btime 900 winc 10 binc 10"))


def positions(name, most):
    """FENs of a shared file of EPDs."""
    for line in shared(name).read_text("utf-8").splitlines()[:most]:
        board, _ = chess.Board.from_epd(line.split(" hmvc")[0].split(" id ")[0].split(" bm ")[0])
        yield board


@pytest.mark.parametrize("name", ["edge/terminal.epd", "edge/grief.epd"])
def test_infinite_on_the_edge(name):
    """Go infinite on finished and nasty positions: nothing before stop, then the right answer, at once."""
    with Gui() as gui:
        gui.ready()
        for board in positions(name, 60):
            if not board.is_valid():
                continue
            gui.send(f"position fen {board.fen()}", "go infinite")
            time.sleep(0.02)
            assert not any(line.startswith("bestmove") for line in gui.ready())
            started = time.monotonic()
            lines = gui.ask("stop")
            assert time.monotonic() - started < 4.0
            if any(board.legal_moves):
                assert chess.Move.from_uci(lines[-1].split()[1]) in board.legal_moves
            else:
                assert lines[-1] == "bestmove (none)"
