"""Shell. Self-play kept for learning: games of the arena with both sides' scores, in files a kill cannot spoil."""

import hashlib
import json
import random
import zipfile
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from quiesce import __version__
from quiesce.board.fen import write_fen
from quiesce.engine.selfplay import BROKEN_OFF, SelfPlay
from quiesce.eval.terms import DEFAULT_SET
from quiesce.eval.weights import weights
from quiesce.lab.arena import DEFAULT_NODES, openings, read_openings
from quiesce.work.files import written_whole

CHUNK_GAMES = 200
"""Games in one file: what a kill may lose at most, for each thread."""
FORMAT = 1
RESULTS = (-1, 0, 1)
SUFFIX = ".games.npz"


class GamesFileError(ValueError):
    """A file that holds no games; the message says why."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What decides every game: the same plan gives the same games, on any number of cores."""

    seed: int = 1
    nodes: int = DEFAULT_NODES
    book: str = ""
    weights: str = DEFAULT_SET


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """One game: where it began, its moves with the movers' scores, and its result, White's side."""

    opening: str
    moves: npt.NDArray[np.uint16]
    scores: npt.NDArray[np.int16]
    result: int


def plan_digest(plan: Plan) -> str:
    """A name for all that decides the games of a plan: its numbers, its book, its weights and this version."""
    whole = hashlib.sha256(json.dumps([__version__, asdict(plan)]).encode())
    whole.update(weights(plan.weights).tobytes())
    whole.update(Path(plan.book).read_bytes() if plan.book else b"")
    return whole.hexdigest()[:8]


def chunk_path(folder: Path, plan: Plan, chunk: int) -> Path:
    """Where a chunk of a plan is kept."""
    return folder / f"{plan.seed}-{plan_digest(plan)}-{chunk:05d}{SUFFIX}"


class Players:
    """Plays chunks of a plan, several at once if asked to; all of them can be stopped."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._book = read_openings(Path(plan.book)) if plan.book else None
        self._seats: list[SelfPlay] = []
        self._is_stopped = False

    def play_chunk(self, chunk: int) -> list[PlayedGame]:
        """Play one chunk; nothing comes of one that was stopped."""
        plan, games = self._plan, list[PlayedGame]()
        seat = SelfPlay({}, {}, plan.nodes, (plan.weights, plan.weights))
        self._seats.append(seat)
        seed = random.Random(f"{plan.seed}/{chunk}").getrandbits(32)
        source = openings(self._book, seed)
        while len(games) < CHUNK_GAMES:
            opening = next(source)
            result = BROKEN_OFF if self._is_stopped else seat.play(opening, 0)
            if result == BROKEN_OFF:
                return []
            games.append(PlayedGame(write_fen(opening, shredder=True), seat.moves, seat.scores, result))
        return games

    def keep_chunk(self, chunk: int, path: Path) -> bool:
        """Play a chunk and write it; returns whether it was played to its end."""
        games = self.play_chunk(chunk)
        if games:
            write_games(path, games, self._plan)
        return bool(games)

    def stop(self) -> None:
        """Break off all games."""
        self._is_stopped = True
        for seat in self._seats:
            seat.stop()


def write_games(path: Path, games: list[PlayedGame], plan: Plan) -> None:
    """Write games so that the file is there whole or not at all."""
    arrays: dict[str, Any] = {
        "about": np.array(json.dumps({"format": FORMAT} | asdict(plan))),
        "openings": np.array([game.opening for game in games], "S"),
        "lengths": np.array([len(game.moves) for game in games], "i4"),
        "moves": np.concatenate([game.moves for game in games]),
        "scores": np.concatenate([game.scores for game in games]),
        "results": np.array([game.result for game in games], "i1"),
    }
    with written_whole(path) as file:
        np.savez_compressed(file, **arrays)


def read_games(path: Path) -> Iterator[PlayedGame]:
    """The games of a file."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as kept:
            fens, lengths, results = kept["openings"], kept["lengths"], kept["results"]
            moves, scores, about = kept["moves"], kept["scores"], json.loads(str(kept["about"]))
    except (OSError, EOFError, ValueError, KeyError, TypeError, zlib.error, zipfile.BadZipFile) as error:
        raise GamesFileError(f"{path}: no file of games: {error}") from None
    if about.get("format") != FORMAT:
        raise GamesFileError(f"{path}: format {about.get('format')}, this reads {FORMAT}")
    is_whole = len(fens) == len(lengths) == len(results) and lengths.sum() == len(moves) == len(scores)
    if not is_whole or moves.dtype != np.uint16 or (lengths < 0).any() or not np.isin(results, RESULTS).all():
        raise GamesFileError(f"{path}: its parts do not fit together")
    start = 0
    for fen, length, result in zip(fens, lengths, results, strict=True):
        end = start + int(length)
        yield PlayedGame(fen.decode(), moves[start:end], scores[start:end], int(result))
        start = end


def play_plan(
    folder: Path, plan: Plan, games: int, threads: int, on_chunk: Callable[[int, int], None] | None = None
) -> list[Path]:
    """Play until a folder holds so many games of a plan; what is there already is not played again."""
    chunks = -(-games // CHUNK_GAMES)
    paths = [chunk_path(folder, plan, chunk) for chunk in range(chunks)]
    missing = [chunk for chunk in range(chunks) if not paths[chunk].exists()]
    done = chunks - len(missing)
    players = Players(plan)
    with ThreadPoolExecutor(threads, "selfplay") as pool:
        try:
            waiting = [pool.submit(players.keep_chunk, chunk, paths[chunk]) for chunk in missing]
            for future in as_completed(waiting):
                done += future.result()
                if on_chunk is not None:
                    on_chunk(done, chunks)
        except BaseException:
            players.stop()
            pool.shutdown(cancel_futures=True)
            raise
    return paths
