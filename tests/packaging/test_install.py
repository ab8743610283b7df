"""What is installed runs: from a path with spaces and other letters, read-only, without a home, on any Python here."""

import json
import os
import re
import shutil
import subprocess
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import pytest

import quiesce
from quiesce.cachekey import CACHE_VARIABLE, COMPLETE, folder

from .conftest import run

PERFT = "import chess, quiesce; print(quiesce.__file__, quiesce.perft(chess.Board(), 4))"
PYTHONS = ("3.11", "3.12", "3.13")
NOBODY = 54_321
STRANGER = ("unshare", "--user", f"--map-user={NOBODY}", f"--map-group={NOBODY}")
"""Runs a command as a user that no machine knows, so without a home."""


@pytest.fixture(scope="module")
def environment():
    """Next to nothing: no home, no language; the kernels that the tests have compiled, so that nothing compiles."""
    return {"PATH": os.defpath, CACHE_VARIABLE: str(folder().parent)}


def test_the_command_runs(installed, environment, tmp_path):
    """`quiesce --version`, with nothing in the environment and from a folder that is not ours."""
    said = run(str(installed / "quiesce"), "--version", cwd=tmp_path, env=environment)
    assert said.startswith(f"quiesce {quiesce.__version__}, release build")


def test_the_api_counts(installed, environment, tmp_path):
    """197,281 lines of four plies, by the package that was installed and no other."""
    said = run(str(installed / "python"), "-c", PERFT, cwd=tmp_path, env=environment)
    assert said.split()[-1] == "197281"
    assert str(installed.parent) in said


def test_the_engine_plays(installed, environment, tmp_path):
    """The engine with its bundled network, through UCI."""
    talk = "uci\nisready\nposition startpos\ngo depth 6\n"
    said = run(str(installed / "quiesce"), input=talk + "isready\n", cwd=tmp_path, env=environment)
    assert "uciok" in said
    assert re.search(r"^bestmove [a-h][1-8]", said, re.MULTILINE)


def test_bundled_suites_are_there(installed, environment, tmp_path):
    """A suite by its name."""
    options = ("--nodes", "1000", "--first", "2", "--store", str(tmp_path / "s"), "--json")
    said = json.loads(run(str(installed / "quiesce"), "suite", "bk", *options, cwd=tmp_path, env=environment))
    assert "2" in json.dumps(said)


@contextmanager
def serving(program, environment):
    """The web board of an installation; gives its address."""
    server = subprocess.Popen(
        [str(program), "serve", "--port", "0", "--engines", "1"], env=environment, stdout=subprocess.PIPE, text=True
    )
    try:
        yield re.search(r"http://[^/]+/", server.stdout.readline())[0]
    finally:
        server.terminate()
        server.communicate(timeout=30)


def test_the_web_page_is_served(installed, environment):
    """Page and status, from the wheel's own files."""
    with serving(installed / "quiesce", environment) as address:
        for path in ("", "app.js", "app.css"):
            with urllib.request.urlopen(address + path, timeout=30) as answer:
                assert answer.status == 200
        with urllib.request.urlopen(address + "status", timeout=30) as answer:
            assert json.load(answer)["engines"] == 1


def has(*command):
    """Does a command work here?"""
    return (
        shutil.which(command[0]) is not None
        and subprocess.run(command, capture_output=True, check=False, timeout=30).returncode == 0
    )


READ_ONLY = (
    'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && ! touch "$1/x" 2> /dev/null && shift && exec "$@"'
)


@pytest.mark.skipif(not has("unshare", "-m", "true"), reason="needs a mount of its own")
def test_a_read_only_install_runs(installed, environment, tmp_path):
    """Nothing is written where the package is; the kernels come from the cache."""
    shell = ["unshare", "-m", "sh", "-c", READ_ONLY, "sh", str(installed.parent)]
    said = run(*shell, str(installed / "python"), "-c", PERFT, cwd=tmp_path, env=environment)
    assert said.split()[-1] == "197281"
    assert (folder() / COMPLETE).exists()


@pytest.mark.skipif(not has(*STRANGER, "true"), reason="needs a user of its own")
def test_a_user_without_a_home_has_a_version(installed, tmp_path):
    """A container's made-up user: the cache goes to a private temporary folder, and no folder named ~ is made."""
    bare = {"PATH": os.defpath, "TMPDIR": str(tmp_path)}
    said = run(*STRANGER, str(installed / "quiesce"), "--version", cwd=tmp_path, env=bare)
    assert f"{tmp_path}/quiesce-{NOBODY}" in said
    assert [path.name for path in tmp_path.iterdir()] == [f"quiesce-{NOBODY}"]


@pytest.mark.skipif(not has(*STRANGER, "true"), reason="needs a user of its own")
def test_a_user_without_a_home_searches(installed, tmp_path):
    """With the kernels that are in that private folder; nothing is written anywhere else."""
    base = tmp_path / f"quiesce-{NOBODY}"
    shutil.copytree(folder(), base / folder().name)
    base.chmod(0o700)
    bare = {"PATH": os.defpath, "TMPDIR": str(tmp_path), "QUIESCE_OPEN": os.environ["QUIESCE_OPEN"]}
    talk = "position startpos\ngo depth 4\nisready\n"
    said = run(*STRANGER, str(installed / "quiesce"), input=talk, cwd=tmp_path, env=bare)
    assert re.search(r"^bestmove [a-h][1-8]", said, re.MULTILINE)
    assert [path.name for path in tmp_path.iterdir()] == [base.name]
    assert [path.name for path in base.iterdir()] == [folder().name]


def python_named(version):
    """The interpreter of a version, on the path or among pyenv's; None where there is none."""
    for found in (shutil.which(f"python{version}"), *Path.home().glob(f".pyenv/versions/{version}.*/bin/python")):
        if found is not None and has(str(found), "-c", "import ensurepip, venv"):
            return str(found)
    return None


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("version", PYTHONS)
def test_an_empty_environment_is_enough(version, wheel, tmp_path):
    """`pip install` of the wheel with all it needs, then compile, count, and serve."""
    python = python_named(version)
    if python is None:
        pytest.skip(f"no Python {version} here")
    run(python, "-m", "venv", str(tmp_path / "empty"))
    programs = tmp_path / "empty" / "bin"
    pip = subprocess.run([str(programs / "pip"), "install", "-q", f"{wheel}[web]"], capture_output=True, text=True,
                         check=False)  # fmt: skip
    if pip.returncode:
        pytest.skip(f"pip found no packages: {pip.stderr[-200:]}")
    bare = {"PATH": os.defpath, CACHE_VARIABLE: str(tmp_path / "cache")}
    subprocess.run([str(programs / "quiesce"), "warmup"], env=bare, cwd=tmp_path, check=True)
    assert run(str(programs / "python"), "-c", PERFT, cwd=tmp_path, env=bare).split()[-1] == "197281"
    assert f"Python {version}." in run(str(programs / "quiesce"), "--version", cwd=tmp_path, env=bare)
    with serving(programs / "quiesce", bare) as address, urllib.request.urlopen(address, timeout=30) as answer:
        assert answer.status == 200
