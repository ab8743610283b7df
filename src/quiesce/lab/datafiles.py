"""Shell. Whole files of samples: inspect, check, merge, shuffle."""

import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from quiesce import __version__
from quiesce.eval.repeats import Repeats, game_starts, without_games
from quiesce.eval.samples import (
    FIRST_OF_GAME,
    NO_PIECE,
    SAMPLE,
    UNKNOWN,
    WIN,
    SampleFile,
    Samples,
    SamplesError,
    block_bytes,
    fens,
    framed,
    header_bytes,
    is_black,
    open_samples,
    unpack_positions,
)
from quiesce.eval.tdlambda import LAMBDA_FACT, SCALE_FACT, td_lambda_scores
from quiesce.work.files import written_whole
from quiesce.work.store import now

BUCKET_ROWS = 1_000_000
"""Average number of positions a shuffle keeps in memory: 32 MB."""
BLOCK_ROWS = 1 << 16
"""Positions in a block of shuffled ones: sorted within it, which 14 bytes hold where 19 did."""
GROUP_ROWS = 1 << 16
"""Positions per batch of whole games."""
MOST_BUCKETS = 500
"""Most open files of a shuffle."""
KINGS = (10, 11)
SCORE_EDGES = (-1_500, -800, -400, -200, -100, -25, 25, 100, 200, 400, 800, 1_500)
"""Points between which scores are counted."""

RESULTS = ("losses", "draws", "wins", "unknown")
"""By their numbers in samples."""

OnRows = Callable[[int, int], None]


@dataclass(slots=True)
class Census:
    """Counts over samples."""

    rows: int = 0
    games: int = 0
    results: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros(len(RESULTS), np.int64))
    """Losses, draws and wins of the side to move, and unknown results."""
    white: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros(len(RESULTS), np.int64))
    """The same for White."""
    scores: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros(len(SCORE_EDGES) + 1, np.int64))
    """Between each two of SCORE_EDGES, side to move's view."""
    pieces: int = 0

    def add(self, samples: Samples) -> None:
        """Count some."""
        results, black = samples["result"], is_black(samples)
        self.rows += len(samples)
        self.games += int(np.count_nonzero(samples["flags"] & FIRST_OF_GAME))
        is_turned = black & (results != UNKNOWN)
        self.results += np.bincount(results, minlength=len(RESULTS))
        self.white += np.bincount(np.where(is_turned, WIN - results, results), minlength=len(RESULTS))
        self.scores += np.bincount(np.searchsorted(SCORE_EDGES, samples["score"]), minlength=len(SCORE_EDGES) + 1)
        self.pieces += int(np.bitwise_count(samples["occupancy"]).sum())


def census_of(file: SampleFile) -> Census:
    """Counts over a file. The number of games of a shuffled file comes from its header."""
    census = Census()
    for samples in file:
        census.add(samples)
    if file.is_shuffled:
        census.games = int(file.facts.get("games", 0))
    return census


def plies_of(file: SampleFile) -> int:
    """Plies played for a file; 0 if unknown."""
    return int(file.facts.get("seen", 0)) if file.is_shuffled else int(file.blocks.column("seen").sum())


PLAN = (
    "version",
    "sources",
    "weights",
    "weights_digest",
    "nodes",
    "openings",
    "book",
    "random_plies",
    "offshoots",
    "interior",
    "seed",
)
"""What of a header says how positions were made."""


def listed(path: Path) -> dict[str, Any]:
    """A file of a library by its heads alone, which takes no time: size, positions, kind and plan."""
    file, size = open_samples(path), path.stat().st_size
    kind = "shuffle" if file.is_shuffled else str(file.facts.get("kind", "unknown"))
    return {
        "file": str(path),
        "positions": len(file),
        "blocks": len(file.blocks),
        "bytes": size,
        "is_cut": file.is_cut,
        "kind": "offshoots" if file.facts.get("offshoots") else kind,
        "plan": {name: file.facts[name] for name in PLAN if name in file.facts},
    }


def info_of(path: Path) -> dict[str, Any]:
    """Facts about a file."""
    file, size = open_samples(path), path.stat().st_size
    census, seen = census_of(file), plies_of(file)
    rows = max(census.rows, 1)
    return {
        "file": str(path),
        "header": file.facts,
        "positions": census.rows,
        "games": census.games,
        "blocks": len(file.blocks),
        "bytes": size,
        "bytes_a_position": round(size / rows, 2),
        "is_cut": file.is_cut,
        "is_shuffled": file.is_shuffled,
        "plies": seen,
        "quiet_share": round(census.rows / seen, 4) if seen else None,
        "mover": dict(zip(RESULTS, census.results.tolist(), strict=True)),
        "white": dict(zip(RESULTS, census.white.tolist(), strict=True)),
        "score_edges": SCORE_EDGES,
        "scores": census.scores.tolist(),
        "men": round(census.pieces / rows, 2),
    }


def check(path: Path, repeats: Repeats | None = None) -> SampleFile:
    """Read every block of a file. Raises SamplesError for the first damaged or impossible one.

    Games are added to `repeats`, if given.
    """
    file = open_samples(path)
    with path.open("rb") as opened:
        for block in file.blocks:
            samples = file.read_block(opened, block)
            if trouble := trouble_in(samples):
                raise SamplesError(f"{path}: block {block.number}: {trouble}")
            if not file.is_shuffled and len(samples) and not samples["flags"][0] & FIRST_OF_GAME:
                raise SamplesError(f"{path}: block {block.number} does not begin with a game")
            if repeats is not None and not file.is_shuffled:
                repeats.add(samples)
    return file


def trouble_in(samples: Samples) -> str:
    """The error in samples, or an empty text."""
    if (samples["result"] > UNKNOWN).any():
        return "an invalid result"
    if (np.bitwise_count(samples["occupancy"]) > 32).any():
        return "a position with more than 32 pieces"
    boards = unpack_positions(samples)
    if ((boards < NO_PIECE).sum(axis=1) != np.bitwise_count(samples["occupancy"])).any():
        return "a piece of no kind"
    if any(((boards == king).sum(axis=1) != 1).any() for king in KINGS):
        return "a position without one king a side"
    return ""


def whole(paths: Iterable[Path]) -> list[SampleFile]:
    """Files that are to become one; those shuffled do not mix with those that are not."""
    files = [open_samples(path) for path in paths]
    if len({file.is_shuffled for file in files}) > 1:
        raise SamplesError("shuffled files and others cannot be merged: shuffle them all together instead")
    return files


def origin_of(files: list[SampleFile], kind: str) -> dict[str, Any]:
    """What the header of a file made of others says."""
    sources = [{"file": file.path.name, "positions": len(file)} | file.facts for file in files]
    return {"kind": kind, "version": __version__, "created": now(), "made_of": sources}


def merge(paths: list[Path], out: Path) -> int:
    """Write all blocks of several files into one, numbered anew; returns the number of positions."""
    files, number = whole(paths), 0
    facts = origin_of(files, "merge")
    if files and files[0].is_shuffled:
        facts |= {"shuffled": True, "seen": sum(map(plies_of, files))}
        facts["games"] = sum(int(file.facts.get("games", 0)) for file in files)
    with written_whole(out) as made:
        made.write(header_bytes(facts))
        for file in files:
            with file.path.open("rb") as opened:
                for block in file.blocks:
                    made.write(framed(number, block.rows, block.seen, file.payload(opened, block)))
                    number += 1
    return sum(map(len, files))


def repeats_of(files: Sequence[SampleFile]) -> Repeats:
    """The games of all blocks of files; shuffled ones have none."""
    repeats = Repeats()
    for file in files:
        for samples in file:
            repeats.add(samples[:0] if file.is_shuffled else samples)
    return repeats


def games_once(files: Sequence[SampleFile], again: dict[int, npt.NDArray[np.intp]]) -> Iterator[Samples]:
    """Samples of files in groups of blocks, whole games and shuffled ones apart; some games of blocks left out."""
    number = 0
    for file in files:
        group, rows = list[Samples](), 0
        for samples in file:
            group.append(without_games(samples, again[number]) if number in again else samples)
            rows, number = rows + len(samples), number + 1
            if rows >= GROUP_ROWS:
                yield np.concatenate(group)
                group, rows = [], 0
        if group:
            yield np.concatenate(group)


@dataclass(frozen=True, slots=True)
class Ahead:
    """How scores are blended with later ones of their games, as in training."""

    td_lambda: float = 0.0
    sigmoid_scale: float = 200.0


NOTHING_AHEAD = Ahead()


def knowing(files: Sequence[SampleFile], ahead: Ahead) -> dict[str, Any]:
    """What the header of files shuffled together says of their lambda; refused if files differ in it."""
    known = {(file.facts.get(LAMBDA_FACT, 0.0), file.facts.get(SCALE_FACT)) for file in files if file.is_shuffled}
    wanted = (ahead.td_lambda, ahead.sigmoid_scale) if ahead.td_lambda else (0.0, None)
    if ahead.td_lambda or any(not file.is_shuffled for file in files):
        known.add(wanted)
    if len(known) > 1:
        raise SamplesError("some of these files are shuffled, and know more or less of what came later than is asked")
    td_lambda, scale = known.pop() if known else wanted
    return {LAMBDA_FACT: td_lambda, SCALE_FACT: scale} if td_lambda else {}


def shuffle(
    paths: list[Path],
    out: Path,
    seed: int,
    on_rows: OnRows | None = None,
    rows: int = BUCKET_ROWS,
    ahead: Ahead = NOTHING_AHEAD,
) -> int:
    """Write all positions of files in random order by the seed, with little memory; returns their number.

    Each position goes to a random bucket, then each bucket is shuffled; within a block positions are sorted. Repeated
    games are written once. The order of moves is lost, and the header says so. A position's split bucket still
    separates most games.
    """
    files = [open_samples(path) for path in paths]
    total, done = sum(map(len, files)), 0
    known, again = knowing(files, ahead), repeats_of(files).found()
    buckets = min(max(-(-total // rows), 1), MOST_BUCKETS)
    chance = np.random.default_rng(seed)
    games = sum(int(file.facts.get("games", 0)) for file in files if file.is_shuffled)
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out.parent, prefix=f".{out.name}.") as folder, ExitStack() as opened:
        parts = [opened.enter_context(Path(folder, str(number)).open("w+b")) for number in range(buckets)]
        for samples in games_once(files, again):
            begun = len(game_starts(samples))
            if begun and ahead.td_lambda:
                samples["score"] = td_lambda_scores(samples, ahead.td_lambda, ahead.sigmoid_scale)
            games += begun
            throw(samples, parts, chance)
            done += len(samples)
            if on_rows is not None:
                on_rows(done, 2 * total)
        facts = origin_of(files, "shuffle") | {"shuffled": True, "shuffle_seed": seed, "sorted": "in blocks"} | known
        with written_whole(out) as made:
            made.write(header_bytes(facts | {"games": games, "seen": sum(map(plies_of, files))}))
            draw_out(parts, made, chance, lambda written: on_rows and on_rows(total + written, 2 * total))
    return done


def throw(samples: Samples, parts: Sequence[IO[bytes]], chance: np.random.Generator) -> None:
    """Throw positions into buckets."""
    torn = samples.copy()
    torn["flags"] &= 255 - FIRST_OF_GAME
    where = chance.integers(len(parts), size=len(torn))
    for number in np.unique(where):
        parts[number].write(torn[where == number].tobytes())


def draw_out(
    parts: Sequence[IO[bytes]], made: IO[bytes], chance: np.random.Generator, on_written: Callable[[int], Any]
) -> None:
    """Shuffle each bucket and write it, block by block."""
    number = written = 0
    for part in parts:
        part.seek(0)
        samples = np.frombuffer(part.read(), SAMPLE)
        samples = samples[chance.permutation(len(samples))]
        for start in range(0, len(samples), BLOCK_ROWS):
            rows = samples[start : start + BLOCK_ROWS]
            rows = rows[np.lexsort((rows["occupancy"], np.bitwise_count(rows["occupancy"])))]
            made.write(block_bytes(number, rows))
            number += 1
            written += len(rows)
            on_written(written)


def some(path: Path, count: int, seed: int) -> list[dict[str, Any]]:
    """Positions of a file picked by a seed, as FEN with score and result of the side to move."""
    file = open_samples(path)
    wanted = np.sort(np.random.default_rng(seed).permutation(len(file))[:count])
    picked, start = [np.zeros(0, SAMPLE)], 0
    with path.open("rb") as opened:
        for block in file.blocks:
            inside = wanted[(wanted >= start) & (wanted < start + block.rows)] - start
            if len(inside):
                picked.append(file.read_block(opened, block)[inside])
            start += block.rows
    samples = np.concatenate(picked)
    return [
        {"fen": fen, "score": int(sample["score"]), "result": int(sample["result"])}
        for fen, sample in zip(fens(samples), samples, strict=True)
    ]
