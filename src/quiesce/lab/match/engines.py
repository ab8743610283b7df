"""Shell. Engines by description: our own with options, an older revision of it, or any UCI or xboard program."""

import hashlib
import shlex
import shutil
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from importlib import resources
from pathlib import Path
from typing import Any

from quiesce.lab.match.player import Player, UciPlayer
from quiesce.lab.match.revisions import built, commit_of, plain_environment
from quiesce.lab.match.ucioptions import SetUpError
from quiesce.lab.match.xboard import XboardPlayer
from quiesce.work.identity import DIGITS, sources_digest

OURS = "quiesce"
AT = "@"
"""Between our name and a revision."""
UCI, XBOARD = PROTOCOLS = ("uci", "xboard")
OPPONENTS = "opponents.toml"
SCRIPTS = (".py", ".jar", ".js", ".sh", ".pl", ".rb", ".nnue", ".qnet")
"""Files among the words of a command that are part of the engine; others may be logs."""


@dataclass(frozen=True, slots=True)
class EngineSpec:
    """How to start an engine. Without a command it is ours, as installed or at a revision."""

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
        """Its name, and for ours its options."""
        options = ", ".join(f"{name}={value}" for name, value in self.options.items())
        return f"{self.name} ({options})" if options and not self.command else self.name

    def facts(self) -> dict[str, Any]:
        """The description as JSON values."""
        return asdict(self) | {"command": list(self.command)}

    @property
    def is_ours(self) -> bool:
        """Is it the installed engine of this package?"""
        return not self.command and not self.revision

    def identity(self) -> dict[str, Any]:
        """What decides how it plays: its program's bytes too, so that an edit or a new build is another engine."""
        facts = {key: value for key, value in self.facts().items() if key != "rating"}
        if self.command:
            return facts | {"program": program_digest(self.command)}
        return facts if self.revision else facts | {"sources": sources_digest()}

    def command_line(self) -> tuple[str, ...]:
        """How it is started on this machine; a revision is built if it is not yet."""
        python = str(built(self.revision)) if self.revision else sys.executable
        return self.command or (python, "-P", "-m", OURS)

    def start(self) -> Player:
        """Start it."""
        command, folder = self.command_line(), Path(self.folder) if self.folder else None
        kind = XboardPlayer if self.protocol == XBOARD else UciPlayer
        return kind(command, self.options, folder, self.name, plain_environment() if self.revision else None)


def engine_from(facts: Mapping[str, Any]) -> EngineSpec:
    """The engine of a description."""
    return EngineSpec(**(dict(facts) | {"command": tuple(facts.get("command", ()))}))


def program_digest(command: tuple[str, ...]) -> str:
    """A name for the files of a command: the program, and scripts or networks among its words."""
    whole, program = hashlib.sha256(), shutil.which(command[0]) or command[0]
    for word in (program, *(word for word in command[1:] if Path(word).suffix in SCRIPTS)):
        if Path(word).is_file():
            whole.update(Path(word).read_bytes())
    return whole.hexdigest()[:DIGITS]


def opponents(path: Path | None = None) -> dict[str, EngineSpec]:
    """Engines of a TOML file by name; without one, those of Debian and PyPI with their traps avoided."""
    try:
        text = (path or resources.files("quiesce.lab").joinpath(OPPONENTS)).read_text("utf-8")
        table = tomllib.loads(text)
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SetUpError(f"{path or OPPONENTS}: {error}") from None
    return {name: engine_of(facts, name) for name, facts in table.items()}


def engine_of(told: str | Mapping[str, Any], name: str = "") -> EngineSpec:
    """An engine as a user names it: a word, a command line, or a table."""
    if isinstance(told, str):
        return engine_named(told)
    if not isinstance(told, Mapping):
        raise SetUpError(f"an engine must be a name, a command or a table, not {told!r}")
    facts = dict(told)
    base = engine_named(str(facts.pop("engine", ""))) if "engine" in facts else None
    allowed = {"name", "command", "protocol", "options", "folder", "revision", "rating"}
    if unknown := set(facts) - allowed:
        raise SetUpError(f"engine {name or told!r}: unknown key {min(unknown)!r}; known are {sorted(allowed)}")
    facts["command"] = words_of(facts.get("command", ()), name)
    if not isinstance(facts.get("options", {}), Mapping):
        raise SetUpError(f"engine {name!r}: options are a table, not {facts['options']!r}")
    if "revision" in facts:
        facts["revision"] = commit_of(str(facts["revision"]))
    if facts.get("protocol", UCI) not in PROTOCOLS:
        raise SetUpError(f"engine {name!r}: the protocol is {' or '.join(PROTOCOLS)}, not {facts['protocol']!r}")
    if base is not None:
        merged = base.options | dict(facts.pop("options", {}))
        del facts["command"]
        return replace(base, **facts, options=merged)
    return EngineSpec(**({"name": name or (Path(facts["command"][0]).name if facts["command"] else OURS)} | facts))


def words_of(command: Any, name: str) -> tuple[str, ...]:
    """The words of a command line, given as text or as a list of words."""
    try:
        words = shlex.split(command) if isinstance(command, str) else list(command)
    except (TypeError, ValueError) as error:
        raise SetUpError(f"engine {name!r}: {command!r} is no command: {error}") from None
    return tuple(str(word) for word in words)


def engine_named(text: str) -> EngineSpec:
    """Our engine, `quiesce@REVISION`, a known opponent, or a command line."""
    if text == OURS:
        return EngineSpec()
    if text.startswith(OURS + AT):
        return EngineSpec(name=text, revision=commit_of(text.removeprefix(OURS + AT)))
    known = opponents()
    if text in known:
        return known[text]
    command = words_of(text, text)
    if not command or shutil.which(command[0]) is None:
        raise SetUpError(
            f"no engine {text!r}: give {OURS}, {OURS}{AT}REVISION, a command, or one of {', '.join(known)}"
        )
    return EngineSpec(Path(command[0]).name, command)


def is_installed(engine: EngineSpec) -> bool:
    """Is the program there?"""
    return not engine.command or shutil.which(engine.command[0]) is not None
