"""`quiesce serve`: what it says when it cannot, and that it ends when told."""

import signal
import socket
import subprocess
import sys
import urllib.request

import pytest
from click.testing import CliRunner

import quiesce.web.server as server_module
from quiesce.cli import cli
from quiesce.cli import serve as serve_module
from quiesce.web.server import Server
from tests.web.conftest import has_bundle


def test_serve_without_a_page_says_so(tmp_path, monkeypatch):
    """A clear message and an exit code, no traceback."""
    monkeypatch.setattr(server_module, "uvicorn_server", lambda plan: Server(plan, tmp_path))
    done = CliRunner().invoke(cli, ["serve", "--port", "0"])
    assert done.exit_code == 1
    assert "the page of the web board is not built" in done.output


def test_serve_without_its_extra_says_so(monkeypatch):
    """What to install."""
    monkeypatch.setattr(serve_module, "NEEDED", ("no_such_module",))
    done = CliRunner().invoke(cli, ["serve"])
    assert done.exit_code == 1
    assert "pip install 'quiesce[web]'" in done.output


def test_serve_on_a_taken_port_says_so():
    """The address and the reason."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = CliRunner().invoke(cli, ["serve", "--port", str(port)])
    assert done.exit_code == 1
    assert f"127.0.0.1 port {port}: Address already in use" in done.output


def serve_until_interrupted(*words):
    """The address is told, the page is there, and Ctrl-C ends all processes with the usual code."""
    command = [sys.executable, "-m", "quiesce", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        address = server.stdout.readline().split()[4]
        with urllib.request.urlopen(address, timeout=30) as page:
            assert b"<title>Quiesce</title>" in page.read()
        server.send_signal(signal.SIGINT)
        _, errors = server.communicate(timeout=30)
    assert server.returncode == 130
    assert errors.strip() == "interrupted"


@pytest.mark.skipif(not has_bundle(), reason="the page is not built (make web)")
def test_serve_until_interrupted():
    """On any free port."""
    serve_until_interrupted("serve", "--port", "0", "--engines", "1", "--hash", "1")
