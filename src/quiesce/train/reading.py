"""Shell. Samples read from files by several processes at once, as the columns a trainer keeps; without PyTorch."""

import multiprocessing
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
from quiesce.eval.tdlambda import LAMBDA_FACT, SCALE_FACT, td_lambda_scores
from quiesce.train.settings import Log
from quiesce.work.cores import cores

PADDING = FEATURES
"""The feature that stands for none; its weights are zero and stay so."""
MOST_READERS = 16

Array = npt.NDArray[Any]
Columns = tuple[Array, Array, Array]
"""The mover's features before they are mirrored, the score and the result."""


class ReadSpec(NamedTuple):
    """How files are read: part of a training's settings."""

    share: float
    """Of games that are held out."""
    td_lambda: float = 0.0
    sigmoid_scale: float = 200.0


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


def check_td_lambda(file: SampleFile, spec: ReadSpec) -> None:
    """Refuse a shuffled file whose scores were blended with later ones in another way than is asked for."""
    has = (file.facts.get(LAMBDA_FACT, 0.0), file.facts.get(SCALE_FACT, spec.sigmoid_scale))
    if file.is_shuffled and has[0] and has != (spec.td_lambda, spec.sigmoid_scale):
        raise SamplesError(f"{file.path}: its scores already have --td-lambda {has[0]} --sigmoid-scale {has[1]}")
    if file.is_shuffled and spec.td_lambda and not has[0]:
        raise SamplesError(
            f"{file.path}: shuffled, so nothing is known of what came later: take what it is made of, or shuffle that "
            f"with --td-lambda {spec.td_lambda}"
        )


def read_file(path: Path, spec: ReadSpec) -> FileRead:
    """All samples of a file, those of a share of its games apart.

    A game's split bucket decides its side, so that it is the same in every file and every training of that share.
    """
    file = open_samples(path)
    check_td_lambda(file, spec)
    samples = file.read()
    if spec.td_lambda and not file.is_shuffled:
        samples["score"] = td_lambda_scores(samples, spec.td_lambda, spec.sigmoid_scale)
    is_out = is_held_out(samples, spec.share)
    games = int(((samples["flags"] & FIRST_OF_GAME) > 0).sum())
    news = f"{path.name}: {len(file):,} positions{', its end is cut off' if file.is_cut else ''}"
    return FileRead([rows_of(samples[~is_out])], [rows_of(samples[is_out])], games, news)


def read_files(paths: Sequence[Path], spec: ReadSpec, log: Log) -> tuple[list[Columns], list[Columns], int]:
    """All samples of files: those to learn from, those held out, and how many games there are."""
    readers = min(len(paths), cores(), MOST_READERS)
    learnt, held_out, games = list[Columns](), list[Columns](), 0
    with ProcessPoolExecutor(readers, multiprocessing.get_context("spawn")) as pool:
        for found in pool.map(read_file, paths, [spec] * len(paths)):
            learnt += found.learnt
            held_out += found.held_out
            games += found.games
            log(found.news)
    return learnt, held_out, games
