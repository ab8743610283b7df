"""The store: runs found again, items kept once, trouble told."""

import sqlite3
import subprocess
import sys
import time
from contextlib import ExitStack

import filelock
import pytest

from quiesce.work.files import only_one
from quiesce.work.store import Store, StoreError, default_path, digest_of


def test_the_same_configuration_is_the_same_run(tmp_path):
    """Whatever the order of its keys; another one is another run, and a kind of its own too."""
    with Store(tmp_path / "lab.sqlite") as store:
        run = store.run("match", "a", {"x": 1, "y": [2, 3]})
        assert store.run("match", "another name", {"y": [2, 3], "x": 1}).id == run.id
        assert (
            len({run.id, store.run("match", "b", {"x": 2}).id, store.run("suite", "a", {"x": 1, "y": [2, 3]}).id}) == 3
        )
        assert [found.name for found in store.runs()] == ["a", "b", "a"]


def test_items_are_kept_once_and_in_order(tmp_path):
    """A key that is there stays as it was; another process reads the same."""
    path = tmp_path / "lab.sqlite"
    with Store(path) as store:
        run = store.run("match", "a", {})
        assert run.add("5", {"n": 1})
        assert run.add("3", {"n": 2})
        assert not run.add("5", {"n": 99})
        run.put("about", {"n": 0})
        run.put("about", {"n": 3})
    with Store(path) as store:
        assert store.runs()[0].items() == {"5": {"n": 1}, "3": {"n": 2}, "about": {"n": 3}}
        store.forget(store.runs()[0])
        assert store.runs() == []
        assert store.read("SELECT count(*) FROM items") == [(0,)]


def test_one_process_works_on_a_run(tmp_path):
    """A second one is told so; afterwards the run is free and no lock file remains."""
    with Store(tmp_path / "lab.sqlite") as store, Store(tmp_path / "lab.sqlite") as other:
        with store.run("match", "a", {}).worked_on():
            with pytest.raises(StoreError, match="another process"), other.run("match", "a", {}).worked_on():
                pass
            with other.run("match", "b", {"x": 1}).worked_on():
                pass
        with other.run("match", "a", {}).worked_on():
            pass
    assert not list(tmp_path.glob("*.lock"))


def test_a_run_freed_and_taken_at_once_is_still_one_process_alone(tmp_path, monkeypatch):
    """The first frees its lock, a second takes it at that moment: what the first does last must not let in a third."""
    second, free = ExitStack(), filelock.FileLock.release

    def released(lock, *told, **more):
        """Free the lock, and have it taken by the second before anything else happens."""
        free(lock, *told, **more)
        if not entered:
            entered.append(True)
            second.enter_context(only_one(tmp_path / "a", StoreError("taken")))

    entered = []
    with second:
        with monkeypatch.context() as patch, only_one(tmp_path / "a", StoreError("taken")):
            patch.setattr(filelock.FileLock, "release", released)
        assert entered
        with pytest.raises(StoreError, match="taken"), only_one(tmp_path / "a", StoreError("taken")):
            pass
    assert not list(tmp_path.glob("*.lock"))


def test_files_that_are_no_store_are_refused(tmp_path):
    """Text, a foreign database, a store of the future, a folder: each with a word, and left as it was."""
    (tmp_path / "text").write_text("hello " * 1000)
    foreign = sqlite3.connect(tmp_path / "foreign")
    foreign.execute("CREATE TABLE things (a)")
    foreign.commit()
    foreign.close()
    Store(tmp_path / "future").close()
    future = sqlite3.connect(tmp_path / "future")
    future.execute("PRAGMA user_version = 99")
    future.close()
    for name, words in (
        ("text", "no store of the lab"),
        ("foreign", "not one of ours"),
        ("future", "format 99"),
        (".", "a directory"),
    ):
        with pytest.raises(StoreError, match=words):
            Store(tmp_path / name)
    assert (tmp_path / "text").read_text() == "hello " * 1000


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("UPDATE items SET facts = '{\"a\": ' WHERE key = '1'", r"run 1 \(match 'a'\): item '1' is damaged: Expecting"),
        ("UPDATE items SET facts = '[1, 2]' WHERE key = '1'", "item '1' is damaged: it is no table"),
        ("UPDATE items SET facts = x'ff00' WHERE key = '1'", "item '1' is damaged"),
        ("UPDATE items SET facts = cast(x'ff' AS TEXT) WHERE key = '1'", "decode"),
        ("UPDATE items SET key = x'ff00' WHERE key = '1'", "its key b'.*' is no text"),
        ("UPDATE runs SET config = '{'", "run 1 is damaged: Expecting"),
        ("UPDATE runs SET started = x'00'", "run 1 is damaged: its kind"),
    ],
)
def test_a_damaged_row_is_named(tmp_path, change, words):
    """Text that is no JSON, or no text, each time it is met: the file, the run and the item are told."""
    path = tmp_path / "lab.sqlite"
    with Store(path) as store:
        run = store.run("match", "a", {})
        for key in "12":
            run.add(key, {"n": 1})
        store.write(change, ())
    for _ in range(2):
        with Store(path) as store, pytest.raises(StoreError, match=words) as error:
            store.runs()[0].items()
        assert "lab.sqlite" in str(error.value)
        if "facts" in change and "cast" not in change:
            with Store(path) as store, pytest.raises(StoreError, match=words):
                store.runs()[0].item("1")
        if "key" in words:
            with Store(path) as store, pytest.raises(StoreError, match=words):
                store.runs()[0].keys()


def test_a_field_that_is_missing_is_named(tmp_path):
    """Whoever reads an item by fields that it has not says which item and which field."""
    with Store(tmp_path / "lab.sqlite") as store:
        run = store.run("match", "a", {})
        with (
            pytest.raises(StoreError, match=r"run 1 \(match 'a'\): item '7' is damaged: it has no 'games'"),
            run.read_as("7"),
        ):
            {}["games"]


def test_a_full_disk_is_told(tmp_path):
    """What cannot be kept is an error at once, not a result that gets lost."""
    with Store(tmp_path / "lab.sqlite") as store:
        run = store.run("match", "a", {})
        store._base.execute("PRAGMA max_page_count = 10")
        with pytest.raises(StoreError, match="full"):
            all(run.add(str(number), {"text": "x" * 1000}) for number in range(1000))
        kept = run.items()
    with Store(tmp_path / "lab.sqlite") as store:
        assert store.runs()[0].items() == kept != {}


def test_a_killed_writer_leaves_what_it_kept(tmp_path):
    """SIGKILL in the middle of writing: everything reported as kept is there."""
    path = tmp_path / "lab.sqlite"
    code = (
        "import sys, itertools; from pathlib import Path; from quiesce.work.store import Store\n"
        f"run = Store(Path({str(path)!r})).run('match', 'a', {{}})\n"
        "for n in itertools.count():\n    run.add(str(n), {'n': n})\n    print(n, flush=True)\n"
    )
    writer = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    while writer.stdout.readline() != "20\n":
        pass
    time.sleep(0.02)
    writer.kill()
    told = [int(line) for line in writer.stdout.read().split()]
    writer.wait()
    writer.stdout.close()
    with Store(path) as store:
        kept = store.runs()[0].items()
    assert set(map(str, [*range(21), *told[:-1]])) <= set(kept)
    assert all(facts == {"n": int(key)} for key, facts in kept.items())


def test_where_the_store_is(monkeypatch, tmp_path):
    """The environment may say where."""
    monkeypatch.setenv("QUIESCE_STORE", str(tmp_path / "mine"))
    assert default_path() == tmp_path / "mine"
    monkeypatch.delenv("QUIESCE_STORE")
    assert default_path().name == "lab.sqlite"
    monkeypatch.setattr("platformdirs.user_data_dir", lambda *_words, **_options: "~/.local/share/quiesce")
    with pytest.raises(StoreError, match="no home"):
        default_path()


def test_digests_tell_configurations_apart():
    """Nested values too."""
    assert digest_of({"a": [1, {"b": 2}]}) == digest_of({"a": [1, {"b": 2}]})
    assert digest_of({"a": [1, {"b": 2}]}) != digest_of({"a": [1, {"b": 3}]})
