"""Shell. Games of many files reviewed by a pool, each kept in the store before it counts."""

import hashlib
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import chess.pgn

from quiesce.cachekey import PACKAGE
from quiesce.engine import Engine
from quiesce.review.exercises import Exercise, answer_to, candidates, exercise_of
from quiesce.review.plan import BOTH, MEGABYTES, ReviewPlan, plan_from
from quiesce.review.reading import Source, decoded, read_source, sources_in
from quiesce.review.review import review_from
from quiesce.review.reviewing import review_game
from quiesce.work.identity import sources_digest
from quiesce.work.lifetime import at_end
from quiesce.work.pool import WorkerPool
from quiesce.work.store import Run, Store

KIND = "review"
STDIN_WORD, STDIN_NAME = "-", "standard input"
PATTERN = "*.pgn"
REVIEW, DAMAGED = "review", "damaged"
"""Fields of an item: the review, or the error."""

EXERCISE = "exercise"
DIGITS = 16

OnDone = Callable[[Mapping[str, Any]], None]


class FilesError(ValueError):
    """Files that cannot be read; the message says which."""


@dataclass(frozen=True, slots=True)
class File:
    """A PGN file, or what came by standard input."""

    name: str
    path: Path | None
    data: bytes = b""

    def read(self) -> bytes:
        """All that is in it."""
        return self.data if self.path is None else self.path.read_bytes()

    def sources(self) -> Iterator[Source]:
        """Its games as text."""
        return sources_in(decoded(self.read()), self.name)


def files_of(words: Sequence[str]) -> list[File]:
    """The files that a command line names: files, folders with all PGN files below them, `-` for standard input.

    A file that is named twice counts once.
    """
    found = list[File]()
    for word in dict.fromkeys(words):
        path = Path(word)
        if word == STDIN_WORD:
            found.append(File(STDIN_NAME, None, sys.stdin.buffer.read()))
        elif path.is_dir():
            inside = sorted(path.rglob(PATTERN))
            if not inside:
                raise FilesError(f"{word}: there is no PGN file in this folder")
            found += [File(str(one), one) for one in inside]
        elif path.is_file():
            found.append(File(word, path))
        else:
            raise FilesError(f"{word}: there is no such file or folder")
    once: dict[Path | None, File] = {}
    for file in found:
        once.setdefault(file.path.resolve() if file.path else None, file)
    return list(once.values())


@dataclass(frozen=True, slots=True)
class Order:
    """Games to review, and how; for a player only his moves."""

    files: Sequence[File]
    plan: ReviewPlan
    player: str = ""

    def games(self) -> Iterator[tuple[str, Source]]:
        """All games by key, in their order."""
        for place, file in enumerate(self.files):
            for source in file.sources():
                yield f"{place}.{source.number}", source

    def config(self) -> dict[str, Any]:
        """What decides the answers."""
        digests = [hashlib.sha256(file.read()).hexdigest() for file in self.files]
        asked = {"files": digests, "plan": self.plan.facts(), "player": self.player}
        return asked | {"engine": sources_digest(), "judge": judge_digest()}

    def run(self, store: Store) -> Run:
        """The run in which the reviews are kept."""
        names = ", ".join(Path(file.name).name for file in self.files[:2])
        more = f" and {len(self.files) - 2} more" if len(self.files) > 2 else ""
        return store.run(KIND, names + more, self.config())


@cache
def judge_digest() -> str:
    """Digest of the sources that judge: other sources may judge differently."""
    whole = hashlib.sha256()
    for path in sorted(path for path in (PACKAGE / "review").rglob("*") if path.suffix in (".py", ".tsv")):
        whole.update(path.relative_to(PACKAGE).as_posix().encode() + b"\0" + path.read_bytes())
    return whole.hexdigest()[:DIGITS]


@cache
def engine_of(_: int) -> Engine:
    """The engine of a thread, kept from game to game: some clusters have several workers in a process."""
    made = Engine(MEGABYTES)
    at_end(made.close)
    return made


def review_one(task: dict[str, Any]) -> dict[str, Any]:
    """Review a game; an unreadable game gives its error."""
    try:
        game = read_source(task["text"])
        plan = plan_for(game, plan_from(task["plan"]), task["player"])
        return {REVIEW: review_game(engine_of(threading.get_ident()), game, plan).facts()}
    except ValueError as error:
        return {DAMAGED: str(error)}


def plan_for(game: chess.pgn.Game, plan: ReviewPlan, player: str) -> ReviewPlan:
    """The plan of one game: of a player's, only the side he has, by a part of his name."""
    if not player:
        return plan
    own = [colour for colour in BOTH if player.lower() in game.headers.get(colour.title(), "").lower()]
    return replace(plan, colours=tuple(colour for colour in plan.colours if colour in own))


def review_all(order: Order, run: Run, pool: WorkerPool, on_done: OnDone | None = None) -> None:
    """Review the games that a run has not stored, with a pool; `on_done` is called for each game, stored ones first."""
    with run.worked_on():
        kept = run.keys()
        if on_done is not None:
            for _ in (key for key in kept if EXERCISE not in key):
                on_done({})
        told = {"plan": order.plan.facts(), "player": order.player}
        tasks = ((key, {"text": source.text} | told) for key, source in order.games() if key not in kept)
        for key, found in pool.do(review_one, tasks):
            run.add(key, found)
            if on_done is not None:
                on_done(found)


def exercise_one(task: dict[str, Any]) -> dict[str, Any]:
    """See whether a position has one answer, and which."""
    return answer_to(engine_of(threading.get_ident()), task)


def check_exercises(order: Order, run: Run, pool: WorkerPool, on_done: OnDone | None = None) -> None:
    """Search the unchecked mistakes of a finished run more deeply, with a pool."""
    with run.worked_on():
        kept = run.keys()

        def tasks() -> Iterator[tuple[str, dict[str, Any]]]:
            for key, _ in order.games():
                for ply, question in candidates_in(run.item(key)):
                    if exercise_key(key, ply) not in kept:
                        yield exercise_key(key, ply), question

        for key, found in pool.do(exercise_one, tasks()):
            run.add(key, found)
            if on_done is not None:
                on_done(found)


def candidates_in(found: Mapping[str, Any]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Positions of a game's item that may be exercises."""
    return candidates(review_from(found[REVIEW])) if REVIEW in found else iter(())


def exercise_key(key: str, ply: int) -> str:
    """The key of a checked exercise in the store."""
    return f"{key}.{EXERCISE}.{ply}"


def exercises_in(order: Order, run: Run) -> Iterator[Exercise]:
    """All exercises of a run."""
    for key, _ in order.games():
        found = run.item(key)
        for ply, _ in candidates_in(found):
            made = exercise_of(review_from(found[REVIEW]), ply, run.item(exercise_key(key, ply)))
            if made is not None:
                yield made


def reviews_in(order: Order, run: Run) -> Iterator[tuple[int, Source, Mapping[str, Any]]]:
    """All games in order, each with the number of its file and its stored review."""
    for key, source in order.games():
        yield int(key.partition(".")[0]), source, run.item(key)
