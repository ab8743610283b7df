"""Shell. One `go` from its question to its one `bestmove`, and the watch that sees that it comes in time."""

import threading
import time
from collections.abc import Callable

from quiesce.uci.parse import Command
from quiesce.uci.talk import Output

NANOSECONDS = 1_000_000_000
GRACE = 0.06
"""Seconds after its time, or after `stop`, until an answer is given from what is known."""


class Thought:
    """Answers a `go` exactly once: with what the search says, or with the best move known when it is overdue.

    In infinite and ponder mode an answer that comes early is kept until `stop` or `ponderhit`.
    """

    def __init__(self, command: Command, output: Output, known: str, give: Callable[[str], None]) -> None:
        """`known` is the answer if nothing better is heard of; `give` gives it to whoever asked."""
        self.command, self.known = command, known
        self.is_stopped = False
        self.is_answered = False
        self.began = time.monotonic_ns()
        """When its time began to count, nanoseconds of Python's monotonic clock."""
        self.due: int | None = None
        """When it is overdue, on the same clock."""
        self._output, self._give = output, give
        self._hard: float | None = None
        self._is_infinite = self._is_held = False
        self._kept: str | None = None
        self._lock = threading.RLock()

    def limit(self, hard: float | None, on_clock: bool, is_infinite: bool, is_ponder: bool) -> None:
        """Say how long it may take, in seconds; None for no limit.

        A game's clock runs since the `go` was read, also while kernels load; a time for the move alone counts from now.
        """
        if on_clock:
            self.began = self.command.read_at
        self._hard, self._is_infinite, self._is_held = hard, is_infinite, is_infinite or is_ponder
        if hard is not None and not self._is_held:
            self.due = max(due_after(self.began, hard), due_after(time.monotonic_ns(), 0))

    def tell(self, text: str) -> None:
        """Say something of the search, unless it has been answered."""
        with self._lock:
            if not self.is_answered:
                self._output.say(text)

    def answer(self, text: str) -> None:
        """Give the answer, or keep it while it must be held back; any but the first is dropped."""
        with self._lock:
            if self._is_held:
                self._kept = self._kept or text
            elif not self.is_answered:
                self.is_answered, self.due = True, None
                self._give(text)

    def stop(self) -> None:
        """Let it end: an answer is due now."""
        with self._lock:
            self.is_stopped = True
            now = due_after(time.monotonic_ns(), 0)
            self.due = now if self.due is None else min(self.due, now)
            self._release()

    def hit(self, at: int) -> None:
        """The move pondered on was played: its time counts from this moment."""
        with self._lock:
            if self._is_held and not self._is_infinite:
                if self._hard is not None and self.due is None:
                    self.due = due_after(at, self._hard)
                self._release()

    def _release(self) -> None:
        """Hold nothing back any longer."""
        self._is_held = False
        if self._kept is not None:
            self.answer(self._kept)


def due_after(moment: int, seconds: float) -> int:
    """When an answer is overdue, on Python's monotonic clock in nanoseconds."""
    return moment + round((seconds + GRACE) * NANOSECONDS)


class Watch:
    """Gives the answer known to a thought that is overdue, from a thread of its own."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._thought: Thought | None = None
        threading.Thread(target=self._run, name="watch", daemon=True).start()

    def look_at(self, thought: Thought) -> None:
        """Watch this one from now on; call again whenever it becomes due."""
        with self._changed:
            self._thought = thought
            self._changed.notify()

    def _run(self) -> None:
        """Sleep until something is due."""
        while True:
            with self._changed:
                thought = self._thought
                due = None if thought is None else thought.due
                left = None if due is None else (due - time.monotonic_ns()) / NANOSECONDS
                if left is None or left > 0:
                    self._changed.wait(left)
                    continue
                self._thought = None
            if thought is not None:
                thought.answer(thought.known)
