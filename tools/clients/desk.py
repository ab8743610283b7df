"""What a client is given: a folder as its home, our engine with a recorder before it, a screen, and an end."""

import os
import shlex
import shutil
import sys
import threading
import time
from pathlib import Path

from tools.clients.family import PARTING_SECONDS, Family
from tools.clients.judge import judged_folder
from tools.clients.screen import Screen

GAMES_FOLDERS = ("/usr/games", "/usr/local/games")
"""Where Debian puts games, which the PATH of root does not name."""
RECORDER = Path(__file__).with_name("recorder.py")
XDOTOOL_SECONDS = 30.0
SPARE_SECONDS = 30.0
"""After its time is up a client that still waits for something finds its processes ended."""


def program(name):
    """The path of a program, also outside the PATH in /usr/games; None if it is not installed."""
    return shutil.which(name) or shutil.which(name, path=os.pathsep.join(GAMES_FOLDERS))


class ClientError(Exception):
    """A client misbehaved; the message says how."""


class Desk:
    """One client's surroundings; a context manager that leaves nothing running."""

    def __init__(self, folder, engine, games=1, seconds=300.0):
        self.folder, self.games, self.seconds = folder, games, seconds
        self.rounds, self.notes, self.faults = 0, [], []
        self.deadline = time.monotonic() + seconds
        self.records, self.home = folder / "records", folder / "home"
        for made in (self.records, self.home):
            made.mkdir()
        self.family = Family()
        self._watchdog = threading.Timer(seconds + SPARE_SECONDS, self.family.end)
        self._watchdog.daemon = True
        self.engine = folder / "quiesce"
        """A program without arguments, as clients want engines."""
        recorder = [sys.executable, str(RECORDER), str(self.records), *engine]
        places = f"XDG_CACHE_HOME={shlex.quote(cache_folder())} HOME={shlex.quote(str(Path.home()))}"
        self.engine.write_text(f"#!/bin/sh\n{places} exec {shlex.join(recorder)}\n", encoding="utf-8")
        self.engine.chmod(0o755)
        self.environment = self._environment()
        self.screen = None

    def _environment(self):
        """A home of its own, so that the user's settings are neither read nor written."""
        folders = {name: str(self.home / name.lower()) for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME")}
        runtime = self.home / "runtime"
        runtime.mkdir(mode=0o700)
        path = os.pathsep.join([str(self.folder), os.environ.get("PATH", os.defpath), *GAMES_FOLDERS])
        return {
            "HOME": str(self.home), "XDG_CACHE_HOME": str(self.home / "cache"), "XDG_RUNTIME_DIR": str(runtime),
            "PATH": path, "GSETTINGS_BACKEND": "keyfile", "NO_AT_BRIDGE": "1", "LC_ALL": "C.UTF-8", **folders,
        }  # fmt: skip

    def __enter__(self):
        self._watchdog.start()
        return self

    def __exit__(self, *error):
        self._watchdog.cancel()
        self.family.end()

    def show_screen(self):
        """Start a screen for this client's windows."""
        self.screen = Screen(self.family, self.folder, program("Xvfb"))
        if not self.screen.is_there:
            raise ClientError("Xvfb did not start")
        self.environment |= self.screen.environment

    def start(self, *command, **options):
        """Start a program; its output is kept in the folder."""
        with (self.folder / "said.txt").open("ab") as said:
            return self.family.start(command, self.environment, **{"stdout": said, "stderr": said, **options})

    def note(self, words):
        """Add a remark on this client."""
        self.notes.append(words)

    def said(self):
        """The last output of the programs."""
        path = self.folder / "said.txt"
        return path.read_text(encoding="utf-8", errors="replace")[-400:] if path.exists() else ""

    @property
    def left(self):
        """Seconds until the client's time is up."""
        return self.deadline - time.monotonic()

    def verdict(self):
        """The judge's counts up to now."""
        return judged_folder(self.records, time.monotonic())

    def wait(self, what, is_done, seconds=None):
        """Wait for a condition; `what` names it in the error."""
        limit = min(self.deadline, time.monotonic() + (seconds or self.seconds))
        while not (found := is_done()):
            if time.monotonic() > limit:
                raise ClientError(f"waited in vain for {what}")
            time.sleep(0.25)
        return found

    def outliving(self):
        """Engines of ours that still run a while after their client has ended."""
        limit = time.monotonic() + PARTING_SECONDS
        while (left := self._recorders()) and time.monotonic() < limit:
            time.sleep(0.1)
        return left

    def _recorders(self):
        return [words for words in self.family.members().values() if str(RECORDER) in words]

    def picture(self, name):
        """Keep what the screen shows in the folder."""
        if self.screen is not None and self.screen.is_there:
            (self.folder / f"{name}.png").write_bytes(self.screen.pixels().png())

    def xdotool(self, *words):
        """Send mouse and keyboard events."""
        self.start(program("xdotool"), *map(str, words)).wait(XDOTOOL_SECONDS)


def cache_folder():
    """Where compiled code is kept: the user's own, as compiling it takes a minute."""
    return os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
