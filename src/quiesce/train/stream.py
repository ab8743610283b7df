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

from quiesce.eval.repeats import Repeats, row_hashes, without_games
from quiesce.eval.samples import SAMPLE, Block, SampleFile, Samples, is_held_out, open_samples
from quiesce.eval.tdlambda import td_lambda_scores
from quiesce.train.loss import targets_of
from quiesce.train.reading import Array, ReadSpec, check_td_lambda
from quiesce.train.settings import Log, Settings, TrainError

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
        self._spec = ReadSpec(settings.held_out, settings.td_lambda, settings.sigmoid_scale)
        self._files = [open_samples(path) for path in settings.data]
        for file in self._files:
            check_td_lambda(file, self._spec)
        self._ends = np.cumsum([len(file.blocks) for file in self._files])
        self._rows = np.concatenate([np.zeros(0, np.int64), *(file.blocks.column("rows") for file in self._files)])
        shares = zip(settings.shares(), self._files, strict=True)
        self._shares = np.concatenate([np.zeros(0), *(np.full(len(file.blocks), share) for share, file in shares)])
        self._again: dict[int, Array] = {}
        self._learnt = np.zeros(len(self._rows), np.int64)

    def survey(self, log: Log) -> Survey:
        """Look at everything, twice."""
        repeats, torn = Repeats(), 0
        for number in range(len(self._rows)):
            is_torn, samples = self._read_block(number)
            repeats.add(samples[:0] if is_torn else samples)
        for file in self._files:
            torn += int(file.facts.get("games", 0)) if file.is_shuffled else 0
            log(f"{file.path.name}: {len(file):,} positions{', its end is cut off' if file.is_cut else ''}")
        self._again = repeats.found()
        total, held_out = 0.0, [np.zeros(0, SAMPLE)]
        share = min(1.0, MOST_HELD_OUT / max(self._spec.share * sum(map(len, self._files)), 1.0))
        for group in self._groups(range(len(self._rows))):
            blocks = [self._read_block(number) for number in group]
            self._learnt[group] = [np.count_nonzero(~is_held_out(rows, self._spec.share)) for _, rows in blocks]
            samples = self._joined(blocks)
            is_out = is_held_out(samples, self._spec.share)
            out = samples[is_out]
            held_out.append(out[row_hashes(out) <= np.uint64(share * (2**64 - 2**12))])
            total += float(targets_of(samples[~is_out], self._settings).sum(dtype=np.float64))
        learnt = int(self._learnt.sum())
        if not learnt or not sum(map(len, held_out)):
            raise TrainError(TOO_FEW)
        repeated = sum(map(len, self._again.values()))
        if repeated:
            log(f"{repeated:,} of {repeats.games + torn:,} games repeat earlier ones: they are left out")
        digests = {digest_of(path): path.name for path in self._settings.data}
        games, mean = repeats.games + torn - repeated, total / learnt
        return Survey(learnt, np.concatenate(held_out), games, repeated, mean, digests)

    def batches(self, epoch: int) -> Iterator[Samples]:
        """All positions to learn from once, in an order that the seed and the epoch decide, in equally large batches.

        The next window is read while one is learnt from.
        """
        order = self._order(epoch)
        learnt, rest, done = int(self._learnt[order].sum()), np.zeros(0, SAMPLE), 0
        steps = self.steps_of(learnt)
        bounds = iter([learnt * step // steps for step in range(1, steps + 1)])
        end = next(bounds)
        for window in self._windows(epoch, order):
            rest = np.concatenate([rest, window])
            first = 0
            while done + len(rest) - first >= end:
                yield rest[first : first + end - done]
                first, done = first + end - done, end
                end = next(bounds, learnt + 1)
            rest = rest[first:]

    def positions(self, epoch: int) -> int:
        """Positions that an epoch learns from: shares of files are those of all epochs together."""
        return int(self._learnt[self._order(epoch)].sum())

    def steps_of(self, positions: int) -> int:
        """Batches of an epoch of this many positions."""
        return max(positions // self._settings.batch, 1)

    def _order(self, epoch: int) -> Array:
        """The blocks of an epoch, each as often as its file's share says, in the order of the seed."""
        chance = np.random.default_rng(self._settings.seed * EPOCHS_OF_A_SEED + epoch)
        times = np.floor(self._shares + chance.random(len(self._shares))).astype(np.int64)
        return chance.permutation(np.repeat(np.arange(len(times)), times))

    def _block(self, number: int) -> tuple[SampleFile, Block]:
        """A block by its number in all files, and its file."""
        at = int(np.searchsorted(self._ends, number, side="right"))
        file = self._files[at]
        return file, file.blocks[number - (int(self._ends[at]) - len(file.blocks))]

    def _windows(self, epoch: int, order: Array) -> Iterator[Samples]:
        """Positions to learn from, a window of blocks at a time, mixed."""
        seed = self._settings.seed * EPOCHS_OF_A_SEED + epoch

        def mixed(number: int, group: list[int]) -> Samples:
            samples = self._joined([self._read_block(number) for number in group])
            samples = samples[~is_held_out(samples, self._spec.share)]
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

    def _read_block(self, number: int) -> tuple[bool, Samples]:
        """Whether a block is of a shuffled file, and its samples less the games that were there before."""
        file, block = self._block(number)
        with file.path.open("rb") as opened:
            samples = file.read_block(opened, block)
        again = self._again.get(number)
        return file.is_shuffled, samples if again is None else without_games(samples, again)

    def _joined(self, blocks: list[tuple[bool, Samples]]) -> Samples:
        """The samples of blocks, whole games first; these get TD(lambda) scores if the spec asks for them."""
        nothing = np.zeros(0, SAMPLE)
        whole = np.concatenate([nothing, *(samples for is_torn, samples in blocks if not is_torn)])
        if self._spec.td_lambda:
            whole["score"] = td_lambda_scores(whole, self._spec.td_lambda, self._spec.sigmoid_scale)
        return np.concatenate([whole, *(samples for is_torn, samples in blocks if is_torn)])
