"""Shell. Finds the move of a `go`: book, tablebases, search, each with a time limit."""

import threading
import time
from dataclasses import replace
from typing import Any

from quiesce.board.game import Game, MoveError
from quiesce.board.movetext import parse_uci
from quiesce.engine import Limits, Report
from quiesce.engine.results import BOUND_EXACT
from quiesce.engine.setup import judged, narrowed
from quiesce.engine.stats import red_flags
from quiesce.engine.syzygy import TableVerdict
from quiesce.engine.wdl import piece_count
from quiesce.uci.infolines import best_line, debug_line, info_lines, progress_line
from quiesce.uci.output import Output
from quiesce.uci.parse import Go
from quiesce.uci.setup import Setup
from quiesce.uci.thought import NANOSECONDS, Thought

TICK_SECONDS = 1.0
"""Seconds between two progress lines of a long search."""


class Thinker:
    """Handles one `go` in threads of its own. Every exception there still gives an answer."""

    def __init__(self, thought: Thought, setup: Setup, output: Output, game: Game, go: Go, limits: Limits) -> None:
        self._thought, self._setup, self._output = thought, setup, output
        self._engine, self._game, self._go, self._limits = setup.engine, game, go, limits
        self._verdict: TableVerdict | None = None
        self._scores: list[int] = []
        self._is_debug = output.is_debug
        self._has_wdl = bool(setup.values["UCI_ShowWDL"])
        self._thread = threading.Thread(target=self._run, name="thinker", daemon=True)

    def start(self) -> None:
        """Start the search."""
        self._thread.start()

    def is_done_within(self, seconds: float) -> bool:
        """Wait for the end of its threads; returns False if one still runs."""
        until = time.monotonic() + seconds
        self._thread.join(seconds)
        while self._engine.is_searching and time.monotonic() < until:
            time.sleep(seconds / 100)
        return not self._thread.is_alive() and not self._engine.is_searching

    def stop(self) -> None:
        """Stop the search now."""
        self._engine.stop()

    def hit(self, at: int) -> None:
        """Handle `ponderhit`: the clock counts from now."""
        self._engine.ponder_hit(at)

    def tick(self) -> None:
        """Report the progress of a long search."""
        progress: Any = self._engine.progress()
        if progress is not None and progress.seconds > TICK_SECONDS:
            self._thought.tell(progress_line(progress, self._game.chess960))

    def _run(self) -> None:
        """Find a move; an error is reported and answered with the best move known."""
        try:
            self._think()
        except Exception as error:  # noqa: BLE001  (whatever it is, the game goes on)
            self._thought.tell(f"info string go failed: {type(error).__name__}: {error}")
            self._thought.answer(self._thought.known)

    def _think(self) -> None:
        """Ask the book, then the tables, then search."""
        limits = self._limits
        move = self._book_move()
        if move is not None:
            self._thought.answer(best_line([move], self._game.chess960))
            return
        moves, self._verdict = narrowed(self._setup.verdict(self._game, self._share()), self._named())
        limits = replace(limits, nodes=min(limits.nodes, self._setup.strength_nodes()), moves=moves)
        if self._thought.is_answered:
            return
        thought, engine = self._thought, self._engine
        engine.set_position(self._game)
        engine.go(
            limits,
            self._on_report,
            self._on_done,
            multi_pv=self._setup.number("MultiPV"),
            overhead=self._setup.number("Move Overhead"),
            began=thought.began,
        )
        if thought.command.hit_at is not None:
            engine.ponder_hit(thought.command.hit_at)
        if thought.is_stopped or thought.is_answered:
            engine.stop()

    def _share(self) -> float | None:
        """Seconds that a book or table may take; None without a clock."""
        share = self._setup.share(self._limits)
        return None if share is None else share - (time.monotonic_ns() - self._thought.began) / NANOSECONDS

    def _book_move(self) -> int | None:
        """A book move, if the book may be used."""
        if self._go.is_infinite or self._go.is_ponder or self._go.moves:
            return None
        return self._setup.book_move(self._game, self._share())

    def _named(self) -> list[int]:
        """The moves of `searchmoves`; illegal ones are reported and skipped."""
        named = []
        for text in self._go.moves or []:
            try:
                named.append(parse_uci(self._game, text))
            except MoveError as error:
                self._output.note(f"searchmoves: {error}")
        return named

    def _on_report(self, report: Report) -> None:
        """Report an iteration."""
        if report.lines[0].bound == BOUND_EXACT:
            self._scores.append(report.lines[0].score)
        pieces = piece_count(self._game) if self._has_wdl else None
        text = info_lines(judged(report, self._verdict), self._game.chess960, pieces)
        self._thought.known = best_line(report.lines[0].moves, self._game.chess960)
        self._thought.tell(text)

    def _on_done(self, report: Report) -> None:
        """Send the answer."""
        try:
            is_known = bool(report.lines or not report.trouble)
            best = best_line(report.moves, self._game.chess960) if is_known else self._thought.known
            text = "\n".join([*self._remarks(report), best])
        except Exception as error:  # noqa: BLE001  (no remark is worth a game)
            text = f"info string {type(error).__name__}: {error}\n{self._thought.known}"
        self._thought.answer(text)

    def _remarks(self, report: Report) -> list[str]:
        """Messages about a finished search."""
        said, notes = [], []
        if not report.lines and not report.trouble:
            said.append(f"info depth 0 score {'mate 0' if self._game.is_check else 'cp 0'}")
        if report.trouble:
            notes.append(f"the search failed: {report.trouble}")
        if self._is_debug:
            notes.append(debug_line(report))
        if self._is_debug and report.lines and not report.trouble:
            notes += [f"red flag: {flag}" for flag in red_flags(report.counters, report.speed, self._scores)]
        return said + [f"info string {note}" for note in notes]
