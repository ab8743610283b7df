"""Trains the same network on equal numbers of positions from several sources, and says which taught it most.

    python -m tools.compare_sources FOLDER --lines GLOB --ends GLOB --positions 5000000

Files of `quiesce datagen`: games from book lines and random moves, games from ends of book lines, both with
`--interior`. An arm is a mixture of four sources in equal parts. Each arm's network is asked for its loss on held-out
games of each source; `quiesce static compare FOLDER/*.qnet --base FOLDER/lines-1.qnet` judges the networks.
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from quiesce.eval.netfile import read_network
from quiesce.eval.repeats import game_starts
from quiesce.eval.samples import (
    FIRST_OF_GAME,
    INTERIOR,
    SAMPLE,
    Samples,
    block_bytes,
    header_bytes,
    is_held_out,
    open_samples,
)
from quiesce.eval.tdlambda import td_lambda_scores
from quiesce.train.job import train
from quiesce.train.learner import Learner
from quiesce.train.settings import NUMBA, Settings

OWN, INSIDE = "own", "interior"
SOURCES = ("lines " + OWN, "ends " + OWN, "lines " + INSIDE, "ends " + INSIDE)
ARMS = {
    "lines": (SOURCES[0],),
    "ends": (SOURCES[1],),
    "interior": SOURCES[2:],
    "lines, ends": SOURCES[:2],
    "lines, interior": SOURCES[0::2],
    "ends, interior": SOURCES[1::2],
    "all": SOURCES,
}
MOST_ASKED = 100_000
"""Held-out positions of a source."""
BLOCK = 16_384


def part_of(samples: Samples, kind: str) -> Samples:
    """The positions of one kind in whole games."""
    is_kind = (samples["flags"] & INTERIOR > 0) == (kind == INSIDE)
    game = np.cumsum(samples["flags"] & FIRST_OF_GAME > 0)[is_kind]
    kept = samples[is_kind].copy()
    is_first = np.append(True, np.diff(game) > 0)[: len(kept)]
    kept["flags"] = kept["flags"] & (255 - FIRST_OF_GAME) | np.where(is_first, FIRST_OF_GAME, 0).astype(np.uint8)
    return kept


def positions_of(files: Sequence[Path], kind: str) -> Iterator[Samples]:
    """Positions of one kind, block by block; plans without interior nodes have only their own."""
    for path in files:
        file = open_samples(path)
        if kind == OWN or file.facts.get("interior"):
            for samples in file:
                yield part_of(samples, kind)


def first_of(files: Sequence[Path], kind: str, count: int) -> Samples:
    """The first positions of a source, in whole games, up to this number."""
    found, rows = list[Samples](), 0
    for samples in positions_of(files, kind):
        found.append(samples)
        rows += len(samples)
        if rows >= count:
            break
    return np.concatenate([np.zeros(0, SAMPLE), *found])


def write_samples(path: Path, samples: Samples) -> None:
    """Write whole games as a file of samples."""
    starts = game_starts(samples)
    cuts = np.unique(np.append(starts[np.searchsorted(starts, np.arange(0, len(samples), BLOCK))[:-1]], 0))
    with path.open("wb") as file:
        file.write(header_bytes({"kind": "comparison"}))
        for number, block in enumerate(np.split(samples, cuts[cuts > 0])):
            file.write(block_bytes(number, block))


def held_out_of(files: Sequence[Path], kind: str, settings: Settings) -> Samples:
    """Held-out positions of a source, knowing what came later in their games."""
    found, rows = [np.zeros(0, SAMPLE)], 0
    for samples in positions_of(files, kind):
        samples["score"] = td_lambda_scores(samples, settings.td_lambda, settings.sigmoid_scale)
        found.append(samples[is_held_out(samples, settings.held_out)])
        rows += len(found[-1])
        if rows >= MOST_ASKED:
            break
    return np.concatenate(found)


def losses_of(path: Path, asked: dict[str, Samples], settings: Settings) -> dict[str, float]:
    """A network's losses on held-out positions, by source and on average."""
    network = read_network(path)
    learner = Learner(network.size, 1, settings.threads)
    learner.take(network)
    found = {name: learner.loss(samples, settings) for name, samples in asked.items()}
    learner.close()
    return found | {"mean": float(np.mean(list(found.values())))}


def parsed() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("folder", type=Path, help="for networks and figures")
    parser.add_argument("--lines", type=Path, nargs="+", required=True, help="files of games from book lines")
    parser.add_argument("--ends", type=Path, nargs="+", required=True, help="files of games from ends of lines")
    parser.add_argument("--positions", type=int, required=True, help="of each arm")
    parser.add_argument("--arms", nargs="+", choices=ARMS, default=list(ARMS))
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--start", type=Path, help="a network to begin with")
    return parser.parse_args()


def main() -> None:
    """Make each arm's samples, train, measure, and print the results."""
    words = parsed()
    words.folder.mkdir(parents=True, exist_ok=True)
    files = {name: (words.lines if name.startswith("lines") else words.ends, name.split()[1]) for name in SOURCES}
    settings = Settings(
        (), words.folder, king_buckets=4, epochs=words.epochs, rate=words.rate, wdl_lambda=0.95, td_lambda=0.5,
        seed=words.seed, threads=words.threads, trainer=NUMBA, start=words.start,
    )  # fmt: skip
    asked = {name: held_out_of(*source, settings) for name, source in files.items()}
    print("held out:", {name: len(samples) for name, samples in asked.items()})
    found = dict[str, Any]()
    for arm in words.arms:
        stem = words.folder / f"{arm.replace(', ', '-')}-{words.seed}"
        data, out = stem.with_suffix(".samples"), stem.with_suffix(".qnet")
        each = words.positions // len(ARMS[arm])
        samples = np.concatenate([first_of(*files[name], each)[:each] for name in ARMS[arm]])
        write_samples(data, samples)
        header = train(replace(settings, data=(data,), out=out), print)
        found[arm] = {"positions": len(samples), "losses": losses_of(out, asked, settings)}
        found[arm]["history"] = header["history"]
        print(arm, found[arm], flush=True)
        data.unlink()
    (words.folder / f"results-{words.seed}.json").write_text(json.dumps(found, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
