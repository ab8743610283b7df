"""Lines that GUIs send, and such as nobody should: what the engine is fuzzed with, here and in the soak."""

import re

from quiesce.uci.parse import COMMANDS, GO_WORDS, clean, parse_command

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


def batch_of(choice, size):
    """So many lines, without those that would end or block the talk, and how often they ask `isready`."""
    lines = [line for line in (mutated(choice) for _ in range(size)) if not any(word in line for word in SLOW)]
    return lines, sum(word_of(line) == "isready" for line in lines)


def word_of(line):
    """The command a line is read as."""
    command = parse_command(clean(line))
    return command and command.word
