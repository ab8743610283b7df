"""Run: python recorder.py FOLDER COMMAND... - starts an engine, passes all traffic on unchanged and records it.

Every process has its own file in the folder: one JSON list per line, `[seconds, mark, text]`. Marks: `>` client to
engine, `<` and `!` engine's output and errors, `=` its exit code.
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
    """One engine process and its record."""

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
        """Pass traffic on until one side ends; then close the other's pipe."""
        while data := os.read(source, CHUNK):
            self.keep(mark, data.decode(errors="replace"))
            try:
                os.write(sink, data)
            except OSError:
                os.close(source)
                return

    def said(self):
        """Pass on the engine's output until it ends."""
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
