"""A GUI for tests: starts the real process, sends lines, waits for answers with a time limit."""

import os
import queue
import re
import subprocess
import sys
import threading
import time

PATIENCE = 60.0
SOON = 4.0
"""Seconds that mean at once, on a machine that may be busy; how fast it is, the lab measures."""
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


class Listener:
    """Sends lines to an engine and waits for its answers; where they come from, a subclass knows."""

    def __init__(self):
        self._lines = queue.SimpleQueue()
        self.log = []

    def send(self, *lines):
        """Send lines, all in one write."""
        self.send_bytes("".join(f"{line}\n" for line in lines).encode())

    def send_bytes(self, data):
        """Send bytes as they are."""
        raise NotImplementedError

    def errors(self):
        """What the engine wrote to standard error, if it has one."""
        return ""

    def next_line(self, timeout=PATIENCE):
        """The next line, None at the end of output; fails if none comes in time."""
        try:
            line = self._lines.get(timeout=timeout)
        except queue.Empty:
            raise AssertionError(f"nothing came in {timeout} s; the last lines were {self.log[-5:]}") from None
        self.log.append(line)
        return line

    def expect(self, pattern, timeout=PATIENCE):
        """Read up to a line that matches; returns all lines read, that one last."""
        seen, limit = [], time.monotonic() + timeout
        while True:
            line = self.next_line(max(limit - time.monotonic(), 0.001))
            assert line is not None, f"the engine ended, waiting for {pattern}: {self.errors()}"
            seen.append(line)
            if re.search(pattern, line):
                return seen

    def ready(self, timeout=PATIENCE):
        """Wait until all sent so far is done; returns what was said meanwhile."""
        self.send("isready")
        return self.expect("^readyok$", timeout)[:-1]

    def silence(self, seconds):
        """Fails if anything is said in this time; returns nothing."""
        try:
            line = self._lines.get(timeout=seconds)
        except queue.Empty:
            return
        raise AssertionError(f"unexpected: {line}")

    def ask(self, *lines, timeout=PATIENCE):
        """Send lines and read up to the answer of a search."""
        self.send(*lines)
        return self.expect("^bestmove ", timeout)


class Gui(Listener):
    """One engine process; a context manager that leaves nothing running."""

    def __init__(self, *arguments, command=(sys.executable, "-m", "quiesce"), **environment):
        super().__init__()
        self.started = time.monotonic()
        self.process = subprocess.Popen(
            [*command, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=os.environ | environment,
        )
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        for line in self.process.stdout:
            self._lines.put(line.decode().rstrip("\r\n"))
        self._lines.put(None)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            stream.close()

    def errors(self):
        """What the process wrote to standard error, once it has ended."""
        return self.process.stderr.read().decode()

    def send_bytes(self, data):
        """Send bytes as they are."""
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def end(self, timeout=10):
        """Close input and wait for the process; returns its exit code and what it still said."""
        self.process.stdin.close()
        rest = []
        while (line := self.next_line(timeout)) is not None:
            rest.append(line)
        return self.process.wait(timeout), rest


def last_info(lines):
    """The last line with a score."""
    return [line for line in lines if " score " in line][-1]
