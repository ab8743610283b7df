"""Shell. Writes a review into its game: marks, evaluations, better lines and comments."""

import chess
import chess.pgn

from quiesce import __version__
from quiesce.review.plan import GOOD, NAGS, ONLY_MOVE_NAG
from quiesce.review.review import Review
from quiesce.review.verdict import Verdict

QUALITY_NAGS = range(1, 7)
"""Marks that judge a move. If the game has one, ours goes into the comment only."""
LINE_PLIES = 12
COLUMNS = 80


def annotated(game: chess.pgn.Game, review: Review) -> chess.pgn.Game:
    """The game with its review written into the main line."""
    for node, verdict in zip(list(game.mainline()), review.verdicts, strict=True):
        annotate_node(node, verdict)
    game.headers["Annotator"] = game.headers.get("Annotator", f"Quiesce {__version__}")
    if review.opening is not None:
        game.headers.setdefault("ECO", review.opening.eco)
        game.headers.setdefault("Opening", review.opening.name)
    players = review.facts()["players"]
    for colour in ("White", "Black"):
        accuracy = players[colour.lower()]["accuracy"]
        if accuracy is not None:
            game.headers[f"{colour}Accuracy"] = f"{accuracy:.1f}"
    return game


def annotate_node(node: chess.pgn.ChildNode, verdict: Verdict) -> None:
    """Write one verdict. An earlier `%eval` is replaced, nothing else."""
    if verdict.after is not None:
        node.set_eval(verdict.after)
    has_mark = any(nag in QUALITY_NAGS for nag in node.nags)
    if verdict.mark and not has_mark:
        node.nags.add(NAGS[verdict.mark])
    if verdict.is_only and verdict.is_judged:
        node.nags.add(ONLY_MOVE_NAG)
    words = " ".join(filter(None, (certainty_words(verdict), verdict.comment)))
    if words and words not in node.comment:
        node.comment = f"{node.comment} {words}".strip()
    if verdict.mark and verdict.mark != GOOD and verdict.line:
        add_line(node.parent, verdict.line[:LINE_PLIES])


def certainty_words(verdict: Verdict) -> str:
    """A sentence on the certainty of a mark; empty without one."""
    words = verdict.certainty
    return f"{words}: {verdict.loss:.2f} expected points lost." if words else ""


def add_line(parent: chess.pgn.GameNode, moves: tuple[chess.Move, ...]) -> None:
    """Add a variation, unless one with the same first move exists."""
    if not parent.has_variation(moves[0]):
        parent.add_line(moves)


def pgn_text(game: chess.pgn.Game) -> str:
    """A game as text."""
    exporter = chess.pgn.StringExporter(columns=COLUMNS, headers=True, comments=True, variations=True)
    return game.accept(exporter) + "\n\n"
