"""Shell. What the evaluation is fitted to: quiet positions of played games, as counts of every term."""

import hashlib
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from quiesce.board.bridge import from_board
from quiesce.board.fen import FenError
from quiesce.board.game import Game
from quiesce.board.makemove import make_move
from quiesce.board.pgnfile import open_pgn, read_game
from quiesce.board.position import POSITION
from quiesce.board.tables import tables
from quiesce.board.types import CAPTURE, FLAG_SHIFT
from quiesce.cachekey import PACKAGE
from quiesce.eval.endings import FULL_SCALE
from quiesce.eval.evaluate import FULL_PHASE, explain_eval
from quiesce.eval.evaluator import EVAL_TRACE, new_evaluator
from quiesce.eval.terms import TERM_COUNT
from quiesce.jit import copy_record
from quiesce.lab.selfplay import GamesFileError, PlayedGame, read_games
from quiesce.records import new

FIRST_PLY = 6
"""Plies after the opening that are passed over: too much like one another."""
LARGEST_SCORE = 1_200
"""Points beyond which a game is decided and teaches nothing."""
FIRST_NOISY = int(CAPTURE) << int(FLAG_SHIFT)
"""Moves from this number on are captures and promotions."""
RESULTS = {"1-0": 1, "0-1": -1, "1/2-1/2": 0}

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Dataset:
    """Positions as counts of terms for each side, with phase and scale as shares, and White's results: 1, 0.5 or 0."""

    white: sparse.csr_matrix
    black: sparse.csr_matrix
    phase: Floats
    scale: Floats
    result: Floats
    game: npt.NDArray[np.int64]
    """A number made from each game's moves, the same in whatever file it stands."""
    digest: str

    def __len__(self) -> int:
        return len(self.result)

    def part(self, wanted: npt.NDArray[np.bool_]) -> "Dataset":
        """The positions that are wanted."""
        rows = np.flatnonzero(wanted)
        return Dataset(
            self.white[rows], self.black[rows], self.phase[rows], self.scale[rows], self.result[rows],
            self.game[rows], self.digest,
        )  # fmt: skip


class Rows:
    """Sparse rows that grow one by one."""

    def __init__(self) -> None:
        self._columns: list[npt.NDArray[np.int64]] = []
        self._counts: list[npt.NDArray[np.int16]] = []

    def add(self, counts: npt.NDArray[np.int16]) -> None:
        """Add a row."""
        columns = np.flatnonzero(counts)
        self._columns.append(columns)
        self._counts.append(counts[columns])

    def matrix(self) -> sparse.csr_matrix:
        """All rows."""
        ends = np.cumsum([0] + [len(columns) for columns in self._columns])
        counts = np.concatenate(self._counts) if self._counts else np.zeros(0)
        columns = np.concatenate(self._columns) if self._columns else np.zeros(0, np.int64)
        return sparse.csr_matrix((counts.astype(np.float32), columns, ends), (len(self._columns), TERM_COUNT))


def quiet_positions(game: PlayedGame) -> Iterator[Any]:
    """Positions of a game worth learning from: out of check, before a quiet move, not decided; valid until the next."""
    here, after = new(POSITION), new(POSITION)
    copy_record(here, Game(game.opening).position)
    for ply, (move, score) in enumerate(zip(game.moves, game.scores, strict=True)):
        is_quiet = not int(here.checkers) and int(move) < FIRST_NOISY
        if ply >= FIRST_PLY and is_quiet and abs(int(score)) <= LARGEST_SCORE:
            yield here
        make_move(tables(), here, after, int(move))
        here, after = after, here


def games_of_pgn(path: Path) -> Iterator[PlayedGame]:
    """Games of chess in a PGN file that have a result; others, and those with null moves or mistakes, are passed over.

    Nobody told what the players thought, so all their positions count as not decided.
    """
    with open_pgn(path) as file:
        while (game := read_game(file)) is not None:
            result = RESULTS.get(game.headers.get("Result", "*"))
            board = game.end().board()
            if result is None or game.errors or not all(board.move_stack):
                continue
            with suppress(FenError):
                played = from_board(board)
                moves = np.array(played.moves, np.uint16)
                yield PlayedGame(played.start_fen, moves, np.zeros(len(moves), np.int16), result)


def read_all(paths: Iterable[Path]) -> Iterator[PlayedGame]:
    """Games of all files, of self-play or PGN."""
    for path in paths:
        yield from games_of_pgn(path) if path.suffix == ".pgn" else read_games(path)


def digest_of(paths: Iterable[Path]) -> str:
    """A name for what the files hold."""
    whole = hashlib.sha256()
    for path in paths:
        whole.update(hashlib.sha256(path.read_bytes()).digest())
    return whole.hexdigest()[:16]


def counted_digest(paths: list[Path]) -> str:
    """A name for what counting the games of these files gives: it changes with them and with what counts."""
    sources = (*(PACKAGE / "eval").glob("*.py"), *(PACKAGE / "board").glob("*.py"), Path(__file__))
    return digest_of([*paths, *sorted(sources)])


def gather(paths: list[Path], on_game: Callable[[int], None] | None = None) -> Dataset:
    """Count every term in the quiet positions of all games."""
    evaluator, trace, white, black = new_evaluator("hand"), new(EVAL_TRACE), Rows(), Rows()
    facts: list[tuple[float, float, float]] = []
    names: list[int] = []
    for number, game in enumerate(read_all(paths)):
        result, name = (game.result + 1) / 2, zlib.crc32(game.opening.encode() + game.moves.tobytes())
        for position in quiet_positions(game):
            explain_eval(tables(), evaluator, position, trace)
            white.add(trace.counts[0])
            black.add(trace.counts[1])
            facts.append((int(trace.phase) / FULL_PHASE, int(trace.scale) / FULL_SCALE, result))
            names.append(name)
        if on_game is not None:
            on_game(number + 1)
    if not facts:
        raise GamesFileError("there is no quiet position in these games")
    phase, scale, results = np.array(facts, np.float32).T
    return Dataset(
        white.matrix(), black.matrix(), phase, scale, results, np.array(names, np.int64), counted_digest(paths)
    )
