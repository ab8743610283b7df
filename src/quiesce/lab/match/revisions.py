"""Shell. Older revisions of our engine, each installed from git into its own environment."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import filelock
import platformdirs

from quiesce.cachekey import PACKAGE, fallback_base, user_folder
from quiesce.lab.match.ucioptions import SetUpError

BUILD_SECONDS = 900
LAST_WORDS = 500
"""How much of a failed build's complaint is shown."""
NOT_INHERITED = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")
"""What would lead another revision to this one's sources."""


def plain_environment() -> dict[str, str]:
    """The environment another revision is built and run in."""
    return {name: value for name, value in os.environ.items() if name not in NOT_INHERITED}


def git(*words: str) -> str:
    """What git says in the checkout this package, or this shell, is in."""
    for folder in (PACKAGE.parent.parent, Path.cwd()):
        done = subprocess.run(["git", "-C", str(folder), *words], capture_output=True, text=True, check=False)
        if done.returncode == 0:
            return done.stdout.strip()
    raise SetUpError(f"git {' '.join(words)}: {done.stderr.strip() or 'failed'}")


def commit_of(revision: str) -> str:
    """The full name of a revision."""
    if revision.startswith("-"):
        raise SetUpError(f"{revision!r} is no revision")
    try:
        return git("rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
    except SetUpError:
        raise SetUpError(f"no revision {revision!r} in this checkout") from None


def built(commit: str) -> Path:
    """The Python interpreter of a revision's environment, which is made at first use.

    One process builds, others wait. An incomplete environment is not used.
    """
    home = (user_folder(platformdirs.user_cache_dir) or fallback_base()) / "revisions" / commit[:12]
    python = home / "bin" / "python"
    if python.exists():
        return python
    home.parent.mkdir(parents=True, exist_ok=True)
    with filelock.FileLock(home.with_suffix(".lock")):
        if not python.exists():
            try:
                build(commit, home)
            except BaseException:
                shutil.rmtree(home, ignore_errors=True)
                raise
    return python


def build(commit: str, home: Path) -> None:
    """Export a revision beside its environment, install it in place, as no page of the web board is asked of it, and
    have it compile.
    """
    source, waiting = home / "source", home / "bin" / "python.new"
    run_step(commit, [sys.executable, "-m", "venv", str(home)])
    with tempfile.TemporaryDirectory() as folder:
        archive = Path(folder) / "source.tar"
        git("archive", "--format=tar", f"--output={archive}", commit)
        shutil.unpack_archive(archive, source, filter="data")
    limits = ["-c", str(source / "constraints.txt")] if (source / "constraints.txt").exists() else []
    python = home / "bin" / "python"
    python.rename(waiting)
    run_step(commit, [str(waiting), "-m", "pip", "install", "--quiet", *limits, "--editable", str(source)])
    run_step(commit, [str(waiting), "-P", "-m", "quiesce", "warmup"])
    waiting.rename(python)


def run_step(commit: str, command: list[str]) -> None:
    """Run one step of a build."""
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=BUILD_SECONDS, env=plain_environment()
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise SetUpError(f"revision {commit[:12]} cannot be built: {error}") from None
    if done.returncode != 0:
        words = f"{' '.join(command)}: {(done.stderr or done.stdout).strip()[-LAST_WORDS:]}"
        raise SetUpError(f"revision {commit[:12]} cannot be built: {words}")
