"""Every `go` is answered once, with a legal move, whatever is raised or hangs among all that it calls."""

import contextlib
import gc
import threading
from pathlib import Path

import chess
import pytest

import quiesce
from quiesce.engine import searcher, task
from tests.conftest import shared
from tests.uci.driver import KIWIPETE, SOON
from tests.uci.faults import hanging, held, raising
from tests.uci.inside import Talk

PACKAGE = Path(quiesce.__file__).parent
NET = {
    "uci/orders.py": "the queue of commands",
    "uci/thought.py": "gives the one answer, and watches over it",
    "uci/output.py": "writes the answer",
    "uci/loop.py": "reads commands",
    "records.py": "access to fields, by kernels' callers and by this net alike",
}
"""Modules that are the net itself: with one of them broken nobody could answer."""
NET_FUNCTIONS = {
    ("uci/parse.py", "clean"),
    ("uci/parse.py", "parse_command"),
    ("uci/session.py", "UciSession.handle"),
    ("uci/session.py", "UciSession._is_ready"),
    ("uci/session.py", "UciSession._go"),
    ("uci/session.py", "UciSession._answer"),
    ("uci/session.py", "UciSession.stop"),
    ("uci/session.py", "UciSession._end_thought"),
    ("uci/session.py", "UciSession.hit"),
}
"""The same of functions: reading a command, taking a `go`, `stop` or `ponderhit` to its thought."""
FLAGS = {"Task.stop", "Task.ponder_hit", "Engine.stop", "Engine.ponder_hit"}
"""What the thread that reads calls too: they set flags, and nothing in them can hang."""
OWN_THREADS = ("thinker", "aside", "search")
"""Threads in which a `go` is thought about; the others read and take commands, by functions that only set flags."""
ENDGAME = "8/8/8/8/8/8/1k6/3K3R w - - 0 1"
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")  # so threads die here

SCENARIOS = {
    "tables": (ENDGAME, ["go movetime 40 searchmoves h1h2 d1d2"]),
    "book": (chess.STARTING_FEN, ["go wtime 500 btime 500"]),
    "two threads": (KIWIPETE, ["setoption name Threads value 2", "go nodes 3000 movetime 300"]),
    "infinite": (chess.STARTING_FEN, ["go infinite", "stop"]),
    "ponder": (chess.STARTING_FEN, ["go ponder wtime 400 btime 400", "ponderhit"]),
    "strength": (KIWIPETE, ["setoption name UCI_LimitStrength value true", "go movetime 40 depth 4"]),
}
KERNELS = [
    (task, "table_fullness"),
    (searcher, "search_step"),
    (searcher, "search_iteration"),
    (searcher, "start_iteration"),
    (searcher, "prepare_search"),
    (searcher, "set_root"),
]


@contextlib.contextmanager
def talk():
    """A conversation with a book, tables and diagnostics."""
    held.set()
    with Talk() as gui:
        gui.send("debug on")
        yield gui
        held.set()


def prepare(gui, fen):
    """A position, with book and tables opened anew."""
    book, tables = shared("books/gnuchess_small.bin"), shared("syzygy")
    gui.send("setoption name OwnBook value false", "setoption name SyzygyPath value <empty>")
    gui.send("setoption name Threads value 1", "setoption name UCI_LimitStrength value false")
    gui.send(f"setoption name Book File value {book}", "setoption name OwnBook value true")
    gui.send(f"setoption name SyzygyPath value {tables}", "ucinewgame", f"position fen {fen}")
    gui.ready()


def ask(gui, fen, lines):
    """The one answer to a `go`."""
    gui.send(*lines)
    answer = gui.expect("^bestmove", timeout=SOON)[-1]
    assert chess.Move.from_uci(answer.split()[1]) in chess.Board(fen).legal_moves, answer
    assert not any(line.startswith("bestmove") for line in gui.ready(timeout=SOON)), "a second answer"


@pytest.fixture(scope="module")
def callees():
    """What each scenario's `go` calls of our Python code that no scenario before it did: functions by their threads."""
    found = {}

    def note(frame, event, _arg):
        if event == "call":
            found.setdefault(frame.f_code, threading.current_thread().name)

    by_scenario, known = {}, set()
    threading.setprofile(note)
    try:
        with talk() as gui:
            for scenario, (fen, lines) in SCENARIOS.items():
                prepare(gui, fen)
                found.clear()
                ask(gui, fen, lines)
                new = {code: thread for code, thread in dict(found).items() if code not in known and is_ours(code)}
                by_scenario[scenario] = [(code, thread) for code, thread in new.items() if functions_of(code)]
                known |= new.keys()
    finally:
        threading.setprofile(None)
    return by_scenario


def is_ours(code):
    """May this code be broken: a plain function of the package, no kernel, no part of the net?"""
    path = Path(code.co_filename)
    if PACKAGE not in path.parents or "<locals>" in code.co_qualname or code.co_freevars:
        return False
    name = path.relative_to(PACKAGE).as_posix()
    is_kernel = not path.read_text("utf-8").startswith('"""Shell.') and not name.startswith("jit/")
    return not (is_kernel or name in NET or name.startswith("jit/") or (name, code.co_qualname) in NET_FUNCTIONS)


def functions_of(code):
    """The functions that run a code object."""
    return [found for found in gc.get_referrers(code) if getattr(found, "__code__", None) is code]


@contextlib.contextmanager
def broken(code, stand_in):
    """Every function of a code object does something else."""
    functions = functions_of(code)
    for function in functions:
        function.__code__ = stand_in.__code__
    try:
        yield
    finally:
        held.set()
        for function in functions:
            function.__code__ = code


def check_broken(gui, fen, lines, breaking):
    """With something broken the `go` is answered, and with it mended the next one too."""
    held.clear()
    with breaking:
        ask(gui, fen, lines)
    ask(gui, fen, ["go depth 2"])


@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize("stand_in", [raising, hanging])
def test_every_callee_of_go_may_fail(callees, monkeypatch, scenario, stand_in):
    """Each function that a `go` calls raises, and each that works for it in a thread of its own hangs."""
    monkeypatch.setattr("quiesce.uci.session.LATE_SECONDS", 0.05)
    fen, lines = SCENARIOS[scenario]
    chosen = [
        code
        for code, thread in callees[scenario]
        if stand_in is raising or (thread.startswith(OWN_THREADS) and code.co_qualname not in FLAGS)
    ]
    with talk() as gui:
        for code in chosen:
            prepare(gui, fen)
            try:
                check_broken(gui, fen, lines, broken(code, stand_in))
            except AssertionError as error:
                raise AssertionError(f"{code.co_qualname}: {error}") from None


@pytest.mark.parametrize("stand_in", [raising, hanging])
def test_every_kernel_of_go_may_fail(monkeypatch, stand_in):
    """The same of the compiled functions that a search calls."""
    monkeypatch.setattr("quiesce.uci.session.LATE_SECONDS", 0.05)
    fen, lines = SCENARIOS["two threads"]
    with talk() as gui:
        for module, name in KERNELS:
            prepare(gui, fen)
            with monkeypatch.context() as patch:
                check_broken(gui, fen, lines, patching(patch, module, name, stand_in))


@contextlib.contextmanager
def patching(patch, module, name, stand_in):
    """A module's name means something else."""
    patch.setattr(module, name, stand_in)
    try:
        yield
    finally:
        held.set()
        patch.undo()
