"""Shell. Training positions by self-play at fixed nodes: quiet positions with score and result.

Chunk k depends only on the plan and k. A finished chunk is one block of the plan's file, written before it counts. So a
plan always gives the same set of blocks, in any order.
"""

import hashlib
import json
import os
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any

import numpy as np

from quiesce import __version__
from quiesce.board.randomwalk import LONGEST_WALK, random_opening
from quiesce.board.tables import tables
from quiesce.board.types import CAPTURE, FLAG_SHIFT
from quiesce.engine.selfplay import BROKEN_OFF, DRAWN, KERNELS, MOST_INTERIOR, SelfPlay, replayed
from quiesce.eval.evaluator import new_evaluator
from quiesce.eval.names import DEFAULT_EVAL
from quiesce.eval.perturbed import PERTURBED, PERTURBED_SLOTS, find_perturbed
from quiesce.eval.samples import (
    INTERIOR,
    SAMPLE,
    UNKNOWN,
    SampleFile,
    Samples,
    SamplesError,
    as_game,
    block_bytes,
    header_bytes,
    open_samples,
    pack_positions,
)
from quiesce.jit import copy_record, warm_up
from quiesce.lab.arena import DEFAULT_NODES
from quiesce.lab.dataopenings import LARGEST_OPENING, LINES, SOURCES, book_of, digest_of_book, openings_of
from quiesce.lab.match.openings import DEFAULT_BOOK
from quiesce.records import new
from quiesce.search.params import OptionError, check_option
from quiesce.work.files import only_one, written_whole
from quiesce.work.identity import sources_digest
from quiesce.work.pool import Key, WorkerPool
from quiesce.work.store import now

DEFAULT_POSITIONS = 1_000_000
CHUNK_POSITIONS = 1_000
"""A chunk ends with the game that reaches this many positions; a kill loses at most one chunk per process."""
DEFAULT_RANDOM_PLIES = (4, 8)
DEFAULT_INTERIOR = 3
"""Interior nodes of a search that the command keeps, unless told otherwise."""
HARD_NODES, PLAY_MEGABYTES = 4, 1
"""Hard node limit as a multiple of the soft one; MB of each side's table."""
LARGEST_SCORE = 3_000
"""Points beyond which a game is decided and teaches nothing; mates are far beyond."""
BARE_SCORE = 400
"""Points against a bare king that are a win: a hundred nodes a move do not always find the mate in fifty moves."""
DRAWN_TAIL = 12
"""In the last plies of a drawn game a score of exactly 0 comes from the repetition."""
FIRST_NOISY = int(CAPTURE) << int(FLAG_SHIFT)
"""Moves from this number on are captures and promotions."""
SUFFIX = ".samples"
MOVE_AWAY = "nothing is added to it: move the file away, and the same command makes its chunks anew"


class DatagenError(ValueError):
    """A plan that cannot be played; the message says why."""


@dataclass(frozen=True, slots=True)
class DataPlan:
    """What decides every chunk."""

    seed: int = 1
    nodes: int = DEFAULT_NODES
    """Of a move, after which no further iteration begins."""
    random_plies: tuple[int, int] = DEFAULT_RANDOM_PLIES
    weights: str = DEFAULT_EVAL
    """By name or file, which on a cluster all must have."""
    options: dict[str, int] = field(default_factory=dict)
    """Of the search, both sides."""
    chunk_positions: int = CHUNK_POSITIONS
    offshoots: int = 0
    """Of each position, kept instead of it; 0 keeps the games' own."""
    interior: int = 0
    """Of each search, positions from inside it that are kept beside the game's own, at most."""
    openings: str = LINES
    """LINES or ENDS of a book."""
    book: str = DEFAULT_BOOK
    largest_opening: int = LARGEST_OPENING
    """Largest advantage at the start of a game, in points."""

    def checked(self) -> "DataPlan":
        """The plan, if it can be played."""
        low, high = self.random_plies
        if not 0 <= low <= high <= LONGEST_WALK:
            raise DatagenError(f"random plies go from {low} to {high}: 0 to {LONGEST_WALK} can be asked for")
        if not 0 <= self.offshoots <= PERTURBED_SLOTS:
            raise DatagenError(f"{self.offshoots} offshoots of a position: 0 to {PERTURBED_SLOTS}")
        if not 0 <= self.interior <= MOST_INTERIOR:
            raise DatagenError(f"{self.interior} interior nodes of a search: 0 to {MOST_INTERIOR}")
        if self.offshoots and self.interior:
            raise DatagenError("offshoots take the place of a game's positions: no interior nodes beside them")
        if self.openings not in SOURCES:
            raise DatagenError(f"openings must be {' or '.join(SOURCES)}, not {self.openings!r}")
        try:
            for name, value in self.options.items():
                check_option(name, value)
            new_evaluator(self.weights)
            book_of(self.book)
        except (OptionError, ValueError) as error:
            raise DatagenError(str(error)) from None
        return self

    def identity(self) -> dict[str, Any]:
        """The plan with what our engine and its weights are now: all that decides the positions."""
        evaluator = new_evaluator(self.weights)
        numbers = hashlib.sha256(evaluator.weights.tobytes() + evaluator.network.tobytes()).hexdigest()[:16]
        told: dict[str, Any] = json.loads(json.dumps(asdict(self)))
        told["book_digest"] = digest_of_book(self.book)
        return told | {"version": __version__, "sources": sources_digest(), "weights_digest": numbers}


def digest_of(identity: dict[str, Any]) -> str:
    """A short name for a plan's identity."""
    return hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()[:8]


def facts_of(plan: DataPlan, bench: int | None = None) -> dict[str, Any]:
    """The header of a plan's file."""
    facts = plan.identity() | {"kind": "datagen", "created": now()}
    return facts if bench is None else facts | {"bench": bench}


def path_of(folder: Path, plan: DataPlan) -> Path:
    """The one file of a plan."""
    return folder / f"{plan.seed}-{digest_of(plan.identity())}{SUFFIX}"


def is_worth_keeping(positions: Any, choices: Any, moves: Any, scores: Any, result: int) -> Any:
    """Which positions of a game teach something.

    Out of check, before a quiet move that was not the only one (the search does not think about an only move), with a
    score that is no mate and not beyond LARGEST_SCORE; each once a game; no bare kings, which networks are not asked
    about; not the zeros at the end of a drawn one.
    """
    kept = (positions["checkers"] == 0) & (moves < FIRST_NOISY) & (choices > 1)
    kept &= (np.bitwise_count(positions["colours"]) > 1).all(axis=1)
    kept &= np.abs(scores.astype(np.int64)) <= LARGEST_SCORE
    is_first = np.zeros(len(moves), bool)
    is_first[np.unique(positions["key"], return_index=True)[1]] = True
    kept &= is_first
    if result == DRAWN:
        kept[-DRAWN_TAIL:] &= scores[-DRAWN_TAIL:] != 0
    return kept


def samples_of(opening: Any, moves: Any, scores: Any, result: int, interior: Any = ()) -> Samples:
    """The samples of a game, its interior nodes last; the result is White's, +1, 0 or -1."""
    positions, choices = replayed(opening, moves)
    kept = is_worth_keeping(positions, choices, moves, scores, result)
    found = labelled(positions[kept], scores[kept], result)
    if not len(interior):
        return as_game(found)
    inside = interior[is_new_inside(positions, interior)]
    more = labelled(inside["position"], inside["score"], result)
    more["flags"] |= INTERIOR
    return as_game(np.concatenate([found, more]))


def labelled(positions: Any, scores: Any, result: int) -> Samples:
    """Samples of a game's positions, the result turned to each mover's side."""
    signs = 1 - 2 * positions["turn"].astype(np.int64)
    return pack_positions(positions, scores, 1 + signs * result)


def is_new_inside(positions: Any, interior: Any) -> Any:
    """Which interior nodes teach something that the positions of their game do not; each once a game."""
    keys = np.concatenate([positions["key"], interior["position"]["key"]])
    is_new = np.zeros(len(keys), bool)
    is_new[np.unique(keys, return_index=True)[1]] = True
    found: Any = is_new[len(positions) :] & (np.abs(interior["score"]) <= LARGEST_SCORE)
    found &= (np.bitwise_count(interior["position"]["colours"]) > 1).all(axis=1)
    return found


class Offshoots:
    """Perturbed positions around those of a game, scored by the hand-made terms, without results."""

    def __init__(self, each: int, seed: str) -> None:
        self._judge, self._state = new_evaluator(), new(PERTURBED)
        self._state.wanted = each
        self._state.walk.draw = zlib.crc32(seed.encode()) + 1
        self._origin, self._found, self._scores = self._state.walk.line[0], self._state.found, self._state.scores

    def __call__(self, opening: Any, moves: Any) -> Samples:
        """Samples around the positions of a game, their result UNKNOWN."""
        found, scores = [], []
        for position in replayed(opening, moves)[0]:
            copy_record(self._origin, position)
            count = int(find_perturbed(tables(), self._judge, self._state))
            found.append(np.array(self._found[:count]))
            scores.append(np.array(self._scores[:count]))
        samples = pack_positions(np.concatenate(found), np.concatenate(scores), UNKNOWN)
        return as_game(samples[np.abs(samples["score"].astype(np.int64)) <= LARGEST_SCORE])


def played_chunk(plan: DataPlan, chunk: int) -> tuple[list[Samples], int]:
    """The games of a chunk, and the number of plies played for them; games without samples are skipped."""
    weights = (plan.weights, plan.weights)
    hard_nodes = HARD_NODES * plan.nodes
    seat = SelfPlay(
        plan.options, plan.options, hard_nodes, weights, PLAY_MEGABYTES, plan.nodes, BARE_SCORE, plan.interior
    )
    offshoots = Offshoots(plan.offshoots, f"{plan.seed}/{chunk}") if plan.offshoots else None
    games, kept, seen = list[Samples](), 0, 0
    for opening in openings_of(plan, chunk):
        result = seat.play(opening, 0)
        assert result != BROKEN_OFF
        seen += seat.plies
        moves, scores = seat.moves, seat.scores
        if offshoots is not None:
            samples = offshoots(opening, moves)
        else:
            samples = samples_of(opening, moves, scores, result, seat.interior)
        if len(samples):
            games.append(samples)
            kept += len(samples)
        if kept >= plan.chunk_positions:
            break
    return games, seen


def play_chunk(plan: DataPlan, chunk: int) -> list[Samples]:
    """The games of a chunk."""
    return played_chunk(plan, chunk)[0]


LAZY_KERNELS = (*KERNELS, random_opening, find_perturbed)
"""Those that playing chess never needs, and making data does."""


def prepare() -> None:
    """Compile or load all kernels, before processes start that would all compile."""
    warm_up()
    for lazy in LAZY_KERNELS:
        lazy.prepare()


def do_chunk(task: dict[str, Any]) -> dict[str, Any]:
    """Play one chunk in a worker process; returns its rows, plies and seconds."""
    prepare()
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
def opened_to_add(path: Path, facts: dict[str, Any]) -> Iterator[tuple[SampleFile, IO[bytes]]]:
    """Open or create a file to add blocks to; an incomplete last block is cut off.

    Raises SamplesError for a file of another plan, or with a damaged block.
    """
    if not path.exists():
        with written_whole(path) as file:
            file.write(header_bytes(facts))
    found = open_samples(path)
    if changed := [name for name in facts if name not in ("created", "bench") and found.facts.get(name) != facts[name]]:
        raise SamplesError(f"{path}: made by another plan ({', '.join(changed)} differ)")
    with path.open("r+b") as file:
        try:
            for block in found.blocks:
                found.payload(file, block)
        except SamplesError as error:
            raise SamplesError(f"{error}; {MOVE_AWAY}") from None
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


def missing_chunks(plan: DataPlan, wanted: int, found: SampleFile) -> Iterator[tuple[Key, Any]]:
    """The tasks of a plan that its file has no block of, one by one: a plan may have a million."""
    is_done, numbers = np.zeros(wanted, bool), found.blocks.column("number")
    is_done[numbers[numbers < wanted]] = True
    for chunk in np.flatnonzero(~is_done):
        yield str(chunk), {"plan": plan, "chunk": int(chunk)}


def grow_file(
    folder: Path,
    plan: DataPlan,
    positions: int,
    pool: WorkerPool,
    on_chunk: Callable[[Progress], None] | None = None,
    bench: int | None = None,
) -> tuple[Path, Progress]:
    """Play chunks until the plan's file has this many positions; existing chunks are not played again."""
    path, wanted = path_of(folder, plan.checked()), -(-positions // plan.chunk_positions)
    folder.mkdir(parents=True, exist_ok=True)
    trouble = DatagenError(f"{path}: another process is adding to it")
    with only_one(path, trouble), opened_to_add(path, facts_of(plan, bench)) as (found, file):
        progress = Progress(wanted, len(found.blocks), len(found))
        for key, answer in pool.do(do_chunk, missing_chunks(plan, wanted, found)):
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
