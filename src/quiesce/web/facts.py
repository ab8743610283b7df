"""Shell. Games and searches as JSON values for browsers; scores are for White."""

from collections.abc import Sequence
from typing import Any

import chess
import chess.engine

from quiesce.board.bridge import to_board, to_chess_move
from quiesce.board.ending import end_of_game
from quiesce.board.game import Game
from quiesce.engine import Line, Report
from quiesce.engine.results import BOUND_EXACT
from quiesce.engine.syzygy import TABLE_EDGE, TableVerdict
from quiesce.engine.wdl import expected, piece_count
from quiesce.review.accuracy import accuracy_of
from quiesce.review.judge import Judge
from quiesce.review.plan import BLUNDER, INACCURACY, MISTAKE
from quiesce.review.reviewing import verdict_at
from quiesce.review.why import Why

SHOWN_MOVES = 20
"""Most moves of a line that are sent."""
JUDGEMENTS = {BLUNDER: "blunder", MISTAKE: "mistake", INACCURACY: "inaccuracy"}
"""Marks in words."""


def game_facts(game: Game) -> dict[str, Any]:
    """A game: each ply with its board, legal targets, and the result if it is over."""
    board = chess.Board(game.start_fen, chess960=game.chess960)
    first = board.ply()
    plies = [ply_facts(board, move) for move in game.moves]
    return {
        "start": game.start_fen,
        "chess960": game.chess960,
        "fen": game.fen(shredder=game.chess960),
        "board": board.board_fen(),
        "check": game.is_check,
        "turn": "white" if board.turn else "black",
        "first": first,
        "plies": plies,
        "dests": dests_of(game),
        "end": end_facts(game),
    }


def ply_facts(board: chess.Board, move: int) -> dict[str, Any]:
    """A move in both notations, with the pieces after it."""
    return played_facts(board, to_chess_move(move, board.chess960))


def played_facts(board: chess.Board, move: chess.Move) -> dict[str, Any]:
    """The same for a move of python-chess."""
    san = board.san_and_push(move)
    return {"uci": move.uci(), "san": san, "board": board.board_fen(), "check": san[-1] in "+#"}


def dests_of(game: Game) -> dict[str, list[str]]:
    """Target squares of each piece; castling by the king's target and by the rook's square."""
    found: dict[str, list[str]] = {}
    for move in game.legal_moves():
        for notation in (game.chess960, True):
            uci = to_chess_move(move, notation).uci()
            targets = found.setdefault(uci[:2], [])
            if uci[2:4] not in targets:
                targets.append(uci[2:4])
    return found


def end_facts(game: Game) -> dict[str, str] | None:
    """Result and reason of a game that is over, by mate or by any draw; None while it goes on."""
    end = end_of_game(game)
    return None if end is None else {"result": end.pgn_result, "why": end.reason}


def score_facts(game: Game, line: Line) -> dict[str, Any]:
    """A score for White in centipawns or moves to mate, and White's expected points, 0 to 1."""
    sign = -1 if int(game.position.turn) else 1
    points = expected(line.score, piece_count(game))
    return {
        "cp": None if line.mate is not None else sign * line.centipawns,
        "mate": None if line.mate is None else sign * line.mate,
        "points": round(points if sign > 0 else 1 - points, 4),
    }


def line_facts(game: Game, line: Line) -> dict[str, Any]:
    """Score and first moves of a line."""
    board = to_board(game)
    moves = [ply_facts(board, move) for move in line.moves[:SHOWN_MOVES]]
    return score_facts(game, line) | {"depth": line.depth, "exact": line.bound == BOUND_EXACT, "moves": moves}


def report_facts(game: Game, report: Report) -> dict[str, Any]:
    """A search's report."""
    return {
        "depth": report.depth,
        "seldepth": max((line.seldepth for line in report.lines), default=0),
        "nodes": report.nodes,
        "nps": report.speed,
        "seconds": round(report.seconds, 2),
        "hashfull": report.hashfull,
        "lines": [line_facts(game, line) for line in report.lines],
    }


def position_facts(judge: Judge, ply: int) -> dict[str, Any]:
    """Score and best move of a position."""
    spots = judge.spots
    if ply < len(spots):
        game, line = spots[ply].game, Line(spots[ply].score, spots[ply].line, 0, 0)
    else:
        game, line = judge.end, Line(-spots[-1].after if spots else 0, [], 0, 0)
    best = line_facts(game, line)["moves"][0] if line.moves else None
    return score_facts(game, line) | {"ply": ply, "best": best, "judgement": "", "certainty": "", "accuracy": None}


def judged_facts(judge: Judge, ply: int) -> dict[str, Any]:
    """The same with the mark of the move that led there, and its certainty."""
    if ply == 0:
        return position_facts(judge, ply)
    verdict = verdict_at(judge, ply - 1)
    accuracy = round(accuracy_of(verdict.loss), 1) if verdict.is_judged else None
    judged = {"judgement": JUDGEMENTS.get(verdict.mark, ""), "certainty": verdict.certainty, "accuracy": accuracy}
    return position_facts(judge, ply) | judged


def why_facts(why: Why) -> dict[str, Any]:
    """Why a move is good or bad: sentences, the line after it, the best other line, and its leaf.

    `leaf` is the number of moves after which the main search called quiescence.
    """
    return {
        "sentences": why.sentences,
        "is_best": why.loss <= 0,
        "loss": round(why.loss, 4),
        "seen": why.seen,
        "answer": told_line(why.board, why.answer, why.after),
        "line": told_line(why.board, why.line, why.best) if why.line else None,
        "leaf": len(why.leaf.moves) - why.played,
        "is_over": not why.leaf.legal_moves(),
    }


def told_line(board: chess.Board, moves: Sequence[chess.Move], score: chess.engine.PovScore) -> dict[str, Any]:
    """A line of python-chess's moves with White's score."""
    stage, white = board.copy(stack=False), score.white()
    plies = [played_facts(stage, move) for move in moves[:SHOWN_MOVES]]
    return {"cp": white.score(), "mate": white.mate(), "moves": plies}


def table_facts(game: Game, verdict: TableVerdict) -> dict[str, Any]:
    """The tablebase's result for the side to move (1, 0, -1; half points if the fifty-move rule changes it), with
    moves.
    """
    size = 1.0 if abs(verdict.score) > TABLE_EDGE * 2 else 0.5 if verdict.score else 0.0
    board = to_board(game)
    return {
        "result": size if verdict.score > 0 else -size,
        "moves": [board.san(to_chess_move(move, board.chess960)) for move in verdict.moves],
    }
