"""No line breaks the engine: random, mutated and hostile input, with `isready` answered after every batch."""

import random
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quiesce.engine.options import OPTIONS, BadValueError
from quiesce.uci.options import read
from quiesce.uci.parse import clean, parse_command, parse_go, parse_option, parse_position
from tests.uci.driver import Gui
from tests.uci.lines import FAILURE, batch_of

BATCH = 250
AS_AT_FIRST = (
    "setoption name UCI_LimitStrength value false",
    "setoption name Threads value 1",
    "setoption name Hash value 16",
    "setoption name MultiPV value 1",
)
SETTLED = 2_000
"""Lines after which all that is taken once has been: a second worker, room for the largest table."""
MOST_GROWTH = 8.0
"""Megabytes by which a process may grow from there on, however many lines follow."""


def resident(process):
    """Megabytes of a process that lie in memory; 0 where the system does not say."""
    status = Path(f"/proc/{process.pid}/status")
    if not status.exists():
        return 0.0
    return next(int(line.split()[1]) / 1024 for line in status.read_text().splitlines() if line.startswith("VmRSS"))


def quiet_memory(gui):
    """What an idle engine has resident, its options as at first; what it still said is read."""
    gui.send("stop", *AS_AT_FIRST, "ucinewgame", "position startpos")
    gui.ready()
    return resident(gui.process)


def fuzz(lines, seed, **environment):
    """Send so many lines to the real process; returns by how many megabytes it grew once it had SETTLED."""
    choice, settled = random.Random(seed), 0.0
    with Gui(**environment) as gui:
        gui.ready(timeout=240)
        for number in range(0, lines, BATCH):
            if number == SETTLED:
                settled = quiet_memory(gui)
            batch, asked = batch_of(choice, BATCH)
            gui.send_bytes(b"\n".join(batch) + b"\n")
            gui.send("isready")
            for _ in range(asked + 1):
                gui.expect("^readyok$", timeout=120)
        grown = quiet_memory(gui) - settled
        gui.send("go depth 5")
        assert gui.expect("^bestmove ")[-1] != "bestmove (none)"
        code, _ = gui.end()
        assert code == 0
        assert [line for line in gui.log if line and FAILURE.search(line)] == [], "caught by the last net, still a bug"
    return grown


@pytest.mark.timeout(600)
def test_thousands_of_lines():
    """3,000 lines in `make test`; the process does not grow by them."""
    assert fuzz(3_000, seed=1) < MOST_GROWTH


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_a_hundred_thousand_lines(capsys):
    """100,000 lines in one process: answered to the last, and memory grows by less than 8 MB."""
    grown = fuzz(100_000, seed=100)
    with capsys.disabled():
        print(f"\n100,000 hostile lines: {grown:+.1f} MB")
    assert grown < MOST_GROWTH


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_lines_under_debug():
    """The same with every invariant checked."""
    fuzz(4_000, seed=7, QUIESCE_DEBUG="1")


@given(st.binary(max_size=200))
def test_parsing_never_fails(line):
    """Any bytes give a command or none, and nothing but a named error behind it."""
    text = clean(line)
    assert "\n" not in text
    command = parse_command(text)
    words = text.split() if command is None else command.arguments
    parse_go(words)
    parse_option(words)
    with suppress(ValueError):
        fen, _moves = parse_position(words)
        assert fen is None or fen


@given(st.text(max_size=30), st.sampled_from(sorted(OPTIONS)))
def test_option_values_never_fail(text, name):
    """Any text is a value of the option's own kind, or refused with its name."""
    option = OPTIONS[name]
    with suppress(BadValueError):
        value = read(option, text)
        assert option.kind != "spin" or option.low <= value <= option.high
