"""A server on loopback for the tests, and what speaks to it as a browser does."""

import json
import socket
import threading
import time
import urllib.request
from contextlib import ExitStack, contextmanager, suppress

import pytest
from websockets.sync.client import connect

from quiesce.web.bundle import NEEDED, STATIC, BundleError, check_bundle
from quiesce.web.plan import ServerPlan
from quiesce.web.server import uvicorn_server

START_SECONDS = 60
COMPILE_SECONDS = 280
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def has_bundle():
    """Was the page built?"""
    try:
        check_bundle()
    except BundleError:
        return False
    return True


@contextmanager
def serving(folder, **plan):
    """A server with a plan, in a thread of its own; gives its address."""
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn_server(ServerPlan(**plan), folder)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    end = time.monotonic() + START_SECONDS
    while not server.started:
        assert thread.is_alive()
        assert time.monotonic() < end
        time.sleep(0.02)
    try:
        yield f"127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(START_SECONDS)
        listener.close()
        assert not thread.is_alive()


@pytest.fixture(scope="session")
def page_folder(tmp_path_factory):
    """The page, or where it was not built, files that stand for it: most tests need no browser."""
    if has_bundle():
        return STATIC
    folder = tmp_path_factory.mktemp("static")
    for name in NEEDED:
        (folder / name).write_text("stands for the page")
    return folder


@pytest.fixture(scope="session")
def address(page_folder):
    """Host and port of a server with two engines, for all tests; its trace build is compiled before the first."""
    with serving(page_folder, engines=2, megabytes=4) as found:
        settled(found, COMPILE_SECONDS, tracer=True)
        yield found


def status(address):
    """What the server says goes on."""
    with urllib.request.urlopen(f"http://{address}/status", timeout=10) as answer:
        return json.load(answer)


def settled(address, seconds=10, **wanted):
    """The status once it is as wanted; fails if it does not become so."""
    end = time.monotonic() + seconds
    while True:
        found = status(address)
        if all(found[name] == value for name, value in wanted.items()):
            return found
        assert time.monotonic() < end, found
        time.sleep(0.05)


class Client:
    """A browser's side of the WebSocket."""

    def __init__(self, address, **options):
        self._open = ExitStack()
        options = {"origin": f"http://{address}", "open_timeout": 30} | options
        self.socket = self._open.enter_context(connect(f"ws://{address}/socket", **options))
        self.number = 0
        try:
            self.hello = self.hear()["hello"]
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()

    def close(self):
        """Leave as a browser does."""
        self._open.close()

    def vanish(self):
        """Leave as a broken line does, without a word."""
        with suppress(OSError):
            self.socket.socket.shutdown(socket.SHUT_RDWR)
        self._open.close()

    def hear(self, timeout=60):
        """The next message."""
        return json.loads(self.socket.recv(timeout))

    def send(self, todo, **body):
        """Ask without waiting; returns the question's number."""
        self.number += 1
        self.socket.send(json.dumps(body | {"number": self.number, "do": todo}))
        return self.number

    def all(self, todo, **body):
        """Everything said to a question, the answer last."""
        number, said = self.send(todo, **body), []
        while True:
            message = self.hear()
            if message["number"] == number:
                said.append(message)
                if "answer" in message or "error" in message:
                    return said

    def ask(self, todo, **body):
        """The answer to a question."""
        message = self.all(todo, **body)[-1]
        assert "answer" in message, message
        return message["answer"]

    def error(self, todo, **body):
        """What is wrong with a question."""
        return self.all(todo, **body)[-1]["error"]


@pytest.fixture
def client(address):
    """A browser that has just connected."""
    with Client(address) as found:
        yield found
