"""Shell. Why a move is good or bad: the move and all others searched, explained with its line to the leaf."""

from collections.abc import Generator
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import chess
import chess.engine

from quiesce.board.bridge import to_board, to_chess_move
from quiesce.board.game import Game
from quiesce.board.types import NO_MOVE
from quiesce.engine import Engine, Limits, Report
from quiesce.engine.wdl import expected, piece_count
from quiesce.review.judge import LINE_PLIES, LINE_TRIES, Ask
from quiesce.review.motifs.played import Motif
from quiesce.review.reviewing import drive
from quiesce.review.story import Story
from quiesce.review.verdict import legal_line, shown
from quiesce.trace.client import trace_client
from quiesce.trace.explain import Explanation

DEFAULT_NODES = 200_000
EXTRA_SHARE = 0.1
"""Shares of the nodes to continue short lines, and to search after a pass."""
SEEN_SHARE = 0.5
"""A depth sees the loss if it sees this share of it."""
FEW_MEN = 8
"""Most pieces on the board for a zugzwang test."""
SURE_WIN, SURE_HOLD = 0.9, 0.65
"""Expected points of a winning side, and of one that does not win if the other passes."""


@dataclass(frozen=True, eq=False)
class Why:
    """Why a move is good or bad; scores are for the mover. `str` gives sentences.

    `answer` is the line that begins with the move, `line` that of the best other move. `leaf` is the position where the
    main search called quiescence; `quiescence` gets its tree.
    """

    board: chess.Board
    move: chess.Move
    after: chess.engine.PovScore
    best: chess.engine.PovScore
    loss: float
    answer: tuple[chess.Move, ...]
    line: tuple[chess.Move, ...]
    depth: int
    seen: int
    motifs: tuple[Motif, ...]
    sentences: tuple[str, str]
    leaf: Game
    played: int
    """Moves before the position."""

    def __str__(self) -> str:
        return " ".join(self.sentences)

    @cached_property
    def quiescence(self) -> Explanation | None:
        """The quiescence tree at the leaf; None if the game is over there."""
        return trace_client().explain(self.leaf) if self.leaf.legal_moves() else None


class Watch:
    """Records the scores of a search by depth."""

    def __init__(self, pieces: int) -> None:
        self.pieces, self.scores = pieces, dict[int, int]()

    def __call__(self, report: Report) -> None:
        """Note the newest score of a depth."""
        self.scores[report.depth] = report.lines[0].score

    def _loss(self, best: int, after: int) -> float:
        """Expected points between two scores."""
        return expected(best, self.pieces) - expected(after, self.pieces)

    def seen_from(self, best: int, after: int) -> int:
        """The depth from which half of the loss or more is seen; 0 if none."""
        loss = self._loss(best, after)
        if loss <= 0:
            return 0
        depth = 0
        for at in sorted(self.scores, reverse=True):
            if self._loss(best, self.scores[at]) < SEEN_SHARE * loss:
                break
            depth = at
        return depth


Found = TypeVar("Found")
Asking = Generator[Ask, Report, Found]
"""A generator that yields searches, receives their reports, and returns its result."""


def why(engine: Engine, game: Game, move: int, nodes: int = DEFAULT_NODES) -> Why:
    """Search a legal move and all others with `nodes` each, and explain the result. Clears the table."""
    return drive(engine, reasons(game, move, nodes))


def reasons(game: Game, move: int, nodes: int = DEFAULT_NODES) -> Asking[Why]:
    """The same as a generator that yields searches, for other owners of engines."""
    others, watch = [other for other in game.legal_moves() if other != move], Watch(piece_count(game))
    first = (yield Ask(game, Limits(nodes=nodes, moves=others))) if others else None
    played = yield Ask(game, Limits(nodes=nodes, moves=[move]), watch)
    after, best = played.lines[0].score, first.lines[0].score if first else played.lines[0].score
    board = shown_board(game)
    answer = yield from followed(game, played.lines[0].moves, nodes)
    line = (yield from followed(game, first.lines[0].moves, nodes)) if first else []
    answer_moves, line_moves = (
        legal_line(board, [to_chess_move(one, game.chess960) for one in part]) for part in (answer, line)
    )
    is_best = after >= best
    story = Story(
        board,
        answer_moves,
        line_moves,
        shown(after, board.turn),
        shown(best, board.turn),
        is_best,
        0 if is_best else watch.seen_from(best, after),
        not is_best and (yield from is_zugzwang(game, answer, nodes)),
    )
    return Why(
        board=board,
        move=answer_moves[0],
        after=story.after,
        best=story.best,
        loss=max(expected(best, watch.pieces) - expected(after, watch.pieces), 0.0),
        answer=answer_moves,
        line=line_moves,
        depth=played.lines[0].depth,
        seen=story.seen,
        motifs=tuple(story.motifs),
        sentences=story.sentences,
        played=len(game.moves),
        leaf=played_on(game, played.lines[0].moves[: max(played.lines[0].depth, 1)]),
    )


def shown_board(game: Game) -> chess.Board:
    """The position of a game, without its moves."""
    return to_board(game).copy(stack=False)


def played_on(game: Game, moves: list[int]) -> Game:
    """A game with a line played after it."""
    stage = game.copy()
    stage.push_all(moves)
    return stage


def followed(game: Game, moves: list[int], nodes: int) -> Asking[list[int]]:
    """A line, continued from its end if it is too short."""
    line = list(moves)
    for _ in range(LINE_TRIES):
        stage = played_on(game, line)
        if len(line) >= LINE_PLIES or not stage.legal_moves():
            break
        report = yield Ask(stage, Limits(nodes=round(nodes * EXTRA_SHARE)))
        line += report.lines[0].moves
    return line


def is_zugzwang(game: Game, answer: list[int], nodes: int) -> Asking[bool]:
    """Is the mover lost after the reply to his move, but not if he could pass?"""
    stage = played_on(game, answer[:2])
    if len(answer) < 2 or stage.is_check or not stage.legal_moves() or len(shown_board(stage).piece_map()) > FEW_MEN:
        return False
    limits = Limits(nodes=round(nodes * EXTRA_SHARE))
    found = yield Ask(stage, limits)
    lost = expected(-found.lines[0].score, piece_count(stage))
    stage = stage.copy()
    stage.push(int(NO_MOVE))
    if lost < SURE_WIN or stage.is_check or not stage.legal_moves():
        return False
    found = yield Ask(stage, limits)
    return expected(found.lines[0].score, piece_count(stage)) <= SURE_HOLD
