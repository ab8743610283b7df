"""Shell. A mark told: how sure it is, why, both lines to walk through, and the tree at the end of the played one."""

from collections.abc import Sequence

import chess

from quiesce.board.game import Game
from quiesce.lab.report.markup import Html, element, folded, paragraph
from quiesce.lab.reviewpages.tracks import BETTER, LINE_PLIES, PLAYED, number_of, numbered, track_of
from quiesce.review.plan import BLUNDER, MISTAKE
from quiesce.review.verdict import Verdict
from quiesce.trace.client import TracerError, trace_client

TREE_PLIES, TREE_MOVES = 4, 5


def verdict_html(verdict: Verdict, has_trees: bool) -> Html:
    """One mark with all that is known of it."""
    lines = [
        line_html(name, verdict, kind, moves)
        for name, kind, moves in (("Better:", BETTER, verdict.line), ("Played:", PLAYED, verdict.answer))
        if moves
    ]
    trees = [tree_html(verdict)] if has_trees and verdict.mark in (MISTAKE, BLUNDER) else []
    certainty = element("span", verdict.certainty, class_="sure" if verdict.is_sure else "doubted")
    lost = element("span", f"{verdict.loss:.2f} expected points lost", class_="dim")
    return element(
        "article",
        element("h3", step(numbered(verdict), track_of(PLAYED, verdict), 0), " ", certainty),
        paragraph(verdict.comment),
        *lines,
        paragraph(lost),
        *trees,
        class_="verdict",
        id=f"mark-{verdict.ply}",
    )


def step(text: str, track: str, at: int) -> Html:
    """Text that takes the board to a place of a track."""
    return element("a", text, href="#", data_track=track, data_at=at)


def line_html(name: str, verdict: Verdict, kind: str, moves: Sequence[chess.Move]) -> Html:
    """A line whose moves can be clicked."""
    board, track, parts = verdict.board, track_of(kind, verdict), list[object]()
    for place, move in enumerate(moves[:LINE_PLIES], 1):
        number = f"{number_of(board)} " if board.turn or place == 1 else ""
        parts += [" ", step(number + board.san(move), track, place)]
        board.push(move)
    return element("p", element("b", name), *parts, class_=f"line {kind}")


def tree_html(verdict: Verdict) -> Html:
    """The tree of quiescence at the end of the played line; nothing where the game is over there, or none is had."""
    stage = verdict.board
    for move in verdict.answer:
        stage.push(move)
    if stage.is_game_over():
        return Html("")
    try:
        found = trace_client().explain(Game(stage.fen(), stage.chess960))
    except (TracerError, ValueError):
        return Html("")
    tree = found.tree.html(TREE_PLIES, TREE_MOVES)
    return folded("What quiescence saw at the end of the played line", paragraph(found.sentence), Html(tree))
