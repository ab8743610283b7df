"""Many connections that never send a whole request: others are served, nothing is logged, no browser is sent away."""

import resource
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import ExitStack, suppress

import pytest

from quiesce.web import connections
from quiesce.web.connections import Connections, room

from .conftest import START, Client, serving, status

HALF = b"GET /status HTTP/1.1\r\nHost: 127.0.0.1\r\n"
LATEST_ANSWER = 2.0
MOST_LOGGED = 100_000
FILES_OF_OUR_OWN = 200
"""Descriptors a test needs beside its connections."""
SERVE = """
import resource, socket, sys
from pathlib import Path
from quiesce.web.plan import ServerPlan
from quiesce.web.server import uvicorn_server

resource.setrlimit(resource.RLIMIT_NOFILE, (int(sys.argv[2]), int(sys.argv[2])))
listener = socket.create_server(("127.0.0.1", 0))
server = uvicorn_server(ServerPlan(engines=1, megabytes=1), Path(sys.argv[1]))
print(listener.getsockname()[1], flush=True)
server.run(sockets=[listener])
"""


def half_open(address, opened):
    """A connection that has sent half a request; it may have been closed already."""
    host, port = address.split(":")
    line = opened.enter_context(socket.create_connection((host, int(port)), timeout=20))
    with suppress(OSError):
        line.sendall(HALF)
    return line


def is_closed(line):
    """Has the server closed a connection, without a word?"""
    line.settimeout(0)
    try:
        return line.recv(1) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


def flooded(folder, count, files, tmp_path):
    """A server with few files while so many half requests are open: slowest status, bytes it wrote, those closed."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < count + FILES_OF_OUR_OWN:
        pytest.skip(f"this system lets a process open {hard} files, fewer than the test needs")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, count + FILES_OF_OUR_OWN), hard))
    log, slowest = tmp_path / "log", 0.0
    with log.open("wb") as written, ExitStack() as opened:
        server = subprocess.Popen(
            [sys.executable, "-c", SERVE, str(folder), str(files)], stdout=subprocess.PIPE, stderr=written
        )
        opened.callback(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        opened.callback(server.stdout.close)
        opened.callback(server.wait)
        opened.callback(server.terminate)
        address = f"127.0.0.1:{server.stdout.readline().decode().strip()}"
        with urllib.request.urlopen(f"http://{address}/status", timeout=60):
            pass
        browser = opened.enter_context(Client(address))
        lines = []
        for number in range(count):
            lines.append(half_open(address, opened))
            if number % (count // 10) == count // 10 - 1:
                asked = time.monotonic()
                assert status(address)["browsers"] == 1
                slowest = max(slowest, time.monotonic() - asked)
        assert browser.ask("position")["fen"] == START
        closed = sum(is_closed(line) for line in lines)
    return slowest, log.stat().st_size, closed


@pytest.mark.parametrize(
    ("count", "files"), [(300, 200), pytest.param(2_000, 256, marks=[pytest.mark.slow, pytest.mark.timeout(300)])]
)
def test_half_open_connections_shut_nobody_out(page_folder, tmp_path, capsys, count, files):
    """More of them than the server may open files: it answers at once, a browser stays, and the log stays small."""
    slowest, logged, closed = flooded(page_folder, count, files, tmp_path)
    with capsys.disabled():
        print(f"\n{count} half requests, {files} files: status within {slowest:.3f} s, {logged} bytes logged")
    assert slowest < LATEST_ANSWER
    assert logged < MOST_LOGGED
    assert count - files < closed < count


def test_a_request_must_come_in_time(page_folder, monkeypatch):
    """Half a request is closed after its seconds, also if its bytes trickle in, or if it is not the first."""
    monkeypatch.setattr(connections, "REQUEST_SECONDS", 1.0)
    with serving(page_folder, engines=1, megabytes=1) as address, ExitStack() as opened:
        silent, trickling, second = (half_open(address, opened) for _ in range(3))
        second.sendall(b"\r\n")
        answer = second.recv(1_000)
        while not answer.endswith(b"}"):  # the body may come in a packet of its own
            answer += second.recv(1_000)
        assert answer.startswith(b"HTTP/1.1 200")
        second.sendall(HALF)
        browser = opened.enter_context(Client(address))
        began = time.monotonic()
        while not is_closed(trickling) and time.monotonic() - began < 4:
            with suppress(OSError):
                trickling.sendall(b"a")
            time.sleep(0.2)
        assert time.monotonic() - began < 3
        assert is_closed(silent)
        time.sleep(0.5)
        assert is_closed(second)
        assert browser.ask("position")["fen"] == START


class Line:
    """Stands for a connection and its transport."""

    def __init__(self, name, is_waiting):
        self.client, self.is_waiting, self.is_aborted, self.transport = (name, 1), is_waiting, False, self

    def abort(self):
        """It is closed."""
        self.is_aborted = True


def test_who_has_waited_longest_goes_first():
    """Then whoever is not being served, and if all are, the newcomer."""
    places = Connections(2)
    old, new = Line("old", True), Line("new", True)
    for line in (old, new):
        places.enter(line)
    places.wait_again(old)
    third = Line("third", False)
    places.enter(third)
    assert (old.is_aborted, new.is_aborted, third.is_aborted) == (False, True, False)
    with places.served(third.client):
        fourth = Line("fourth", False)
        places.enter(fourth)
        assert (old.is_aborted, third.is_aborted) == (True, False)
        with places.served(fourth.client):
            late = Line("late", True)
            places.enter(late)
            assert (third.is_aborted, fourth.is_aborted, late.is_aborted) == (False, False, True)
    places.enter(Line("last", False))
    assert third.is_aborted


def test_room_is_below_what_the_system_allows():
    """Many files are left for all else."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (400, hard))
    try:
        assert 100 < room() < 400 - connections.SPARE_FILES
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert room() <= connections.MOST_OPEN
