"""Shell. What options decide: the engine, its book and its tables, always as the options say."""

from contextlib import suppress

from quiesce.engine import Engine
from quiesce.search.book import Book, BookError
from quiesce.search.syzygy import Tablebases, TablesError, Verdict
from quiesce.search.table import DEFAULT_MEGABYTES
from quiesce.uci.aside import Aside
from quiesce.uci.options import BUTTON, EVAL_OPTIONS, OPTIONS, BadValueError, Value, defaults, eval_of, search_values
from quiesce.uci.parse import parse_option, shown
from quiesce.uci.talk import Output


class Setup:
    """Owns the values of all options and what they are applied to; used while no search runs."""

    def __init__(self, output: Output) -> None:
        self._output = output
        self.values = defaults()
        self.engine = Engine()
        self.book: Book | None = None
        self.tables: Tablebases | None = None
        self.ask_book, self.ask_tables = Aside[int | None](), Aside[Verdict | None]()
        self.is_stuck = False
        """Does a search run that will never end?"""

    def number(self, name: str) -> int:
        """The value of an option that is a number or a switch."""
        return int(self.values[name])

    def set(self, arguments: list[str]) -> None:
        """Do what a `setoption` says; what cannot be had is named and changes nothing."""
        name, text = parse_option(arguments)
        option = OPTIONS.get(name.lower())
        if option is None:
            self._output.note(f"there is no option {shown(name)!r}")
            return
        if option.kind == BUTTON:
            self.engine.clear_hash()
            return
        try:
            value = option.read(text)
        except BadValueError as error:
            self._output.note(str(error))
            return
        if value != self.values[option.name]:
            self._change(option.name, value)

    def _change(self, name: str, value: Value) -> None:
        """Give an option another value; if that fails, the old value stays."""
        old, self.values[name] = self.values[name], value
        try:
            self._apply(name)
        except Exception as error:  # noqa: BLE001  (whatever a file or the memory has in store, the old value stays)
            self.values[name] = old
            self._output.note(f"{error or type(error).__name__}; {self._kept(name)}")

    def _kept(self, name: str) -> str:
        """What stays when an option could not be changed."""
        if name in ("Hash", "Threads"):
            return f"{self.engine.table.megabytes} MB and {self.engine.threads} threads stay"
        return f"{self.engine.weights if name in EVAL_OPTIONS else name + ' as it was'} stays"

    def _apply(self, name: str) -> None:
        """Bring what an option decides in line with it."""
        if name == "Hash":
            self.engine.set_hash(self.number(name))
        elif name == "Threads":
            self.engine.set_threads(self.number(name))
        elif name in EVAL_OPTIONS:
            self._take_eval()
        elif name in ("OwnBook", "Book File"):
            self._open_book()
        elif name == "SyzygyPath":
            self._open_tables()
        elif OPTIONS[name.lower()].is_search:
            self.engine.configure(search_values(self.values))

    def _take_eval(self) -> None:
        """Evaluate as the options say, if that is another way."""
        wanted = eval_of(self.values)
        if self.engine.weights != wanted:
            self.engine.set_weights(wanted)

    def _open_book(self) -> None:
        """Open the book that is set, if it is used; a broken one is named and ignored."""
        if self.book is not None:
            self.book.close()
            self.book = None
        if self.values["OwnBook"] and self.values["Book File"]:
            try:
                self.book = Book(str(self.values["Book File"]))
                self._output.note(f"book {self.book.path} has {len(self.book)} entries")
            except BookError as error:
                self._output.note(f"{error}; playing without a book")

    def _open_tables(self) -> None:
        """Open the tables of the folders that are set; broken ones are named and ignored."""
        if self.tables is not None:
            self.tables.close()
            self.tables = None
        if self.values["SyzygyPath"]:
            try:
                self.tables = Tablebases(str(self.values["SyzygyPath"]))
                self._output.note(f"found {self.tables.count} tablebases")
            except (TablesError, OSError) as error:
                self._output.note(f"{error}; playing without tables")

    def drop_book(self, why: str) -> None:
        """Play on without the book; it may be in use for ever and is not closed."""
        self.book, self.ask_book = None, Aside()
        self._output.note(f"book: {why}; playing without it")

    def drop_tables(self, why: str) -> None:
        """Play on without tables; they may be in use for ever and are not closed."""
        self.tables, self.ask_tables = None, Aside()
        self._output.note(f"tables: {why}; playing without them")

    def abandon_engine(self) -> None:
        """Leave an engine that does not come back to itself, and go on with another like it.

        A compiled search cannot be interrupted: its memory stays in use until the process ends.
        """
        self.is_stuck = True
        old = self.engine
        self._output.note("the search does not stop: it is given up, and the next one starts afresh")
        try:
            self.engine = Engine(self.number("Hash"), search_values(self.values), self.number("Threads"))
        except MemoryError:
            self.engine = Engine(DEFAULT_MEGABYTES, search_values(self.values), self.number("Threads"))
            self.values["Hash"] = DEFAULT_MEGABYTES
            self._output.note(f"it has {DEFAULT_MEGABYTES} MB of hash, as no more are free")
        with suppress(ValueError):
            self.engine.set_weights(old.weights)

    def close(self) -> None:
        """End all threads, unless one of them never ends."""
        if not self.is_stuck:
            self.engine.close()
