"""Shell. Applies options: the engine, its book and its tables, for UCI, API, command line and web."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from quiesce.board.game import Game
from quiesce.engine.aside import Aside, LateError, StuckError
from quiesce.engine.book import Book, BookError
from quiesce.engine.engine import Engine, Limits, Report
from quiesce.engine.limits import NO_LIMIT
from quiesce.engine.options import Values, defaults, eval_of, search_values
from quiesce.engine.strength import nodes_for
from quiesce.engine.syzygy import Tablebases, TablesError, TableVerdict

BOOK_OPTIONS, TABLE_OPTIONS = ("OwnBook", "Book File"), ("SyzygyPath",)
ASIDE_SHARE = 0.25
"""Share of the hard limit that a book or tables may take."""
STUCK = "no answer within a second"

Tell = Callable[[str], None]


class Setup:
    """Owns the values of all options and the objects they configure. Use it only while no search runs.

    `tell` is called with a sentence if a book or table fails while it is used; it is then switched off. One that cannot
    be opened raises BookError or TablesError if `is_strict`, else `tell` is called.
    """

    def __init__(self, values: Values | None = None, tell: Tell | None = None, is_strict: bool = True) -> None:
        """Load the kernels and take all values; raises what `change` raises."""
        wanted = defaults() if values is None else values
        self._tell, self._is_strict = tell or be_silent, is_strict
        self.book: Book | None = None
        self.tables: Tablebases | None = None
        self._ask_book, self._ask_tables = Aside[int | None](), Aside[TableVerdict | None]()
        self.engine = Engine(wanted["Hash"], search_values(wanted), wanted["Threads"])
        self.values = defaults() | {name: wanted[name] for name in wanted if not reaches_further(name)}
        try:
            self.change(wanted)
        except BaseException:
            self.close()
            raise

    def number(self, name: str) -> int:
        """The value of an option that is a number or a switch."""
        return int(self.values[name])

    def change(self, wanted: Values) -> None:
        """Change to other values. If one fails, an exception is raised and nothing changes.

        Raises MemoryError, WeightsError or NetworkError, BookError, TablesError.
        """
        book, tables = self.book, self.tables
        try:
            if self._differs(BOOK_OPTIONS, wanted):
                book = self._opened_book(wanted)
            if self._differs(TABLE_OPTIONS, wanted):
                tables = self._opened_tables(wanted)
            self._change_engine(wanted)
        except BaseException:
            close_replaced(book, self.book)
            close_replaced(tables, self.tables)
            raise
        close_replaced(self.book, book)
        close_replaced(self.tables, tables)
        self.book, self.tables, self.values = book, tables, wanted

    def _differs(self, names: Sequence[str], wanted: Values) -> bool:
        """Would any of these options change?"""
        return any(self.values[name] != wanted[name] for name in names)

    def _change_engine(self, wanted: Values) -> None:
        """Bring the engine to other values, or leave all of it as it was."""
        engine, old = self.engine, self.values
        steps: list[tuple[Callable[[Any], None], Any, Any]] = [
            (engine.set_weights, engine.weights, eval_of(wanted)),
            (engine.set_hash, old["Hash"], wanted["Hash"]),
            (engine.set_threads, old["Threads"], wanted["Threads"]),
            (engine.configure, search_values(old), search_values(wanted)),
        ]
        needed = [step for step in steps if step[1] != step[2]]
        for done, (change, _, after) in enumerate(needed):
            try:
                change(after)
            except BaseException:
                for undo, before, _ in needed[:done]:
                    undo(before)
                raise

    def _opened_book(self, wanted: Values) -> Book | None:
        """The configured book, or None."""
        if not (wanted["OwnBook"] and wanted["Book File"]):
            return None
        try:
            return Book(str(wanted["Book File"]))
        except BookError as error:
            if self._is_strict:
                raise
            self._tell(f"{error}; playing without a book")
            return None

    def _opened_tables(self, wanted: Values) -> Tablebases | None:
        """The configured tables, or None."""
        if not wanted["SyzygyPath"]:
            return None
        try:
            return Tablebases(str(wanted["SyzygyPath"]))
        except (TablesError, OSError) as error:
            if self._is_strict:
                raise
            self._tell(f"{error}; playing without tables")
            return None

    def book_move(self, game: Game, seconds: float | None) -> int | None:
        """A book move, or None, within this many seconds."""
        book = self.book
        if book is None or self.values["UCI_AnalyseMode"]:
            return None
        try:
            return self._ask_book.ask(lambda: book.move(game), seconds)
        except LateError:
            pass
        except StuckError:
            self._drop_book(STUCK)
        except Exception as error:  # noqa: BLE001  (a reader of files may raise anything)
            self._drop_book(f"{type(error).__name__}: {error}")
        return None

    def verdict(self, game: Game, seconds: float | None) -> TableVerdict | None:
        """The tables' answer for a position, or None, within this many seconds."""
        tables = self.tables
        if tables is None:
            return None
        try:
            return self._ask_tables.ask(lambda: tables.verdict(game), seconds)
        except LateError:
            pass
        except StuckError:
            self._drop_tables(STUCK)
        except Exception as error:  # noqa: BLE001  (the same)
            self._drop_tables(f"{type(error).__name__}: {error}")
        return None

    def share(self, limits: Limits) -> float | None:
        """Seconds of a search's time for book or tables; None without a clock."""
        budget = limits.budget(self.number("Move Overhead"))
        return None if budget is None or limits.is_ponder else budget.hard * ASIDE_SHARE

    def strength_nodes(self) -> int:
        """Node limit of a limited strength; NO_LIMIT without."""
        if self.values["UCI_LimitStrength"] and not self.values["UCI_AnalyseMode"]:
            return nodes_for(self.number("UCI_Elo"))
        return NO_LIMIT

    def _drop_book(self, why: str) -> None:
        """Play on without the book; it may be in use for ever and is not closed."""
        self.book, self._ask_book = None, Aside()
        self._tell(f"book: {why}; playing without it")

    def _drop_tables(self, why: str) -> None:
        """Play on without tables; they may be in use for ever and are not closed."""
        self.tables, self._ask_tables = None, Aside()
        self._tell(f"tables: {why}; playing without them")

    def close(self) -> None:
        """End all threads, and close the files."""
        self.engine.close()
        for opened in (self.book, self.tables):
            if opened is not None:
                with suppress(Exception):
                    opened.close()
        self.book = self.tables = None


def be_silent(_: str) -> None:
    """Ignore a message."""


def reaches_further(name: str) -> bool:
    """Does an option decide more than the numbers that a new engine is made with?"""
    return name in BOOK_OPTIONS or name in TABLE_OPTIONS


def close_replaced(opened: Book | Tablebases | None, kept: Book | Tablebases | None) -> None:
    """Close a book or tables, unless they are those that are kept."""
    if opened is not None and opened is not kept:
        opened.close()


def narrowed(
    verdict: TableVerdict | None, moves: Sequence[int] | None
) -> tuple[Sequence[int] | None, TableVerdict | None]:
    """Root moves allowed by tables and caller, None for all; and the tables' answer, if it holds for these."""
    if verdict is None:
        return moves or None, None
    both = [move for move in verdict.moves if not moves or move in moves]
    return (both, verdict) if both else (moves or None, None)


def judged(report: Report, verdict: TableVerdict | None) -> Report:
    """A report with the score that tables know, unless a mate was found."""
    if verdict is None:
        return report
    lines = [line if line.mate is not None else replace(line, score=verdict.score) for line in report.lines]
    return replace(report, lines=lines, tablebase_hits=verdict.hits)
