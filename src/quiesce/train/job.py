"""Shell. A whole training, from files of samples to a network's file, by the trainer that suits the machine."""

from importlib.util import find_spec
from typing import Any

from quiesce.eval.netfile import NetworkError, write_network
from quiesce.train.export import checked
from quiesce.train.outcome import header_of
from quiesce.train.settings import AUTO, NUMBA, TORCH, Log, Settings, TrainError

CPU = "cpu"


def trainer_of(settings: Settings) -> str:
    """The trainer that is asked for; of itself PyTorch where there is a GPU, else Numba."""
    if settings.trainer == NUMBA and settings.device not in (AUTO, CPU):
        raise TrainError(f"the Numba trainer works on the processor, not on {settings.device}")
    if settings.trainer != AUTO:
        return settings.trainer
    if settings.device not in (AUTO, CPU):
        return TORCH
    if not has_kernels():
        return TORCH
    if settings.device == CPU or find_spec("torch") is None:
        return NUMBA
    import torch  # noqa: PLC0415  (only where it is installed)

    return TORCH if torch.cuda.is_available() else NUMBA


def has_kernels() -> bool:
    """Are there kernels, or can they be compiled? A machine that trains with PyTorch alone may lack all of that."""
    try:
        from quiesce.jit import is_available  # noqa: PLC0415
    except ImportError:
        return False
    return is_available()


def train(settings: Settings, log: Log) -> dict[str, Any]:
    """Learn from samples and write the network; returns its header."""
    try:
        assert settings.size  # refuses what there is not, before anything is read
        if trainer_of(settings) == TORCH:
            from quiesce.train.torchtraining import train_with_torch as run  # noqa: PLC0415  (it needs PyTorch)
        else:
            from quiesce.train.cputraining import train_on_cores as run  # noqa: PLC0415  (it needs kernels)
        trained = run(settings, log)
        network = checked(trained.reals, trained.asked, header_of(settings, trained))
        write_network(settings.out, network)
    except (NetworkError, OSError, ValueError) as error:
        raise TrainError(str(error)) from None
    return dict(network.header)
