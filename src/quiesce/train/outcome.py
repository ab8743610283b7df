"""Shell. The result of a training by either trainer, and the header of its network's file."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from quiesce import __version__
from quiesce.eval.netfile import Network, read_network
from quiesce.train.export import Asked
from quiesce.train.settings import Settings, TrainError
from quiesce.train.weights import Weights


@dataclass(frozen=True, slots=True)
class Trained:
    """A training that is done."""

    reals: Weights
    asked: Asked
    digests: dict[str, str]
    games: int
    learnt: int
    held_out: int
    constant_loss: float
    history: list[dict[str, float]]
    made_with: dict[str, Any]
    """The trainer, its version and the machine's part in it."""


def start_network(settings: Settings) -> Network:
    """The network that a training starts from, refused if it cannot."""
    assert settings.start is not None
    network, size = read_network(settings.start), settings.size
    width, outputs, king_buckets = network.size
    if width > size.width or outputs != size.output_buckets or king_buckets not in (1, size.king_buckets):
        raise TrainError(f"{settings.start}: {network.size}; this one is {size}, and cannot begin with it")
    return network


def start_message(settings: Settings, where: str, learnt: int, held_out: int, games: int, bar: float) -> str:
    """What is told of a training as it begins."""
    return (
        f"{settings.size}, on {where}: {learnt:,} positions learnt from, {held_out:,} held out, of {games:,} games; "
        f"predicting the mean loses {bar:.6f}"
    )


def header_of(settings: Settings, trained: Trained) -> dict[str, Any]:
    """What a network's file says of how it came to be."""
    return {
        "command": settings.command(),
        "data": trained.digests,
        "games": trained.games,
        "positions": trained.learnt,
        "held_out_positions": trained.held_out,
        "constant_loss": trained.constant_loss,
        **{name: trained.history[-1][name] for name in ("loss", "held_out_loss")},
        "history": trained.history,
        "generation": settings.generation,
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "engine": __version__,
        **trained.made_with,
    }
