"""Damaged files of every kind: each is read, or refused by its own error, within a second and without a word beside."""

import logging
import os
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import chess
import chess.polyglot
import pytest

from quiesce.board.game import Game
from quiesce.eval.netfile import DIGEST_BYTES, NetworkError, network_bytes, read_network
from quiesce.eval.samples import SamplesError, as_game, block_bytes, header_bytes, open_samples
from quiesce.eval.weights import FITTED_FILE, WeightsError, read_table
from quiesce.lab.datafiles import check, info_of
from quiesce.search.book import Book, BookError
from tests.damage import FLIPS, LONGEST, damaged, hurried, try_all
from tests.eval.test_netfile import drawn, resigned
from tests.eval.test_samples import some_samples
from tests.search.test_book import polyglot


@dataclass(frozen=True)
class Kind:
    """A kind of file: its name, a sound example, what reads it, and how that may refuse it."""

    file: str
    example: Callable[[], bytes]
    read: Callable[[Path], object]
    errors: type[Exception] | tuple[type[Exception], ...]
    flips: int = FLIPS
    """Tried each time; all of them where there is time for it."""
    cuts: int = 100


def network_example():
    """A small network."""
    return network_bytes(drawn(16))


def read_resigned(path):
    """Read a network whose checksum was made right again: what comes behind it is looked at too."""
    data = path.read_bytes()
    read_network(resigned(data) if len(data) > DIGEST_BYTES else data)


def book_example():
    """A book of random games."""
    draw, entries, board = random.Random(1), [], chess.Board()
    for _ in range(100):
        moves = list(board.legal_moves)
        entries += [(board.fen(), move.uci(), draw.randrange(100)) for move in moves[:3]]
        board.push(draw.choice(moves))
    return polyglot(entries)


def read_engine_book(path):
    """Open a book and ask for a move."""
    book = Book(path)
    try:
        return len(book), book.move(Game())
    finally:
        book.close()


def samples_example():
    """Three blocks of samples."""
    blocks = [block_bytes(number, as_game(some_samples(60, number)), 100) for number in range(3)]
    return b"".join([header_bytes({"kind": "test"}), *blocks])


def read_samples(path):
    """All that is done with a file of samples."""
    open_samples(path).read()
    check(path)
    info_of(path)


KINDS = [
    Kind("a.qnet", network_example, read_network, NetworkError),
    Kind("resigned.qnet", network_example, read_resigned, NetworkError),
    Kind("weights.json", FITTED_FILE.read_bytes, read_table, WeightsError),
    Kind("book.bin", book_example, read_engine_book, BookError),
    Kind("a.samples", samples_example, read_samples, SamplesError),
]


@pytest.fixture
def silent(capfd, caplog):
    """Nothing may be said beside: no word on stderr, no line in a log."""
    yield
    assert capfd.readouterr().err == ""
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


def hold(kind, folder, flips, cuts):
    """Damage a kind's example in many ways, and read it."""
    tally = try_all(folder / kind.file, damaged(kind.example(), flips, cuts), kind.read, kind.errors)
    print(f"{kind.file}: {tally}")
    assert not tally.strange
    assert tally.longest < LONGEST


@pytest.mark.usefixtures("silent")
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.file)
def test_damage_is_named(tmp_path, kind):
    """Some bits turned over and some cuts: the file is read, or refused by its kind's own error."""
    (tmp_path / kind.file).write_bytes(kind.example())
    kind.read(tmp_path / kind.file)
    hold(kind, tmp_path, kind.flips, kind.cuts)


@pytest.mark.slow
@pytest.mark.usefixtures("silent")
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.file)
def test_more_damage_is_named(tmp_path, kind):
    """A thousand bits turned over, and a cut at every 64 bytes."""
    hold(kind, tmp_path, FLIPS, None)


@pytest.mark.timeout(30)
@pytest.mark.usefixtures("silent")
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.read is not read_resigned], ids=lambda kind: kind.file)
@pytest.mark.parametrize("what", ["folder", "pipe", "device", "missing"])
def test_what_is_no_file_is_named(tmp_path, kind, what):
    """A folder, a pipe that nobody writes to, a device without end, nothing at all: refused at once, by name."""
    path = tmp_path / kind.file
    if what == "folder":
        path.mkdir()
    elif what == "pipe":
        os.mkfifo(path)
    elif what == "device":
        path.symlink_to("/dev/zero")
    with hurried(), pytest.raises(kind.errors, match=kind.file):
        kind.read(path)
