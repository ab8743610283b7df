"""Shell. Ends one search from outside, whether it runs, waits for its turn or is over: never the one after it."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Stopper:
    """What whoever asked may stop; a search takes it up while it runs."""

    def __init__(self) -> None:
        self.is_stopped = False
        self._lock = threading.Lock()
        self._stop: Callable[[], None] | None = None

    def stop(self) -> None:
        """End the search, now or as soon as it begins."""
        with self._lock:
            self.is_stopped = True
            if self._stop is not None:
                self._stop()

    def take_up(self, stop: Callable[[], None]) -> None:
        """From now on a stop calls this; one from before does so at once."""
        with self._lock:
            self._stop = stop
            if self.is_stopped:
                stop()

    @contextmanager
    def heard_by(self, stop: Callable[[], None]) -> Iterator[None]:
        """Inside this block a stop calls this, as with `take_up`."""
        self.take_up(stop)
        try:
            yield
        finally:
            with self._lock:
                self._stop = None
