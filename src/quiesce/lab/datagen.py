"""Shell. Positions to learn from: self-play at fixed nodes, its quiet positions kept with score and result.

Chunk k of a plan is decided by the plan and k alone, whoever plays it. A finished chunk is one block of the plan's one
file, written before it counts; so the same plan ends with the same set of blocks, in whatever order they came.
"""

import hashlib
import json
import os
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import IO, Any

import filelock
import numpy as np

from quiesce import __version__
from quiesce.board.game import Game
from quiesce.board.makemove import make_move
from quiesce.board.movegen import generate_all
from quiesce.board.movetext import parse_uci
from quiesce.board.position import POSITION
from quiesce.board.tables import tables
from quiesce.board.types import CAPTURE, FLAG_SHIFT, MOVE_LIST
from quiesce.eval.samples import (
    SAMPLE,
    SampleFile,
    Samples,
    SamplesError,
    as_game,
    block_bytes,
    header_bytes,
    open_samples,
    pack_positions,
)
from quiesce.eval.terms import DEFAULT_SET
from quiesce.eval.weights import weights
from quiesce.jit import warm_up
from quiesce.lab.arena import DEFAULT_NODES, Seat
from quiesce.lab.crew import Crew, Key
from quiesce.lab.files import written_whole
from quiesce.lab.match.engines import sources_digest
from quiesce.lab.match.openings import DEFAULT_BOOK, read_book
from quiesce.lab.store import now
from quiesce.records import new
from quiesce.search.arena import BROKEN_OFF, DRAWN, play_game
from quiesce.search.deepen import search_depth, start_search
from quiesce.search.params import OptionError
from quiesce.search.settings import params
from quiesce.search.table import Table
from quiesce.search.worker import new_worker, set_root

DEFAULT_POSITIONS = 1_000_000
CHUNK_POSITIONS = 1_000
"""A chunk ends with the game that reaches this many: what a kill may lose at most, for each process."""
DEFAULT_RANDOM_PLIES = (4, 8)
LARGEST_OPENING = 300
"""Points by which one side may be ahead where a game begins."""
PROBE_DEPTH, PROBE_NODES, PROBE_MEGABYTES = 5, 20_000, 1
"""The small search that looks for it."""
LARGEST_SCORE = 3_000
"""Points beyond which a game is decided and teaches nothing; mates are far beyond."""
DRAWN_TAIL = 12
"""In the last plies of a drawn game a score of exactly 0 is the repetition's, not the position's."""
FIRST_NOISY = int(CAPTURE) << int(FLAG_SHIFT)
"""Moves from this number on are captures and promotions."""
SUFFIX = ".samples"


class DatagenError(ValueError):
    """A plan that cannot be played; the message says why."""


@dataclass(frozen=True, slots=True)
class DataPlan:
    """What decides every chunk."""

    seed: int = 1
    nodes: int = DEFAULT_NODES
    random_plies: tuple[int, int] = DEFAULT_RANDOM_PLIES
    weights: str = DEFAULT_SET
    """By name or file, which on a cluster all must have."""
    options: dict[str, int] = field(default_factory=dict)
    """Of the search, both sides."""
    chunk_positions: int = CHUNK_POSITIONS

    def checked(self) -> "DataPlan":
        """The plan, if it can be played."""
        low, high = self.random_plies
        if not 0 <= low <= high:
            raise DatagenError(f"random plies go from {low} to {high}")
        try:
            params(self.options)
            weights(self.weights)
        except (OptionError, ValueError) as error:
            raise DatagenError(str(error)) from None
        return self

    def identity(self) -> dict[str, Any]:
        """The plan with what our engine and its weights are now: all that decides the positions."""
        numbers = hashlib.sha256(weights(self.weights).tobytes()).hexdigest()[:16]
        told: dict[str, Any] = json.loads(json.dumps(asdict(self)))
        return told | {"version": __version__, "sources": sources_digest(), "weights_digest": numbers}


def digest_of(identity: dict[str, Any]) -> str:
    """A short name for a plan's identity."""
    return hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()[:8]


def facts_of(plan: DataPlan, bench: int | None = None) -> dict[str, Any]:
    """What the header of a plan's file says."""
    facts = plan.identity() | {"kind": "datagen", "created": now()}
    return facts if bench is None else facts | {"bench": bench}


def path_of(folder: Path, plan: DataPlan) -> Path:
    """The one file of a plan."""
    return folder / f"{plan.seed}-{digest_of(plan.identity())}{SUFFIX}"


@cache
def book_lines() -> tuple[tuple[str, ...], ...]:
    """Lines of the bundled book."""
    return tuple(opening.moves for opening in read_book(DEFAULT_BOOK))


def probed_score(game: Game, settings: Any, named: str) -> int:
    """What a small search with these settings and weights thinks, from nothing learnt; mover's view."""
    worker, table = new_worker(settings, named), Table(PROBE_MEGABYTES)
    set_root(worker, game)
    worker.multi_pv, worker.node_limit = 1, PROBE_NODES
    start_search(worker, tables())
    for depth in range(1, PROBE_DEPTH + 1):
        search_depth(worker, tables(), table.record, depth)
    return int(worker.roots[0].score)


def random_game(choice: random.Random, random_plies: tuple[int, int]) -> Game:
    """Some moves of a book's line and some random ones, fewer where a game ends."""
    line, game = choice.choice(book_lines()), Game()
    for word in line[: choice.randint(0, len(line))]:
        game.push(parse_uci(game, word))
    for _ in range(choice.randint(*random_plies)):
        if moves := game.legal_moves():
            game.push(choice.choice(moves))
    return game


def openings(choice: random.Random, plan: DataPlan) -> Iterator[Game]:
    """Openings without end, out of check and with neither side far ahead."""
    settings = params(plan.options)
    while True:
        game = random_game(choice, plan.random_plies)
        if game.is_check or not game.legal_moves():
            continue
        if abs(probed_score(game, settings, plan.weights)) <= LARGEST_OPENING:
            yield game


def replayed(opening: Any, moves: Any) -> Any:
    """The positions before each move of a game, as an array of records."""
    positions = np.zeros(len(moves) + 1, POSITION)
    positions[0] = opening
    for ply, move in enumerate(moves):
        make_move(tables(), positions[ply], positions[ply + 1], np.uint64(move))
    return positions[:-1]


def has_choice(position: Any) -> bool:
    """Is there more than one legal move? The search does not think about an only move, so its score is worth little."""
    return bool(generate_all(tables(), position, new(MOVE_LIST)) > 1)


def is_worth_keeping(positions: Any, moves: Any, scores: Any, result: int) -> Any:
    """Which positions of a game teach something.

    Out of check, before a quiet move that was not the only one, with a score that is no mate and not beyond
    LARGEST_SCORE; each once a game; not the zeros at the end of a drawn one.
    """
    kept = (positions["checkers"] == 0) & (moves < FIRST_NOISY) & (np.abs(scores.astype(np.int64)) <= LARGEST_SCORE)
    is_first = np.zeros(len(moves), bool)
    is_first[np.unique(positions["key"], return_index=True)[1]] = True
    kept &= is_first
    if result == DRAWN:
        kept[-DRAWN_TAIL:] &= scores[-DRAWN_TAIL:] != 0
    for row in np.flatnonzero(kept):
        kept[row] = has_choice(positions[row])
    return kept


def samples_of(opening: Any, moves: Any, scores: Any, result: int) -> Samples:
    """What is kept of a game; the result is White's, +1, 0 or -1."""
    positions = replayed(opening, moves)
    kept = is_worth_keeping(positions, moves, scores, result)
    signs = 1 - 2 * positions["turn"][kept].astype(np.int64)
    return as_game(pack_positions(positions[kept], scores[kept], 1 + signs * result))


def played_chunk(plan: DataPlan, chunk: int) -> tuple[list[Samples], int]:
    """The games of a chunk, and how many plies were played for them; a game that leaves nothing is passed over."""
    seat = Seat(plan.options, plan.options, plan.nodes, (plan.weights, plan.weights))
    games, kept, seen = list[Samples](), 0, 0
    for opening in openings(random.Random(f"{plan.seed}/{chunk}"), plan):
        result = seat.play(opening.position, 0)
        assert result != BROKEN_OFF
        plies = int(seat.game.plies)
        seen += plies
        moves, scores = seat.game.moves[:plies].copy(), seat.game.scores[:plies].copy()
        samples = samples_of(opening.position, moves, scores, result)
        if len(samples):
            games.append(samples)
            kept += len(samples)
        if kept >= plan.chunk_positions:
            break
    return games, seen


def play_chunk(plan: DataPlan, chunk: int) -> list[Samples]:
    """The games of a chunk, for those who need nothing else of this module."""
    return played_chunk(plan, chunk)[0]


def do_chunk(task: dict[str, Any]) -> dict[str, Any]:
    """What a process does: play one chunk; returns its block's rows, plies and the seconds it took."""
    warm_up()
    play_game.prepare()
    started = time.perf_counter()
    games, seen = played_chunk(task["plan"], task["chunk"])
    seconds = time.perf_counter() - started
    return {"rows": np.concatenate(games).tobytes(), "games": len(games), "seen": seen, "seconds": seconds}


@dataclass(slots=True)
class Progress:
    """How far a plan's file is, and how fast it grew in this run."""

    wanted: int
    """Chunks in all."""
    chunks: int = 0
    positions: int = 0
    played: int = 0
    """Positions of this run."""
    games: int = 0
    """Games of this run."""
    seconds: float = 0.0
    """Spent on them, summed over all processes."""

    @property
    def speed(self) -> float:
        """Positions a second of one core."""
        return self.played / self.seconds if self.seconds else 0.0


@contextmanager
def only_one(path: Path) -> Iterator[None]:
    """Only one process adds to a file; a second one is told so."""
    lock = filelock.FileLock(f"{path}.lock")
    try:
        lock.acquire(timeout=0)
    except filelock.Timeout:
        raise DatagenError(f"{path}: another process is adding to it") from None
    try:
        yield
    finally:
        lock.release()
        Path(lock.lock_file).unlink(missing_ok=True)


@contextmanager
def opened_to_add(path: Path, facts: dict[str, Any]) -> Iterator[tuple[SampleFile, IO[bytes]]]:
    """A file to add blocks to, begun if there is none; what a kill left of a last block is cut off."""
    if not path.exists():
        with written_whole(path) as file:
            file.write(header_bytes(facts))
    found = open_samples(path)
    if changed := [name for name in facts if name not in ("created", "bench") and found.facts.get(name) != facts[name]]:
        raise SamplesError(f"{path}: made by another plan ({', '.join(changed)} differ)")
    with path.open("r+b") as file:
        file.truncate(found.end)
        file.seek(found.end)
        yield found, file


def add_block(file: IO[bytes], number: int, samples: Samples, seen: int) -> int:
    """Write a block so that it is on the disk before it counts; returns its bytes."""
    block = block_bytes(number, samples, seen)
    file.write(block)
    file.flush()
    os.fsync(file.fileno())
    return len(block)


def grow_file(
    folder: Path,
    plan: DataPlan,
    positions: int,
    crew: Crew,
    on_chunk: Callable[[Progress], None] | None = None,
    bench: int | None = None,
) -> tuple[Path, Progress]:
    """Play chunks until the plan's file has at least so many positions; what is there already is not played again."""
    path, wanted = path_of(folder, plan.checked()), -(-positions // plan.chunk_positions)
    folder.mkdir(parents=True, exist_ok=True)
    with only_one(path), opened_to_add(path, facts_of(plan, bench)) as (found, file):
        done = {block.number for block in found.blocks}
        progress = Progress(wanted, len(done), len(found))
        missing: list[tuple[Key, Any]] = [
            (str(chunk), {"plan": plan, "chunk": chunk}) for chunk in range(wanted) if chunk not in done
        ]
        for key, answer in crew.do(do_chunk, missing):
            samples = np.frombuffer(answer["rows"], SAMPLE)
            add_block(file, int(key), samples, answer["seen"])
            progress.chunks += 1
            progress.positions += len(samples)
            progress.played += len(samples)
            progress.games += answer["games"]
            progress.seconds += answer["seconds"]
            if on_chunk is not None:
                on_chunk(progress)
    return path, progress
