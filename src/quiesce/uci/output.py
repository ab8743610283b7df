"""Shell. Output to the GUI: whole lines, one at a time, from any thread. Loads without the kernels."""

import threading
from typing import IO


class Output:
    """Writes lines to a GUI from any thread. After a closed pipe it writes nothing."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self._lock = threading.Lock()
        self.is_broken = False
        self.is_debug = False
        """Is `debug` on?"""

    def say(self, text: str) -> None:
        """Write one or more lines."""
        with self._lock:
            try:
                self._stream.write(text + "\n")
                self._stream.flush()
            except (OSError, ValueError):
                self.is_broken = True

    def note(self, text: str) -> None:
        """Write an `info string`."""
        self.say("\n".join(f"info string {line}" for line in text.splitlines()))
