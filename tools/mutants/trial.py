"""Tests one fault in a clone: plant it, run tests, remove it. Nothing remains if it is killed."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from quiesce.work.lifetime import bound_to_us, kill_all
from tools.mutants.faults import SOURCES, Fault
from tools.mutants.targets import Target

CAUGHT, SURVIVED, TIMED_OUT = "caught", "survived", "timed out"
WIDE_TIMES = 12
"""How much longer the wide tests may take than the quick ones."""
PYTEST = ("-m", "pytest", "-x", "-q", "--no-header", "-p", "no:cacheprovider")
NO_TESTS_FAILED = 0


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a fault: how it ended, by which tests, after how many seconds."""

    end: str
    tests: str
    seconds: float


class Clone:
    """A copy of the checkout with uncommitted changes, in which files may be broken; removed at the end."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.folder = folder / "checkout"
        self._baselines: dict[tuple[tuple[str, ...], bool], str] = {}
        names = subprocess.run(
            ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
            cwd=root, capture_output=True, text=True, check=True,
        ).stdout.split("\0")  # fmt: skip
        for name in filter(None, names):
            if (root / name).is_file():
                (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(root / name, self.folder / name)
        shared = root.parent / "shared"
        if shared.is_dir():
            (folder / "shared").symlink_to(shared)

    def source(self, module: str) -> Path:
        """A module's file in the clone."""
        return self.folder / SOURCES / module

    def run(self, tests: Sequence[str], seconds: float, *, plain: bool) -> str:
        """Run tests in the clone; returns how that ended."""
        environment = os.environ | {
            "PYTHONPATH": str(self.folder / "src"),
            "PYTHONDONTWRITEBYTECODE": "1",
            "QUIESCE_OPEN": "1",
        }
        if plain:
            environment["NUMBA_DISABLE_JIT"] = "1"
        running = subprocess.Popen(
            [sys.executable, *PYTEST, *tests], cwd=self.folder, env=environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **bound_to_us(),
        )  # fmt: skip
        try:
            return SURVIVED if running.wait(seconds) == NO_TESTS_FAILED else CAUGHT
        except subprocess.TimeoutExpired:
            return TIMED_OUT
        finally:
            kill_all(running.pid)
            running.wait()

    def baseline(self, target: Target, limit: float) -> str | None:
        """Why a target cannot be tested; None if it can."""
        for tests, seconds in ((target.quick, limit), (target.wide, limit * WIDE_TIMES)):
            if tests:
                end = self._baselines.get((tests, target.plain)) or self.run(tests, seconds, plain=target.plain)
                self._baselines[tests, target.plain] = end
                if end != SURVIVED:
                    return (
                        f"{' '.join(tests)} {'fail' if end == CAUGHT else f'take over {seconds:g} s'} without a fault"
                    )
        return None

    def judge(self, target: Target, fault: Fault, limit: float) -> Outcome:
        """Plant a fault, run the tests, and take it out again."""
        file, began = self.source(fault.module), time.monotonic()
        whole = file.read_text("utf-8")
        try:
            file.write_text(fault.planted(whole) or whole, "utf-8")
            end = SURVIVED
            for tests, seconds in ((target.quick, limit), (target.wide, limit * WIDE_TIMES)):
                if tests and end == SURVIVED:
                    end, by = self.run(tests, seconds, plain=target.plain), tests
            return Outcome(end, " ".join(by), time.monotonic() - began)
        finally:
            file.write_text(whole, "utf-8")
