"""`quiesce doctor`: one page of what is here and what is not, that may be shown to anybody."""

import getpass
import json
import re
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest
from click.testing import CliRunner

from quiesce.cli import cli, doctor


def page(*words):
    """What the command prints."""
    done = CliRunner().invoke(cli, ["doctor", *words])
    assert done.exit_code == 0, done.output
    return done.output


def test_the_page_has_every_part():
    """For programs and for people: version, system, packages, kernels that search, and what stands beside."""
    found = json.loads(page("--json"))
    assert list(found) == list(doctor.PARTS)
    assert not any("trouble" in facts for facts in found.values()), found
    assert found["kernels"]["search"].startswith("works: ")
    assert re.match(r"\d", found["packages"]["numpy"])
    text = page()
    assert all(name in text for facts in found.values() for name in facts)


def test_nobody_is_named(monkeypatch):
    """Neither the user nor the home folder, wherever they would stand."""
    monkeypatch.setattr(getpass, "getuser", lambda: "annabel")
    monkeypatch.setattr(Path, "home", lambda: Path("/homes/annabel"))
    monkeypatch.setenv("QUIESCE_STORE", "/homes/annabel/lab")
    monkeypatch.setenv("QUIESCE_CACHES", "/data/annabel/cache")
    text = page("--json")
    assert "annabel" not in text
    assert "QUIESCE_STORE=~/lab" in text
    assert f"/data/{doctor.HIDDEN_USER}/cache" in text


def absent(package):
    """No package at all."""
    raise PackageNotFoundError(package)


def broken(*_):
    """Nothing that can be made."""
    raise MemoryError("no memory at all")


@pytest.mark.parametrize(
    ("target", "instead", "part", "name", "said"),
    [
        ("quiesce.cli.doctor.version", absent, "packages", "chess", "MISSING"),
        ("quiesce.cli.doctor.version", absent, "packages", "torch", "not installed: extra `train`"),
        ("shutil.which", lambda *_, **__: None, "beside it", "other engines", "none found"),
        ("shutil.which", lambda *_, **__: None, "beside it", "browsers", "none found"),
        ("quiesce.web.bundle.STATIC", Path("/nowhere"), "beside it", "page of the web board", "not built (make web)"),
        ("quiesce.jit.is_compiled", lambda: False, "kernels", "search", "not tried"),
        ("quiesce.engine.engine.Table", broken, "kernels", "search", "FAILED: MemoryError: no memory at all"),
        ("quiesce.engine.table.free_megabytes", lambda: None, "machine", "memory", "free memory is not known"),
        ("quiesce.engine.table.free_megabytes", broken, "machine", "trouble", "MemoryError: no memory at all"),
    ],
)
def test_what_is_not_there_is_said(target, instead, part, name, said, monkeypatch):
    """A machine without a part has a page that says so, and all the rest."""
    monkeypatch.setattr(target, instead)
    found = json.loads(page("--json"))
    assert list(found) == list(doctor.PARTS)
    assert said in found[part][name]
