"""Shell. Foreign code asked aside: a reader of files that raises, or never returns, costs itself and not the game."""

import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

Answer = TypeVar("Answer")
LONGEST = 1.0
"""Seconds after which a question that is not answered never will be."""
LEAST = 0.004
"""Seconds below which it is not worth asking."""


class LateError(Exception):
    """No answer in the time given; it may still come, and make the next one quicker."""


class StuckError(Exception):
    """No answer in LONGEST: ask no more."""


class Aside(Generic[Answer]):
    """Runs one call at a time in a thread of its own."""

    def __init__(self) -> None:
        self._asked_at = 0.0
        self._answered = threading.Event()
        self._answered.set()

    def ask(self, question: Callable[[], Answer], seconds: float | None) -> Answer:
        """The result of a call, waited for at most this many seconds; None for no limit.

        Raises the call's exception, LateError, or StuckError.
        """
        if not self._answered.is_set():
            self._give_up(time.monotonic() - self._asked_at)
        if seconds is not None and seconds < LEAST:
            raise LateError
        found: list[Answer] = []
        failed: list[BaseException] = []
        answered = threading.Event()

        def run() -> None:
            try:
                found.append(question())
            except BaseException as error:  # noqa: BLE001  (foreign code may raise anything; it is handed on)
                failed.append(error)
            answered.set()

        self._answered, self._asked_at = answered, time.monotonic()
        threading.Thread(target=run, name="aside", daemon=True).start()
        if not answered.wait(LONGEST if seconds is None else min(seconds, LONGEST)):
            self._give_up(time.monotonic() - self._asked_at)
        if failed:
            raise failed[0]
        return found[0]

    @staticmethod
    def _give_up(waited: float) -> None:
        """Raise the error that fits how long we have waited."""
        raise StuckError if waited >= LONGEST else LateError
