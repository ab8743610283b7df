"""Shell. Samples read from files by several processes at once, as the columns a trainer keeps; without PyTorch."""

import multiprocessing
import os
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from quiesce.eval.features import FEATURES, NO_FEATURE, Features
from quiesce.eval.samples import (
    FIRST_OF_GAME,
    SampleFile,
    Samples,
    SamplesError,
    is_held_out,
    open_samples,
    plain_features,
)
from quiesce.eval.tdlambda import td_lambda_scores
from quiesce.train.settings import Told

PADDING = FEATURES
"""The feature that stands for none; its weights are zero and stay so."""
MOST_READERS = 16

Array = npt.NDArray[Any]
Columns = tuple[Array, Array, Array]
"""The mover's features before they are mirrored, the score and the result."""


class Wish(NamedTuple):
    """How files are read: part of a training's settings."""

    share: float
    """Of games that are held out."""
    foresight: float = 0.0
    win_scale: float = 200.0


class FileRead(NamedTuple):
    """What a file gave."""

    learnt: list[Columns]
    held_out: list[Columns]
    games: int
    news: str


def unpacked(samples: Samples) -> Features:
    """The mover's features of samples, PADDING where there are fewer than MOST_PIECES."""
    stm, _ = plain_features(samples)
    stm[stm == NO_FEATURE] = PADDING
    return stm


def rows_of(samples: Samples) -> Columns:
    """Columns of samples."""
    return unpacked(samples), samples["score"].astype(np.int16), samples["result"].copy()


def check_foresight(file: SampleFile, wish: Wish) -> None:
    """Refuse a shuffled file whose scores do not know what came later in the way that is asked for."""
    has = (file.facts.get("foresight", 0.0), file.facts.get("win_scale", wish.win_scale))
    if file.is_shuffled and has[0] and has != (wish.foresight, wish.win_scale):
        raise SamplesError(f"{file.path}: its scores have --foresight {has[0]} --win-scale {has[1]} in them already")
    if file.is_shuffled and wish.foresight and not has[0]:
        raise SamplesError(
            f"{file.path}: shuffled, so nothing is known of what came later: take what it is made of, or shuffle that "
            f"with --foresight {wish.foresight}"
        )


def read_file(path: Path, wish: Wish) -> FileRead:
    """All samples of a file, those of a share of its games apart.

    A game's own lot decides which side it is on, so that it is there in every file and every training of that share.
    """
    file = open_samples(path)
    check_foresight(file, wish)
    samples = file.read()
    if wish.foresight and not file.is_shuffled:
        samples["score"] = td_lambda_scores(samples, wish.foresight, wish.win_scale)
    is_out = is_held_out(samples, wish.share)
    games = int(((samples["flags"] & FIRST_OF_GAME) > 0).sum())
    news = f"{path.name}: {len(file):,} positions{', its end is cut off' if file.is_cut else ''}"
    return FileRead([rows_of(samples[~is_out])], [rows_of(samples[is_out])], games, news)


def read_files(paths: Sequence[Path], wish: Wish, told: Told) -> tuple[list[Columns], list[Columns], int]:
    """All samples of files: those to learn from, those held out, and how many games there are."""
    readers = min(len(paths), os.cpu_count() or 1, MOST_READERS)
    learnt, held_out, games = list[Columns](), list[Columns](), 0
    with ProcessPoolExecutor(readers, multiprocessing.get_context("spawn")) as pool:
        for found in pool.map(read_file, paths, [wish] * len(paths)):
            learnt += found.learnt
            held_out += found.held_out
            games += found.games
            told(found.news)
    return learnt, held_out, games
