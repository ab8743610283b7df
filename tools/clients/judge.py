"""What a record says: each `go` must get one `bestmove`, in order and in time, that is legal in its own position."""

import json
import re
from dataclasses import dataclass, field

import chess

PATIENCE = 3.0
"""Seconds after which an answer that is due counts as lost."""
UNBOUNDED = 60.0
"""The same for a search by depth or nodes, which nobody can say how long it takes."""
LATE = 0.2
"""Seconds over the clock that a machine busy with a client's window may cost."""


@dataclass
class Search:
    """One `go`."""

    board: chess.Board | None
    """None where the client's position could not be read."""
    words: list[str]
    began: float
    is_ponder: bool
    is_infinite: bool
    due: float | None
    """When its answer must be there; None as long as the client may wait for ever."""
    clock: float | None = None
    movetime: float | None = None
    """When its clock and its `movetime` are over, where it has them."""
    is_stopped: bool = False


@dataclass
class Verdict:
    """Counts of one or more records."""

    searches: int = 0
    moves: int = 0
    """Answers that were played: of searches that were not broken off."""
    analyses: int = 0
    """Answers of searches whose move nobody plays: broken off, or in analysis mode."""
    hits: int = 0
    misses: int = 0
    """Ponder searches by what became of them."""
    hasty: int = 0
    """Times that a `go` came before the stopped search was answered."""
    faults: list[str] = field(default_factory=list)
    overruns: list[str] = field(default_factory=list)
    """Answers later than `movetime` said: no game is lost by that, and whoever is not ready yet cannot help it."""
    complaints: list[str] = field(default_factory=list)
    """What the client did wrong."""
    board: chess.Board | None = None
    """The position after the last move that was played."""

    def add(self, other):
        """Count another record."""
        for name, value in vars(other).items():
            if name != "board":
                setattr(self, name, getattr(self, name) + value)
        self.board = other.board or self.board


class Judge:
    """Walks through a record."""

    def __init__(self):
        self.verdict, self.board, self.pending = Verdict(), chess.Board(), []
        self.is_chess960 = self.is_analysis = False
        self.last_score = ""
        self.left_at = None

    # what the client says

    def heard(self, now, line):
        """A line of the client."""
        words = line.split()
        match words[:1]:
            case ["position"]:
                self._position(words[1:])
            case ["go"] if "perft" not in words:
                self._go(now, words[1:])
            case ["stop"]:
                self._stop(now)
            case ["ponderhit"]:
                self._ponderhit(now)
            case ["quit"]:
                self.left_at = self.left_at or now
            case ["setoption"]:
                self._setoption(line.lower())

    def _setoption(self, line):
        is_true = line.endswith("true")
        if "uci_chess960" in line:
            self.is_chess960 = is_true
        elif "uci_analysemode" in line:
            self.is_analysis = is_true

    def _position(self, words):
        before, _, moves = " ".join(words).partition(" moves ")
        try:
            fen = chess.STARTING_FEN if before == "startpos" else before.removeprefix("fen ")
            board = chess.Board(fen, chess960=self.is_chess960)
            for move in moves.split():
                board.push_uci(move)
        except ValueError as error:
            self.verdict.complaints.append(f"sent a position that cannot be: {error}")
            board = None
        self.board = board if board is None or board.is_valid() else None

    def _go(self, now, words):
        if any(search.is_stopped for search in self.pending):
            self.verdict.hasty += 1
        is_ponder, is_infinite = "ponder" in words, "infinite" in words
        board = self.board.copy() if self.board else None
        search = Search(board, words, now, is_ponder, is_infinite, None)
        if not is_ponder and not is_infinite:
            self._clock(search, now)
        self.pending.append(search)
        self.verdict.searches += 1

    def _clock(self, search, now):
        """From now on a search has what its own words say."""
        numbers = dict(re.findall(r"(movetime|[wb]time) (-?\d+)", " ".join(search.words)))
        own = "wtime" if search.board is None or search.board.turn else "btime"
        search.clock, search.movetime = (
            now + int(numbers[name]) / 1000 if name in numbers else None for name in (own, "movetime")
        )
        search.due = search.clock or search.movetime or now + UNBOUNDED

    def _stop(self, now):
        for search in self.pending:
            if not search.is_stopped:
                search.is_stopped, search.due = True, now
                self.verdict.misses += search.is_ponder

    def _ponderhit(self, now):
        for search in self.pending:
            if search.is_ponder and not search.is_stopped:
                search.is_ponder = False
                self._clock(search, now)
                self.verdict.hits += 1

    # what the engine says

    def said(self, now, line):
        """A line of the engine."""
        if line.startswith("info ") and " score " in line and not re.search(r" multipv (?!1 )", line):
            self.last_score = line
        elif line.startswith("bestmove"):
            self._answer(now, line.split())

    def _answer(self, now, words):
        if not self.pending:
            self.verdict.faults.append(f"{' '.join(words)} without a go")
            return
        search = self.pending.pop(0)
        where = f"{' '.join(words)} after `go {' '.join(search.words)}` in {search.board and search.board.fen()}"
        if search.due is None:
            self.verdict.faults.append(f"answered before it was stopped: {where}")
        elif search.clock and now > search.clock + LATE:
            self.verdict.faults.append(f"late by {now - search.clock:.2f} s: {where}")
        elif search.is_stopped and now > search.due + PATIENCE:
            self.verdict.faults.append(f"answered {now - search.due:.2f} s after stop: {where}")
        elif search.movetime and now > search.movetime + LATE:
            self.verdict.overruns.append(f"{now - search.movetime:.2f} s over movetime: {where}")
        self._check_moves(search.board, words, where)
        self.last_score = ""
        if self.is_analysis or (search.is_stopped and not search.is_ponder):
            self.verdict.analyses += 1
        else:
            self.verdict.moves += not search.is_stopped and words[1] != "(none)"

    def _check_moves(self, board, words, where):
        has_no_move = board is None or board.is_checkmate() or board.is_stalemate()
        if words[1] == "(none)" or has_no_move:
            if words[1] != "(none)" or not has_no_move:
                self.verdict.faults.append(f"illegal: {where}")
            return
        try:
            board.push_uci(words[1])
        except ValueError:
            self.verdict.faults.append(f"illegal: {where}")
            return
        if words[2:3] == ["ponder"] and not is_legal(board, words[3]):
            self.verdict.faults.append(f"ponder move illegal: {where}")
        if not self.is_analysis:
            self.verdict.board = board
        if self.last_score and f" pv {words[1]}" not in self.last_score:
            self.verdict.faults.append(f"its last line starts otherwise: {where}: {self.last_score}")

    def ended(self, now, words):
        """The record has ended, with the engine's exit code if known."""
        for search in self.pending:
            end = self.left_at or now
            if search.due is not None and end > search.due + PATIENCE:
                text = f"`go {' '.join(search.words)}` in {search.board and search.board.fen()}"
                self.verdict.faults.append(f"lost: {text} had no bestmove in {end - search.began:.1f} s")
        if words not in (None, "0"):
            self.verdict.faults.append(f"the engine ended with code {words}")
        return self.verdict


def is_legal(board, text):
    """Is this a legal move there?"""
    try:
        return board.parse_uci(text) in board.legal_moves
    except ValueError:
        return False


def judged(lines):
    """The verdict on one record, given as its lines."""
    judge, rest, now, code = Judge(), {">": "", "<": ""}, 0.0, None
    for line in lines:
        now, mark, text = json.loads(line)
        if mark == "!" and "Traceback" in text:
            judge.verdict.faults.append(f"said on standard error: {text.strip()[-300:]}")
        elif mark == "=":
            code = text
        elif mark in rest:
            *whole, rest[mark] = (rest[mark] + text).split("\n")
            for part in whole:
                (judge.heard if mark == ">" else judge.said)(now, part.strip())
    return judge.ended(now, code)


def judged_folder(folder, now=None):
    """The verdict on all records in a folder; `now` is the end of those that are still being written."""
    verdict = Verdict()
    for path in sorted(folder.glob("*.jsonl")):
        *lines, _unfinished = path.read_text(encoding="utf-8").split("\n")
        if now is not None and '"="' not in "".join(lines[-1:]):
            lines.append(json.dumps([now, "~", ""]))
        verdict.add(judged(lines))
    return verdict
