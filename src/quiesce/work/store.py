"""Shell. The store: one SQLite file with the results of all lab runs.

A run is identified by its kind and the digest of its configuration, so the same command resumes it. Items are written
before they count; a kill loses only unfinished ones.
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
from quiesce.board.readfile import read_json, regular_file
from quiesce.cachekey import user_folder
from quiesce.work.files import only_one

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

SQLITE_TROUBLE = (sqlite3.Error, UnicodeDecodeError)
"""What SQLite raises; of some damaged files even the words of its errors are no text."""

Facts = Mapping[str, Any]


class StoreError(RuntimeError):
    """The store cannot be read or written; the message says why."""


def default_path() -> Path:
    """The default store. Raises StoreError for a user without a home."""
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
        """Store an item; returns False, and changes nothing, if the key exists."""
        return self.store.write(
            "INSERT OR IGNORE INTO items VALUES (?, ?, ?, ?)", (self.id, key, json.dumps(facts), now())
        )

    def put(self, key: str, facts: Facts) -> None:
        """Keep an item in place of any earlier one of its key."""
        self.store.write("INSERT OR REPLACE INTO items VALUES (?, ?, ?, ?)", (self.id, key, json.dumps(facts), now()))

    def items(self) -> dict[str, Any]:
        """All items by key, oldest first."""
        rows = self.store.read("SELECT key, facts FROM items WHERE run = ? ORDER BY rowid", (self.id,))
        for key, _ in rows:
            if not isinstance(key, str):
                raise StoreError(f"{self.place}: an item is damaged: its key {key!r} is no text")
        return {key: table_in(facts, f"{self.place}: item {key!r}") for key, facts in rows}

    @property
    def place(self) -> str:
        """Name of the run in messages."""
        return f"{self.store.path}: run {self.id} ({self.kind} {self.name!r})"

    @contextmanager
    def read_as(self, key: str) -> Iterator[None]:
        """Turn errors of reading this item into a StoreError that names it."""
        try:
            yield
        except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
            raise StoreError(f"{self.place}: item {key!r} is damaged: {words_of(error)}") from None

    def keys(self) -> set[str]:
        """Keys of all items; raises StoreError for a damaged one."""
        found = {key for (key,) in self.store.read("SELECT key FROM items WHERE run = ?", (self.id,))}
        if strange := [key for key in found if not isinstance(key, str)]:
            raise StoreError(f"{self.place}: an item is damaged: its key {strange[0]!r} is no text")
        return found

    def item(self, key: str) -> Any:
        """The item of a key. Raises StoreError if there is none."""
        rows = self.store.read("SELECT facts FROM items WHERE run = ? AND key = ?", (self.id, key))
        if not rows:
            raise StoreError(f"{self.store.path}: run {self.id} has no item {key!r}")
        return table_in(rows[0][0], f"{self.place}: item {key!r}")

    @contextmanager
    def worked_on(self) -> Iterator[Self]:
        """Lock the run for one process."""
        trouble = StoreError(f"another process is working on this run ({self.kind} {self.name!r})")
        with only_one(Path(f"{self.store.path}.run{self.id}"), trouble):
            yield self


class Store:
    """A file of runs; made when it is first opened."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or default_path()
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if self.path.exists():
                regular_file(self.path)
            self._base = sqlite3.connect(self.path, timeout=BUSY_SECONDS, isolation_level=None)
            try:
                self._set_up()
            except BaseException:
                self._base.close()  # what was begun is undone
                raise
        except OSError as error:
            raise StoreError(f"{self.path}: {error.strerror or error}") from None
        except SQLITE_TROUBLE as error:
            raise StoreError(f"{self.path}: {trouble_of(error)}") from None

    def _set_up(self) -> None:
        """Create the tables if missing. Refuse a file of another format."""
        self._base.execute("PRAGMA journal_mode = WAL")
        self._base.execute("PRAGMA foreign_keys = ON")
        self._base.execute("BEGIN IMMEDIATE")
        (found,) = self._base.execute("PRAGMA user_version").fetchone()
        if found == 0:
            if self._base.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                raise StoreError(f"{self.path}: a database, but not one of ours")
            for statement in SCHEMA.split(";"):
                self._base.execute(statement)
            self._base.execute(f"PRAGMA user_version = {FORMAT}")
        elif found != FORMAT:
            raise StoreError(f"{self.path}: format {found}, this version reads {FORMAT}")
        self._base.execute("COMMIT")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._base.close()

    def write(self, statement: str, values: tuple[Any, ...]) -> bool:
        """Change the file atomically; returns whether anything changed."""
        try:
            return self._base.execute(statement, values).rowcount > 0
        except SQLITE_TROUBLE as error:
            raise StoreError(f"{self.path}: {trouble_of(error)}") from None

    def read(self, statement: str, values: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        """Rows of the file."""
        try:
            return self._base.execute(statement, values).fetchall()
        except SQLITE_TROUBLE as error:
            raise StoreError(f"{self.path}: {trouble_of(error)}") from None

    def run(self, kind: str, name: str, config: Facts) -> Run:
        """The run of a configuration; created if missing."""
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
        return [self._run(*row) for row in rows]

    def _run(self, number: int, kind: str, name: str, config: str, version: str, started: str) -> Run:
        """The run of a row; raises StoreError for one that is damaged."""
        where = f"{self.path}: run {number}"
        if not all(isinstance(text, str) for text in (kind, name, version, started)):
            raise StoreError(f"{where} is damaged: its kind, name, version or date is no text")
        return Run(self, number, kind, name, table_in(config, where), version, started)


def table_in(text: Any, where: str) -> dict[str, Any]:
    """The table of a stored text. Raises StoreError if there is none."""
    try:
        table = read_json(text)
    except (TypeError, ValueError) as error:
        raise StoreError(f"{where} is damaged: {error}") from None
    if not isinstance(table, dict):
        raise StoreError(f"{where} is damaged: it is no table")
    return table


def words_of(error: Exception) -> str:
    """The error of an item, in words."""
    return f"it has no {error.args[0]!r}" if isinstance(error, KeyError) and error.args else str(error)


def trouble_of(error: Exception) -> str:
    """SQLite's error, with plain words for the common ones."""
    if isinstance(error, UnicodeDecodeError):
        return "the database is damaged"
    is_foreign = getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_NOTADB
    return "this is no store of the lab (not an SQLite file)" if is_foreign else str(error)
