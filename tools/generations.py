"""Grow networks generation by generation: all cores play, a GPU learns, a match decides who plays next.

Run: PYTHONPATH=src python tools/generations.py FOLDER --seconds 1500 --nodes 400
Every core plays chunks of games with the network that leads, into files of its generation. First positions a few random
moves off those of games teach a network what the terms say (offshoots). Then, over and over, each recipe trains a
candidate from there on the games so far, each candidate plays the leader in the arena, and the best that beats it leads
from then on. In the end the last candidates play the first leader again, many games each, for what they are worth where
nobody chose by these games. All that happened is in FOLDER/log.jsonl; recipes are read anew each time, so that they can
be changed meanwhile: FOLDER/recipes.json, a list of {"name", "start" (leader or offshoots), "offshoots" (files),
"games" (generations back), "args" (of `quiesce train`), "nodes" (only games at so many, if players differ)}.
"""

import argparse
import json
import multiprocessing
import os
import shutil
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
from datagen_many import Parts

from quiesce.eval.samples import block_bytes, open_samples
from quiesce.eval.terms import DEFAULT_SET
from quiesce.lab.arena import Arena
from quiesce.lab.datagen import SUFFIX, DataPlan, digest_of, facts_of, played_chunk, prepare
from quiesce.work.cores import cores

PERTURBED, OFFSHOOT_NODES, OFFSHOOT_CHUNK = 48, 100, 100_000
GAME_CHUNK = 2_000
LEADER, RECIPES, LOG = "leader", "recipes.json", "log.jsonl"
OFFSHOOTS_NET, FINAL = "offshoots.qnet", "final.qnet"
FIRST_SEED = 1_000
CERTAIN = 0.9
"""Likelihood of being the stronger one that a candidate needs."""
DEFAULT_RECIPES = (
    {"name": "on", "start": "leader", "offshoots": 0, "games": 9, "args": ["--rate", "0.0006", "--batch", "32768"]},
    {"name": "anew", "start": "offshoots", "offshoots": 0, "games": 9, "args": ["--rate", "0.001", "--batch", "32768"]},
)
FEWEST_EPOCHS, MOST_EPOCHS = 2, 4
BACKGROUND = 5
"""Niceness of the players, so that training comes first."""


def log(told, **facts):
    """Write what happened."""
    line = json.dumps({"at": round(time.time() - told.began), **facts})
    print(line, flush=True)
    with (told.folder / LOG).open("a") as file:
        file.write(line + "\n")


def leader_of(folder):
    """Generation and weights of the leader."""
    number, weights = (folder / LEADER).read_text().split(maxsplit=1)
    return int(number), weights


def lead(folder, generation, weights):
    """Let others play from now on; readers see the old ones or the new."""
    fresh = folder / f"{LEADER}.new"
    fresh.write_text(f"{generation} {weights}")
    fresh.replace(folder / LEADER)


class Player:
    """One process: its own chunks, in the files of its plan."""

    def __init__(self, folder, worker, workers):
        self._folder, self._worker, self._workers = folder, worker, workers
        self._plan, self._parts, self._chunk = None, None, worker

    def play(self, plan, name):
        """One chunk."""
        if plan != self._plan:
            facts, home = facts_of(plan), self._folder / name
            home.mkdir(exist_ok=True)
            stem = f"{plan.seed}-{digest_of(plan.identity())}-{self._worker:02d}"
            self._plan, self._parts = plan, Parts(home, stem, facts)
        games, seen = played_chunk(plan, self._chunk)
        self._parts.add(block_bytes(self._chunk, np.concatenate(games), seen))
        self._chunk += self._workers


def work(task):
    """Make perturbed positions, then games of the leader, until the end."""
    told, worker, until, end = task
    folder, nodes = told.folder, told.nodes[worker % len(told.nodes)]
    os.nice(BACKGROUND)
    prepare()
    player = Player(folder, worker, told.processes)
    offshoots = DataPlan(seed=FIRST_SEED - 1, nodes=OFFSHOOT_NODES, offshoots=PERTURBED, chunk_positions=OFFSHOOT_CHUNK)
    while time.time() < until:
        player.play(offshoots, "offshoots")
    (folder / f"offshoots-done-{worker}").touch()
    games = DataPlan(nodes=nodes, chunk_positions=GAME_CHUNK)
    while time.time() < end:
        generation, weights = leader_of(folder)
        player.play(replace(games, seed=FIRST_SEED + generation, weights=weights), f"g{generation:02d}")


def files_of(folder, recipe, generation):
    """What a recipe learns from."""
    offshoots = sorted((folder / "offshoots").glob(f"*{SUFFIX}"))[: recipe["offshoots"]]
    first = max(generation - recipe["games"] + 1, 0)
    games = [path for number in range(first, generation + 1) for path in (folder / f"g{number:02d}").glob(f"*{SUFFIX}")]
    wanted = recipe.get("nodes")
    return offshoots + sorted(path for path in games if wanted in (None, open_samples(path).facts["nodes"]))


def trained(told, name, files, start, args):
    """Train; returns the network's file, or nothing if it failed."""
    rows = sum(len(open_samples(path)) for path in files)
    epochs = min(max(told.budget // max(rows, 1), FEWEST_EPOCHS), MOST_EPOCHS)
    out, began = told.folder / f"{name}.qnet", time.time()
    words = [*map(str, files), "--out", str(out), "--epochs", str(epochs), *args]
    words += ["--start", str(start)] if start else []
    done = subprocess.run(
        [sys.executable, "-m", "quiesce.train", *words, "--json"], capture_output=True, text=True, check=False
    )
    if done.returncode:
        log(told, network=name, failed=done.stderr[-500:])
        return None
    facts = json.loads(done.stdout)
    told_of = {key: facts[key] for key in ("positions", "loss", "held_out_loss", "rounding")}
    log(told, network=name, seconds=round(time.time() - began), epochs=epochs, args=args, **told_of)
    return out


def final(told, first_leader):
    """Match the last candidates against the first leader; the strongest is copied to FINAL."""
    lines = [json.loads(line) for line in (told.folder / LOG).read_text().splitlines()]
    names = [
        line["network"] for line in lines if "held_out_loss" in line and f"{line['network']}.qnet" != OFFSHOOTS_NET
    ]
    finalists = [told.folder / f"{name}.qnet" for name in names[-told.finalists :]]
    if finalists:
        best = max(finalists, key=lambda net: match(told, net, first_leader, told.final)[0])
        shutil.copy(best, told.folder / FINAL)
        log(told, final=str(best))


def match(told, first, second, games):
    """Play two sets of weights against each other; returns Elo and the likelihood that the first is stronger."""
    tally = Arena({}, {}, told.match_nodes, told.processes, (str(first), str(second))).run(
        games // 2, seed=int(time.time())
    )
    found = tally.strength
    log(told, match=[str(first), str(second)], pairs=tally.pentanomial, elo=round(found.elo, 1),
        error=round(found.error, 1), los=round(found.superiority, 3))  # fmt: skip
    return found.elo, found.superiority


def next_generation(told, generation):
    """Train a candidate by each recipe and let the best lead if it beats the leader; returns the generation then."""
    best = None
    first, leader = told.folder / OFFSHOOTS_NET, leader_of(told.folder)[1]
    starts = {"offshoots": first, "leader": leader if leader.endswith(first.suffix) else first}
    for recipe in json.loads((told.folder / RECIPES).read_text()):
        files = files_of(told.folder, recipe, generation)
        name = f"n{generation + 1:02d}-{round(time.time() - told.began)}-{recipe['name']}"
        args = [*recipe["args"], "--generation", str(generation + 1)]
        net = trained(told, name, files, starts[recipe["start"]], args)
        if net is not None:
            elo, los = match(told, net, leader, told.games)
            if los >= CERTAIN and (best is None or elo > best[0]):
                best = elo, net
    if best is None:
        return generation
    lead(told.folder, generation + 1, best[1])
    log(told, leader=str(best[1]), generation=generation + 1)
    return generation + 1


def learn_offshoots(told):
    """Wait for all offshoots, and learn what the terms say of them."""
    while len(list(told.folder.glob("offshoots-done-*"))) < told.processes:
        time.sleep(1)
    files = sorted((told.folder / "offshoots").glob(f"*{SUFFIX}"))
    net = trained(told, Path(OFFSHOOTS_NET).stem, files, None, ["--wdl-lambda", "1.0", "--rate", "0.002"])
    if net is not None:
        match(told, net, DEFAULT_SET, told.games)


def learn(told, end):
    """The loop of a GPU: offshoots first, unless there is a network that knows them, then generation by generation."""
    if not told.start:
        learn_offshoots(told)
    generation = told.generation
    while time.time() < end:
        positions = sum(len(open_samples(path)) for path in told.folder.glob(f"g*/*{SUFFIX}"))
        if positions < told.first:
            time.sleep(1)
        else:
            generation = next_generation(told, generation)


def main():
    """Compile, start the players, learn."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--processes", type=int, default=cores())
    parser.add_argument("--seconds", type=float, default=1_500)
    parser.add_argument("--offshoot-seconds", type=float, default=45)
    parser.add_argument("--start", type=Path, help="a network to begin with, instead of learning from offshoots")
    parser.add_argument("--leader", default=DEFAULT_SET, help="weights that play at first, by name or file")
    parser.add_argument("--generation", type=int, default=0, help="of the first leader")
    parser.add_argument("--final", type=int, default=0, help="games of each finalist")
    parser.add_argument("--finalists", type=int, default=4, help="how many of the last candidates play them")
    parser.add_argument("--first", type=int, default=3_000_000, help="positions of games before the first training")
    parser.add_argument(
        "--nodes",
        type=int,
        nargs="+",
        default=[400],
        help="of a move, after which no further iteration begins; in turn",
    )
    parser.add_argument("--recipes", type=Path, help="a file of recipes to begin with, instead of the two built in")
    parser.add_argument("--match-nodes", type=int, default=10_000, help="of a move in matches")
    parser.add_argument("--games", type=int, default=400, help="of a match")
    parser.add_argument("--budget", type=int, default=250_000_000, help="positions looked at in a training")
    told = parser.parse_args()
    told.folder = told.folder.resolve()
    told.folder.mkdir(parents=True)
    told.began = time.time()
    end = told.began + told.seconds
    lead(told.folder, told.generation, told.leader)
    if told.start:
        shutil.copy(told.start, told.folder / OFFSHOOTS_NET)
        told.offshoot_seconds = 0
    recipes = json.loads(told.recipes.read_text()) if told.recipes else DEFAULT_RECIPES
    (told.folder / RECIPES).write_text(json.dumps(recipes))
    prepare()
    log(told, compiled=round(time.time() - told.began))
    until = time.time() + told.offshoot_seconds
    tasks = [(told, worker, until, end) for worker in range(told.processes)]
    with ProcessPoolExecutor(told.processes, multiprocessing.get_context("spawn")) as pool:
        waiting = [pool.submit(work, task) for task in tasks]
        learn(told, end)
        for future in waiting:
            future.result()
    if told.final:
        final(told, told.leader)
    rows = {home.name: sum(len(open_samples(path)) for path in home.iterdir()) for home in told.folder.glob("*/")}
    log(told, positions=rows)


if __name__ == "__main__":
    main()
