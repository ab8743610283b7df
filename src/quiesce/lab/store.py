"""Shell. The store: one SQLite file in which every run of the lab is kept, item by item, as it happens.

A run is known by its kind and by the digest of its configuration: the same command finds the same run again and goes
on with what is missing. An item is written before it counts, so that a kill loses at most what was in progress.
"""

import hashlib
import json
import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

import platformdirs

from quiesce import __version__
from quiesce.cachekey import user_folder
from quiesce.lab.files import only_one

STORE_VARIABLE = "QUIESCE_STORE"
FORMAT = 1
BUSY_SECONDS = 30.0
"""How long to wait for another process that writes."""
SCHEMA = """
CREATE TABLE runs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    digest TEXT NOT NULL,
    name TEXT NOT NULL,
    config TEXT NOT NULL,
    version TEXT NOT NULL,
    started TEXT NOT NULL,
    UNIQUE (kind, digest)
);
CREATE TABLE items (
    run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    facts TEXT NOT NULL,
    kept TEXT NOT NULL,
    PRIMARY KEY (run, key)
);
"""

Facts = Mapping[str, Any]


class StoreError(RuntimeError):
    """The store cannot be read or written; the message says why."""


def default_path() -> Path:
    """Where the store is unless told otherwise; raises StoreError for a user without a home."""
    if named := os.environ.get(STORE_VARIABLE):
        return Path(named)
    home = user_folder(platformdirs.user_data_dir)
    if home is None:
        raise StoreError(f"this user has no home to keep results in: name a file by --store or {STORE_VARIABLE}")
    return home / "lab.sqlite"


def now() -> str:
    """The time, as the store writes it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def digest_of(config: Facts) -> str:
    """A short name for a configuration: equal configurations have equal ones."""
    text = json.dumps(config, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Run:
    """One run: what decides it, and its items by key, in the order they were kept."""

    store: "Store"
    id: int
    kind: str
    name: str
    config: Facts
    version: str
    started: str

    def add(self, key: str, facts: Facts) -> bool:
        """Keep an item; returns False, and changes nothing, where the key is there already."""
        return self.store.write(
            "INSERT OR IGNORE INTO items VALUES (?, ?, ?, ?)", (self.id, key, json.dumps(facts), now())
        )

    def put(self, key: str, facts: Facts) -> None:
        """Keep an item in place of any earlier one of its key."""
        self.store.write("INSERT OR REPLACE INTO items VALUES (?, ?, ?, ?)", (self.id, key, json.dumps(facts), now()))

    def items(self) -> dict[str, Any]:
        """All items by key, oldest first."""
        rows = self.store.read("SELECT key, facts FROM items WHERE run = ? ORDER BY rowid", (self.id,))
        return {key: json.loads(facts) for key, facts in rows}

    def keys(self) -> set[str]:
        """Keys of all items."""
        return {key for (key,) in self.store.read("SELECT key FROM items WHERE run = ?", (self.id,))}

    def item(self, key: str) -> Any:
        """The item of a key; raises StoreError where there is none."""
        rows = self.store.read("SELECT facts FROM items WHERE run = ? AND key = ?", (self.id, key))
        if not rows:
            raise StoreError(f"{self.store.path}: run {self.id} has no item {key!r}")
        return json.loads(rows[0][0])

    @contextmanager
    def worked_on(self) -> Iterator[Self]:
        """Only one process works on a run; a second one is told so."""
        trouble = StoreError(f"another process is working on this run ({self.kind} {self.name!r})")
        with only_one(Path(f"{self.store.path}.run{self.id}"), trouble):
            yield self


class Store:
    """A file of runs; made when it is first opened."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or default_path()
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._base = sqlite3.connect(self.path, timeout=BUSY_SECONDS, isolation_level=None)
            self._set_up()
        except (OSError, sqlite3.Error) as error:
            raise StoreError(f"{self.path}: {error}") from None

    def _set_up(self) -> None:
        """Make the tables if there are none; refuse a file of another format."""
        self._base.execute("PRAGMA journal_mode = WAL")
        self._base.execute("PRAGMA foreign_keys = ON")
        self._base.execute("BEGIN IMMEDIATE")
        try:
            (found,) = self._base.execute("PRAGMA user_version").fetchone()
            if found == 0:
                if self._base.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                    raise StoreError(f"{self.path}: a database, but not one of ours")
                for statement in SCHEMA.split(";"):
                    self._base.execute(statement)
                self._base.execute(f"PRAGMA user_version = {FORMAT}")
            elif found != FORMAT:
                raise StoreError(f"{self.path}: format {found}, this version reads {FORMAT}")
        except BaseException:
            self._base.execute("ROLLBACK")
            self._base.close()
            raise
        self._base.execute("COMMIT")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._base.close()

    def write(self, statement: str, values: tuple[Any, ...]) -> bool:
        """Change the file, at once and wholly; returns whether anything changed."""
        try:
            return self._base.execute(statement, values).rowcount > 0
        except sqlite3.Error as error:
            raise StoreError(f"{self.path}: {error}") from None

    def read(self, statement: str, values: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        """Rows of the file."""
        try:
            return self._base.execute(statement, values).fetchall()
        except sqlite3.Error as error:
            raise StoreError(f"{self.path}: {error}") from None

    def run(self, kind: str, name: str, config: Facts) -> Run:
        """The run of a configuration, begun now if there is none yet."""
        digest = digest_of(config)
        self.write(
            "INSERT OR IGNORE INTO runs (kind, digest, name, config, version, started) VALUES (?, ?, ?, ?, ?, ?)",
            (kind, digest, name, json.dumps(config), __version__, now()),
        )
        return self._runs("kind = ? AND digest = ?", (kind, digest))[0]

    def runs(self) -> list[Run]:
        """All runs, oldest first."""
        return self._runs("1", ())

    def forget(self, run: Run) -> None:
        """Drop a run and its items."""
        self.write("DELETE FROM runs WHERE id = ?", (run.id,))

    def _runs(self, condition: str, values: tuple[Any, ...]) -> list[Run]:
        """Runs that fulfil a condition."""
        columns = "id, kind, name, config, version, started"
        rows = self.read(f"SELECT {columns} FROM runs WHERE {condition} ORDER BY id", values)  # noqa: S608  (ours)
        return [Run(self, id_, kind, name, json.loads(config), *rest) for id_, kind, name, config, *rest in rows]
