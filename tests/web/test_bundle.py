"""The page's files: what happens where they were not built."""

import shutil
import subprocess
import sys
import zipfile

import pytest

from quiesce.web.bundle import NEEDED, BundleError, check_bundle
from tests.test_architecture import ROOT


def test_a_missing_page_is_told(tmp_path):
    """Which file, and what to do; nothing where all are there."""
    with pytest.raises(BundleError, match=r"app\.js.*make web"):
        check_bundle(tmp_path)
    for name in NEEDED:
        (tmp_path / name).touch()
    check_bundle(tmp_path)


@pytest.fixture
def checkout(tmp_path):
    """A copy of what a build needs, without the page."""
    for name in ("pyproject.toml", "README.md", "LICENSE", "tools", "src"):
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, tmp_path / name, ignore=shutil.ignore_patterns("static", "__pycache__"))
        else:
            shutil.copy(source, tmp_path / name)
    return tmp_path


def built(checkout):
    """Build a wheel without a network; returns what happened."""
    script = "import hatchling.build; print(hatchling.build.build_wheel('dist'))"
    return subprocess.run([sys.executable, "-c", script], cwd=checkout, capture_output=True, text=True, check=False)


def test_no_wheel_without_the_page(checkout):
    """The build fails and says why; with the page it is inside."""
    failed = built(checkout)
    assert failed.returncode != 0
    assert "no wheel without the web board's page" in failed.stderr
    static = checkout / "src/quiesce/web/static"
    static.mkdir()
    for name in NEEDED:
        (static / name).write_text(name)
    done = built(checkout)
    assert done.returncode == 0, done.stderr
    wheel = checkout / "dist" / done.stdout.split()[-1]
    assert {f"quiesce/web/static/{name}" for name in NEEDED} <= set(zipfile.ZipFile(wheel).namelist())
