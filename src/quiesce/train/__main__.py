"""Shell. `python -m quiesce.train`: what `quiesce train` does, also where there is PyTorch but not Numba."""

import argparse
import json
import sys
from pathlib import Path

from quiesce.train.settings import NEEDS_TORCH, OPTIONS, TrainError, settings_of

EXIT_FAILED, EXIT_INTERRUPTED = 1, 130


def parser() -> argparse.ArgumentParser:
    """The command line."""
    found = argparse.ArgumentParser(prog="python -m quiesce.train", description="Train a network on samples of games.")
    found.add_argument("data", nargs="+", type=Path, metavar="DATA", help="files of samples")
    found.add_argument("--out", required=True, type=Path, help="the network to write")
    for item in OPTIONS:
        why = f"{item.why} (%(default)s)"
        found.add_argument(*item.flags, dest=item.name, type=type(item.default), default=item.default, help=why)
    found.add_argument(
        "--start", type=Path, help="start from this network: no wider, same outputs, same king buckets (or one)"
    )
    found.add_argument("--checkpoint", type=Path, help="where the state is kept (beside the network)")
    found.add_argument("--resume", action="store_true", help="go on from the checkpoint")
    found.add_argument("--json", dest="as_json", action="store_true", help="print the network's header as JSON")
    return found


def say(line: str) -> None:
    """Print a line for people."""
    sys.stderr.write(line + "\n")


def main() -> int:
    """Train; returns the exit code."""
    values = vars(parser().parse_args())
    as_json = values.pop("as_json")
    values["data"] = tuple(values["data"])
    try:
        from quiesce.train.job import train  # noqa: PLC0415  (so that --help is instant)
    except ModuleNotFoundError as error:
        say(NEEDS_TORCH if error.name == "torch" else str(error))
        return EXIT_FAILED
    try:
        header = train(settings_of(values), say)
    except TrainError as error:
        say(f"Error: {error}")
        return EXIT_FAILED
    except KeyboardInterrupt:
        say("interrupted; --resume goes on from the last epoch")
        return EXIT_INTERRUPTED
    if as_json:
        sys.stdout.write(json.dumps(header) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
