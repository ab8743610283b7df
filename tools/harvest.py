"""Make training positions in idle time: `make harvest`, see docs/howto/harvest.md.

Self-play of a fixed engine at the lowest priority. One folder, ~/quiesce-harvest or QUIESCE_HARVEST, contains `data`,
one file for each plan; `engine`, a clone of the project with its own environment; `log`; `pids`, the processes; `seed`,
that of the plans. A kill loses no whole block.
"""

import argparse
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import filelock

PLANS = {
    "lines": ("--nodes", "400", "--openings", "lines", "--random-plies", "4..8", "--interior", "3"),
    "ends": ("--nodes", "400", "--openings", "ends", "--random-plies", "0..4", "--interior", "3"),
}
"""By the name of their log: openings along the lines of a book, and from their ends."""
OWN_BOOK = "book.epd"
"""A book in the harvest's folder that takes the place of the bundled one for `ends`: the more lines the better."""
POSITIONS = 200_000_000
"""Of each plan, after which it ends."""
PATIENCE = 10.0
"""Seconds in which a process that is asked to end does."""
LOWEST = 19
RUNNING, PAUSED, STOPPED = "running", "paused", "stopped"


def home() -> Path:
    """The folder of the harvest."""
    return Path(os.environ.get("QUIESCE_HARVEST") or Path.home() / "quiesce-harvest")


def is_harvester(pid: int) -> bool:
    """Is it a process that makes data, still alive? Numbers of processes are used again."""
    try:
        os.kill(pid, 0)
        words = Path(f"/proc/{pid}/cmdline")
        return not words.parent.parent.is_dir() or b"datagen" in words.read_bytes().split(b"\0")
    except OSError:
        return False


def running() -> list[int]:
    """The processes of the harvest that are alive."""
    try:
        kept = (home() / "pids").read_text(encoding="utf-8").split()
    except OSError:
        return []
    return [int(word) for word in kept if word.isdigit() and is_harvester(int(word))]


def is_paused(pid: int) -> bool:
    """Is a process stopped for a while?"""
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] == "T"
    return False


def state() -> str:
    """How it stands, in one word."""
    found = running()
    if not found:
        return STOPPED
    return PAUSED if all(map(is_paused, found)) else RUNNING


def told() -> str:
    """How it stands, and what there is."""
    files = sorted((home() / "data").glob("*.samples"))
    size = sum(path.stat().st_size for path in files)
    return f"{state()}: {size / 1e6:,.0f} MB in {home() / 'data'}, about {size / 10e6:,.1f} million positions"


def signal_all(number: int) -> None:
    """Send a signal to all processes of the harvest, and to those that they started."""
    for pid in running():
        with suppress(OSError):
            os.killpg(pid, number)


def pause() -> None:
    """Stop it for a while; memory is kept."""
    signal_all(signal.SIGSTOP)
    deadline = time.monotonic() + PATIENCE
    while state() == RUNNING and time.monotonic() < deadline:  # who is idle hears late on a busy machine
        time.sleep(0.05)


def stop() -> None:
    """Stop all processes; unfinished blocks are played again later."""
    signal_all(signal.SIGCONT)
    signal_all(signal.SIGTERM)
    deadline = time.monotonic() + PATIENCE
    while running() and time.monotonic() < deadline:
        time.sleep(0.05)
    signal_all(signal.SIGKILL)


def build(source: Path) -> None:
    """Clone the engine of a checkout, and install it."""
    engine, log = home() / "engine", home() / "log" / "build"
    shutil.rmtree(engine, ignore_errors=True)
    python = engine / ".venv" / "bin" / "python"
    constraints = {"PIP_CONSTRAINT": str(engine / "constraints.txt")}
    with log.open("w", encoding="utf-8") as file:
        for words in (
            ["git", "clone", "--quiet", str(source), str(engine)],
            [sys.executable, "-m", "venv", str(engine / ".venv")],
            [str(python), "-m", "pip", "--quiet", "install", "--editable", str(engine)],
            [str(python), "-m", "quiesce", "warmup"],
        ):
            done = subprocess.run(words, stdout=file, stderr=file, env=os.environ | constraints, check=False)
            if done.returncode:
                raise SystemExit(f"harvest: {' '.join(words[:4])} failed, see {log}")


def be_lowest() -> None:
    """Have this process run only when no other wants to."""
    os.nice(LOWEST)
    if hasattr(os, "SCHED_IDLE"):
        with suppress(OSError):
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    with suppress(OSError):  # a session has a share of its own on Linux, whatever its priority: make it the least
        Path("/proc/self/autogroup").write_text(str(LOWEST), encoding="utf-8")


def start(source: Path) -> None:
    """Start missing processes; unfinished files are continued."""
    if len(running()) == len(PLANS):
        return
    stop()
    if not (home() / "engine" / ".venv" / "bin" / "quiesce").exists():
        build(source)
    seed = home() / "seed"
    if not seed.exists():
        seed.write_text(f"{int(time.time()) % 1_000_000}\n", encoding="utf-8")
    each = max((os.cpu_count() or 1) // len(PLANS), 1)
    pids = []
    for name, words in PLANS.items():
        command = [str(home() / "engine" / ".venv" / "bin" / "quiesce"), "datagen", str(home() / "data"), *words]
        if name == "ends" and (home() / OWN_BOOK).exists():
            command += ["--book", str(home() / OWN_BOOK)]
        command += ["--seed", seed.read_text(encoding="utf-8").strip(), "--positions", str(POSITIONS)]
        with (home() / "log" / name).open("ab") as log:
            process = subprocess.Popen(
                [*command, "--concurrency", str(each)], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                start_new_session=True, preexec_fn=be_lowest,  # noqa: PLW1509  (there are no threads)
            )  # fmt: skip
        pids.append(process.pid)
        (home() / "pids").write_text("".join(f"{pid}\n" for pid in pids), encoding="utf-8")


def renew(source: Path) -> None:
    """Begin new plans with the engine that a checkout has now."""
    stop()
    shutil.rmtree(home() / "engine", ignore_errors=True)
    (home() / "seed").unlink(missing_ok=True)
    start(source)


def main() -> None:
    """Run one command and print the state."""
    actions: dict[str, Callable[[], object]] = {
        "start": lambda: start(source),
        "pause": pause,
        "resume": lambda: signal_all(signal.SIGCONT),
        "stop": stop,
        "renew": lambda: renew(source),
        "state": lambda: None,
    }
    parser = argparse.ArgumentParser(description="Make positions to learn from in idle time.")
    parser.add_argument("action", nargs="?", choices=actions, default="start")
    parser.add_argument("--source", type=Path, default=Path(__file__).resolve().parent.parent, help="a checkout")
    asked = parser.parse_args()
    source = asked.source
    for name in ("data", "log"):
        (home() / name).mkdir(parents=True, exist_ok=True)
    with filelock.FileLock(home() / "harvest.lock"):
        actions[asked.action]()
        print(told())


if __name__ == "__main__":
    main()
