"""Shell. The queue of UCI commands, and which of them may run now. Loads without the kernels."""

import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

from quiesce.uci.parse import Command

LAST = Command("end of input")
"""Follows the last command."""


class Orders:
    """The queue between the reading and the working thread.

    A command waits for the search before it, except `debug`, and `isready` while a search runs that was not stopped.
    """

    def __init__(self) -> None:
        self._waiting: deque[Command] = deque()
        self._changed = threading.Condition()
        self._running: Command | None = None
        self._is_ending = False
        self._last_go: Command | None = None
        self.stops = 0

    def put(self, command: Command) -> None:
        """Append a command."""
        with self._changed:
            command.read_at, command.stops_before = time.monotonic_ns(), self.stops
            if command.word == "go":
                self._last_go = command
            self._waiting.append(command)
            self._changed.notify()

    def stop(self) -> None:
        """Note a `stop`: it ends all commands read before it, waiting or not."""
        with self._changed:
            self.stops += 1

    def hit(self) -> None:
        """Note a `ponderhit` for the last `go` read."""
        with self._changed:
            if self._last_go is not None and self._last_go.hit_at is None:
                self._last_go.hit_at = time.monotonic_ns()

    def is_stopped(self, command: Command) -> bool:
        """Was a `stop` read after this command?"""
        return command.stops_before < self.stops

    @property
    def is_empty(self) -> bool:
        """Is the queue empty?"""
        return not self._waiting

    @property
    def is_running(self) -> bool:
        """Is a command running that was not stopped and has not answered?"""
        running = self._running
        return running is not None and not self._is_ending and not self.is_stopped(running)

    @property
    def is_searching(self) -> bool:
        """Is a `go` running that was not stopped?"""
        running = self._running
        return running is not None and running.word == "go" and self.is_running

    def begin(self, command: Command) -> None:
        """Make later commands wait for the end of this one."""
        with self._changed:
            self._running = command

    @contextmanager
    def ending(self) -> Iterator[None]:
        """Make commands wait until the running one has answered inside this block.

        Without it an `isready` sent after `bestmove` could be answered before the `setoption` before it.
        """
        with self._changed:
            self._is_ending = True
        try:
            yield
        finally:
            self.end()

    def end(self) -> None:
        """The running command has ended. Any thread may call this."""
        with self._changed:
            self._running, self._is_ending = None, False
            self._changed.notify()

    def next(self) -> Command:
        """Wait for a command that may run now, and remove it from the queue."""
        with self._changed:
            while (found := self._ready()) is None:
                self._changed.wait()
            self._waiting.remove(found)
            return found

    def _ready(self) -> Command | None:
        """The first command that may run now."""
        if self._running is None:
            return self._waiting[0] if self._waiting else None
        at_once = {"debug", "isready"} if self.is_running else {"debug"}
        return next((command for command in self._waiting if command.word in at_once), None)
