"""Run: python recorder.py FOLDER COMMAND... - starts an engine and passes all on, each write as it came, and keeps it.

Every process has a file of its own in the folder: one JSON list a line, `[seconds, mark, text]`. The marks are `>` for
what the client wrote, `<` and `!` for what the engine wrote to its output and its errors, `=` for its exit code.
"""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

CHUNK = 1 << 16


class Recorder:
    """One engine process and the file of what was said."""

    def __init__(self, folder, command):
        self._file = (Path(folder) / f"{time.time_ns()}-{os.getpid()}.jsonl").open("a", encoding="utf-8")
        self._lock = threading.Lock()
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
        )

    def keep(self, mark, text):
        """One line of the record."""
        with self._lock:
            self._file.write(json.dumps([round(time.monotonic(), 4), mark, text]) + "\n")
            self._file.flush()

    def pump(self, source, sink, mark):
        """Pass on until one side ends; the other is told by a pipe that is closed."""
        while data := os.read(source, CHUNK):
            self.keep(mark, data.decode(errors="replace"))
            try:
                os.write(sink, data)
            except OSError:
                os.close(source)
                return

    def said(self):
        """Pass on what the engine says, until it ends."""
        threads = [
            threading.Thread(target=self.pump, args=(self.process.stdout.fileno(), 1, "<")),
            threading.Thread(target=self.pump, args=(self.process.stderr.fileno(), 2, "!")),
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.keep("=", str(self.process.wait()))
        os._exit(0)  # the client may hold our input open

    def run(self):
        """Pass on both ways until one side ends; what a client says before it goes is passed on too."""
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            signal.signal(number, lambda *_: self.process.stdin.close())
        speaker = threading.Thread(target=self.said)
        speaker.start()
        self.pump(0, self.process.stdin.fileno(), ">")
        self.process.stdin.close()
        speaker.join()


if __name__ == "__main__":
    Recorder(sys.argv[1], sys.argv[2:]).run()
