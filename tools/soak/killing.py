"""Kills lab runs at random moments and resumes them: nothing finished may be lost, changed or doubled."""

import contextlib
import json
import os
import signal
import subprocess
import time

from quiesce.eval.samples import SamplesError, open_samples
from quiesce.lab.datagen import SUFFIX
from quiesce.work.store import Store, StoreError
from tools.soak.processes import OURS, descendants, end, outliving, started
from tools.soak.table import Tally

LONGEST_LIFE = 12.0
"""Seconds until a run is killed, at most; the shortest find it still loading."""
KILLED_SHARE = 0.6
"""Share of a turn for kills; the rest is for the end of the run, and for an undisturbed one."""
WORTH_ANOTHER = 0.25
"""Of a turn that must be left for another run to begin."""
FINISH_SECONDS = 180.0
"""What the last run has to do the rest."""
PAIRS, MATCH_NODES = 6, 2_000
POSITIONS, DATA_NODES = 12_000, 150


def match_items(folder):
    """Finished pairs of a match: moves and results by number."""
    path = folder / "match.sqlite"
    if not path.exists():
        return {}
    with Store(path) as store:
        kept = [item for run in store.runs() for item in run.items().items() if item[0].isdigit()]
    return {key: [(game["moves"], game["result"]) for game in facts["games"]] for key, facts in kept}


def data_items(folder):
    """Blocks of a file of positions that are whole: rows and checksum by number."""
    found = {}
    for path in folder.glob(f"*{SUFFIX}"):
        for block in open_samples(path).blocks:
            key = str(block.number) if str(block.number) not in found else f"{block.number} again"
            found[key] = (block.rows, block.crc)
    return found


def kill_matches(seconds, choice, folder):
    """Matches at fixed nodes, whose games an undisturbed run repeats."""
    command = [*OURS, "match", "--nodes", str(MATCH_NODES), "--games", str(2 * PAIRS), "--concurrency", "2", "--json"]

    def once(tally, left, home):
        """One match and its twin."""
        own = [*command, "--seed", str(choice.randrange(1 << 30)), "--option2", "NullMove=false"]
        kill_and_resume(
            tally,
            left,
            choice,
            home,
            lambda place: [*own, "--store", str(place / "match.sqlite")],
            match_items,
            lambda said, items: said["games"] == 2 * len(items) == 2 * PAIRS,
        )

    return again_and_again(Tally("kill match"), seconds, folder, once)


def kill_datagen(seconds, choice, folder):
    """Self-play for learning, whose blocks an undisturbed run repeats."""
    plan = ["--positions", str(POSITIONS), "--nodes", str(DATA_NODES), "--concurrency", "2", "--json"]

    def once(tally, left, home):
        """One file and its twin."""
        own = [*plan, "--seed", str(choice.randrange(1 << 30))]
        kill_and_resume(
            tally,
            left,
            choice,
            home,
            lambda place: [*OURS, "datagen", str(place), *own],
            data_items,
            lambda said, items: said["positions"] == sum(rows for rows, _ in items.values()) >= POSITIONS,
        )

    return again_and_again(Tally("kill datagen"), seconds, folder, once)


def again_and_again(tally, seconds, folder, once):
    """Begin another run where one has ended before its time: quick machines end them soon."""
    deadline, number = time.monotonic() + seconds, 0
    while number == 0 or deadline - time.monotonic() > seconds * WORTH_ANOTHER:
        home = folder / str(number)
        home.mkdir()
        once(tally, deadline - time.monotonic(), home)
        number += 1
    return tally


def kill_and_resume(tally, seconds, choice, folder, command_for, items_of, is_told):
    """Kill a run repeatedly, let it end, and compare it with an undisturbed run."""
    disturbed, calm = folder / "disturbed", folder / "calm"
    disturbed.mkdir()
    calm.mkdir()
    deadline, seen = time.monotonic() + seconds * KILLED_SHARE, {}
    try:
        while time.monotonic() < deadline:
            if not kill_once(tally, choice, command_for(disturbed), lambda: compare(tally, seen, items_of(disturbed))):
                break
            tally.rounds += 1
        finished(tally, command_for(disturbed), lambda said: is_told(said, items_of(disturbed)))
        finished(tally, command_for(calm), lambda said: is_told(said, items_of(calm)))
        compare(tally, seen, items_of(disturbed))
        compare(tally, items_of(calm), items_of(disturbed))
    except (StoreError, SamplesError) as error:
        tally.fault("lost", f"cannot be read after a kill: {error}")
    return tally


def compare(tally, seen, items):
    """Everything finished before must be unchanged; new items are remembered."""
    for key, facts in seen.items():
        if items.get(key) != facts:
            tally.fault("lost", f"item {key} is not as it was, or as an undisturbed run has it")
    seen.update(items)


def kill_once(tally, choice, command, look):
    """Begin or go on, kill at some moment, and look before and after; returns whether there was something to kill."""
    process = started(command)
    family = set()
    try:
        time.sleep(choice.uniform(0, LONGEST_LIFE))
        look()
        family, ended = descendants(process.pid), process.poll()
        with contextlib.suppress(ProcessLookupError):  # it has ended
            (os.killpg if choice.random() < 0.5 else os.kill)(process.pid, signal.SIGKILL)
        if left := outliving(family):
            tally.fault("hangs", f"{len(left)} processes outlived the one that was killed")
        if ended:
            tally.fault("crashes", f"ended with code {ended}: {process.stderr.read()[-300:]}")
    finally:
        end(process, family)
    look()
    return ended is None


def finished(tally, command, is_right):
    """Let a run end, and check its last output."""
    process = started(command)
    try:
        said, words = process.communicate(timeout=FINISH_SECONDS)
        if process.returncode:
            tally.fault("crashes", f"ended with code {process.returncode}: {words[-300:]}")
        elif not is_right(json.loads(said)):
            tally.fault("lost", f"a finished run says {said.strip()}")
    except subprocess.TimeoutExpired:
        tally.fault("hangs", f"not done after {FINISH_SECONDS:.0f} s")
    finally:
        end(process)
