"""Shell. The UCI loop: reads lines at once and answers in order, without waiting for searches.

The reading thread answers `uci` itself, before the kernels are loaded, and handles `stop` and `ponderhit` at once. A
second thread loads the kernels and then handles the other commands in the order they came. Searches run in their own
threads; commands after them wait in the queue.
"""

import io
import math
import os
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import IO, Any, NoReturn

from quiesce import __version__
from quiesce.uci.options import declarations
from quiesce.uci.orders import LAST, Orders
from quiesce.uci.output import Output
from quiesce.uci.parse import BY_HAND, clean, parse_command, shown

AUTHORS = "the Quiesce developers"
LONGEST_LINE = 1 << 20
"""Longest line in bytes; the rest of a longer one is read as a line of its own."""
HEAD_START = 0.05
"""Seconds to wait for `uci` before loading starts, so that loading does not delay the answer."""
NEWS_SECONDS = 2.0
"""Seconds between two progress lines of compiling."""
QUIT_SECONDS = 1.0
"""Seconds a search may still take after `quit`."""
PATIENCE = 10.0
"""Seconds each command may still take after the end of input."""
LAST_LOOK = 0.02
"""Seconds between two checks for unfinished commands at the end."""
EXIT_FAILED = 1
GREETING = f"Quiesce {__version__} speaks UCI here: try help, or quit and call quiesce --help"


class UciLoop:
    """One GUI's commands, from the first line to `quit` or the end of input."""

    def __init__(self, source: IO[bytes], sink: IO[str], jobs: Mapping[str, Callable[..., None]]) -> None:
        self._source = source
        self._output = Output(sink)
        self._jobs = jobs
        self._orders = Orders()
        self._may_load = threading.Event()
        self._is_compiling = False
        self._player: Any = None
        self._failed = False
        self._acting_since: float | None = None
        self._conductor = threading.Thread(target=self._conduct, name="conductor", daemon=True)

    def run(self) -> int:
        """Talk until the end; returns the exit code."""
        self._conductor.start()
        with suppress(KeyboardInterrupt):
            while not self._output.is_broken and not self._failed:
                line = self._source.readline(LONGEST_LINE)
                if not line:
                    return self._leave(math.inf)
                if not self._take(clean(line)):
                    return self._leave(QUIT_SECONDS)
        return self._end_process(EXIT_FAILED if self._failed else 0)

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
        elif command.word == "stop":
            self._orders.stop()
            self._act_now(lambda player: player.stop())
        elif command.word == "ponderhit":
            self._orders.hit()
            self._act_now(lambda player: player.hit())
        elif command.word != "register":
            if command.word in BY_HAND and self._orders.is_searching:
                self._output.note(f"{command.word} waits until the search ends: try stop")
            self._orders.put(command)
        self._may_load.set()
        return True

    def _act_now(self, act: Callable[[Any], None]) -> None:
        """Let a command act on what runs, if anything is loaded; what is raised must not end the reading."""
        try:
            if self._player is not None:
                act(self._player)
        except Exception as error:  # noqa: BLE001  (the watch answers where this did not)
            self._output.note(f"{type(error).__name__}: {error}")

    def _leave(self, search_seconds: float) -> int:
        """Answer what was asked before the end, then end; returns the exit code.

        A search gets this number of seconds more, and none if only a GUI would end it. Compiling is waited for
        only at the end of input.
        """
        self._may_load.set()
        left_at = time.monotonic()
        if self._orders.is_empty and self._player is None:
            self._end_process(0)
        self._orders.put(LAST)
        with suppress(KeyboardInterrupt):
            while self._conductor.is_alive() and not self._output.is_broken:
                if self._player is not None:
                    self._player.end_search(after=search_seconds, since=left_at)
                elif self._is_compiling and search_seconds < math.inf:
                    break
                if self._acting_since is not None and time.monotonic() - max(self._acting_since, left_at) > PATIENCE:
                    break
                self._conductor.join(LAST_LOOK)
        if self._conductor.is_alive() or self._player.is_stuck:
            self._end_process(EXIT_FAILED if self._failed else 0)
        return EXIT_FAILED if self._failed else 0

    @staticmethod
    def _end_process(code: int) -> NoReturn:
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
        while (command := self._orders.next()) is not LAST:
            self._acting_since = time.monotonic()
            try:
                self._player.handle(command)
            except Exception as error:  # noqa: BLE001  (one bad command must not end the game)
                self._output.note(f"{command.word} failed: {type(error).__name__}: {error}")
            self._acting_since = None
        self._player.close()

    def _load(self) -> Any:
        """Import and compile everything; reports progress if it takes long."""
        from quiesce.jit import is_compiled, warm_up  # noqa: PLC0415  (after `uciok`)

        last = time.monotonic()

        def tell(done: int, total: int, what: str) -> None:
            nonlocal last
            if time.monotonic() - last >= NEWS_SECONDS:
                last = time.monotonic()
                self._output.note(f"compiling {done} of {total}: {what}")

        if not is_compiled():
            self._is_compiling = True
            self._output.note("compiling, this happens once and takes about a minute")
        warm_up(tell)
        from quiesce.uci.session import UciSession  # noqa: PLC0415  (it imports kernels)

        return UciSession(self._output, self._orders, self._jobs)


def converse(jobs: Mapping[str, Callable[..., None]] | None = None) -> int:
    """Talk over standard input and output; people at a terminal are greeted."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="replace")
    if sys.stdin.isatty():
        sys.stdout.write(GREETING + "\n")
    return UciLoop(sys.stdin.buffer, sys.stdout, jobs or {}).run()
