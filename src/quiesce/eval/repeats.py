"""Shell. Games that stand more than once in files of samples: found by a number of 64 bits for each game."""

from typing import Any

import numpy as np
import numpy.typing as npt

from quiesce.eval.samples import FIRST_OF_GAME, SAMPLE, Samples, SamplesError

WORDS = SAMPLE.itemsize // 8
MULTIPLIERS = np.array(
    [0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0xD6E8FEB86659FD93], np.uint64
)  # odd, as many as there are words in a sample
SHIFT = np.uint64(29)

Hashes = npt.NDArray[np.uint64]


def row_hashes(samples: Samples) -> Hashes:
    """A number for each sample that differs, most likely, from that of any other; the first of a game is no other."""
    plain = np.ascontiguousarray(samples).copy()
    plain["flags"] &= 255 - FIRST_OF_GAME
    words = plain.view(np.uint64).reshape(-1, WORDS)
    total = np.zeros(len(samples), np.uint64)
    for number, multiplier in enumerate(MULTIPLIERS):
        total = (total ^ words[:, number]) * multiplier
        total ^= total >> SHIFT
    return total


def game_starts(samples: Samples) -> npt.NDArray[np.intp]:
    """Indices of the first sample of each game; `samples` holds whole games."""
    return np.flatnonzero(samples["flags"] & FIRST_OF_GAME)


def game_hashes(samples: Samples) -> Hashes:
    """A number for each game of a block, the same for games of the same samples in the same order."""
    starts = game_starts(samples)
    if not len(starts):
        return np.zeros(0, np.uint64)
    place = np.arange(len(samples)) - np.repeat(starts, np.diff(np.append(starts, len(samples))))
    rows = row_hashes(samples) * (2 * place.astype(np.uint64) + np.uint64(1))
    return np.add.reduceat(rows, starts)


class Repeats:
    """Collects the games of blocks, and tells which of them have been there before."""

    def __init__(self) -> None:
        self._hashes: list[Hashes] = []

    def add(self, samples: Samples) -> None:
        """Note the games of a further block; raises SamplesError for one that does not begin with a game."""
        if len(samples) and not samples["flags"][0] & FIRST_OF_GAME:
            raise SamplesError("a block that does not begin with a game, in a file that is not shuffled")
        self._hashes.append(game_hashes(samples))

    @property
    def games(self) -> int:
        """Games of all blocks."""
        return sum(map(len, self._hashes))

    def found(self) -> dict[int, npt.NDArray[np.intp]]:
        """By block, in the order they were added: the games in it that stood in it, or in one before it, already."""
        if not self.games:
            return {}
        lengths = [len(hashes) for hashes in self._hashes]
        is_again = np.ones(self.games, bool)
        is_again[np.unique(np.concatenate(self._hashes), return_index=True)[1]] = False
        starts = np.concatenate([[0], np.cumsum(lengths)])
        again = np.flatnonzero(is_again)
        blocks = np.searchsorted(starts, again, side="right") - 1
        return {int(block): again[blocks == block] - starts[block] for block in np.unique(blocks)}


def without_games(samples: Samples, games: Any) -> Samples:
    """A block's samples less those of some of its games, named by their order."""
    is_kept = np.ones(int(np.count_nonzero(samples["flags"] & FIRST_OF_GAME)), bool)
    is_kept[games] = False
    lengths = np.diff(np.append(game_starts(samples), len(samples)))
    found: Samples = samples[np.repeat(is_kept, lengths)]
    return found
