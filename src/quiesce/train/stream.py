"""Shell. Samples of many files, read block by block in the order of a seed: any number of them in little memory.

A first look at all blocks finds games that are there more than once, of which one is learnt from; a second counts what
is left and sets held-out games apart. Each epoch reads the blocks in an order of its own and mixes the positions of a
window of them. A block holds whole games unless its file is shuffled, so it tells what came later in each.
"""

import hashlib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from quiesce.eval.foresight import foreseen
from quiesce.eval.repeats import Repeats, row_hashes, without_games
from quiesce.eval.samples import SAMPLE, Block, SampleFile, Samples, is_held_out, open_samples
from quiesce.train.loss import targets_of
from quiesce.train.reading import Array, Wish, check_foresight
from quiesce.train.settings import Settings, Told, TrainError

READ_BYTES = 1 << 22
MOST_HELD_OUT = 1 << 20
"""Held-out positions that are asked; of more, some that do not depend on anything but themselves."""
EPOCHS_OF_A_SEED = 100_000
"""Epochs of one seed, so that no two seeds share an order."""
TOO_FEW = "too few games to learn from some and hold out others: more data, or another --held-out"


def digest_of(path: Path) -> str:
    """SHA-256 of a file."""
    found = hashlib.sha256()
    with path.open("rb") as file:
        while part := file.read(READ_BYTES):
            found.update(part)
    return found.hexdigest()


@dataclass(frozen=True, slots=True)
class Survey:
    """What there is to learn from."""

    learnt: int
    """Positions."""
    held_out: Samples
    """Positions that are asked how good the network is."""
    games: int
    repeated: int
    """Games that are there already, and left out."""
    mean: float
    """Target of the positions to learn from, on average."""
    digests: dict[str, str]
    """Names of the files by their SHA-256."""


class Stream:
    """All blocks of some files, in any order."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._wish = Wish(settings.held_out, settings.foresight, settings.win_scale)
        self._files = [open_samples(path) for path in settings.data]
        for file in self._files:
            check_foresight(file, self._wish)
        self._ends = np.cumsum([len(file.blocks) for file in self._files])
        self._rows = np.concatenate([np.zeros(0, np.int64), *(file.blocks.column("rows") for file in self._files)])
        self._again: dict[int, Array] = {}
        self._learnt = 0

    def survey(self, told: Told) -> Survey:
        """Look at everything, twice."""
        repeats, torn = Repeats(), 0
        for number in range(len(self._rows)):
            is_torn = self._block(number)[0].is_shuffled
            repeats.add(np.zeros(0, SAMPLE) if is_torn else self._read([number], is_plain=True))
        for file in self._files:
            torn += int(file.facts.get("games", 0)) if file.is_shuffled else 0
            told(f"{file.path.name}: {len(file):,} positions{', its end is cut off' if file.is_cut else ''}")
        self._again = repeats.found()
        total, held_out = 0.0, [np.zeros(0, SAMPLE)]
        share = min(1.0, MOST_HELD_OUT / max(self._wish.share * sum(map(len, self._files)), 1.0))
        for group in self._groups(range(len(self._rows))):
            samples = self._read(group)
            is_out = is_held_out(samples, self._wish.share)
            learnt, out = samples[~is_out], samples[is_out]
            held_out.append(out[row_hashes(out) <= np.uint64(share * (2**64 - 2**12))])
            self._learnt += len(learnt)
            total += float(targets_of(learnt, self._settings).sum(dtype=np.float64))
        if not self._learnt or not sum(map(len, held_out)):
            raise TrainError(TOO_FEW)
        repeated = sum(map(len, self._again.values()))
        if repeated:
            told(f"{repeated:,} of {repeats.games + torn:,} games are there more than once: learnt from once")
        digests = {digest_of(path): path.name for path in self._settings.data}
        games, mean = repeats.games + torn - repeated, total / self._learnt
        return Survey(self._learnt, np.concatenate(held_out), games, repeated, mean, digests)

    def batches(self, epoch: int) -> Iterator[Samples]:
        """All positions to learn from once, in an order that the seed and the epoch decide, in equally large batches.

        The next window is read while one is learnt from.
        """
        steps, rest, done = self.steps, np.zeros(0, SAMPLE), 0
        bounds = iter([self._learnt * step // steps for step in range(1, steps + 1)])
        end = next(bounds)
        for window in self._windows(epoch):
            rest = np.concatenate([rest, window])
            first = 0
            while done + len(rest) - first >= end:
                yield rest[first : first + end - done]
                first, done = first + end - done, end
                end = next(bounds, self._learnt + 1)
            rest = rest[first:]

    @property
    def steps(self) -> int:
        """Batches of an epoch."""
        return max(self._learnt // self._settings.batch, 1)

    def _block(self, number: int) -> tuple[SampleFile, Block]:
        """A block by its number in all files, and its file."""
        at = int(np.searchsorted(self._ends, number, side="right"))
        file = self._files[at]
        return file, file.blocks[number - (int(self._ends[at]) - len(file.blocks))]

    def _windows(self, epoch: int) -> Iterator[Samples]:
        """Positions to learn from, a window of blocks at a time, mixed."""
        seed = self._settings.seed * EPOCHS_OF_A_SEED + epoch
        order = np.random.default_rng(seed).permutation(len(self._rows))

        def mixed(number: int, group: list[int]) -> Samples:
            samples = self._read(group)
            samples = samples[~is_held_out(samples, self._wish.share)]
            return samples[np.random.default_rng([seed, number]).permutation(len(samples))]

        with ThreadPoolExecutor(1, "reader") as pool:
            waiting = None
            for number, group in enumerate(self._groups(order.tolist())):
                ahead = pool.submit(mixed, number, group)
                if waiting is not None:
                    yield waiting.result()
                waiting = ahead
            if waiting is not None:
                yield waiting.result()

    def _groups(self, order: Sequence[int]) -> Iterator[list[int]]:
        """Numbers of blocks, in groups of about a window's positions."""
        group, rows = list[int](), 0
        for number in order:
            group.append(number)
            rows += int(self._rows[number])
            if rows >= self._settings.window:
                yield group
                group, rows = [], 0
        if group:
            yield group

    def _read(self, group: list[int], is_plain: bool = False) -> Samples:
        """The samples of blocks: those of whole games first, unless plain, knowing what came later, each game once."""
        whole, torn = [np.zeros(0, SAMPLE)], [np.zeros(0, SAMPLE)]
        for number in group:
            file, block = self._block(number)
            with file.path.open("rb") as opened:
                samples = file.read_block(opened, block)
            if number in self._again:
                samples = without_games(samples, self._again[number])
            (torn if file.is_shuffled else whole).append(samples)
        games = np.concatenate(whole)
        if self._wish.foresight and not is_plain:
            games["score"] = foreseen(games, self._wish.foresight, self._wish.win_scale)
        return np.concatenate([games, *torn])
