"""Shell. Training with PyTorch: epochs of shuffled batches, with a checkpoint after each.

The order of an epoch is drawn from the seed and the epoch's number alone, so that a training that was stopped and taken
up again does what it would have done anyway.
"""

import io
import math
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch

from quiesce.eval.netfile import SCALE
from quiesce.eval.samples import UNKNOWN, WIN
from quiesce.train.checkpoint import check_same, keep_bytes, kept_bytes
from quiesce.train.data import Batch, Rows, Split, asked, batches, prepared, steps_of
from quiesce.train.model import Model, Tensor
from quiesce.train.outcome import Trained, start_message, start_network
from quiesce.train.settings import AUTO, Log, Settings, TrainError
from quiesce.train.stream import EPOCHS_OF_A_SEED

CHECKPOINT_MAGIC = b"QUIESCE training 2\n"
DECAY = 0.01
"""AdamW's pull of weights towards zero."""
TELL_SECONDS = 5.0
"""Time between two lines of figures."""


def chosen_device(name: str) -> str:
    """The device of a name; a GPU where there is one and nothing else is said."""
    if name == AUTO:
        return "cuda" if torch.cuda.is_available() else "cpu"
    try:
        torch.zeros(1, device=name)
    except (RuntimeError, AssertionError) as error:
        raise TrainError(f"device {name}: {str(error).splitlines()[0]}") from None
    return name


def target_of(batch: Batch, settings: Settings) -> Tensor:
    """What the network should predict: the score's chances and the game's result, blended; those alone without one."""
    chances = torch.sigmoid(batch.score.float() / settings.sigmoid_scale)
    blended = torch.lerp(batch.result.float() / WIN, chances, settings.wdl_lambda)
    return torch.where(batch.result == UNKNOWN, chances, blended)


def loss_of(output: Tensor, target: Tensor, settings: Settings) -> Tensor:
    """Mean power of the distance between what outputs predict and their targets."""
    predicted = torch.sigmoid(output * (SCALE / settings.sigmoid_scale))
    return (predicted - target).abs().pow(settings.power).mean()


@dataclass(slots=True)
class State:
    """A training under way: all that a checkpoint holds."""

    model: Model
    optimizer: Any
    epoch: int = 0
    history: list[dict[str, float]] = field(default_factory=list)


def start_training(settings: Settings, device: str) -> State:
    """A training at its start: random weights, or those another one ended with."""
    model = Model(settings.size, settings.seed, device)
    if settings.start is not None:
        model.take(start_network(settings))
    fused = device.startswith("cuda")
    return State(model, torch.optim.AdamW(model.weights.values(), settings.rate, weight_decay=DECAY, fused=fused))


def save_checkpoint(path: Path, state: State, settings: Settings, digests: dict[str, str]) -> None:
    """Write a checkpoint, whole or not at all."""
    kept = io.BytesIO()
    facts = {
        "settings": settings.deciding(),
        "data": digests,
        "epoch": state.epoch,
        "history": state.history,
        "weights": state.model.state(),
        "optimizer": state.optimizer.state_dict(),
    }
    torch.save(facts, kept)
    keep_bytes(path, CHECKPOINT_MAGIC, kept.getvalue())


def resume_training(path: Path, settings: Settings, device: str, digests: dict[str, str]) -> State:
    """The training of a checkpoint, if it is the one that is asked for."""
    facts = torch.load(io.BytesIO(kept_bytes(path, CHECKPOINT_MAGIC)), map_location=device, weights_only=True)
    check_same(path, facts, settings, digests)
    state = start_training(settings, device)
    state.model.load(facts["weights"])
    state.optimizer.load_state_dict(facts["optimizer"])
    state.epoch, state.history = facts["epoch"], facts["history"]
    return state


def validation_loss(model: Model, rows: Rows, settings: Settings) -> float:
    """Mean loss over positions that are not learnt from."""
    total = torch.zeros((), dtype=torch.float64, device=model.device)
    with torch.no_grad():
        for batch in batches(rows, None, settings.batch, model.device):
            for piece in batch.pieces():
                output = model(piece.stm, piece.nstm, piece.piece_count)
                total += loss_of(output, target_of(piece, settings), settings) * len(piece)
    return float(total) / len(rows)


def constant_loss(split: Split, settings: Settings, device: str) -> float:
    """Loss over held-out positions if the mean of the training targets is always predicted: the bar to beat."""
    total = torch.zeros((), dtype=torch.float64, device=device)
    for batch in batches(split.learnt, None, settings.batch, device):
        total += target_of(batch, settings).sum()
    mean = total / len(split.learnt)
    distance = torch.zeros((), dtype=torch.float64, device=device)
    for batch in batches(split.held_out, None, settings.batch, device):
        distance += (target_of(batch, settings) - mean).abs().pow(settings.power).sum()
    return float(distance) / len(split.held_out)


def learn(state: State, batch: Batch, settings: Settings) -> Tensor:
    """One step; returns its mean loss."""
    total = torch.zeros((), dtype=torch.float64, device=state.model.device)
    state.optimizer.zero_grad(set_to_none=True)
    for piece in batch.pieces():
        output = state.model(piece.stm, piece.nstm, piece.piece_count)
        loss = loss_of(output, target_of(piece, settings), settings) * (len(piece) / len(batch))
        loss.backward()
        total += loss.detach()
    state.optimizer.step()
    state.model.clip()
    return total


def run_epoch(state: State, split: Split, settings: Settings, log: Log) -> float:
    """One epoch; returns its mean loss."""
    model, rows = state.model, split.learnt
    steps = steps_of(len(rows), settings.batch)
    seed = settings.seed * EPOCHS_OF_A_SEED + state.epoch
    total = torch.zeros((), dtype=torch.float64, device=model.device)
    began = last = time.monotonic()
    done = 0
    torch.backends.cuda.matmul.allow_tf32 = True
    for step, batch in enumerate(batches(rows, seed, settings.batch, model.device)):
        for group in state.optimizer.param_groups:
            group["lr"] = settings.rate_at((state.epoch + step / steps) / settings.epochs)
        total += learn(state, batch, settings) * len(batch)
        done += len(batch)
        if time.monotonic() - last > TELL_SECONDS:
            last = time.monotonic()
            speed = done / (last - began)
            log(
                f"epoch {state.epoch + 1}/{settings.epochs}, {done / len(rows):.0%}: loss {float(total) / done:.6f}, "
                f"{speed:,.0f} positions/s"
            )
    torch.backends.cuda.matmul.allow_tf32 = False
    return float(total) / len(rows)


def fit(state: State, split: Split, settings: Settings, log: Log) -> None:
    """Go on to the last epoch, with a checkpoint after each."""
    while state.epoch < settings.epochs:
        began = time.monotonic()
        learnt = run_epoch(state, split, settings, log)
        speed = len(split.learnt) / (time.monotonic() - began)
        held_out = validation_loss(state.model, split.held_out, settings)
        if not math.isfinite(learnt + held_out):
            raise TrainError(f"the loss is no number any more in epoch {state.epoch + 1}: try a smaller --rate")
        state.epoch += 1
        state.history.append({"loss": learnt, "held_out_loss": held_out, "positions_per_second": round(speed)})
        save_checkpoint(settings.kept_at, state, settings, split.digests)
        log(
            f"epoch {state.epoch}/{settings.epochs}: loss {learnt:.6f}, held out {held_out:.6f}, "
            f"{speed:,.0f} positions/s"
        )


def train_with_torch(settings: Settings, log: Log) -> Trained:
    """A whole training with PyTorch."""
    if settings.mix:
        raise TrainError("--mix is known to the Numba trainer alone")
    device = chosen_device(settings.device)
    split = prepared(settings, device, log)
    bar = constant_loss(split, settings, device)
    log(start_message(settings, device, len(split.learnt), len(split.held_out), split.games, bar))
    state = (
        resume_training(settings.kept_at, settings, device, split.digests)
        if settings.resume
        else start_training(settings, device)
    )
    fit(state, split, settings, log)
    return Trained(
        state.model.reals(), asked(state.model, split.held_out), split.digests, split.games, len(split.learnt),
        len(split.held_out), bar, state.history, {"torch": torch.__version__, "device": device},
    )  # fmt: skip
