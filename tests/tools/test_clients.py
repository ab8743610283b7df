"""The judge of clients counts every fault that is planted; the desk leaves nothing running; what is missing is told."""

import json
import shlex
import signal
import subprocess
import sys
import time

import chess
import pytest

from tests.conftest import run_python
from tests.docs.pages import ROOT
from tools.clients import __main__ as harness
from tools.clients import gnome_chess
from tools.clients.desk import ClientError, Desk, program
from tools.clients.family import Family
from tools.clients.judge import judged
from tools.clients.screen import Pixels
from tools.clients.table import Row, table, words
from tools.soak.processes import descendants, end, parents, started

START, AFTER = "position startpos\n", "position startpos moves e2e4\n"
CLOCK = "go wtime 1000 btime 1000\n"
RECORDER_AND_ENGINE = 2
SLEEPER = "import time; time.sleep(60)"
ENGINE = """
import sys
for line in sys.stdin:
    if line.startswith("isready"): print("readyok", flush=True)
    if line.startswith("go"): print("bestmove e2e4", flush=True)
"""


def verdict(*events):
    """The judge's word on a conversation: seconds, mark and text of each write."""
    return judged([json.dumps(event) for event in events])


@pytest.mark.parametrize(
    ("events", "fault"),
    [
        ([(1, "<", "bestmove e2e4\n")], "without a go"),
        ([(1, ">", START + CLOCK), (1.1, "<", "bestmove e7e5\n")], "illegal"),
        ([(1, ">", START + CLOCK), (1.1, "<", "bestmove (none)\n")], "illegal"),
        ([(1, ">", START + CLOCK), (1.1, "<", "bestmove e2e4 ponder e2e4\n")], "ponder move illegal"),
        ([(1, ">", START + CLOCK), (1.1, "<", "info depth 1 score cp 1 pv d2d4\nbestmove e2e4\n")], "starts otherwise"),
        ([(1, ">", START + CLOCK), (2.5, "<", "bestmove e2e4\n")], "late"),
        ([(1, ">", START + CLOCK), (9, "~", "")], "lost"),
        ([(1, ">", START + "go infinite\n"), (1.1, "<", "bestmove e2e4\n")], "before it was stopped"),
        ([(1, ">", START + "go ponder wtime 9 btime 9\n"), (1.1, "<", "bestmove e2e4\n")], "before it was stopped"),
        ([(1, ">", START + "go infinite\n"), (2, ">", "stop\n"), (9, "<", "bestmove e2e4\n")], "after stop"),
        ([(1, ">", START + "go infinite\nstop\n" + AFTER + CLOCK), (1.1, "<", "bestmove e7e5\n")], "illegal"),
        ([(1, "!", "Traceback (most recent call last)\n")], "standard error"),
        ([(1, "=", "-11")], "code -11"),
    ],
)  # fmt: skip
def test_faults_are_seen(events, fault):
    """What an engine may not do is a fault, and named."""
    found = verdict(*events).faults
    assert any(fault in text for text in found), found


def test_a_right_conversation_has_no_fault():
    """Answers in order, split anywhere, count as moves, hits, misses and analyses; nothing is held against them."""
    found = verdict(
        (1, ">", "uci\nposition startpos\ngo wtime 1000"),
        (1.1, ">", " btime 1000\n"),
        (1.2, "<", "info depth 1 score cp 1 pv e2e4 e7e5\nbestmove e2e4 pon"),
        (1.3, "<", "der e7e5\n"),
        (1.4, ">", "position startpos moves e2e4 e7e5\ngo ponder wtime 900 btime 1000\n"),
        (8.0, ">", "ponderhit\n"),
        (8.1, "<", "bestmove g1f3 ponder b8c6\n"),
        (8.2, ">", "position startpos moves e2e4 e7e5 g1f3 b8c6\ngo ponder wtime 900 btime 1000\n"),
        (8.3, ">", "stop\nposition startpos moves e2e4 e7e5 g1f3 a7a6\ngo wtime 800 btime 900\n"),
        (8.4, "<", "bestmove f1b5\nbestmove f1c4\n"),
        (8.5, ">", "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\ngo infinite\n"),
        (8.6, ">", "stop\n"),
        (8.7, "<", "bestmove (none)\n"),
        (8.8, ">", "go movetime 100\nquit\n"),
        (9.0, "=", "0"),
    )
    assert found.faults == found.complaints == found.overruns == []
    counts = (found.searches, found.moves, found.hits, found.misses, found.hasty, found.analyses)
    assert counts == (6, 3, 1, 1, 1, 1)
    assert (
        found.board == chess.Board("r1bqkbnr/1ppp1ppp/p1n5/8/8/8/8/8 w - - 0 1") or found.board.peek().uci() == "f1c4"
    )


def test_what_clients_do_wrong_is_not_ours():
    """A position that cannot be is the client's fault, and any answer to it is not judged."""
    found = verdict((1, ">", "position startpos moves e2e5\ngo depth 1\n"), (1.1, "<", "bestmove (none)\n"))
    assert found.faults == []
    assert len(found.complaints) == 1


def test_a_desk_records_and_ends_everything(tmp_path):
    """Each write is passed on and kept; whatever a client leaves behind, sessions of their own too, is ended."""
    with Desk(tmp_path, (sys.executable, "-c", ENGINE)) as desk:
        client = desk.start(str(desk.engine), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        desk.start("setsid", "--fork", sys.executable, "-c", SLEEPER)
        client.stdin.write(b"isready\nposition startpos\ngo depth 1\n")
        client.stdin.flush()
        assert client.stdout.readline() == b"readyok\n"
        assert client.stdout.readline() == b"bestmove e2e4\n"
        desk.wait("the sleeper", lambda: any(SLEEPER in line for line in desk.family.members().values()), 10)
        assert desk.verdict().moves == 1
        with pytest.raises(ClientError, match="nothing"):
            desk.wait("nothing", lambda: False, seconds=0.3)
        client.stdin.close()
        assert desk.outliving() == []
        assert desk.family.members() != {}
    assert desk.family.members() == {}


def test_what_does_not_listen_is_killed(monkeypatch):
    """A process that ignores the request to end is killed, and told of."""
    deaf = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(1, flush=True); time.sleep(60)"
    monkeypatch.setattr("tools.clients.family.PARTING_SECONDS", 0.5)
    with Family() as family:
        family.start([sys.executable, "-c", deaf], {}, stdout=subprocess.PIPE).stdout.readline()
        (killed,) = family.end()
        assert "SIG_IGN" in killed
        assert family.members() == {}


def test_programs_are_found_beside_the_path(tmp_path, monkeypatch):
    """Debian's folder of games is looked into, whatever PATH says."""
    game = tmp_path / "polyglot"
    game.write_text("#!/bin/sh\n")
    game.chmod(0o755)
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr("tools.clients.desk.GAMES_FOLDERS", (str(tmp_path),))
    assert program("polyglot") == str(game)
    assert program("no-such-program") is None


def test_what_is_missing_is_skipped_and_said(monkeypatch):
    """A client that is not installed is a row that says so, and no failure."""
    monkeypatch.setattr(harness, "program", lambda _name: None)
    row = harness.run(harness.CLIENTS[-1], ("quiesce",), 1, None)
    assert row.result == "skipped"
    assert "not installed" in "\n".join(words([row]))
    assert "| skipped" in table([row])


@pytest.mark.parametrize("wrong", [{"faults": ["lost"]}, {"trouble": "no window"}, {"left": 1}])
def test_what_is_wrong_fails(wrong):
    """A fault, a client that did not do as it should, or an engine left behind is a failure."""
    assert Row("one", moves=9, **wrong).result == "FAILED"
    assert Row("one", moves=9).result == "passed"


def test_the_table_by_its_command():
    """A fake engine that plays one move for ever fails, by exit code and in JSON."""
    engine = shlex.join([sys.executable, "-c", ENGINE])
    done = run_python("-m", "tools.clients", "--client", "impatient", "--engine", engine, "--json")
    assert done.returncode == 1, done.stderr
    assert json.loads(done.stdout)["clients"][0]["result"] == "FAILED"


def test_an_interrupt_leaves_no_process():
    """Ctrl-C ends a client in the middle of its game: the exit code is 130, the table is printed, nothing runs on."""
    process = started([sys.executable, "-m", "tools.clients", "--client", "impatient"])
    try:
        limit = time.monotonic() + 30
        while len(family := descendants(process.pid)) < RECORDER_AND_ENGINE and time.monotonic() < limit:
            time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        said, told = process.communicate(timeout=30)
        assert process.returncode == harness.INTERRUPTED, told
        assert said.startswith("| client")
        assert len(family) >= RECORDER_AND_ENGINE
        assert family & set(parents()) == set()
    finally:
        end(process)


def test_the_page_tells_the_entry_that_was_tried():
    """The entry for GNOME Chess on the page is the one it plays with here."""
    assert gnome_chess.ENTRY in (ROOT / "docs/howto/gui.md").read_text(encoding="utf-8")


def test_a_screen_is_read_as_it_is_drawn():
    """Pixels have their colours, the board is found by its border, and the picture is a PNG."""
    border, empty = bytes((54, 52, 46, 0)), bytes(4)
    rows = [empty * 100] * 10 + [empty * 10 + border * 72 + empty * 18] * 72 + [empty * 100] * 18
    pixels = Pixels(100, 100, rows)
    assert pixels.colour(10, 10) == gnome_chess.BORDER
    assert gnome_chess.board_of(pixels) == (10, 10, 8)
    assert pixels.png().startswith(b"\x89PNG")
    assert gnome_chess.board_of(Pixels(100, 100, [empty * 100] * 100)) is None
