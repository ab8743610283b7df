"""Which object is taken: one that is whole, of these sources, this system and this processor, and no other."""

import hashlib
import json

import numpy as np
import pytest

from quiesce import cachekey
from quiesce.board.position import POSITION
from quiesce.jit import library
from quiesce.jit.entries import ENTRIES, Entry, Many, kind_of
from quiesce.jit.library import Kernels, MisfitError

IMAGE = b"machine code"


def good_manifest(build="release"):
    """A manifest that fits."""
    return {
        "format": library.FORMAT,
        "build": build,
        "machine": library.machine(),
        "processor": "x86-64-v2",
        "sources": library.source_digest(),
        "sha256": hashlib.sha256(IMAGE).hexdigest(),
        "entries": {},
    }


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"format": 0}, "another form"),
        ({"build": "trace"}, "another form or build"),
        ({"sha256": "0" * 64}, "damaged"),
        ({"sources": "0" * 64}, "edited"),
    ],
)
def test_what_does_not_fit_is_refused(changed, why):
    """Another form, another build, another byte, another source."""
    library.check(good_manifest(), IMAGE, "release")
    with pytest.raises(MisfitError, match=why):
        library.check(good_manifest() | changed, IMAGE, "release")


@pytest.fixture
def wheel(tmp_path, monkeypatch):
    """A folder as a wheel brings it, with a library for each level of a machine like this."""
    monkeypatch.setattr(library, "SHIPPED", tmp_path)
    for level in library.LEVELS:
        (tmp_path / f"release-{level}.so").write_bytes(IMAGE)
        told = {"processor": level, "library": f"release-{level}.so"}
        (tmp_path / f"release-{level}.json").write_text(json.dumps(good_manifest() | told))
    return tmp_path


@pytest.mark.parametrize(
    ("has", "taken"),
    [
        (set(library.LEVELS), "x86-64-v3"),
        ({"x86-64-v2", "generic"}, "x86-64-v2"),
        ({"generic"}, "generic"),
    ],
)
def test_the_best_level_that_runs_is_taken(wheel, monkeypatch, has, taken):
    """By what the processor has."""
    monkeypatch.setattr(library, "processor_has", lambda level: level in has)
    path, manifest, _ = library.shipped("release")
    assert (path, manifest["processor"]) == (wheel / f"release-{taken}.so", taken)


def test_no_level_no_library(wheel, monkeypatch):
    """A processor below all levels, another system, another build and no folder at all: nothing is taken."""
    with monkeypatch.context() as patch:
        patch.setattr(library, "processor_has", lambda _level: False)
        with pytest.raises(MisfitError, match="other processors"):
            library.shipped("release")
    with monkeypatch.context() as patch:
        patch.setattr(library, "machine", lambda: "plan9-vax-32")
        with pytest.raises(MisfitError, match="other processors"):
            library.shipped("release")
    with pytest.raises(MisfitError, match="other processors"):
        library.shipped("trace")
    monkeypatch.setattr(library, "SHIPPED", wheel / "none")
    with pytest.raises(MisfitError, match="brought no"):
        library.shipped("release")


@pytest.mark.usefixtures("wheel")
def test_a_library_that_the_system_refuses_is_left_alone(monkeypatch):
    """Bytes that are no library, though the manifest knows them: no crash, and `found` does not count on them."""
    monkeypatch.setattr(cachekey, "BUILD", "release")
    monkeypatch.setattr(library, "has_numba", lambda: False)
    with pytest.raises(MisfitError, match="refuses"):
        library.from_wheel()
    assert library.found("release") is None


def test_windows_tells_the_python_not_the_processor(monkeypatch):
    """An x86-64 Python on an ARM machine runs x86-64 libraries."""
    monkeypatch.setattr(library.sys, "platform", "win32")
    monkeypatch.setattr(library.platform, "machine", lambda: "ARM64")
    monkeypatch.setattr(library.sysconfig, "get_platform", lambda: "win-amd64")
    assert library.machine() == "win32-x86_64-64"


def test_levels_are_numpys_words():
    """A level that NumPy does not know is never taken; what it knows is asked, not guessed."""
    known = np._core._multiarray_umath.__cpu_features__
    for level, word in library.LEVELS.items():
        assert library.processor_has(level) == (not word or known.get(word, False))


def test_entries_with_other_arguments_are_not_called():
    """A record whose layout has changed is told, and so is an entry that is not there."""
    item = Entry(kind_of, (POSITION, "i8"))
    row = {"symbol": item.symbol, "arguments": item.kinds, "result": "i8"}
    kernels = Kernels({"entries": {item.name: row}}, {item.name: 4096}, None, None, "")
    assert kernels.entry(item) == (4096, "i8")
    with pytest.raises(MisfitError, match="takes"):
        kernels.entry(Entry(kind_of, (POSITION, "i4")))
    with pytest.raises(MisfitError, match="has no"):
        kernels.entry(Entry(hashlib.sha256, ()))


def test_layouts_tell_records_apart():
    """A field moved, renamed or of another type is another layout; the same declared twice is the same."""
    kinds = [
        np.dtype([("one", "u8"), ("two", "u8")]),
        np.dtype([("two", "u8"), ("one", "u8")]),
        np.dtype([("one", "u8"), ("two", "i8")]),
        np.dtype([("one", "u8", (2,))]),
        np.dtype([("one", [("two", "u8")]), ("three", "u8")]),
    ]
    assert len({kind_of(kind) for kind in kinds}) == len(kinds)
    assert kind_of(kinds[0]) == kind_of(np.dtype([("one", "u8"), ("two", "u8")]))
    assert kind_of(Many("u2")) != kind_of(Many("u2", is_read=True))


def test_symbols_are_unique():
    """No two entries have one name in an object."""
    assert len({item.symbol for item in ENTRIES}) == len(ENTRIES)


def test_a_damaged_object_counts_as_absent(tmp_path, monkeypatch):
    """Cut, or its manifest cut: it is compiled again, never loaded."""
    monkeypatch.setattr(cachekey, "folder", lambda _build: tmp_path)
    with pytest.raises(MisfitError, match="nothing was compiled"):
        library.kept("release")
    (tmp_path / library.OBJECT).write_bytes(IMAGE[:-1])
    (tmp_path / cachekey.MANIFEST).write_text(json.dumps(good_manifest()))
    with pytest.raises(MisfitError, match="damaged"):
        library.kept("release")
    (tmp_path / cachekey.MANIFEST).write_text("{")
    with pytest.raises(MisfitError, match="damaged"):
        library.kept("release")
