"""What is built once for all tests of the package: sdist and wheel, and an environment with the wheel in it."""

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from quiesce import cachekey
from quiesce.jit import library
from quiesce.web.bundle import NEEDED
from tests.test_architecture import ROOT
from tests.web.conftest import has_bundle
from tools import build_native

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


def build(source, folder, *options, **environment):
    """Have `python -m build` make what it makes of a source, without a network."""
    words = (sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), *options, str(source))
    run(*words, env=os.environ | environment)
    return folder


@pytest.fixture(scope="session")
def native_wheel(source, tmp_path_factory):
    """A wheel that brings kernels: those that this machine has compiled already, linked as a shared library."""
    if not (sys.platform == "linux" and library.machine().startswith("linux-x86_64")):
        pytest.skip("native wheels are for Linux; other machines than x86_64 are tested by hand")
    folder = tmp_path_factory.mktemp("native") / "x86_64"
    folder.mkdir()
    normal = {"QUIESCE_OPEN": "", "QUIESCE_JIT": "", "QUIESCE_DEBUG": "", "QUIESCE_TRACE": ""}
    run(sys.executable, "-m", "quiesce", "warmup", env=os.environ | normal)
    for kind in cachekey.OBJECT_BUILDS:
        path, manifest, image = library.kept(kind)
        assert path.name == library.OBJECT
        for level in build_native.PLATFORMS["x86_64"].levels:
            build_native.link(image, manifest, folder / f"{kind}-{level}.so", "x86_64")
    (found,) = build(
        source, tmp_path_factory.mktemp("dist"), "--wheel", QUIESCE_WHEEL="x86_64", QUIESCE_NATIVE=str(folder.parent)
    ).glob("*.whl")
    return found


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
    return environment_with(wheel, tmp_path_factory.mktemp("install") / "with späces 与 more", packages_of_ours())


def packages_of_ours():
    """The folder in which this very Python has its packages."""
    return Path(sysconfig.get_path("purelib"))


def environment_with(wheel, home, others):
    """The `bin` of a new environment with a wheel in it, and a folder of other packages beside."""
    venv.create(home)
    run(sys.executable, "-m", "pip", "--python", str(home), "install", "--quiet", "--no-deps", "--no-index", str(wheel))
    (packages,) = home.glob("lib/python*/site-packages")
    Path(packages, "ours.pth").write_text(f"{others}\n", encoding="utf-8")
    return home / "bin"


@pytest.fixture(scope="session")
def without_numba(native_wheel, tmp_path_factory):
    """The `bin` of an environment with the native wheel and all that ours has, but neither Numba nor llvmlite."""
    home = tmp_path_factory.mktemp("native install")
    others = home / "others"
    others.mkdir()
    for path in packages_of_ours().iterdir():
        if not path.name.lower().startswith(("numba", "llvmlite", "quiesce", "_quiesce", "__editable__")):
            (others / path.name).symlink_to(path)
    return environment_with(native_wheel, home / "env", others)
