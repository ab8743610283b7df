"""No line breaks the engine: random, mutated and hostile input, with `isready` answered after every batch."""

import random
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quiesce.uci.options import OPTIONS, BadValueError
from quiesce.uci.parse import clean, parse_command, parse_go, parse_option, parse_position
from tests.uci.driver import Gui
from tests.uci.lines import FAILURE, batch_of

BATCH = 250


def fuzz(lines, seed, **environment):
    """Send so many lines to the real process."""
    choice = random.Random(seed)
    with Gui(**environment) as gui:
        gui.ready(timeout=240)
        for _ in range(0, lines, BATCH):
            batch, asked = batch_of(choice, BATCH)
            gui.send_bytes(b"\n".join(batch) + b"\n")
            gui.send("isready")
            for _ in range(asked + 1):
                gui.expect("^readyok$", timeout=120)
        gui.send("stop", "ucinewgame", "setoption name UCI_LimitStrength value false", "position startpos")
        gui.ready()
        gui.send("go depth 5")
        assert gui.expect("^bestmove ")[-1] != "bestmove (none)"
        code, _ = gui.end()
        assert code == 0
        assert [line for line in gui.log if line and FAILURE.search(line)] == [], "caught by the last net, still a bug"


@pytest.mark.timeout(600)
def test_thousands_of_lines():
    """3,000 lines in `make test`."""
    fuzz(3_000, seed=1)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("seed", range(4))
def test_a_hundred_thousand_lines(seed):
    """25,000 lines, four times."""
    fuzz(25_000, seed=100 + seed)


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
        value = option.read(text)
        assert option.kind != "spin" or option.low <= value <= option.high
