"""Shell. Engines by description: our own with options, an older revision of it, or any UCI or xboard program."""

import hashlib
import os
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from importlib import resources
from pathlib import Path
from typing import Any

import platformdirs

from quiesce import __version__
from quiesce.cachekey import PACKAGE, source_files
from quiesce.lab.match.player import Player, SetUpError, UciPlayer
from quiesce.lab.match.xboard import XboardPlayer

OURS = "quiesce"
AT = "@"
"""Between our name and a revision."""
UCI, XBOARD = PROTOCOLS = ("uci", "xboard")
OPPONENTS = "opponents.toml"
BUILD_SECONDS = 900
LAST_WORDS = 500
"""How much of a failed build's complaint is shown."""


@dataclass(frozen=True, slots=True)
class Engine:
    """How an engine is started. No command means our own, as it is here or, by revision, as it was."""

    name: str = OURS
    command: tuple[str, ...] = ()
    protocol: str = UCI
    options: dict[str, Any] = field(default_factory=dict)
    folder: str = ""
    revision: str = ""
    rating: float | None = None
    """Published, where known."""

    @property
    def title(self) -> str:
        """Its name, and for our own the options that make it what it is."""
        options = ", ".join(f"{name}={value}" for name, value in self.options.items())
        return f"{self.name} ({options})" if options and not self.command else self.name

    def facts(self) -> dict[str, Any]:
        """The description as plain values, for tasks."""
        return asdict(self) | {"command": list(self.command)}

    def identity(self) -> dict[str, Any]:
        """What decides how it plays: for our own, its sources too, so that an edit is another engine."""
        facts = {key: value for key, value in self.facts().items() if key != "rating"}
        return facts if self.command or self.revision else facts | {"sources": sources_digest()}

    def command_line(self) -> tuple[str, ...]:
        """How it is started on this machine; a revision is built if it is not yet."""
        python = str(built(self.revision)) if self.revision else sys.executable
        return self.command or (python, "-m", OURS)

    def start(self) -> Player:
        """Start it."""
        command = self.command_line()
        kind = XboardPlayer if self.protocol == XBOARD else UciPlayer
        return kind(command, self.options, Path(self.folder) if self.folder else None, self.name)


def engine_from(facts: Mapping[str, Any]) -> Engine:
    """The engine of a description."""
    return Engine(**(dict(facts) | {"command": tuple(facts.get("command", ()))}))


def sources_digest() -> str:
    """A name for our engine as it is now, wherever it runs."""
    whole = hashlib.sha256(__version__.encode())
    for path in [*source_files(), PACKAGE / "eval" / "fitted.json"]:
        whole.update(path.relative_to(PACKAGE).as_posix().encode() + b"\0" + path.read_bytes())
    return whole.hexdigest()[:16]


def opponents(path: Path | None = None) -> dict[str, Engine]:
    """Engines of a TOML file by name; without one, those of Debian and PyPI with their traps avoided."""
    try:
        text = (path or resources.files("quiesce.lab").joinpath(OPPONENTS)).read_text("utf-8")
        table = tomllib.loads(text)
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SetUpError(f"{path or OPPONENTS}: {error}") from None
    return {name: engine_of(facts, name) for name, facts in table.items()}


def engine_of(told: str | Mapping[str, Any], name: str = "") -> Engine:
    """An engine as a user names it: a word, a command line, or a table."""
    if isinstance(told, str):
        return engine_named(told)
    if not isinstance(told, Mapping):
        raise SetUpError(f"an engine is a word, a command or a table, not {told!r}")
    facts = dict(told)
    base = engine_named(str(facts.pop("engine", ""))) if "engine" in facts else None
    allowed = {"name", "command", "protocol", "options", "folder", "revision", "rating"}
    if unknown := set(facts) - allowed:
        raise SetUpError(f"engine {name or told!r}: unknown key {min(unknown)!r}; there are {sorted(allowed)}")
    command = facts.get("command", ())
    facts["command"] = tuple(shlex.split(command) if isinstance(command, str) else command)
    if facts.get("protocol", UCI) not in PROTOCOLS:
        raise SetUpError(f"engine {name!r}: the protocol is {' or '.join(PROTOCOLS)}, not {facts['protocol']!r}")
    if base is not None:
        merged = base.options | dict(facts.pop("options", {}))
        del facts["command"]
        return replace(base, **facts, options=merged)
    return Engine(**({"name": name or (Path(facts["command"][0]).name if facts["command"] else OURS)} | facts))


def engine_named(text: str) -> Engine:
    """Our engine, `quiesce@REVISION`, a known opponent, or a command line."""
    if text == OURS:
        return Engine()
    if text.startswith(OURS + AT):
        return Engine(name=text, revision=commit_of(text.removeprefix(OURS + AT)))
    known = opponents()
    if text in known:
        return known[text]
    try:
        command = tuple(shlex.split(text))
    except ValueError as error:
        raise SetUpError(f"{text!r} is no command line: {error}") from None
    if not command or shutil.which(command[0]) is None:
        raise SetUpError(
            f"no engine {text!r}: give {OURS}, {OURS}{AT}REVISION, a command, or one of {', '.join(known)}"
        )
    return Engine(Path(command[0]).name, command)


def is_installed(engine: Engine) -> bool:
    """Is the program there?"""
    return not engine.command or shutil.which(engine.command[0]) is not None


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
    return git("rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")


def built(commit: str) -> Path:
    """The interpreter of an environment in which a revision is installed, made at its first use."""
    home = Path(platformdirs.user_cache_dir(OURS)) / "revisions" / commit[:12]
    python = home / "env" / "bin" / "python"
    if (home / "ready").exists():
        return python
    shutil.rmtree(home, ignore_errors=True)
    source = home / "source"
    source.mkdir(parents=True)
    archive = home / "source.tar"
    git("archive", "--format=tar", f"--output={archive}", commit)
    shutil.unpack_archive(archive, source, filter="data")
    limits = ["-c", str(source / "constraints.txt")] if (source / "constraints.txt").exists() else []
    for command in (
        [sys.executable, "-m", "venv", str(home / "env")],
        [str(python), "-m", "pip", "install", "--quiet", *limits, str(source)],
        [str(python), "-m", OURS, "warmup"],
    ):
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=BUILD_SECONDS, env=plain_environment()
        )
        if done.returncode != 0:
            raise SetUpError(
                f"revision {commit[:12]} cannot be built: {' '.join(command)}: {done.stderr.strip()[-LAST_WORDS:]}"
            )
    (home / "ready").touch()
    return python


def plain_environment() -> dict[str, str]:
    """The environment without what would lead another revision to this one's sources."""
    return {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
