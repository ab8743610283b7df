"""Shell. Stops one search from outside, before, while or after it runs, and never the next one."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Stopper:
    """Stops a search."""

    def __init__(self) -> None:
        self.is_stopped = False
        self._lock = threading.Lock()
        self._stop: Callable[[], None] | None = None

    def stop(self) -> None:
        """Stop the search, now or as soon as it begins."""
        with self._lock:
            self.is_stopped = True
            if self._stop is not None:
                self._stop()

    def take_up(self, stop: Callable[[], None]) -> None:
        """Set the function that stops the search; it is called at once if `stop` came before."""
        with self._lock:
            self._stop = stop
            if self.is_stopped:
                stop()

    @contextmanager
    def heard_by(self, stop: Callable[[], None]) -> Iterator[None]:
        """`take_up` for the length of a block."""
        self.take_up(stop)
        try:
            yield
        finally:
            with self._lock:
                self._stop = None
