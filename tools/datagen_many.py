"""Make training positions for a fixed time: plain processes, whole files.

Run: PYTHONPATH=src python tools/datagen_many.py OUTFOLDER --processes 16 --seconds 480 --nodes 3000 --seed 7

This process compiles, then each worker plays its own chunks until the time is over, counted from the start. Files are
those of `quiesce datagen`, at most FILE_MEGABYTES each; `quiesce data merge` joins them.
"""

import argparse
import multiprocessing
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np

from quiesce.eval.samples import block_bytes, header_bytes
from quiesce.eval.terms import DEFAULT_SET
from quiesce.lab.datagen import CHUNK_POSITIONS, SUFFIX, DataPlan, digest_of, facts_of, played_chunk, prepare
from quiesce.work.cores import cores

FILE_MEGABYTES = 15
MEGABYTE = 1_000_000
SLACK = 1.3
"""A chunk starts only if this multiple of the longest one so far still fits."""


class Parts:
    """Blocks in files of a size that can be sent."""

    def __init__(self, folder, stem, facts, largest=FILE_MEGABYTES * MEGABYTE):
        self._folder, self._stem, self._header, self._largest = folder, stem, header_bytes(facts), largest
        self._part, self._size = -1, largest

    def add(self, block):
        """Write a block to the file that has room for it; each file is whole after each block."""
        if self._size + len(block) > self._largest:
            self._part, self._size = self._part + 1, len(self._header)
            self._path().write_bytes(self._header)
        with self._path().open("ab") as file:
            file.write(block)
        self._size += len(block)

    def _path(self):
        """The file that is being written."""
        return self._folder / f"{self._stem}-{self._part:03d}{SUFFIX}"


def work(task):
    """Play a worker's chunks until the time is over; returns positions, games and seconds."""
    folder, plan, stem, facts, worker, workers, first, deadline = task
    prepare()
    parts = Parts(Path(folder), f"{stem}-{worker:02d}", facts)
    positions = games = 0
    started, longest, chunk = time.time(), 0.0, first + worker
    while time.time() + SLACK * longest < deadline:
        began = time.time()
        played, seen = played_chunk(plan, chunk)
        parts.add(block_bytes(chunk, np.concatenate(played), seen))
        positions, games = positions + sum(map(len, played)), games + len(played)
        longest, chunk = max(longest, time.time() - began), chunk + workers
    return positions, games, time.time() - started


def main():
    """Compile, start the workers, sum up."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--processes", type=int, default=cores())
    parser.add_argument("--seconds", type=float, default=480)
    parser.add_argument("--nodes", type=int, default=3_000)
    parser.add_argument("--seed", type=int, default=1, help="another one for each run: the same seed gives the same")
    parser.add_argument("--weights", default=DEFAULT_SET, help="of the evaluation, by name or file")
    parser.add_argument("--offshoots", type=int, default=0, help="of each position, kept instead of it")
    parser.add_argument("--chunk", type=int, default=CHUNK_POSITIONS, help="positions of a chunk")
    parser.add_argument("--first-chunk", type=int, default=0, help="to go on with a seed: beyond all chunks there are")
    told = parser.parse_args()
    deadline = time.time() + told.seconds
    told.folder.mkdir(parents=True, exist_ok=True)
    plan = DataPlan(
        seed=told.seed, nodes=told.nodes, weights=told.weights, offshoots=told.offshoots, chunk_positions=told.chunk
    ).checked()
    facts, stem = facts_of(plan), f"{plan.seed}-{digest_of(plan.identity())}-{told.first_chunk}"
    began = time.time()
    prepare()
    print(f"compiled in {time.time() - began:.0f} s", flush=True)
    tasks = [
        (str(told.folder), plan, stem, facts, worker, told.processes, told.first_chunk, deadline)
        for worker in range(told.processes)
    ]
    started = time.time()
    with ProcessPoolExecutor(told.processes, multiprocessing.get_context("spawn")) as pool:
        found = list(pool.map(work, tasks))
    positions, games = sum(row[0] for row in found), sum(row[1] for row in found)
    busy = max(sum(row[2] for row in found), 1e-9)
    size = sum(path.stat().st_size for path in told.folder.glob(f"{stem}-*{SUFFIX}"))
    print(f"{positions:,} positions of {games:,} games, {size / max(positions, 1):.1f} bytes each")
    print(f"{positions / (time.time() - started):.0f} positions/s, {positions / busy:.1f} a core")


if __name__ == "__main__":
    main()
