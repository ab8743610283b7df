"""The cache folder: what changes its name, where it is, what is pruned, what happens when it cannot be."""

import os
import shutil
import time

import pytest

from quiesce import cachekey

from .conftest import run_python


@pytest.fixture
def copy_of_sources(tmp_path):
    """The package's sources, to be changed."""
    target = tmp_path / "quiesce"
    shutil.copytree(cachekey.PACKAGE, target, ignore=shutil.ignore_patterns("__pycache__"))
    return target


def test_same_sources_same_folder(copy_of_sources):
    """Two checkouts of the same sources share a folder, whenever their files were written."""
    os.utime(copy_of_sources / "board" / "bits.py", (1, 1))
    assert cachekey.digest(copy_of_sources) == cachekey.digest()


REFRESH_ENTRY = [
    "board/bits.py",
    "board/tables.py",
    "jit/intrinsics.py",
    "jit/lowering.py",
    "records.py",
    "cachekey.py",
    "search/params.py",
]
UNSEEN = [
    "cli/board.py",
    "jit/native.py",
    "jit/making.py",
    "engine/clock.py",
    "engine/book.py",
    "engine/team.py",
    "engine/task.py",
    "__init__.py",
]


@pytest.mark.parametrize("name", REFRESH_ENTRY)
def test_a_changed_kernel_file_changes_the_folder(copy_of_sources, name):
    """One byte in anything kernels see is another folder; Numba alone would serve old code."""
    with (copy_of_sources / name).open("a", encoding="utf-8") as file:
        file.write("\n")
    assert cachekey.digest(copy_of_sources) != cachekey.digest()


def test_a_new_or_renamed_kernel_file_changes_the_folder(copy_of_sources):
    """So does a file of kernels that comes, and one that goes by another name."""
    digests = {cachekey.digest(copy_of_sources)}
    (copy_of_sources / "search" / "new.py").write_text('"""Kernels."""\n')
    cachekey.kernel_files.cache_clear()
    cachekey.source_files.cache_clear()
    cachekey.bytes_of.cache_clear()
    digests.add(cachekey.digest(copy_of_sources))
    (copy_of_sources / "search" / "new.py").rename(copy_of_sources / "search" / "other.py")
    cachekey.kernel_files.cache_clear()
    cachekey.source_files.cache_clear()
    cachekey.bytes_of.cache_clear()
    assert len({*digests, cachekey.digest(copy_of_sources)}) == 3


def test_what_makes_objects_is_part_of_their_name(copy_of_sources):
    """A change of it makes objects anew, and leaves alone what Numba compiles one by one."""
    builds = ("release", "trace", "open")
    before = [cachekey.digest(copy_of_sources, build) for build in builds]
    (copy_of_sources / cachekey.BUILDER).write_text("")
    cachekey.bytes_of.cache_clear()
    after = [cachekey.digest(copy_of_sources, build) for build in builds]
    assert [one == other for one, other in zip(before, after, strict=True)] == [False, False, True]


@pytest.mark.parametrize("name", UNSEEN)
def test_shells_do_not_change_the_folder(copy_of_sources, name):
    """What kernels cannot see compiles nothing anew: the command line, the clock, the book."""
    (copy_of_sources / name).write_text("")
    assert cachekey.digest(copy_of_sources) == cachekey.digest()


def test_all_that_kernels_import_names_the_folder():
    """The modules of ours that Python loads to compile all kernels are those that the folder's name knows."""
    program = (
        "import importlib, sys; from quiesce import cachekey; from quiesce.jit.compile import kernel_modules\n"
        "for name in kernel_modules(): importlib.import_module(name)\n"
        "for module in list(sys.modules.values()):\n"
        "    if module.__name__.startswith('quiesce.'): print(module.__file__)\n"
    )
    loaded = set(run_python("-c", program).stdout.split())
    unseen = {str(cachekey.PACKAGE / path) for path in ("__init__.py", *cachekey.CALLERS)}
    assert loaded - unseen == {str(path) for path in cachekey.source_files()}


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("from quiesce.board import tables, bits", {"board/tables.py", "board/bits.py", "board/__init__.py"}),
        ("from quiesce.board.bits import (\n    NONE,\n    is_empty,\n)", {"board/bits.py"}),
        ("    import quiesce.records", {"records.py"}),
        ("from quiesce import cachekey", {"__init__.py", "cachekey.py"}),
        ("from numpy import int64", set()),
    ],
)
def test_every_form_of_import_is_seen(tmp_path, line, found):
    """Whole modules, names of a package, in brackets, within a function."""
    (tmp_path / "one.py").write_text(line)
    files = cachekey.imported_files(tmp_path / "one.py")
    assert {path.relative_to(cachekey.PACKAGE).as_posix() for path in files} == found


def test_debug_has_its_own_folder():
    """Bounds checks and invariants are other code."""
    assert len({cachekey.digest(build=build) for build in ("release", "debug", "trace")}) == 3


def test_compiler_and_cpu_change_the_folder(monkeypatch):
    """Another Numba or another CPU is another folder."""
    here = cachekey.digest()
    monkeypatch.setattr(cachekey, "version", lambda _name: "0.0.0")
    other_version = cachekey.digest()
    monkeypatch.setattr(cachekey, "cpu", lambda: ("z80", ""))
    assert len({here, other_version, cachekey.digest()}) == 3


def test_numbas_own_switches_change_the_folder(monkeypatch):
    """Code compiled with bounds checks, or not optimised, stays out of the release folder."""
    here = cachekey.digest()
    monkeypatch.setenv("NUMBA_BOUNDSCHECK", "1")
    checked = cachekey.digest()
    monkeypatch.setenv("NUMBA_OPT", "0")
    assert len({here, checked, cachekey.digest()}) == 3


def test_a_complete_folder_may_be_read_only(tmp_path, monkeypatch):
    """A cache made ahead by somebody else is used as it is."""
    monkeypatch.setattr(cachekey, "is_writable", lambda _path: False)
    assert not cachekey.is_usable(tmp_path)
    (tmp_path / cachekey.COMPLETE).touch()
    assert cachekey.is_usable(tmp_path)


def test_pruning_survives_another_process_pruning(tmp_path, monkeypatch):
    """A folder that vanishes while we look is no error."""
    for number in range(10):
        (tmp_path / f"release-{number}").mkdir()
    monkeypatch.setattr(cachekey.Path, "stat", lambda *_args, **_kwargs: (_ for _ in ()).throw(FileNotFoundError))
    removed = cachekey.prune(tmp_path, keep=tmp_path / "release-0")
    assert len(removed) == 9 - (cachekey.FOLDERS_KEPT - 1)


def test_old_folders_are_pruned(tmp_path):
    """The newest stay, whoever was used of late stays, foreign folders stay."""
    folders = [tmp_path / f"release-{number:02}" for number in range(10)]
    now = time.time()
    for age, path in enumerate(folders):
        path.mkdir()
        os.utime(path, (now, now - age * cachekey.SECONDS_A_DAY))
    (tmp_path / "somebody-elses").mkdir()
    os.utime(tmp_path / "somebody-elses", (1, 1))
    removed = cachekey.prune(tmp_path, keep=folders[9])
    assert sorted(removed) == folders[5:9]
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        *(path.name for path in folders[:5]), "release-09", "somebody-elses"]  # fmt: skip


def test_read_only_home_falls_back(tmp_path, monkeypatch):
    """Where the wanted folder cannot be made, a private temporary one serves."""
    monkeypatch.setenv(cachekey.CACHE_VARIABLE, os.devnull + "/below-a-file")
    monkeypatch.setattr(cachekey.tempfile, "gettempdir", lambda: str(tmp_path))
    assert not cachekey.is_usable(cachekey.preferred_base())
    assert cachekey.fallback_base().parent == tmp_path
    assert cachekey.is_private(cachekey.fallback_base())


def no_home(*_words, **_options):
    """What platformdirs says where it finds no home."""
    raise RuntimeError("could not determine the home directory")


@pytest.mark.parametrize("kind", [no_home, lambda *_words, **_options: "~/.cache/quiesce"])
def test_a_user_without_a_home_has_a_cache(tmp_path, monkeypatch, kind):
    """Such as a container's made-up user; no version of platformdirs may have us make a folder named ~."""
    monkeypatch.delenv(cachekey.CACHE_VARIABLE, raising=False)
    monkeypatch.setattr(cachekey.platformdirs, "user_cache_dir", kind)
    monkeypatch.setattr(cachekey.tempfile, "gettempdir", lambda: str(tmp_path))
    assert cachekey.preferred_base().parent == tmp_path


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="needs POSIX modes")
def test_a_folder_others_can_write_is_not_trusted(tmp_path, monkeypatch):
    """Compiled code is not loaded from a folder that anybody may have filled."""
    shared = tmp_path / f"quiesce-{os.getuid()}"
    shared.mkdir()
    shared.chmod(0o777)
    monkeypatch.setattr(cachekey.tempfile, "gettempdir", lambda: str(tmp_path))
    monkeypatch.setattr(cachekey.tempfile, "tempdir", str(tmp_path))
    chosen = cachekey.fallback_base()
    assert chosen != shared
    assert cachekey.is_private(chosen)


def test_runs_without_a_usable_home(tmp_path):
    """A command works with a cache folder that cannot be made."""
    done = run_python(
        "-c", "from quiesce import cachekey; print(cachekey.folder())",
        QUIESCE_CACHE_DIR=os.devnull + "/x", TMPDIR=str(tmp_path),
    )  # fmt: skip
    assert done.returncode == 0
    assert str(tmp_path) in done.stdout
