"""Older revisions: exported from git, built apart, and started as engines."""

import re
import subprocess

import platformdirs
import pytest

from quiesce.cachekey import CACHE_VARIABLE, folder
from quiesce.lab.match.revisions import built, commit_of, plain_environment
from quiesce.lab.match.ucioptions import SetUpError

NO_INDEX = re.compile(r"No matching distribution|Could not find a version|Connection|resolution")
"""What pip says where it reaches no packages."""


@pytest.fixture
def head():
    """The commit of this checkout."""
    try:
        return commit_of("HEAD")
    except SetUpError as error:
        pytest.skip(f"no git checkout here: {error}")


@pytest.fixture
def apart(tmp_path, monkeypatch):
    """A cache folder for revisions alone; compiled kernels and pip's downloads are shared."""
    monkeypatch.setenv("PIP_CACHE_DIR", platformdirs.user_cache_dir("pip"))
    monkeypatch.setenv(CACHE_VARIABLE, str(folder().parent))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path


def said_by(python, *words, talk=""):
    """What a revision says, started from a folder that is not ours."""
    command = [str(python), "-P", "-m", "quiesce", *words]
    return subprocess.run(
        command, input=talk, capture_output=True, text=True, timeout=200, check=True, env=plain_environment(), cwd="/"
    ).stdout


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_a_revision_is_built_once_and_answers(head, apart):
    """It speaks UCI, it is its own sources that speak, and a second call finds it as it is."""
    try:
        python = built(head)
    except SetUpError as error:
        if NO_INDEX.search(str(error)):
            pytest.skip(f"no package index here: {error}")
        raise
    assert python.is_relative_to(apart)
    assert said_by(python, "--version").startswith("quiesce ")
    assert "uciok" in said_by(python, talk="uci\n").splitlines()
    source = subprocess.run(
        [str(python), "-P", "-c", "import quiesce; print(quiesce.__file__)"],
        capture_output=True, text=True, check=True, env=plain_environment(), cwd="/",
    ).stdout  # fmt: skip
    assert source.startswith(str(python.parent.parent / "source"))
    made = python.stat().st_mtime_ns
    assert built(head) == python
    assert python.stat().st_mtime_ns == made


@pytest.mark.parametrize("name", ["no-such-revision", "--upload-pack=x", "HEAD:README.md"])
def test_what_is_no_revision_is_named(head, name):
    """Neither an option for git nor a file is taken for one."""
    assert re.fullmatch("[0-9a-f]{40}", head)
    with pytest.raises(SetUpError, match=re.escape(name)):
        commit_of(name)
