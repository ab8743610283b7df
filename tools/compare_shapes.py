"""Train networks of several shapes on the same positions and compare them.

    python -m tools.compare_shapes SAMPLES... --fens FENS --out results.json

Each shape starts from random weights with the same settings. Measured are its loss on held-out games and its values for
a file with one FEN per line, which `tools.judge_points` compares with a judge.
"""

import argparse
import json
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from quiesce.board.game import Game
from quiesce.eval.netfile import SCALE, Size
from quiesce.eval.samples import UNKNOWN, pack_positions
from quiesce.train.cputraining import State, run_epoch
from quiesce.train.learner import Learner
from quiesce.train.settings import Settings
from quiesce.train.stream import Stream
from tools.head import HeadLearner

SHAPES: dict[str, tuple[type[Learner], Size]] = {
    "512": (Learner, Size(512, 8, 4)),
    "768": (Learner, Size(768, 8, 4)),
    "8 king buckets": (Learner, Size(512, 8, 8)),
    "head": (HeadLearner, Size(512, 8, 4)),
}


def parsed() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("files", type=Path, nargs="+", help="samples to learn from")
    parser.add_argument("--fens", type=Path, required=True, help="positions to be asked about, one a line")
    parser.add_argument("--out", type=Path, required=True, help="the figures, as JSON")
    parser.add_argument("--shapes", nargs="+", choices=SHAPES, default=list(SHAPES))
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=0)
    return parser.parse_args()


def main() -> None:
    """Train each shape, measure it, and print the results."""
    words = parsed()
    plain = Settings(
        tuple(words.files), words.out, epochs=words.epochs, rate=words.rate, wdl_lambda=0.95, td_lambda=0.5,
        seed=words.seed, threads=words.threads,
    )  # fmt: skip
    stream = Stream(plain)
    survey = stream.survey(print)
    fens = words.fens.read_text(encoding="utf-8").splitlines()
    asked = pack_positions(np.array([Game(fen).position for fen in fens]), 0, UNKNOWN)
    found = dict[str, Any]()
    for name in words.shapes:
        kind, size = SHAPES[name]
        settings = replace(plain, width=size.width, output_buckets=size.output_buckets, king_buckets=size.king_buckets)
        state, began = State(kind(size, words.seed, words.threads)), time.monotonic()
        while state.epoch < settings.epochs:
            loss, _ = run_epoch(state, stream, settings, print)
            state.epoch += 1
        held_out = state.learner.loss(survey.held_out, settings)
        points = state.learner.predicted(asked).astype(np.float64) * SCALE
        state.learner.close()
        found[name] = {"learnt": survey.learnt, "loss": loss, "held_out": held_out}
        found[name]["seconds"] = round(time.monotonic() - began)
        print(name, found[name], flush=True)
        found[name]["points"] = points.round(2).tolist()
    words.out.write_text(json.dumps(found, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
