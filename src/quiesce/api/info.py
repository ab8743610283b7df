"""Shell. Results in python-chess's types, which display themselves in notebooks."""

from collections.abc import Mapping
from typing import Any, cast

import chess
import chess.engine

from quiesce.api.show import board_figure, chances_bar, table_of
from quiesce.board.bridge import to_chess_move
from quiesce.board.game import Game
from quiesce.engine import Progress
from quiesce.engine.results import BOUND_LOWER, BOUND_UPPER, SHORTEST, Line, Report
from quiesce.engine.scoretext import pov_score
from quiesce.engine.wdl import wdl

BOUND_KEYS = {BOUND_LOWER: "lowerbound", BOUND_UPPER: "upperbound"}


class Info(dict[str, Any]):
    """A chess.engine.InfoDict that remembers its board.

    A score that is only a bound has `lowerbound` or `upperbound` set.
    """

    def __init__(self, board: chess.Board, **values: Any) -> None:
        super().__init__(**values)
        self.board = board

    def _repr_html_(self) -> str:
        """Board with the move proposed, the line, and the numbers."""
        pv, facts = self.get("pv", []), {name: self[name] for name in ("depth", "nodes", "nps", "time") if name in self}
        if "score" in self:
            facts = {"score": self["score"]} | facts
        if pv:
            facts["line"] = self.board.variation_san(pv)
        bar = chances_bar(self["wdl"].white()) if "wdl" in self else ""
        return board_figure(self.board, pv[:1], bar + table_of(facts))


class Played(chess.engine.PlayResult):
    """A chess.engine.PlayResult that remembers its board."""

    def __init__(
        self, board: chess.Board, move: chess.Move | None, ponder: chess.Move | None, info: chess.engine.InfoDict
    ) -> None:
        super().__init__(move, ponder, info)
        self.board = board

    def _repr_html_(self) -> str:
        """Board with the move played."""
        san = "no legal move" if self.move is None else self.board.variation_san([self.move])
        facts = {"move": san} | {name: value for name, value in self.info.items() if name in ("score", "depth")}
        return board_figure(self.board, [self.move] if self.move else [], table_of(facts))


def from_book(board: chess.Board, move: chess.Move, selected: chess.engine.Info) -> Played:
    """A result for a move of the opening book."""
    said = Info(board, string="a move of the book") if selected else {}
    return Played(board, move, None, cast("chess.engine.InfoDict", said))


def aggregated(board: chess.Board, old: Mapping[str, Any], new: Mapping[str, Any]) -> chess.engine.InfoDict:
    """Both infos; the newer replaces the older, and an exact score removes bounds."""
    kept = {name: value for name, value in old.items() if "score" not in new or name not in BOUND_KEYS.values()}
    return cast("chess.engine.InfoDict", Info(board, **(kept | dict(new))))


def progress_facts(board: chess.Board, progress: Progress) -> dict[str, Any]:
    """The current move of a running search; nothing between two moves."""
    if not progress.move or progress.number <= 0:
        return {}
    return {
        "currmove": to_chess_move(progress.move, board.chess960),
        "currmovenumber": progress.number,
        "nodes": progress.nodes,
        "nps": round(progress.nodes / max(progress.seconds, SHORTEST)),
        "time": progress.seconds,
        "hashfull": progress.hashfull,
    }


def moves_of(line: Line, chess960: bool) -> list[chess.Move]:
    """A line's moves."""
    return [to_chess_move(move, chess960) for move in line.moves]


def best_of(report: Report, chess960: bool) -> tuple[chess.Move | None, chess.Move | None]:
    """The best move and the expected reply; None if there is none."""
    moves = moves_of(report.lines[0], chess960) if report.lines else []
    return (moves[0] if moves else None), (moves[1] if len(moves) > 1 else None)


def info_of(board: chess.Board, report: Report, number: int, selected: chess.engine.Info) -> chess.engine.InfoDict:
    """The info of a line, 1 is the best. Without lines, the score by the rules."""
    line, values = report.lines[number - 1] if report.lines else None, dict[str, Any]()
    if selected & chess.engine.INFO_BASIC:
        values |= basic_facts(report, line, number)
    if selected & chess.engine.INFO_PV:
        values["pv"] = moves_of(line, board.chess960) if line else []
    if selected & chess.engine.INFO_SCORE:
        values |= score_facts(board, line)
    return cast("chess.engine.InfoDict", Info(board, **values))


def basic_facts(report: Report, line: Line | None, number: int) -> dict[str, Any]:
    """Depth, nodes and time of a report."""
    return {
        "multipv": number,
        "depth": line.depth if line else 0,
        "seldepth": max(line.seldepth, line.depth) if line else 0,
        "nodes": report.nodes,
        "nps": report.speed,
        "time": report.seconds,
        "hashfull": report.hashfull,
        "tbhits": report.tablebase_hits,
    }


def score_facts(board: chess.Board, line: Line | None) -> dict[str, Any]:
    """The score of a line, or of a board without legal moves."""
    if line is None:
        over = chess.engine.Mate(0) if board.is_check() else chess.engine.Cp(0)
        return {"score": chess.engine.PovScore(over, board.turn)}
    chances = chess.engine.PovWdl(chess.engine.Wdl(*wdl(line.score, chess.popcount(board.occupied))), board.turn)
    bound = {BOUND_KEYS[line.bound]: True} if line.bound in BOUND_KEYS else {}
    return {"score": pov_score(line.score, board.turn), "wdl": chances} | bound


def infos_of(board: chess.Board, report: Report, selected: chess.engine.Info) -> list[chess.engine.InfoDict]:
    """The infos of all lines, best first; one info if there is no legal move."""
    return [info_of(board, report, number, selected) for number in range(1, max(len(report.lines), 1) + 1)]


def board_of(position: chess.Board | str, game: Game) -> chess.Board:
    """A board to show: the user's without its moves, or that of a FEN."""
    if isinstance(position, chess.Board):
        return position.copy(stack=False)
    return chess.Board(game.fen(shredder=game.chess960), chess960=game.chess960)
