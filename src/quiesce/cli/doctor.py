"""Shell. `quiesce doctor`: one page about this installation, for bug reports."""

import getpass
import json
import os
import platform
import re
import shutil
import sys
import time
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import click

from quiesce import __version__
from quiesce.cli.common import json_option

Facts = dict[str, str]

NEEDED = ("chess", "click", "filelock", "numpy", "platformdirs", "rich")
EXTRAS = {
    "numba": "jit",
    "llvmlite": "jit",
    "scipy": "lab",
    "distributed": "cluster",
    "torch": "train",
    "starlette": "web",
    "uvicorn": "web",
}
"""Packages that not everybody needs, and the extra that installs each."""
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "firefox", "msedge")
COMPILERS = ("cc", "gcc", "clang", "cl")
ENGINES = ("stockfish", "lc0", "glaurung", "toga2", "gnuchess", "ethereal-chess", "fairymax", "crafty")
GAMES = "/usr/games"
"""Where Debian puts engines; not on everybody's PATH."""
OURS = "QUIESCE_"
TRIED_NODES = 20_000
HIDDEN_USER = "(user)"
LEAST_NAME = 3
"""Letters of a user's name that can be told from other words."""


def without_names(text: str) -> str:
    """The text without the home folder and the user's name."""
    text = text.replace(str(Path.home()), "~")
    try:
        user = getpass.getuser()
    except (OSError, KeyError):
        return text
    is_telling = len(user) >= LEAST_NAME and user != "quiesce"
    return re.sub(rf"(?<!\w){re.escape(user)}(?!\w)", HIDDEN_USER, text) if is_telling else text


def of_ourselves() -> Facts:
    """Version, Python, and our environment variables."""
    bits = 64 if sys.maxsize > 1 << 32 else 32
    switches = [f"{name}={value}" for name, value in sorted(os.environ.items()) if name.startswith(OURS)]
    return {
        "version": __version__,
        "Python": f"{platform.python_implementation()} {platform.python_version()}, {bits} bit",
        "variables": ", ".join(switches) or "none set",
    }


def of_machine() -> Facts:
    """System, processor, cores and memory."""
    from quiesce.engine.table import free_megabytes  # noqa: PLC0415
    from quiesce.jit import library  # noqa: PLC0415  (--help need not pay for it)
    from quiesce.work.cores import cores  # noqa: PLC0415

    free = free_megabytes()
    return {
        "system": f"{platform.system()} {platform.release()}, {' '.join(platform.libc_ver()).strip() or 'no glibc'}",
        "processor": f"{platform.machine()}, level {next(filter(library.processor_has, library.LEVELS), 'unknown')}",
        "cores": f"{os.cpu_count()}, of which this process may use {cores()}",
        "memory": "free memory is not known" if free is None else f"{free} MB may be used",
    }


def installed(package: str, otherwise: str) -> str:
    """A package's version, or the given text without it."""
    try:
        return version(package)
    except PackageNotFoundError:
        return otherwise


def of_packages() -> Facts:
    """Versions of required and optional packages."""
    found = {name: installed(name, "MISSING") for name in NEEDED}
    return found | {name: installed(name, f"not installed: extra `{extra}`") for name, extra in EXTRAS.items()}


def of_kernels() -> Facts:
    """Which kernels are used, where they are, and whether they search."""
    from quiesce import cachekey  # noqa: PLC0415  (the same)
    from quiesce.jit import is_compiled, library  # noqa: PLC0415

    folder = cachekey.folder() if library.has_numba() else None
    size = sum(path.stat().st_size for path in folder.parent.rglob("*") if path.is_file()) if folder else 0
    return {
        "kernels": library.description(),
        "cache": f"{folder.parent}, {size >> 20} MB" if folder else "not used",
        "search": tried() if is_compiled() else "not tried: nothing is compiled yet (quiesce warmup)",
    }


def tried() -> str:
    """The result of a short search, or its error."""
    from quiesce.board.game import Game  # noqa: PLC0415  (the same)
    from quiesce.engine import Engine, Limits  # noqa: PLC0415

    try:
        with Engine(1) as engine:
            report = engine.search(Game(), Limits(nodes=TRIED_NODES))
    except Exception as error:  # noqa: BLE001  (whatever it is belongs on the page)
        return f"FAILED: {type(error).__name__}: {error}"
    return f"works: {report.nodes:,} nodes, {report.speed:,} a second"


def on_path(names: tuple[str, ...]) -> str:
    """The programs of this list that can be started."""
    path = os.pathsep.join((os.environ.get("PATH", ""), GAMES))
    return ", ".join(name for name in names if shutil.which(name, path=path)) or "none found"


def of_neighbours() -> Facts:
    """Other programs that some commands use."""
    from quiesce.lab.match.openings import BUNDLED  # noqa: PLC0415  (the same)
    from quiesce.web.bundle import STATIC  # noqa: PLC0415

    return {
        "page of the web board": "built" if (STATIC / "index.html").is_file() else "not built (make web)",
        "browsers": on_path(BROWSERS),
        "C compilers": on_path(COMPILERS),
        "other engines": on_path(ENGINES),
        "books": ", ".join(sorted(BUNDLED)),
        "endgame tables": "none of our own: SyzygyPath says where they are",
    }


PARTS: dict[str, Callable[[], Facts]] = {
    "quiesce": of_ourselves,
    "machine": of_machine,
    "packages": of_packages,
    "kernels": of_kernels,
    "beside it": of_neighbours,
}


def examined(part: Callable[[], Facts]) -> Facts:
    """One section of the page, without user names; the error if it fails."""
    try:
        found = part()
    except Exception as error:  # noqa: BLE001  (a page with a hole is better than none)
        found = {"trouble": f"{type(error).__name__}: {error}"}
    return {name: without_names(text) for name, text in found.items()}


@click.command()
@json_option
def doctor(as_json: bool) -> None:
    """The page contains no user names and no folders but ours. A short search is tried."""
    began = time.monotonic()
    page = {title: examined(part) for title, part in PARTS.items()}
    if as_json:
        click.echo(json.dumps(page))
        return
    for title, facts in page.items():
        click.echo(title)
        for name, text in facts.items():
            click.echo(f"  {name:<22} {text}")
    click.echo(f"examined in {time.monotonic() - began:.1f} s")
