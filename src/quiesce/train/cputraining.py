"""Shell. Training on the processor's cores: epochs of batches read from disk, progress, checkpoints."""

import io
import json
import math
import time
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version

import numpy as np

from quiesce.eval.samples import Samples, features
from quiesce.train.checkpoint import check_same, keep_bytes, kept_bytes
from quiesce.train.export import COMPARED, Asked
from quiesce.train.learner import Learner
from quiesce.train.loss import losses_of, targets_of
from quiesce.train.outcome import Trained, start_message, start_network
from quiesce.train.settings import NUMBA, Log, Settings, TrainError
from quiesce.train.stream import Stream, Survey

CHECKPOINT_MAGIC = b"QUIESCE training on cores 1\n"
TELL_SECONDS = 5.0
"""Time between two lines of figures."""
FACTS = "facts"


@dataclass(slots=True)
class State:
    """A training under way: all that a checkpoint holds."""

    learner: Learner
    epoch: int = 0
    history: list[dict[str, float]] = field(default_factory=list)


class Clock:
    """Tells now and then how far a training is, how fast, and how long the rest will take."""

    def __init__(self, settings: Settings, positions: int, epoch: int, log: Log) -> None:
        self._settings, self._positions, self._epoch, self._log = settings, positions, epoch, log
        self._began = self._last = time.monotonic()

    def speed(self, done: int) -> float:
        """Positions a second of this epoch."""
        return done / max(time.monotonic() - self._began, 1e-9)

    def tell(self, done: int, total: float) -> None:
        """Say it, if the last time is long ago."""
        now = time.monotonic()
        if now - self._last < TELL_SECONDS:
            return
        self._last = now
        left = (self._settings.epochs - self._epoch) * self._positions - done
        self._log(
            f"epoch {self._epoch + 1}/{self._settings.epochs}, {done / self._positions:.0%}: loss {total / done:.6f}, "
            f"{self.speed(done):,.0f} positions/s, {span(left / self.speed(done))} left"
        )


def span(seconds: float) -> str:
    """A time such as 1:02:03."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def start_training(settings: Settings, threads: int = 0) -> State:
    """A training at its start: random weights, or those another one ended with."""
    learner = Learner(settings.size, settings.seed, threads or settings.threads)
    if settings.start is not None:
        learner.take(start_network(settings))
    return State(learner)


def save_checkpoint(state: State, settings: Settings, digests: dict[str, str]) -> None:
    """Write a checkpoint."""
    facts = {
        "settings": settings.deciding(),
        "data": digests,
        "epoch": state.epoch,
        "history": state.history,
        "steps": state.learner.steps,
        "threads": state.learner.threads,
    }
    kept = io.BytesIO()
    np.savez(kept, **{FACTS: np.array(json.dumps(facts))}, **state.learner.state())  # type: ignore[arg-type]
    keep_bytes(settings.kept_at, CHECKPOINT_MAGIC, kept.getvalue())


def resume_training(settings: Settings, digests: dict[str, str]) -> State:
    """The training of a checkpoint, if it is the one that is asked for, with as many threads as it had."""
    path = settings.kept_at
    with np.load(io.BytesIO(kept_bytes(path, CHECKPOINT_MAGIC)), allow_pickle=False) as kept:
        facts, arrays = json.loads(str(kept[FACTS])), {name: kept[name] for name in kept.files if name != FACTS}
    check_same(path, facts, settings, digests)
    if settings.threads not in (0, facts["threads"]):
        raise TrainError(f"{path}: it was begun with {facts['threads']} threads, not {settings.threads}")
    state = start_training(settings, facts["threads"])
    state.learner.load(arrays, facts["steps"])
    state.epoch, state.history = facts["epoch"], facts["history"]
    return state


def run_epoch(state: State, stream: Stream, settings: Settings, log: Log) -> tuple[float, float]:
    """One epoch; returns its mean loss and positions a second."""
    positions = stream.positions(state.epoch)
    if not positions:
        raise TrainError("--mix leaves nothing to learn from in this epoch")
    total, done, clock = 0.0, 0, Clock(settings, positions, state.epoch, log)
    for step, batch in enumerate(stream.batches(state.epoch)):
        rate = settings.rate_at((state.epoch + step / stream.steps_of(positions)) / settings.epochs)
        total += state.learner.learn(batch, settings, rate) * len(batch)
        done += len(batch)
        clock.tell(done, total)
    return total / done, clock.speed(done)


def fit(state: State, stream: Stream, survey: Survey, settings: Settings, log: Log) -> None:
    """Go on to the last epoch, with a checkpoint after each."""
    while state.epoch < settings.epochs:
        learnt, speed = run_epoch(state, stream, settings, log)
        held_out = state.learner.loss(survey.held_out, settings)
        if not math.isfinite(learnt + held_out):
            raise TrainError(f"the loss is no number any more in epoch {state.epoch + 1}: try a smaller --rate")
        state.epoch += 1
        state.history.append({"loss": learnt, "held_out_loss": held_out, "positions_per_second": round(speed)})
        save_checkpoint(state, settings, survey.digests)
        log(
            f"epoch {state.epoch}/{settings.epochs}: loss {learnt:.6f}, held out {held_out:.6f}, "
            f"{speed:,.0f} positions/s"
        )


def constant_loss(survey: Survey, settings: Settings) -> float:
    """Loss over held-out positions if the mean of the training targets is always predicted: the bar to beat."""
    wanted = targets_of(survey.held_out, settings)
    return float(losses_of(np.full(len(wanted), survey.mean, np.float32), wanted, settings).mean(dtype=np.float64))


def asked(learner: Learner, samples: Samples) -> Asked:
    """Some of the positions, and what the network says of them."""
    some = samples[:: max(len(samples) // COMPARED, 1)][:COMPARED]
    piece_count = np.bitwise_count(some["occupancy"]).astype(np.int64)
    return Asked(*features(some), piece_count, learner.predicted(some))


def compiler() -> dict[str, str]:
    """The version of Numba, where kernels were not compiled ahead without it."""
    try:
        return {NUMBA: version(NUMBA)}
    except PackageNotFoundError:
        return {}


def train_on_cores(settings: Settings, log: Log) -> Trained:
    """A whole training by compiled kernels."""
    stream = Stream(settings)
    survey = stream.survey(log)
    bar = constant_loss(survey, settings)
    state = resume_training(settings, survey.digests) if settings.resume else start_training(settings)
    where = f"{state.learner.threads} threads"
    log(start_message(settings, where, survey.learnt, len(survey.held_out), survey.games, bar))
    try:
        fit(state, stream, survey, settings, log)
        made_with = {"trainer": NUMBA, "threads": state.learner.threads} | compiler()
        return Trained(
            state.learner.reals(), asked(state.learner, survey.held_out), survey.digests, survey.games, survey.learnt,
            len(survey.held_out), bar, state.history, made_with,
        )  # fmt: skip
    finally:
        state.learner.close()
