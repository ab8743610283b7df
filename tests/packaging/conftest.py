"""What is built once for all tests of the package: sdist and wheel, and an environment with the wheel in it."""

import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from quiesce.web.bundle import NEEDED
from tests.test_architecture import ROOT
from tests.web.conftest import has_bundle

NEVER_BUILT = shutil.ignore_patterns("__pycache__", "node_modules", "static", ".*")


def run(*command, **options):
    """Run a command that must succeed; returns what it wrote."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=280, **options)
    assert done.returncode == 0, f"{command}: {done.stdout[-1500:]}{done.stderr[-3000:]}"
    return done.stdout


@pytest.fixture(scope="session")
def source(tmp_path_factory):
    """The checkout; where the page cannot be made, a copy with files that stand for it."""
    if has_bundle():
        return ROOT
    copy = tmp_path_factory.mktemp("checkout")
    shutil.copytree(ROOT, copy, ignore=NEVER_BUILT, dirs_exist_ok=True)
    static = copy / "src/quiesce/web/static"
    static.mkdir()
    for name in NEEDED:
        (static / name).write_text("stands for the page")
    return copy


def build(source, folder, *options):
    """Have `python -m build` make what it makes of a source, without a network."""
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), *options, str(source))
    return folder


@pytest.fixture(scope="session")
def dist(source, tmp_path_factory):
    """A folder with the sdist, and the wheel that was built from it."""
    return build(source, tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="session")
def wheel(dist):
    """The wheel."""
    (found,) = dist.glob("*.whl")
    return found


@pytest.fixture(scope="session")
def installed(wheel, tmp_path_factory):
    """The `bin` of an environment that has the wheel, and ours for what it needs; its path is an awkward one."""
    home = tmp_path_factory.mktemp("install") / "with späces 与 more"
    venv.create(home)
    run(sys.executable, "-m", "pip", "--python", str(home), "install", "--quiet", "--no-deps", "--no-index", str(wheel))
    (packages,) = home.glob("lib/python*/site-packages")
    Path(packages, "ours.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return home / "bin"
