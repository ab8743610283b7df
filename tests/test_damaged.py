"""Damaged files of every kind: each is read, or refused by its own error, within a second and without a word beside."""

import logging
import os
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import chess
import chess.polyglot
import pytest

from quiesce import batch
from quiesce.board.game import Game
from quiesce.cachekey import PACKAGE
from quiesce.engine.book import Book, BookError
from quiesce.engine.syzygy import Tablebases, TablesError
from quiesce.eval.netfile import DIGEST_BYTES, NetworkError, network_bytes, read_network
from quiesce.eval.samples import SamplesError, as_game, block_bytes, header_bytes, open_samples
from quiesce.eval.weights import FITTED_FILE, WeightsError, read_table
from quiesce.lab.datafiles import check, info_of
from quiesce.lab.match.openings import BookError as OpeningsError
from quiesce.lab.match.openings import read_book
from quiesce.lab.match.plan import PlanError, read_plan
from quiesce.lab.perft import SuiteError
from quiesce.lab.perft import read_suite as read_perft_suite
from quiesce.lab.report.page import catalogue, kept_runs, page
from quiesce.lab.suites.problems import SuiteFileError, read_suite
from quiesce.review.reading import DamagedError, decoded, read_source, sources_in
from quiesce.work.store import Store, StoreError
from tests.batch.test_pgn import GAMES
from tests.conftest import DATA, shared
from tests.damage import FLIPS, LONGEST, damaged, hurried, try_all
from tests.engine.test_book import polyglot
from tests.eval.test_netfile import drawn, resigned
from tests.eval.test_samples import some_samples
from tests.lab.madeupruns import SPRT, fill_match, fill_suite

OPERA = """[Event "Paris"]
[White "Morphy, P"]
[Black "Duke of Brunswick"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 {a comment} 4. dxe5 Bxf3 (4... dxe5) 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5
10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0
"""


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
    is_named: bool = True
    """Is it read by its own name, so that what is no file is found out?"""


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


def read_all_runs(path):
    """All that the lab reads of a store: the list of runs, the items of each, the page."""
    try:
        with Store(path) as store:
            catalogue(store)
            page(runs := kept_runs(store))
            for run in runs:
                run.items()
    finally:
        for rest in ("-wal", "-shm"):
            path.with_name(path.name + rest).unlink(missing_ok=True)


def store_example():
    """A store with runs of several kinds."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "lab.sqlite")
        with Store(path) as store:
            fill_match(store, "a match", 12, 0.1, SPRT)
            fill_suite(store, "wac", "quiesce", 12, 0.9)
        return path.read_bytes()


def lines_of(name, count):
    """The first lines of a file of the package or of the tests."""
    return lambda: b"".join(name.read_bytes().splitlines(keepends=True)[:count])


def pgn_example():
    """Games with headers, variations, comments and a position of their own."""
    return (OPERA + "\n" + GAMES + "\n").encode()


def read_batch(path):
    """Read the positions of all games; what is wrong with a game is told beside."""
    bad = {}
    games = batch.from_pgn(path, bad=bad)
    assert len(games.positions) == len(games.tag("White"))


def read_openings(path):
    """Read openings as a match does."""
    read_book(str(path))


def read_to_review(path):
    """Read all games as a review does."""
    for source in sources_in(decoded(path.read_bytes()), path.name):
        read_source(source.text)


def points_example():
    """Positions whose moves have points."""
    return b"""rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4; id "first"; c0 "e4=10, d4=9, Nf3=5";
rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - bm c5 e5; am a6; id "second"; c0 "c5=10, e5=9, Nf6+=3";
6k1/5ppp/8/8/8/8/8/4R2K w - - dm 1; id "third"; c0 "a comment";
"""


PLAN = b"""engine1 = "quiesce"
engine2 = { name = "other", options = { NullMove = "false" } }
time_control = "40/60+0.5"
games = 100
seed = 3
[adjudication]
draw_from = 40
[sprt]
elo0 = 0
elo1 = 5
"""


def probe(path):
    """Ask the tables for moves in positions with these pieces; the other file of the pair is sound."""
    for sound in SYZYGY.iterdir():
        if sound.name != path.name:
            (path.parent / sound.name).write_bytes(sound.read_bytes())
    tables = Tablebases(str(path.parent))
    try:
        for fen in PROBED:
            tables.verdict(Game(fen))
    finally:
        tables.close()


PROBED = ("8/8/8/4k3/8/8/3QK3/8 w - - 0 1", "8/8/8/4k3/8/8/3QK3/8 b - - 3 1", "7k/8/8/8/8/8/8/KQ6 w - - 20 40")
SYZYGY = DATA / "syzygy"
SUITES = PACKAGE / "lab" / "suites" / "data"

KINDS = [
    Kind("a.qnet", network_example, read_network, NetworkError),
    Kind("resigned.qnet", network_example, read_resigned, NetworkError, is_named=False),
    Kind("weights.json", FITTED_FILE.read_bytes, read_table, WeightsError),
    Kind("book.bin", book_example, read_engine_book, BookError),
    Kind("a.samples", samples_example, read_samples, SamplesError),
    Kind("lab.sqlite", store_example, read_all_runs, StoreError, flips=100, cuts=20),
    Kind("suite.epd", lines_of(SUITES / "lichess_mates.epd", 30), read_suite, SuiteFileError),
    Kind("points.epd", points_example, read_suite, SuiteFileError),
    Kind("perft.epd", lines_of(DATA / "perft" / "tricky.epd", 20), read_perft_suite, SuiteError),
    Kind("games.pgn", pgn_example, read_batch, OSError, flips=100, cuts=20),
    Kind("review.pgn", pgn_example, read_to_review, DamagedError, flips=100, cuts=20, is_named=False),
    Kind("book.pgn", (2 * f"{OPERA}\n").encode, read_openings, OpeningsError, flips=100, cuts=20),
    Kind("book.epd", lines_of(SUITES / "lichess_mates.epd", 30), read_openings, OpeningsError),
    Kind("walked.bin", book_example, read_openings, OpeningsError, flips=50, cuts=20),
    Kind("plan.toml", lambda: PLAN, read_plan, PlanError),
    Kind("KQvK.rtbw", (SYZYGY / "KQvK.rtbw").read_bytes, probe, TablesError, flips=100, is_named=False),
    Kind("KQvK.rtbz", (SYZYGY / "KQvK.rtbz").read_bytes, probe, TablesError, flips=100, cuts=10, is_named=False),
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
    assert tally.named, "a reader that refuses nothing proves nothing"
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
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.is_named], ids=lambda kind: kind.file)
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


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.usefixtures("silent")
@pytest.mark.parametrize("name", ["KPvKP.rtbw", "KPvK.rtbz", "KRvKB.rtbz", "KQvKR.rtbw"])
def test_damaged_tables_with_pawns_and_captures_are_named(tmp_path, name):
    """Tables of other forms, each among sound ones: a thousand bits turned over, and some cuts."""
    original = shared(f"syzygy/{name}")
    for file in original.parent.iterdir():
        (tmp_path / file.name).symlink_to(file)
    (tmp_path / name).unlink()
    fens = FENS_WITH[name.partition(".")[0]]

    def ask(path):
        tables = Tablebases(str(path.parent))
        try:
            for fen in fens:
                tables.verdict(Game(fen))
        finally:
            tables.close()

    tally = try_all(tmp_path / name, damaged(original.read_bytes(), FLIPS, 100), ask, TablesError)
    print(f"{name}: {tally}")
    assert not tally.strange
    assert tally.longest < LONGEST


FENS_WITH = {
    "KPvKP": ["8/4p3/8/4k3/8/8/3PK3/8 w - - 0 1", "8/6p1/8/4k3/8/8/3PK3/8 b - - 3 1"],
    "KPvK": ["8/8/8/4k3/8/8/3PK3/8 w - - 1 1", "8/8/8/4k3/P7/8/4K3/8 b - - 1 1"],
    "KRvKB": ["8/8/8/4k3/6b1/8/3RK3/8 w - - 1 1", "1b6/8/8/4k3/8/8/3RK3/8 b - - 1 1"],
    "KQvKR": ["8/8/r7/4k3/8/8/3QK3/8 b - - 1 1"],
}
