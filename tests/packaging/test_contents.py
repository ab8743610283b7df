"""What is built: the wheel holds all that runs and nothing else, the sdist is enough to build it, one version."""

import os
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from email.parser import Parser

import pytest

import quiesce
from quiesce.cachekey import PACKAGE
from quiesce.lab.match.openings import BUNDLED
from quiesce.web.bundle import NEEDED
from tests.test_architecture import FILES, ROOT, imports_of

from .conftest import build

PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT, HOOK = PYPROJECT["project"], PYPROJECT["tool"]["hatch"]["metadata"]["hooks"]["custom"]
EXTRAS_OF = {
    "distributed": "cluster",
    "scipy": "lab",
    "torch": "train",
    "starlette": "web",
    "uvicorn": "web",
    "h11": "web",
}
"""Imports that need an extra; all others must come with the package."""
WITH_NUMBA = {"llvmlite"}
"""What Numba brings along."""


def contents(wheel):
    """Files of a wheel, each with its checksum."""
    with zipfile.ZipFile(wheel) as opened:
        return {item.filename: item.CRC for item in opened.infolist()}


def metadata_of(wheel):
    """What a wheel says of itself."""
    with zipfile.ZipFile(wheel) as opened:
        (name,) = (name for name in opened.namelist() if name.endswith(".dist-info/METADATA"))
        return Parser().parsestr(opened.read(name).decode())


@pytest.fixture(scope="module")
def metadata(wheel):
    """What the wheel says of itself."""
    return metadata_of(wheel)


def needs(metadata):
    """What is installed along with a distribution, extras left out."""
    return {word.partition(">=")[0] for word in metadata.get_all("Requires-Dist") if "extra ==" not in word}


def test_the_wheel_holds_what_runs(wheel):
    """Page, network, weights, books, suites, opponents, types and licence, each at its place."""
    names = {name.removeprefix("quiesce/") for name in contents(wheel)}
    wanted = {f"web/static/{name}" for name in NEEDED} | {f"lab/books/{name}" for name in BUNDLED.values()}
    wanted |= {"eval/network.qnet", "eval/fitted.json", "lab/opponents.toml", "lab/suites/data/bk.epd", "py.typed"}
    assert wanted <= names
    assert any(name.endswith("/licenses/LICENSE") for name in names)


def test_the_wheel_is_the_package(wheel):
    """Every tracked file of the package is in it, and beside them only the page and its own papers."""
    listed = subprocess.run(["git", "ls-files", "src/quiesce"], cwd=ROOT, capture_output=True, text=True, check=False)
    if not listed.stdout:
        pytest.skip("not a git checkout")
    tracked = {name.removeprefix("src/") for name in listed.stdout.split() if (ROOT / name).exists()}
    found = set(contents(wheel))
    assert tracked <= found
    rest = {
        name for name in found - tracked if not name.startswith("quiesce/web/static/") and ".dist-info/" not in name
    }
    untracked = {path.relative_to(PACKAGE.parent).as_posix() for path in FILES} - tracked
    assert rest <= untracked, "neither tracked nor a module somebody is writing"


def test_a_wheel_from_the_sdist_is_the_same(source, wheel, tmp_path):
    """What the checkout gives directly, the sdist gives too, file by file."""
    (direct,) = build(source, tmp_path, "--wheel").glob("*.whl")
    assert contents(direct) == contents(wheel)
    assert direct.name == wheel.name


def test_the_sdist_can_be_worked_on(dist):
    """Tests, tools, docs, sources of the page and the Makefile are in it, and no environment or build of ours."""
    (path,) = dist.glob("*.tar.gz")
    with tarfile.open(path) as opened:
        names = {name.partition("/")[2] for name in opened.getnames()}
    assert {
        "Makefile",
        "constraints.txt",
        "LICENSE",
        "tests/conftest.py",
        "web/build.js",
        "tools/wheel_hook.py",
    } <= names
    assert not [name for name in names if name.startswith((".venv", "dist")) or "node_modules" in name]


def test_the_version_is_said_once(dist, metadata):
    """In `quiesce/__init__.py`; files, metadata and pyproject follow it."""
    assert metadata["Version"] == quiesce.__version__
    assert all(f"-{quiesce.__version__}" in path.name for path in dist.iterdir())
    assert "version" in PROJECT["dynamic"]
    stated = [path for path in FILES if f'"{quiesce.__version__}"' in path.read_text(encoding="utf-8")]
    assert stated == [PACKAGE / "__init__.py"]


def test_the_metadata_says_what_is_needed(metadata):
    """Python from 3.11 on, the licence, and each extra."""
    assert metadata["Requires-Python"] == ">=3.11"
    assert metadata["License-Expression"] == "GPL-3.0-or-later"
    assert set(metadata.get_all("Provides-Extra")) == {"cluster", "dev", "docs", "jit", "lab", "train", "web"}
    assert f"Programming Language :: Python :: {sys.version_info[0]}.{sys.version_info[1]}" in PROJECT["classifiers"]


def test_native_wheels_alone_need_no_numba(metadata, dist, source, native_wheel, tmp_path):
    """The wheel for everybody, the sdist and an editable install name it; a wheel with kernels does not."""
    (path,) = dist.glob("*.tar.gz")
    with tarfile.open(path) as opened:
        (name,) = (name for name in opened.getnames() if name.endswith("/PKG-INFO") and name.count("/") == 1)
        sdist = Parser().parsestr(opened.extractfile(name).read().decode())
    program = f"from hatchling import build; build.prepare_metadata_for_build_editable({str(tmp_path)!r})"
    subprocess.run([sys.executable, "-c", program], cwd=source, check=True, capture_output=True)
    (told,) = tmp_path.glob("*.dist-info/METADATA")
    editable, native = Parser().parsestr(told.read_text(encoding="utf-8")), metadata_of(native_wheel)
    assert needs(metadata) == needs(sdist) == needs(editable) == needs(native) | {"numba"}
    assert not {"numba", "llvmlite"} & needs(native)
    assert any("numba" in word and "jit" in word for word in native.get_all("Requires-Dist"))


def test_a_native_wheel_says_where_it_runs(native_wheel):
    """By its name and tag; it has two builds for two levels of processor, and else the files of any wheel."""
    assert native_wheel.name.endswith("-py3-none-manylinux_2_17_x86_64.whl")
    with zipfile.ZipFile(native_wheel) as opened:
        (name,) = (name for name in opened.namelist() if name.endswith(".dist-info/WHEEL"))
        told = opened.read(name).decode()
    assert "Root-Is-Purelib: false" in told
    assert "Tag: py3-none-manylinux_2_17_x86_64" in told
    kernels = {name for name in contents(native_wheel) if name.startswith("quiesce/native/")}
    assert kernels == {
        f"quiesce/native/{build}-{level}.{end}"
        for build in ("release", "trace")
        for level in ("x86-64-v2", "x86-64-v3")
        for end in ("so", "json")
    }


def test_a_native_wheel_of_other_sources_is_not_built(source, tmp_path):
    """Kernels that are missing stop the build, with a word on how to make them."""
    words = [sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", str(tmp_path), str(source)]
    asked = os.environ | {"QUIESCE_WHEEL": "x86_64", "QUIESCE_NATIVE": str(tmp_path)}
    done = subprocess.run(words, env=asked, capture_output=True, text=True, check=False)
    assert done.returncode
    assert "build_native.py" in done.stdout + done.stderr


def test_every_import_is_declared():
    """What a module imports from outside is a dependency, or of the extra that the module belongs to."""
    named = {
        extra: {word.partition(">=")[0] for word in words}
        for extra, words in {"": HOOK["always"] + HOOK["compiling"], **PROJECT["optional-dependencies"]}.items()
    }
    for path in FILES:
        for name in {name.partition(".")[0] for name in imports_of(path)} - sys.stdlib_module_names - WITH_NUMBA:
            if name not in ("quiesce", "None"):
                assert name in named[EXTRAS_OF.get(name, "")], f"{path.name} imports {name}"
