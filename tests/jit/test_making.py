"""One process compiles, whoever asks: others join it, and it goes on when they are gone."""

import sys
import threading
import time

import pytest

from quiesce import cachekey
from quiesce.jit import library, making
from quiesce.jit.entries import NEEDS_NUMBA, CompileError
from tests.conftest import run_python
from tests.uci.driver import Gui

SCRIPT = """
import pathlib, sys, time
import filelock
folder = pathlib.Path(sys.argv[2])
with filelock.FileLock(folder / "making.lock", timeout=0):
    with open(folder / "starts", "a") as starts:
        starts.write("x")
    (folder / "making.txt").write_text("3 7 something")
    time.sleep(1)
    {act}
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder to compile into; what is kept there is the file `done`."""
    monkeypatch.setattr(cachekey, "folder", lambda _build: tmp_path)
    monkeypatch.setattr(making, "is_kept", lambda _build: (tmp_path / "done").exists())
    return tmp_path


def acts(monkeypatch, folder, act):
    """Let a script that ends so stand for the compiler."""
    path = folder / "builder.py"
    path.write_text(SCRIPT.format(act=act))
    monkeypatch.setattr(making, "BUILDER", (str(path),))


def test_two_who_ask_share_one(folder, monkeypatch):
    """The second joins the first, and both hear how far it is."""
    acts(monkeypatch, folder, '(folder / "done").touch()')
    heard = [[], []]
    askers = [threading.Thread(target=making.have_made, args=(["release"], lambda *s, h=h: h.append(s))) for h in heard]
    for asker in askers:
        asker.start()
        time.sleep(0.6)
    for asker in askers:
        asker.join()
    assert (folder / "starts").read_text() == "x"
    assert all((3, 7, "something") in steps for steps in heard)


def test_what_cannot_be_kept_is_handed_over(folder, monkeypatch, capfd):
    """Manifest and object come through the pipe, with what the compiler had to say."""
    acts(monkeypatch, folder, r"sys.stderr.write('cannot be kept'); sys.stdout.buffer.write(b'{\"a\": 1}\nco\nde')")
    assert making.have_made(["release"]) == ({"a": 1}, b"co\nde")
    assert "cannot be kept" in capfd.readouterr().err


def test_a_failure_is_told(folder, monkeypatch):
    """With what the compiler said, and at once."""
    acts(monkeypatch, folder, "sys.exit('no such thing')")
    with pytest.raises(CompileError, match="no such thing"):
        making.have_made(["release"])


def test_one_that_was_killed_is_replaced(folder, monkeypatch):
    """Once; a second death is told."""
    acts(monkeypatch, folder, "import os, signal; os.kill(os.getpid(), signal.SIGKILL)")
    with pytest.raises(CompileError):
        making.have_made(["release"])
    assert (folder / "starts").read_text() == "x" * making.TRIES


def test_without_numba_a_sentence_says_so(monkeypatch):
    """And names the extra that brings it."""
    monkeypatch.setattr(library, "has_numba", lambda: False)
    with pytest.raises(CompileError, match=r"quiesce\[jit\]") as caught:
        making.have_made(["release"])
    assert str(caught.value) == NEEDS_NUMBA


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.skipif(sys.platform == "win32", reason="as on other systems, but not tried")
def test_a_client_that_gives_up_loses_nothing(tmp_path):
    """A GUI quits while kernels compile; they go on at low priority, and `quiesce warmup` joins and finds them."""
    normal = {"QUIESCE_OPEN": "", "QUIESCE_CACHE_DIR": str(tmp_path)}
    with Gui(**normal) as gui:
        gui.send("isready")
        gui.expect("^info string compiling", timeout=20)
        while not list(tmp_path.glob(f"*/{making.PROGRESS}")):
            time.sleep(0.1)
        gui.send("quit")
        assert gui.process.wait(timeout=10) == 0
    assert not list(tmp_path.glob(f"*/{library.OBJECT}"))
    assert run_python("-m", "quiesce", "warmup", timeout=800, **normal).returncode == 0
    assert len(list(tmp_path.glob(f"*/{library.OBJECT}"))) == 2
    assert "compiled already" in run_python("-m", "quiesce", "warmup", **normal).stdout
