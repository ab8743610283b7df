"""The conversation inside this process, so that a test can break what it calls."""

import contextlib
import os
import threading

from quiesce.uci.loop import UciLoop
from tests.uci.driver import Listener


class Quiet(UciLoop):
    """A conversation that leaves the process alive at its end."""

    def _end_process(self, code):
        raise SystemExit(code)


class Sink:
    """Takes what the engine writes, line by line."""

    def __init__(self, lines):
        self._lines, self._rest = lines, ""

    def write(self, text):
        """Keep whole lines."""
        *whole, self._rest = (self._rest + text).split("\n")
        for line in whole:
            self._lines.put(line)

    def flush(self):
        """Nothing is held back."""


class Talk(Listener):
    """A conversation in threads of this process; a context manager."""

    def __init__(self):
        super().__init__()
        source, self._pipe = os.pipe()
        self._source = os.fdopen(source, "rb")
        self.conversation = Quiet(self._source, Sink(self._lines), {})
        self._thread = threading.Thread(target=self._run, daemon=True)

    def _run(self):
        with contextlib.suppress(SystemExit):
            self.conversation.run()

    def __enter__(self):
        self._thread.start()
        self.ready()
        return self

    def __exit__(self, *error):
        os.close(self._pipe)
        self._thread.join(20)
        self._source.close()
        assert not self._thread.is_alive(), "the conversation did not end"

    def send_bytes(self, data):
        """Send bytes as they are."""
        os.write(self._pipe, data)
