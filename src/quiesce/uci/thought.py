"""Shell. One `go` and its single `bestmove`, with a watchdog for the time."""

import threading
import time
from collections.abc import Callable

from quiesce.uci.output import Output
from quiesce.uci.parse import Command

NANOSECONDS = 1_000_000_000
GRACE = 0.06
"""Seconds after the limit, or after `stop`, until the best move known is sent."""


class Thought:
    """Answers a `go` exactly once: with the search's result, or with the best move known if that is overdue.

    In infinite and ponder mode an early answer is held back until `stop` or `ponderhit`.
    """

    def __init__(self, command: Command, output: Output, known: str, give: Callable[[str], None]) -> None:
        """`known` is the answer if the search gives none; `give` sends it."""
        self.command, self.known = command, known
        self.is_stopped = False
        self.is_answered = False
        self.began = time.monotonic_ns()
        """Start of its time, in nanoseconds of the monotonic clock."""
        self.due: int | None = None
        """When the answer is overdue, on the same clock."""
        self._output, self._give = output, give
        self._hard: float | None = None
        self._is_infinite = self._is_held = False
        self._kept: str | None = None
        self._lock = threading.RLock()

    def limit(self, hard: float | None, on_clock: bool, is_infinite: bool, is_ponder: bool) -> None:
        """Set its time limit in seconds; None for no limit.

        A game clock counts from the moment `go` was read, `movetime` from now.
        """
        if on_clock:
            self.began = self.command.read_at
        self._hard, self._is_infinite, self._is_held = hard, is_infinite, is_infinite or is_ponder
        if hard is not None and not self._is_held:
            self.due = max(due_after(self.began, hard), due_after(time.monotonic_ns(), 0))

    def tell(self, text: str) -> None:
        """Write about the search, unless it was answered."""
        with self._lock:
            if not self.is_answered:
                self._output.say(text)

    def answer(self, text: str) -> None:
        """Send the answer, or hold it back; later answers are dropped."""
        with self._lock:
            if self._is_held:
                self._kept = self._kept or text
            elif not self.is_answered:
                self.is_answered, self.due = True, None
                self._give(text)

    def stop(self) -> None:
        """The answer is due now."""
        with self._lock:
            self.is_stopped = True
            now = due_after(time.monotonic_ns(), 0)
            self.due = now if self.due is None else min(self.due, now)
            self._release()

    def hit(self, at: int) -> None:
        """Handle `ponderhit`: the clock counts from now."""
        with self._lock:
            if self._is_held and not self._is_infinite:
                if self._hard is not None and self.due is None:
                    self.due = due_after(at, self._hard)
                self._release()

    def _release(self) -> None:
        """Send an answer that was held back."""
        self._is_held = False
        if self._kept is not None:
            self.answer(self._kept)


def due_after(moment: int, seconds: float) -> int:
    """When an answer is overdue, in nanoseconds of the monotonic clock."""
    return moment + round((seconds + GRACE) * NANOSECONDS)


class Watch:
    """Sends the known answer of overdue thoughts, from a thread of its own."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._thought: Thought | None = None
        threading.Thread(target=self._run, name="watch", daemon=True).start()

    def look_at(self, thought: Thought) -> None:
        """Watch a thought; call again when its due time changes."""
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
