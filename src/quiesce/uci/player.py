"""Shell. Everything behind `isready`: options applied, positions set, searches started and told about."""

import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from quiesce.board.fen import START_FEN, FenError
from quiesce.board.game import Game, MoveError
from quiesce.board.movetext import NULL_MOVE, parse_uci
from quiesce.board.types import NO_MOVE
from quiesce.engine import Engine, Limits, Report
from quiesce.eval.weights import WeightsError
from quiesce.search.book import Book, BookError
from quiesce.search.clock import MILLISECONDS, Clock
from quiesce.search.stats import red_flags
from quiesce.search.strength import nodes_for
from quiesce.search.syzygy import Tablebases, TablesError, Verdict
from quiesce.search.task import DEEPEST
from quiesce.search.team import NO_LIMIT
from quiesce.search.tt import BOUND_EXACT
from quiesce.uci.extras import LONG, QUICK, Desk
from quiesce.uci.options import BUTTON, EVAL_OPTIONS, OPTIONS, BadValueError, Value, defaults, eval_of, search_values
from quiesce.uci.output import best_line, debug_line, info_lines, progress_line
from quiesce.uci.parse import Command, Go, parse_go, parse_option, parse_position, shown
from quiesce.uci.talk import Output

TICK_SECONDS = 1.0
"""Seconds between two words on what a long search is at."""

Job = Callable[[Desk, list[str]], None]


class Player:
    """Handles one command after the other; none of them waits for a search."""

    def __init__(self, output: Output, jobs: Mapping[str, Job]) -> None:
        self._output = output
        self._values = defaults()
        self._eval_values = {name: self._values[name] for name in EVAL_OPTIONS}
        self.engine = Engine()
        self._game = self._searched = Game()
        self._told: tuple[str, list[str], bool] = (START_FEN, [], False)
        self._is_stale = False
        self._is_debug = False
        self._book: Book | None = None
        self._tables: Tablebases | None = None
        self._verdict: Verdict | None = None
        self._scores: list[int] = []
        self._talk = threading.Lock()
        self._desk = Desk(output, self.engine)
        self._jobs = {**LONG, **jobs}
        self._closed = threading.Event()
        threading.Thread(target=self._tick, name="ticker", daemon=True).start()

    def close(self, at_once: bool) -> None:
        """Stop everything and wait for it; jobs may be finished first."""
        self._closed.set()
        if at_once:
            self._desk.stop()
        self._desk.wait()
        self.engine.close()

    @property
    def is_busy(self) -> bool:
        """Does a search or another long job run?"""
        return self.engine.is_searching or self._desk.is_working

    def handle(self, command: Command) -> None:
        """Do what a command says."""
        word, arguments = command.word, command.arguments
        if word == "setoption":
            self._set_option(arguments)
        elif word == "position":
            self._set_position(arguments)
        elif word == "go":
            self._go(parse_go(arguments))
        elif word == "isready":
            self._apply()
            self._output.say("readyok")
        elif word == "stop":
            self.engine.stop()
            self._desk.stop()
        elif word == "ponderhit":
            self.engine.ponder_hit()
        elif word == "ucinewgame":
            self._new_game()
        elif word == "debug":
            self._is_debug = arguments[:1] != ["off"]
        elif word == "flip":
            self._flip()
        elif word in self._jobs or word in QUICK:
            self._do_job(word, arguments)

    def _set_option(self, arguments: list[str]) -> None:
        """Take in an option; while a search runs it waits for its end."""
        name, text = parse_option(arguments)
        option = OPTIONS.get(name.lower())
        if option is None:
            self._output.note(f"there is no option {shown(name)!r}")
            return
        if option.kind == BUTTON:
            if self.is_busy:
                self._output.note(f"{option.name} is not possible while a search runs")
            else:
                self.engine.clear_hash()
            return
        try:
            value = option.read(text)
        except BadValueError as error:
            self._output.note(str(error))
            return
        if value != self._values[option.name]:
            self._change(option.name, value)

    def _change(self, name: str, value: Value) -> None:
        """Set an option that has another value now."""
        self._values[name] = value
        if name in ("OwnBook", "Book File"):
            self._open_book()
        elif name == "SyzygyPath":
            self._open_tables()
        else:
            self._is_stale = True
            self._apply()

    def _apply(self) -> None:
        """Bring the engine in line with the options, unless a search runs."""
        if not self._is_stale or self.is_busy:
            return
        self._is_stale = False
        values = self._values
        try:
            if self.engine.table.megabytes != values["Hash"]:
                self.engine.set_hash(int(values["Hash"]))
            if self.engine.threads != values["Threads"]:
                self.engine.set_threads(int(values["Threads"]))
        except MemoryError as error:
            values["Hash"], values["Threads"] = self.engine.table.megabytes, self.engine.threads
            self._output.note(f"{error}; {values['Hash']} MB and {values['Threads']} threads stay")
        if self.engine.weights != eval_of(values):
            self._take_eval()
        self.engine.configure(search_values(values))

    def _take_eval(self) -> None:
        """Evaluate otherwise; if the file for it cannot be read, the old evaluation and its options stay."""
        try:
            self.engine.set_weights(eval_of(self._values))
        except WeightsError as error:
            self._values.update(self._eval_values)
            self._output.note(f"{error}; {self.engine.weights} stays")
        else:
            self._eval_values = {name: self._values[name] for name in EVAL_OPTIONS}

    def _open_book(self) -> None:
        """Open the book that is set, if it is used; a broken one is named and ignored."""
        if self._book is not None:
            self._book.close()
            self._book = None
        if self._values["OwnBook"] and self._values["Book File"]:
            try:
                self._book = Book(str(self._values["Book File"]))
                self._output.note(f"book {self._book.path} has {len(self._book)} entries")
            except BookError as error:
                self._output.note(f"{error}; playing without a book")

    def _open_tables(self) -> None:
        """Open the tables of the folders that are set."""
        if self._tables is not None:
            self._tables.close()
            self._tables = None
        if self._values["SyzygyPath"]:
            try:
                self._tables = Tablebases(str(self._values["SyzygyPath"]))
                self._output.note(f"found {self._tables.count} tablebases")
            except (TablesError, OSError) as error:
                self._output.note(f"{error}; playing without tables")

    def _new_game(self) -> None:
        """Forget what was learnt from the last game."""
        self.engine.stop()
        self._desk.stop()
        self.engine.wait()
        self._desk.wait()
        self._apply()
        self.engine.new_game()

    def _set_position(self, arguments: list[str]) -> None:
        """Set up a position; after an error the old one stays."""
        chess960 = bool(self._values["UCI_Chess960"])
        try:
            fen, moves = parse_position(arguments)
            told = (fen or START_FEN, moves, chess960)
            self._game = self._followed(told)
            self._told = told
        except (ValueError, FenError, MoveError) as error:
            self._output.note(f"position not set: {error}")

    def _followed(self, told: tuple[str, list[str], bool]) -> Game:
        """The game a GUI told; where it only goes on from the one before, only what is new is played."""
        fen, moves, chess960 = told
        known_fen, known, known960 = self._told
        goes_on = (fen, chess960) == (known_fen, known960) and moves[: len(known)] == known
        game = self._game.copy() if goes_on else Game(fen, chess960)
        for text in moves[len(known) if goes_on else 0 :]:
            game.push(int(NO_MOVE) if text == NULL_MOVE else parse_uci(game, text))
        return game

    def _flip(self) -> None:
        """Change sides: the same position with colours exchanged."""
        board, turn, castling, ep, *clocks = self._game.fen(shredder=self._game.chess960).split()
        ranks = "/".join(reversed(board.split("/"))).swapcase()
        ep = ep if ep == "-" else ep[0] + {"3": "6", "6": "3"}[ep[1]]
        fen = " ".join((ranks, "b" if turn == "w" else "w", castling.swapcase(), ep, *clocks))
        self._set_position(["fen", *fen.split()])

    def _do_job(self, word: str, arguments: list[str]) -> None:
        """Do something engine authors ask for: the quick ones now, the others beside us."""
        if self.engine.is_searching:
            self._output.note(f"{word}: a search is running, stop it first")
        elif word in self._jobs or self._desk.is_working:
            self._desk.start({**QUICK, **self._jobs}[word], arguments, self._game)
        else:
            self._desk.game = self._game
            self._desk.do(QUICK[word], arguments)

    def _go(self, go: Go) -> None:
        """Start to search, or say why not."""
        for problem in go.problems:
            self._output.note(f"go: {problem}")
        if "perft" in go.numbers:
            self._do_job("perft", [str(go.numbers["perft"])])
            return
        if self.is_busy:
            self._output.note("a search is running: stop it first")
            return
        self._apply()
        book_move = self._book_move(go)
        if book_move is not None:
            self._output.say(best_line([book_move], self._game.chess960))
            return
        self._searched, self._scores = self._game, []
        self.engine.set_position(self._game)
        self.engine.go(
            self._limits(go),
            self._on_report,
            self._on_done,
            multi_pv=int(self._values["MultiPV"]),
            overhead=int(self._values["Move Overhead"]),
        )

    def _book_move(self, go: Go) -> int | None:
        """A move from the book, where one may be played."""
        if self._book is None or go.is_infinite or go.is_ponder or go.moves or self._values["UCI_AnalyseMode"]:
            return None
        try:
            return self._book.move(self._game)
        except (OSError, ValueError) as error:
            self._output.note(f"book {self._book.path}: {error}; playing without it")
            self._book = None
            return None

    def _limits(self, go: Go) -> Limits:
        """What a `go` means for the side to move."""
        numbers = go.numbers
        moves = self._root_moves(go)
        nodes = max(numbers.get("nodes", NO_LIMIT), 1)
        if self._values["UCI_LimitStrength"] and not self._values["UCI_AnalyseMode"]:
            nodes = min(nodes, nodes_for(int(self._values["UCI_Elo"])))
        limits = Limits(
            depth=min(max(numbers.get("depth", DEEPEST), 1), DEEPEST),
            nodes=nodes,
            seconds=max(numbers["movetime"], 0) / MILLISECONDS if "movetime" in numbers else None,
            mate=max(numbers["mate"], 1) if "mate" in numbers else None,
            clock=clock_of(numbers, is_white=int(self._game.position.turn) == 0),
            is_infinite=go.is_infinite,
            is_ponder=go.is_ponder,
            moves=moves,
        )
        has_limit = limits.clock is not None or bool(numbers.keys() & {"depth", "nodes", "movetime", "mate"})
        if go.is_infinite:
            return replace(limits, clock=None, seconds=None)
        return limits if has_limit or nodes != NO_LIMIT else replace(limits, is_infinite=True)

    def _root_moves(self, go: Go) -> list[int] | None:
        """Moves the root is restricted to, by the GUI and by tables; None for all."""
        wanted = []
        for text in go.moves or []:
            try:
                wanted.append(parse_uci(self._game, text))
            except MoveError as error:
                self._output.note(f"searchmoves: {error}")
        self._verdict = None
        if self._tables is not None:
            try:
                self._verdict = self._tables.verdict(self._game)
            except (OSError, ValueError) as error:
                self._output.note(f"tables: {error}")
        if self._verdict is None:
            return wanted or None
        both = [move for move in self._verdict.moves if not wanted or move in wanted]
        if not both:
            self._verdict = None
        return both or wanted

    def _judged(self, report: Report) -> Report:
        """A report with the score tables know, unless a mate was found."""
        verdict = self._verdict
        if verdict is None:
            return report
        lines = [line if line.mate is not None else replace(line, score=verdict.score) for line in report.lines]
        return replace(report, lines=lines, tablebase_hits=verdict.hits)

    def _on_report(self, report: Report) -> None:
        """Tell the GUI of an iteration."""
        if report.lines[0].bound == BOUND_EXACT:
            self._scores.append(report.lines[0].score)
        text = info_lines(self._judged(report), self._searched.chess960, bool(self._values["UCI_ShowWDL"]))
        with self._talk:
            self._output.say(text)

    def _on_done(self, report: Report) -> None:
        """Tell the GUI the answer."""
        moves = report.lines[0].moves if report.lines else []
        with self._talk:
            if not moves:
                self._output.say(f"info depth 0 score {'mate 0' if self._searched.is_check else 'cp 0'}")
            if report.trouble:
                self._output.note(f"the search failed: {report.trouble}")
            if self._is_debug:
                self._output.note(debug_line(report))
            if moves and not report.trouble:
                for flag in red_flags(report.counters, report.speed, self._scores):
                    self._output.note(f"red flag: {flag}")
            self._output.say(best_line(moves, self._searched.chess960))

    def _tick(self) -> None:
        """Say now and then what a long search is at."""
        while not self._closed.wait(TICK_SECONDS):
            with self._talk:
                progress: Any = self.engine.progress()
                if progress is not None and progress.seconds > TICK_SECONDS:
                    self._output.say(progress_line(progress, self._searched.chess960))


def clock_of(numbers: dict[str, int], is_white: bool) -> Clock | None:
    """The mover's clock, None where the GUI told of none."""
    side = "w" if is_white else "b"
    left, increment = numbers.get(f"{side}time"), numbers.get(f"{side}inc", 0)
    if left is None and not (increment or "movestogo" in numbers):
        return None
    return Clock(left if left is not None else increment, increment, numbers.get("movestogo"))
