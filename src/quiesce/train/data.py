"""Shell. Samples as a trainer wants them: in memory, on the device where they fit, split by game, in shuffled batches.

Only the mover's features are kept: the other side's are the same pieces seen from there, one look-up away.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from quiesce.eval.features import FILE_FLIP, NO_FEATURE, OTHER_PERSPECTIVE, RIGHT_HALF
from quiesce.train.export import COMPARED, Asked
from quiesce.train.model import Model, Tensor, own_king_squares
from quiesce.train.reading import PADDING, Columns, ReadSpec, read_files
from quiesce.train.settings import Log, Settings, TrainError
from quiesce.train.stream import TOO_FEW, digest_of

AHEAD = 4
"""Batches made ready before they are asked for."""
PIECE = 2_048
"""Positions a CPU looks at at once: twice as quick as a whole batch."""
ROOM = 0.7
"""Share of a GPU's free memory that positions may take."""


@dataclass(frozen=True, slots=True)
class Rows:
    """Positions by column, all on one device."""

    stm: Tensor
    """(positions, MOST_PIECES) int16: the mover's features, PADDING where there are fewer."""
    score: Tensor
    """int16: points, the mover's side."""
    result: Tensor
    """uint8: the game's, the mover's side."""

    def __len__(self) -> int:
        return len(self.score)

    @property
    def columns(self) -> tuple[Tensor, Tensor, Tensor]:
        """All columns."""
        return self.stm, self.score, self.result

    def pick(self, index: Tensor) -> "Rows":
        """Some of the positions."""
        return Rows(*(column.index_select(0, index) for column in self.columns))

    def to(self, device: str) -> "Rows":
        """The same positions on a device."""
        return Rows(*(column.to(device, non_blocking=True) for column in self.columns))

    def size(self) -> int:
        """Bytes of memory they take."""
        return sum(column.numel() * column.element_size() for column in self.columns)


@dataclass(frozen=True, slots=True)
class Batch:
    """Positions of a step, as the model takes them."""

    stm: Tensor
    nstm: Tensor
    piece_count: Tensor
    score: Tensor
    result: Tensor

    def __len__(self) -> int:
        return len(self.score)

    def pieces(self) -> Iterator["Batch"]:
        """The same positions in parts that a CPU's caches hold; a GPU takes them whole."""
        size = PIECE if self.score.device.type == "cpu" else len(self)
        columns = (self.stm, self.nstm, self.piece_count, self.score, self.result)
        yield from (Batch(*parts) for parts in zip(*(column.split(size) for column in columns), strict=True))


@dataclass(frozen=True, slots=True)
class Split:
    """What is learnt from and what is held out, and the files they are from."""

    learnt: Rows
    held_out: Rows
    games: int
    digests: dict[str, str]
    """Names of the files by their SHA-256."""


def joined(parts: list[Columns]) -> Rows:
    """Columns of all parts, one after the other; there has to be something."""
    if not sum(len(part[1]) for part in parts):
        raise TrainError(TOO_FEW)
    return Rows(*(torch.from_numpy(np.concatenate(column)) for column in zip(*parts, strict=True)))


def load(paths: Sequence[Path], spec: ReadSpec, log: Log) -> tuple[Rows, Rows, int]:
    """All samples of files: those to learn from, those of a share of games that are held out, and how many games."""
    learnt, held_out, games = read_files(paths, spec, log)
    return joined(learnt), joined(held_out), games


def prepared(settings: Settings, device: str, log: Log) -> Split:
    """All that a training is asked to learn from, on the device where it fits."""
    learnt, held_out, games = load(
        settings.data, ReadSpec(settings.held_out, settings.td_lambda, settings.sigmoid_scale), log
    )
    if device != "cpu" and learnt.size() + held_out.size() < ROOM * torch.cuda.mem_get_info(device)[0]:
        learnt, held_out = learnt.to(device), held_out.to(device)
    return Split(learnt, held_out, games, {digest_of(path): path.name for path in settings.data})


def steps_of(positions: int, size: int) -> int:
    """Batches of an epoch; they are equally large, so that none is a handful."""
    return max(positions // size, 1)


def batches(rows: Rows, seed: int | None, size: int, device: str) -> Iterator[Batch]:
    """All positions once, in the order of a seed or as they are, in batches on a device."""
    home = rows.score.device
    if seed is None:
        order = torch.arange(len(rows), device=home)
    else:
        order = torch.randperm(len(rows), generator=torch.Generator(home).manual_seed(seed), device=home)
    parts = torch.tensor_split(order, steps_of(len(rows), size))
    other = torch.from_numpy(OTHER_PERSPECTIVE).int().to(device)
    if home.type != "cpu":
        yield from (batch_of(rows.pick(part), other) for part in parts)
        return
    with ThreadPoolExecutor(1) as pool:
        waiting: deque[Future[Batch]] = deque()
        for part in parts:
            waiting.append(pool.submit(lambda part: batch_of(rows.pick(part).to(device), other), part))
            if len(waiting) > AHEAD:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def mirrored(side: Tensor) -> Tensor:
    """`features.mirrored`, in PyTorch."""
    flip = (own_king_squares(side) & RIGHT_HALF) // RIGHT_HALF * FILE_FLIP
    return torch.where(side != PADDING, side ^ flip.unsqueeze(1), side)


def batch_of(rows: Rows, other: Tensor) -> Batch:
    """Positions as the model takes them."""
    stm = rows.stm.int()
    piece_count = (stm != PADDING).sum(dim=1)
    return Batch(mirrored(stm), mirrored(other[stm]), piece_count, rows.score, rows.result)


def asked(model: Model, rows: Rows) -> Asked:
    """Some of the positions, and what the network says of them."""
    places = torch.arange(0, len(rows), max(len(rows) // COMPARED, 1), device=rows.score.device)
    some = rows.pick(places[:COMPARED])
    batch = next(batches(some, None, COMPARED, model.device))
    with torch.no_grad():
        outputs = model(batch.stm, batch.nstm, batch.piece_count).double().cpu().numpy()
    sides = [side.cpu().numpy() for side in (batch.stm, batch.nstm)]
    stm, nstm = (np.where(side == PADDING, NO_FEATURE, side) for side in sides)
    return Asked(stm, nstm, batch.piece_count.cpu().numpy(), outputs)
