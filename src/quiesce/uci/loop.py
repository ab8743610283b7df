"""Shell. The conversation: lines are read at once, answered in order, and no search is ever waited for.

The reading thread answers `uci` itself, before Numba is loaded. A second thread loads the kernels and
then takes the other commands in the order they came; each of them is short.
"""

import io
import os
import queue
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import IO, Any

from quiesce import __version__
from quiesce.uci.options import declarations
from quiesce.uci.parse import Command, clean, parse_command, shown
from quiesce.uci.talk import Output

AUTHORS = "the Quiesce developers"
LONGEST_LINE = 1 << 20
"""Bytes of one line that are read; the rest of a longer one is a line of its own."""
HEAD_START = 0.05
"""Seconds in which a GUI may ask `uci` before loading competes with the answer."""
NEWS_SECONDS = 2.0
"""Seconds between two words on how far compiling is."""
PATIENCE = 2.0
"""Seconds that threads get to end before the process does."""
QUIT, END_OF_INPUT = Command("quit"), Command("end of input")
EXIT_FAILED = 1
GREETING = f"Quiesce {__version__} speaks UCI here: try help, or quit and call quiesce --help"


class Conversation:
    """One GUI's talk with us, from the first line to `quit` or the end of input."""

    def __init__(self, source: IO[bytes], sink: IO[str], jobs: Mapping[str, Callable[..., None]]) -> None:
        self._source = source
        self._output = Output(sink)
        self._jobs = jobs
        self._queue: queue.SimpleQueue[Command] = queue.SimpleQueue()
        self._may_load = threading.Event()
        self._is_loaded = threading.Event()
        self._player: Any = None
        self._failed = False
        self._conductor = threading.Thread(target=self._conduct, name="conductor", daemon=True)

    def run(self) -> int:
        """Talk until the end; returns the exit code."""
        self._conductor.start()
        try:
            while not self._output.is_broken and not self._failed:
                line = self._source.readline(LONGEST_LINE)
                if not line:
                    break
                if not self._take(clean(line)):
                    return self._leave(at_once=True)
        except KeyboardInterrupt:
            return self._leave(at_once=True)
        return self._leave(at_once=self._output.is_broken)

    def _take(self, text: str) -> bool:
        """Answer a line or pass it on; returns False at `quit`."""
        command = parse_command(text)
        if command is None:
            if text:
                self._output.note(f"unknown command: {shown(text)}")
        elif command.word == "uci":
            self._output.say(f"id name Quiesce {__version__}\nid author {AUTHORS}\n{declarations()}\nuciok")
        elif command.word == "quit":
            return False
        elif command.word != "register":
            self._queue.put(command)
        self._may_load.set()
        return True

    def _leave(self, at_once: bool) -> int:
        """End: what was asked before the end of input is still answered, `quit` ends even loading at once."""
        self._may_load.set()
        if at_once and not self._is_loaded.is_set():
            self._end_process(0)
        if self._queue.empty() and not self._is_loaded.is_set():
            self._end_process(0)
        self._queue.put(QUIT if at_once else END_OF_INPUT)
        with suppress(KeyboardInterrupt):
            self._conductor.join(PATIENCE if at_once else None)
        if self._conductor.is_alive():
            self._end_process(0)
        return EXIT_FAILED if self._failed else 0

    @staticmethod
    def _end_process(code: int) -> None:
        """End without waiting for threads that compile or are stuck."""
        with suppress(OSError, ValueError):
            sys.stdout.flush()
        os._exit(code)

    def _conduct(self) -> None:
        """Load, then take one command after the other."""
        self._may_load.wait(HEAD_START)
        try:
            self._player = self._load()
        except Exception as error:  # noqa: BLE001  (whatever keeps the kernels from loading is told, then we end)
            self._output.note(f"cannot start: {type(error).__name__}: {error}")
            self._failed = True
            self._end_process(EXIT_FAILED)
        self._is_loaded.set()
        while True:
            command = self._queue.get()
            if command in (QUIT, END_OF_INPUT):
                self._player.close(at_once=command is QUIT)
                return
            try:
                self._player.handle(command)
            except Exception as error:  # noqa: BLE001  (one bad command must not end the game)
                self._output.note(f"{command.word} failed: {type(error).__name__}: {error}")

    def _load(self) -> Any:
        """Import and compile everything, with a word now and then if it takes long."""
        from quiesce.jit import is_compiled, warm_up  # noqa: PLC0415  (after `uciok`)

        last = time.monotonic()

        def tell(done: int, total: int, what: str) -> None:
            nonlocal last
            if time.monotonic() - last >= NEWS_SECONDS:
                last = time.monotonic()
                self._output.note(f"compiling {done} of {total}: {what}")

        if not is_compiled():
            self._output.note("compiling, this happens once and takes about a minute")
        warm_up(tell)
        from quiesce.uci.player import Player  # noqa: PLC0415  (it imports kernels)

        return Player(self._output, self._jobs)


def converse(jobs: Mapping[str, Callable[..., None]] | None = None) -> int:
    """Talk over standard input and output; people at a terminal are greeted."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="replace")
    if sys.stdin.isatty():
        sys.stdout.write(GREETING + "\n")
    return Conversation(sys.stdin.buffer, sys.stdout, jobs or {}).run()
