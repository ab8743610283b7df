"""Shell. A whole training, from files of samples to a network's file."""

from datetime import UTC, datetime
from typing import Any

import torch

from quiesce import __version__
from quiesce.eval.netfile import NetworkError, write_network
from quiesce.train.data import Split, prepared
from quiesce.train.export import checked
from quiesce.train.loop import State, Told, begun, chosen_device, constant_loss, descend, taken_up
from quiesce.train.settings import Settings, TrainError


def train(settings: Settings, told: Told) -> dict[str, Any]:
    """Learn from samples and write the network; returns its header."""
    try:
        size, device = settings.size, chosen_device(settings.device)
        split = prepared(settings, device, told)
        bar = constant_loss(split, settings, device)
        told(
            f"{size}, on {device}: {len(split.learnt):,} positions learnt from, {len(split.held_out):,} held out, of "
            f"{split.games:,} games; foretelling the mean loses {bar:.6f}"
        )
        if settings.resume:
            state = taken_up(settings.kept_at, settings, device, split.digests)
        else:
            state = begun(settings, device)
        descend(state, split, settings, told)
        network = checked(state.model, split.held_out, header_of(settings, split, state, bar))
        write_network(settings.out, network)
    except (NetworkError, OSError, ValueError) as error:
        raise TrainError(str(error)) from None
    return dict(network.header)


def header_of(settings: Settings, split: Split, state: State, bar: float) -> dict[str, Any]:
    """What a network's file says of how it came to be."""
    return {
        "command": settings.command(),
        "data": split.digests,
        "games": split.games,
        "positions": len(split.learnt),
        "held_out_positions": len(split.held_out),
        "constant_loss": bar,
        **{name: state.history[-1][name] for name in ("loss", "held_out_loss")},
        "history": state.history,
        "generation": settings.generation,
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "engine": __version__,
        "torch": torch.__version__,
        "device": state.model.device,
    }
