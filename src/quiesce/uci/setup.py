"""Shell. Engine, book and tables as set by `setoption`, with messages for errors."""

from contextlib import suppress

from quiesce.engine import Engine, setup
from quiesce.engine.options import BUTTON, UNDERSTOOD, BadValueError, Value, search_values
from quiesce.engine.table import DEFAULT_MEGABYTES
from quiesce.uci.options import read
from quiesce.uci.output import Output
from quiesce.uci.parse import parse_option, shown

EVAL_OPTIONS = ("EvalMode", "EvalFile", "EvalWeights")
"""Options that together choose the evaluation."""


class Setup(setup.Setup):
    """Applies options. An option that fails is reported and changes nothing."""

    def __init__(self, output: Output) -> None:
        self._output = output
        self.is_stuck = False
        """Is a search running that will never end?"""
        super().__init__(tell=output.note, is_strict=False)

    def set(self, arguments: list[str]) -> None:
        """Apply a `setoption`; errors are reported and change nothing."""
        name, text = parse_option(arguments)
        option = UNDERSTOOD.get(name.lower())
        if option is None:
            self._output.note(f"there is no option {shown(name)!r}")
            return
        if option.kind == BUTTON:
            self.engine.clear_hash()
            return
        try:
            value = read(option, text)
        except BadValueError as error:
            self._output.note(str(error))
            return
        if value != self.values[option.name]:
            self._take(option.name, value)

    def _take(self, name: str, value: Value) -> None:
        """Change an option; if that fails, the old value stays."""
        book, tables = self.book, self.tables
        try:
            self.change(self.values | {name: value})
        except Exception as error:  # noqa: BLE001  (whatever a file or the memory has in store, the old value stays)
            self._output.note(f"{error or type(error).__name__}; {self._kept(name)}")
        if self.book is not None and self.book is not book:
            self._output.note(f"book {self.book.path} has {len(self.book)} entries")
        if self.tables is not None and self.tables is not tables:
            self._output.note(f"found {self.tables.count} tablebases")

    def _kept(self, name: str) -> str:
        """The message that an option was not changed."""
        if name in ("Hash", "Threads"):
            return f"{self.engine.table.megabytes} MB and {self.engine.threads} threads stay"
        return f"{self.engine.weights if name in EVAL_OPTIONS else name + ' as it was'} stays"

    def abandon_engine(self) -> None:
        """Replace an engine that does not stop by a new one.

        A compiled search cannot be interrupted: its memory is used until the process ends.
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
            super().close()
