"""Shell. What a training is asked for: one table, from which both command lines are made."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from quiesce.eval.netfile import Size, checked_size

CHECKPOINT_SUFFIX = ".checkpoint"
AUTO = "auto"
"""The device: a GPU where there is one. The trainer: PyTorch for a GPU, else Numba."""
NUMBA, TORCH = "numba", "torch"
"""Trainers."""
NEEDS_TORCH = "training on a GPU needs PyTorch: pip install 'quiesce[train]'"

MOST_SHARES = 100
"""How often a file may be read in an epoch."""

Log = Callable[[str], None]
"""Takes a line for people."""

RENAMED = {
    "blend": "wdl_lambda",
    "foresight": "td_lambda",
    "win_scale": "sigmoid_scale",
    "zones": "king_buckets",
    "buckets": "output_buckets",
}
"""Options of 0.1.0 and what they are now: understood for a release, on command lines and in checkpoints."""
OLD_NAMES = {name: old for old, name in RENAMED.items()}


class TrainError(RuntimeError):
    """Training cannot go on; the message says why."""


@dataclass(frozen=True, slots=True)
class Option:
    """One number or word of a training."""

    name: str
    default: int | float | str
    why: str
    decides: bool
    """Does the outcome depend on it? A checkpoint is taken up only by a training that decides alike."""

    @property
    def flag(self) -> str:
        """As it is written on the command line."""
        return flag_of(self.name)

    @property
    def flags(self) -> tuple[str, ...]:
        """All ways to write it: its name of 0.1.0 too."""
        return (self.flag, flag_of(OLD_NAMES[self.name])) if self.name in OLD_NAMES else (self.flag,)


def flag_of(name: str) -> str:
    """A name as it is written on the command line."""
    return "--" + name.replace("_", "-")


def option(default: Any, why: str, decides: bool = True) -> Any:
    """A field that is an option of the command line."""
    return field(default=default, metadata={"default": default, "why": why, "decides": decides})


@dataclass(frozen=True, slots=True)
class Settings:
    """A training, whole: files of samples, the network to write, and all options."""

    data: tuple[Path, ...]
    out: Path
    width: int = option(512, "units of the first layer for each perspective, a multiple of 16")
    output_buckets: int = option(8, "output buckets, chosen by piece count: 1 or 8")
    king_buckets: int = option(1, "king buckets: 1, 2, 4 or 8")
    epochs: int = option(4, "number of passes over the data")
    batch: int = option(16_384, "positions per step")
    rate: float = option(1e-3, "AdamW's learning rate at the start of a cosine schedule")
    last_rate: float = option(0.02, "share of the learning rate at the end")
    hold: float = option(0.0, "share of the steps, at the end, with the last rate")
    wdl_lambda: float = option(0.7, "weight of the score in the target; the rest is the game's result")
    td_lambda: float = option(
        0.0, "weight of the next ply's score in a score, its square for two plies later, and so on, as TD(lambda)"
    )
    sigmoid_scale: float = option(200.0, "sigmoid scale in points: a score predicts sigmoid(score / scale)")
    power: float = option(2.5, "exponent of the loss |value - target|; 2 is the mean square")
    held_out: float = option(0.02, "share of games used for validation only")
    seed: int = option(1, "random seed of the first weights and the order of positions")
    generation: int = option(1, "number of this network, noted in the file's header", decides=False)
    device: str = option(AUTO, "auto, cpu, cuda or cuda:1", decides=False)
    trainer: str = option(AUTO, "numba for CPUs, torch for GPUs, or auto", decides=False)
    threads: int = option(0, "threads of the Numba trainer, 0 for all cores", decides=False)
    mix: str = option("", "Numba trainer: weight of files by name, such as calm*=0.5,deep*=2; others have 1")
    window: int = option(1 << 20, "positions that the Numba trainer mixes in memory")
    start: Path | None = None
    """A network whose weights it begins with."""
    checkpoint: Path | None = None
    resume: bool = False

    @property
    def size(self) -> Size:
        """Shape of the network; raises NetworkError if it is not supported."""
        return checked_size(self.width, self.output_buckets, self.king_buckets)

    @property
    def kept_at(self) -> Path:
        """Where the state is kept after every epoch."""
        return self.checkpoint or self.out.with_name(self.out.name + CHECKPOINT_SUFFIX)

    def rate_at(self, share: float) -> float:
        """AdamW's rate when a share of all steps is done."""
        fallen = (1 + math.cos(math.pi * min(share / (1 - self.hold), 1.0))) / 2
        return self.rate * (self.last_rate + (1 - self.last_rate) * fallen)

    def shares(self) -> list[float]:
        """How often an epoch reads each file, on average; refused where `mix` makes no sense."""
        found = [1.0] * len(self.data)
        for part in filter(None, self.mix.split(",")):
            pattern, _, share = part.partition("=")
            places = [place for place, path in enumerate(self.data) if fnmatch(path.name, pattern)]
            try:
                wanted = float(share)
            except ValueError:
                wanted = -1.0
            if not places or not 0 <= wanted <= MOST_SHARES:
                raise TrainError(
                    f"--mix {part}: NAME=SHARE, with files of that name and a share from 0 to {MOST_SHARES}"
                )
            for place in places:
                found[place] = wanted
        return found

    def deciding(self) -> dict[str, Any]:
        """Everything but the data that the outcome depends on."""
        return {item.name: getattr(self, item.name) for item in OPTIONS if item.decides}

    def command(self) -> str:
        """The command line of this training, with files by their bare names."""
        words = ["quiesce train", *(path.name for path in self.data), f"--out {self.out.name}"]
        words += [f"--start {self.start.name}"] if self.start else []
        return " ".join(
            [*words, *(f"{item.flag} {getattr(self, item.name)}" for item in OPTIONS if getattr(self, item.name) != "")]
        )


OPTIONS = tuple(Option(item.name, **item.metadata) for item in fields(Settings) if item.metadata)


def settings_of(values: Mapping[str, Any]) -> Settings:
    """Settings of what a command line was given, refused where they make no sense."""
    found = Settings(**values)
    rules = (
        (bool(found.data), "files to learn from"),
        (found.epochs >= 1, "at least one epoch"),
        (found.batch >= 1, "at least one position a batch"),
        (found.rate > 0, "a rate above 0"),
        (0 <= found.last_rate <= 1, "a last-rate from 0 to 1"),
        (0 <= found.hold < 1, "a hold from 0 to less than 1"),
        (0 <= found.wdl_lambda <= 1, "a wdl-lambda from 0 to 1"),
        (0 <= found.td_lambda < 1, "a td-lambda from 0 to less than 1"),
        (found.sigmoid_scale > 0, "a sigmoid-scale above 0"),
        (found.power >= 1, "a power of at least 1"),
        (0 < found.held_out < 1, "a held-out share between 0 and 1"),
        (found.seed >= 0, "a seed of at least 0"),
        (found.threads >= 0, "0 threads or more"),
        (found.window >= 1, "a window of at least one position"),
        (found.trainer in (AUTO, NUMBA, TORCH), "auto, numba or torch as its trainer"),
    )
    for holds, wanted in rules:
        if not holds:
            raise TrainError(f"training needs {wanted}")
    found.shares()
    return found
