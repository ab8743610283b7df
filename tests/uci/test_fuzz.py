"""No line breaks the engine: random, mutated and hostile input, with `isready` answered after every batch."""

import random
import re
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quiesce.uci.options import OPTIONS, BadValueError
from quiesce.uci.parse import COMMANDS, GO_WORDS, clean, parse_command, parse_go, parse_option, parse_position
from tests.uci.driver import Gui

BATCH = 250
SEEDS = (
    "uci",
    "isready",
    "debug on",
    "ucinewgame",
    "position startpos moves e2e4 e7e5 g1f3",
    "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 moves e1g1",
    "position fen 8/2pPpP2/1P1qk1p1/1p4P1/1P4p1/1p1QK1P1/2PpPp2/8 w - - 0 1",
    "go depth 3",
    "go nodes 500 searchmoves e2e4 d2d4",
    "go infinite",
    "go ponder wtime 1000 btime 1000 winc 10 binc 10 movestogo 20",
    "go movetime 5",
    "go mate 2 depth 4",
    "go perft 2",
    "stop",
    "ponderhit",
    "setoption name MultiPV value 3",
    "setoption name Threads value 2",
    "setoption name Hash value 4",
    "setoption name Clear Hash",
    "setoption name UCI_Chess960 value true",
    "setoption name UCI_ShowWDL value true",
    "setoption name UCI_LimitStrength value true",
    "setoption name Move Overhead value 5",
    "setoption name NullMove value false",
    "setoption name Book File value /nowhere/book.bin",
    "setoption name OwnBook value true",
    "setoption name SyzygyPath value /nowhere",
    "register later",
    "d",
    "eval",
    "flip",
    "qsearch",
    "qperft 1",
    "compiler",
    "help",
)
WORDS = [*sorted(COMMANDS | GO_WORDS), "value", "name", "fen", "moves", "startpos", "-1", "0"]
SLOW = (b"quit", b"bench", b"perft 5", b"perft 6", b"perft 7", b"perft 8", b"perft 9", b"qperft")
"""Words that end the talk, or take so long that a run would last for hours."""
FAILURE = re.compile(r"^info string (\w+ failed: \w+Error|the search failed)|Traceback")
"""What is said where an error reached the net that keeps the talk going."""


def mutated(choice):
    """A line a GUI might send, changed by chance."""
    kind, line = choice.random(), choice.choice(SEEDS)
    if kind < 0.3:
        return line.encode()
    if kind < 0.5:
        words = line.split() + choice.choices(WORDS, k=choice.randrange(4))
        choice.shuffle(words)
        return " ".join(words).encode()
    if kind < 0.8:
        data = bytearray(line.encode())
        for _ in range(choice.randrange(1, 4)):
            place = choice.randrange(len(data) + 1)
            data[place : place + choice.randrange(2)] = choice.randbytes(choice.randrange(3))
        return bytes(data).replace(b"\n", b" ")
    if kind < 0.9:
        return " ".join(choice.choices(WORDS, k=choice.randrange(1, 12))).encode()
    return choice.randbytes(choice.randrange(60)).replace(b"\n", b" ")


def fuzz(lines, seed, **environment):
    """Send so many lines to the real process."""
    choice = random.Random(seed)
    with Gui(**environment) as gui:
        gui.ready(timeout=240)
        for _ in range(0, lines, BATCH):
            batch = [line for line in (mutated(choice) for _ in range(BATCH)) if not any(word in line for word in SLOW)]
            gui.send_bytes(b"\n".join(batch) + b"\n")
            gui.send("isready")
            wanted = sum(parse_word(line) == "isready" for line in batch) + 1
            for _ in range(wanted):
                gui.expect("^readyok$", timeout=120)
        gui.send("stop", "ucinewgame", "setoption name UCI_LimitStrength value false", "position startpos")
        gui.ready()
        gui.send("go depth 5")
        assert gui.expect("^bestmove ")[-1] != "bestmove (none)"
        code, _ = gui.end()
        assert code == 0
        assert [line for line in gui.log if line and FAILURE.search(line)] == [], "caught by the last net, still a bug"


def parse_word(line):
    """The command a line is read as."""
    command = parse_command(clean(line))
    return command and command.word


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
