"""Shell. What the evaluation is fitted to: quiet positions of played games, as counts of every term."""

import hashlib
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import chess
import numpy as np
import numpy.typing as npt
from scipy import sparse

from quiesce.board.bridge import from_board
from quiesce.board.fen import PIECE_LETTERS, FenError
from quiesce.board.game import Game
from quiesce.board.pgnfile import open_pgn, read_game
from quiesce.board.tables import tables
from quiesce.cachekey import PACKAGE
from quiesce.eval.endings import FULL_SCALE
from quiesce.eval.evaluate import FULL_PHASE, explain_eval
from quiesce.eval.evaluator import EVAL_TRACE, new_evaluator
from quiesce.eval.samples import (
    DRAW,
    FIRST_OF_GAME,
    INTERIOR,
    UNKNOWN,
    Samples,
    fen_of,
    is_black,
    open_samples,
    unpack_positions,
)
from quiesce.eval.terms import TERM_COUNT
from quiesce.lab.datagen import samples_of
from quiesce.records import new

FIRST_PLY = 6
"""The first plies of a game are skipped, because they repeat."""
LARGEST_SCORE = 1_200
"""Points beyond which a game is decided and teaches nothing."""
HOMES = {
    "K": ("K", chess.E1, "R", chess.H1),
    "Q": ("K", chess.E1, "R", chess.A1),
    "k": ("k", chess.E8, "r", chess.H8),
    "q": ("k", chess.E8, "r", chess.A8),
}
"""Pieces and squares that each right to castle needs."""
RESULTS = {"1-0": 1, "0-1": -1, "1/2-1/2": 0}


class FitError(ValueError):
    """Games that cannot be used for a fit; the message says why."""


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


def samples_of_pgn(path: Path) -> Iterator[Samples]:
    """Samples of the games of a PGN file that have a result, chosen as in `quiesce datagen`.

    Variants, null moves and illegal moves are skipped. PGN has no engine scores, so no position is treated as decided.
    """
    with open_pgn(path) as file:
        while (game := read_game(file)) is not None:
            result = RESULTS.get(game.headers.get("Result", "*"))
            board = game.end().board()
            if result is None or game.errors or not board.move_stack or not all(board.move_stack):
                continue
            with suppress(FenError):
                played = from_board(board)
                moves = np.array(played.moves, np.uint16)
                yield samples_of(Game(played.start_fen).position, moves, np.zeros(len(moves), np.int16), result)


def samples_of_file(path: Path) -> Iterator[Samples]:
    """The samples of each game of a file of `quiesce datagen`, shuffled or not: then each sample is a game's part."""
    for block in open_samples(path):
        starts = np.flatnonzero(block["flags"] & FIRST_OF_GAME)
        yield from np.split(block, starts[starts > 0])


def games_in(paths: Iterable[Path]) -> Iterator[Samples]:
    """Games of all files, of samples or PGN."""
    for path in paths:
        yield from samples_of_pgn(path) if path.suffix == ".pgn" else samples_of_file(path)


def worth_fitting(samples: Samples) -> Samples:
    """Those of a game's samples that teach the terms something: played on to a result, past the opening, undecided."""
    kept = (samples["result"] != UNKNOWN) & (samples["ply"] >= FIRST_PLY) & ((samples["flags"] & INTERIOR) == 0)
    found: Samples = samples[kept & (np.abs(samples["score"].astype(np.int64)) <= LARGEST_SCORE)]
    return found


def rights_at_home(board: npt.NDArray[np.uint8]) -> str:
    """Castling rights in FEN for every king and rook on its home square."""
    letters = [PIECE_LETTERS[piece] if piece < len(PIECE_LETTERS) else "" for piece in board.tolist()]
    found = (
        right for right, (king, at, rook, corner) in HOMES.items() if (letters[at], letters[corner]) == (king, rook)
    )
    return "".join(found) or "-"


def positions_of(samples: Samples) -> Iterator[Any]:
    """Each sample as a position. Samples have no castling rights, so kings and rooks at home may castle."""
    for board, sample in zip(unpack_positions(samples), samples, strict=True):
        yield Game(fen_of(board, sample).replace(" - -", f" {rights_at_home(board)} -")).position


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
    for number, game in enumerate(games_in(paths)):
        kept, name = worth_fitting(game), zlib.crc32(game.tobytes())
        signs = 1 - 2 * is_black(kept).astype(np.int64)
        results = (1 + signs * (kept["result"].astype(np.int64) - DRAW)) / 2
        for position, result in zip(positions_of(kept), results.tolist(), strict=True):
            explain_eval(tables(), evaluator, position, trace)
            white.add(trace.counts[0])
            black.add(trace.counts[1])
            facts.append((int(trace.phase) / FULL_PHASE, int(trace.scale) / FULL_SCALE, result))
            names.append(name)
        if on_game is not None:
            on_game(number + 1)
    if not facts:
        raise FitError("there is no quiet position in these games")
    phase, scale, outcomes = np.array(facts, np.float32).T
    return Dataset(
        white.matrix(), black.matrix(), phase, scale, outcomes, np.array(names, np.int64), counted_digest(paths)
    )
