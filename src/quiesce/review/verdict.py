"""Shell. The verdict on a move, in python-chess's types and as JSON values."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import chess
import chess.engine

from quiesce.engine.results import Line
from quiesce.review.judge import Judge, Spot
from quiesce.review.plan import GOOD
from quiesce.review.story import Story

DIGITS = 4


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on one move. Scores and points are the mover's: `before` with the best move, `after` with the played
    one.

    `held` is the ratio of nodes over which the mark stayed the same.
    """

    ply: int
    fen: str
    move: chess.Move
    best: chess.Move | None
    before: chess.engine.PovScore | None
    after: chess.engine.PovScore | None
    points_before: float = 0.0
    points_after: float = 0.0
    loss: float = 0.0
    mark: str = ""
    is_sure: bool = True
    held: float = 1.0
    is_only: bool = False
    aside: str = ""
    phase: str = ""
    line: tuple[chess.Move, ...] = ()
    answer: tuple[chess.Move, ...] = ()
    comment: str = ""
    chess960: bool = False

    @property
    def board(self) -> chess.Board:
        """The position before the move."""
        return chess.Board(self.fen, chess960=self.chess960)

    @property
    def is_judged(self) -> bool:
        """Was the move judged? Book moves and forced moves are not."""
        return not self.aside

    @property
    def san(self) -> str:
        """The move in SAN."""
        return self.board.san(self.move)

    @property
    def certainty(self) -> str:
        """How certain the mark is, in words; empty without a mark."""
        if not self.mark or self.mark == GOOD:
            return ""
        if not self.is_sure:
            return f"{self.mark} unsure"
        return f"{self.mark} holds at {self.held:.0f} times the nodes" if self.held > 1 else f"{self.mark} sure"

    def facts(self) -> dict[str, Any]:
        """The verdict as JSON values; scores are White's."""
        board = self.board
        return {
            "ply": self.ply,
            "fen": self.fen,
            "san": board.san(self.move),
            "uci": self.move.uci(),
            "judged": self.is_judged,
            "aside": self.aside,
            "phase": self.phase,
            "best": None if self.best is None else board.san(self.best),
            "best_uci": None if self.best is None else self.best.uci(),
            "before": score_facts(self.before),
            "after": score_facts(self.after),
            "points_before": round(self.points_before, DIGITS),
            "points_after": round(self.points_after, DIGITS),
            "loss": round(self.loss, DIGITS),
            "mark": self.mark,
            "sure": self.is_sure,
            "held": self.held,
            "only": self.is_only,
            "line": [move.uci() for move in self.line],
            "line_san": board.variation_san(self.line),
            "answer": [move.uci() for move in self.answer],
            "answer_san": board.variation_san(self.answer),
            "comment": self.comment,
        }


def verdict_from(facts: Mapping[str, Any], chess960: bool) -> Verdict:
    """The verdict of JSON values."""
    turn = chess.WHITE if facts["fen"].split()[1] == "w" else chess.BLACK
    return Verdict(
        ply=facts["ply"],
        fen=facts["fen"],
        move=chess.Move.from_uci(facts["uci"]),
        best=None if facts["best_uci"] is None else chess.Move.from_uci(facts["best_uci"]),
        before=score_from(facts["before"], turn),
        after=score_from(facts["after"], turn),
        points_before=facts["points_before"],
        points_after=facts["points_after"],
        loss=facts["loss"],
        mark=facts["mark"],
        is_sure=facts["sure"],
        held=facts["held"],
        is_only=facts["only"],
        aside=facts["aside"],
        phase=facts["phase"],
        line=tuple(chess.Move.from_uci(move) for move in facts["line"]),
        answer=tuple(chess.Move.from_uci(move) for move in facts["answer"]),
        comment=facts["comment"],
        chess960=chess960,
    )


def score_facts(score: chess.engine.PovScore | None) -> dict[str, int] | None:
    """A score for White as JSON values: centipawns, or moves to mate."""
    if score is None:
        return None
    white = score.white()
    mate, points = white.mate(), white.score()
    return {"cp": points} if points is not None else {"mate": mate or 0}


def score_from(facts: Mapping[str, int] | None, turn: chess.Color) -> chess.engine.PovScore | None:
    """The score of JSON values, for the mover."""
    if facts is None:
        return None
    score = chess.engine.Cp(facts["cp"]) if "cp" in facts else chess.engine.Mate(facts["mate"])
    white = chess.engine.PovScore(score, chess.WHITE)
    return chess.engine.PovScore(white.pov(turn), turn)


def shown(points: int, turn: chess.Color) -> chess.engine.PovScore:
    """Internal points as centipawns or mate."""
    line = Line(points, [], 0, 0)
    score = chess.engine.Cp(line.centipawns) if line.mate is None else chess.engine.Mate(line.mate)
    return chess.engine.PovScore(score, turn)


def legal_line(board: chess.Board, moves: list[chess.Move]) -> tuple[chess.Move, ...]:
    """The legal part of a line, up to the end of the game."""
    stage, kept = board.copy(stack=False), list[chess.Move]()
    for move in moves:
        if not stage.is_legal(move):
            break
        kept.append(move)
        stage.push(move)
    return tuple(kept)


def verdict_of(
    judge: Judge, spot: Spot, board: chess.Board, moves: tuple[list[chess.Move], list[chess.Move]]
) -> Verdict:
    """The verdict of a judge on one move."""
    line, answer = (legal_line(board, part) for part in moves)
    plain = Verdict(
        spot.ply + 1,
        board.fen(),
        answer[0],
        line[0] if line else None,
        None,
        None,
        aside=spot.aside,
        phase=phase_of(board),
        line=line,
        answer=answer,
        chess960=board.chess960,
    )
    if not line:
        return plain
    scored = replace(
        plain,
        before=shown(spot.score, board.turn),
        after=shown(spot.after, board.turn),
        points_before=spot.points(spot.score),
        points_after=spot.points(spot.after),
        is_only=spot.is_only and not is_obvious(board, answer[0]),
    )
    if spot.aside or not spot.looks:
        return scored
    mark = judge.mark_of(spot)
    if not mark:
        return replace(scored, loss=spot.loss, mark=GOOD if scored.is_only else "")
    return replace(
        scored,
        loss=spot.loss,
        mark=mark,
        is_sure=judge.is_sure(spot),
        held=judge.held(spot),
        comment=" ".join(story_of(scored).sentences),
    )


def story_of(verdict: Verdict) -> Story:
    """What there is to tell of a move that was searched."""
    assert verdict.before is not None
    assert verdict.after is not None
    return Story(verdict.board, verdict.answer, verdict.line, verdict.after, verdict.before)


OPENING_MOVES = 10
ENDGAME_PIECES = 6
FEW_ESCAPES = 3


def phase_of(board: chess.Board) -> str:
    """Opening up to move 10, endgame with at most six pieces besides pawns and kings, else middlegame."""
    pieces = chess.popcount(board.occupied & ~board.pawns & ~board.kings)
    if pieces <= ENDGAME_PIECES:
        return "endgame"
    return "opening" if board.fullmove_number <= OPENING_MOVES else "middlegame"


def is_obvious(board: chess.Board, move: chess.Move) -> bool:
    """Is the move easy to find: a capture, an immediate mate, or one of few evasions?"""
    after = board.copy(stack=False)
    after.push(move)
    is_forced = board.is_check() and board.legal_moves.count() <= FEW_ESCAPES
    return board.is_capture(move) or after.is_checkmate() or is_forced
