"""Shell. The page of one game: board, graph, moves with their marks, and each verdict with its lines and tree."""

import json
from collections.abc import Mapping

import chess
import chess.svg

from quiesce.board.game import Game
from quiesce.lab.report.markup import Html, element, folded, joined, paragraph, tiles
from quiesce.lab.reviewpages.document import document, resource
from quiesce.review.accuracy import summary_of
from quiesce.review.plan import BLUNDER, GOOD, MISTAKE
from quiesce.review.review import Review
from quiesce.review.story import shown
from quiesce.review.verdict import Verdict
from quiesce.trace.client import TracerError, trace_client

SQUARE, SIDE = 45, 360
WIDE, HIGH = 600, 90
TREE_PLIES, TREE_MOVES = 4, 5
LINE_PLIES = 12


def title_of(headers: Mapping[str, str]) -> str:
    """Players and result of a game."""
    white, black, result = (headers.get(name, "?") for name in ("White", "Black", "Result"))
    return f"{white} - {black}, {result}"


def about(review: Review) -> str:
    """Place, date and opening of a game."""
    names = [review.headers.get(name, "?") for name in ("Event", "Site", "Date")]
    opening = [f"{review.opening.eco} {review.opening.name}"] if review.opening else []
    return ", ".join([*(name for name in names if name.strip("?.")), *opening])


def game_page(review: Review, has_trees: bool = True) -> str:
    """The whole page."""
    players, boards = summary_of(review.verdicts), boards_of(review)
    facts = [
        (f"{colour.title()}: {review.headers.get(colour.title(), '?')}", accuracy_text(players[colour]))
        for colour in ("white", "black")
    ]
    stage = element("div", board_svg(), nav(), graph(review), class_="stage")
    verdicts = [verdict_html(verdict, has_trees) for verdict in review.marked]
    side = element(
        "div",
        element("section", element("h2", "Moves"), moves_html(review)),
        element("section", element("h2", "Where points were lost"), *(verdicts or [paragraph("Nowhere.")])),
    )
    head = element(
        "header",
        element("p", element("a", "All games", href="index.html")),
        element("h1", title_of(review.headers)),
        paragraph(about(review), kind="dim"),
        tiles(facts),
    )
    note = paragraph(
        "A mark is sure where two looks side by side agree and no threshold is near; the graph has others hollow.",
        kind="dim",
    )
    data = Html(json.dumps(boards).replace("<", "\\u003c"))
    script = joined(element("script", data, type="application/json", id="boards"))
    body = joined(head, element("main", stage, side, class_="game"), note, script)
    return document(title_of(review.headers), body, resource("page.js"))


def accuracy_text(figures: Mapping[str, object]) -> str:
    """A player's accuracy and marks."""
    if figures["accuracy"] is None:
        return "no move judged"
    marks = figures["marks"]
    assert isinstance(marks, dict)
    told = ", ".join(f"{count} {mark}" for mark, count in marks.items())
    return f"{figures['accuracy']} %" + (f" ({told})" if told else "")


def boards_of(review: Review) -> list[list[object]]:
    """Each position: pieces, text, and the squares of the last move."""
    if not review.verdicts:
        return [[chess.STARTING_BOARD_FEN, "", []]]
    found: list[list[object]] = [[review.verdicts[0].board.board_fen(), "the start", []]]
    for verdict in review.verdicts:
        board = verdict.board
        score = "" if verdict.after is None else f"  {shown(verdict.after)}"
        text = f"{numbered(verdict)}{score}"
        board.push(verdict.move)
        found.append([board.board_fen(), text, [verdict.move.from_square, verdict.move.to_square]])
    return found


def numbered(verdict: Verdict) -> str:
    """A move with its number and mark."""
    board = verdict.board
    dots = "." if board.turn else "..."
    return f"{board.fullmove_number}{dots} {verdict.san}{verdict.mark}"


def board_svg() -> Html:
    """An empty board and the symbols of all pieces."""
    squares = [
        element(
            "rect",
            x=(square % 8) * SQUARE,
            y=(square // 8) * SQUARE,
            width=SQUARE,
            height=SQUARE,
            class_="light" if (square % 8 + square // 8) % 2 == 0 else "dark",
        )
        for square in range(64)
    ]
    here = [
        element("rect", x=0, y=0, width=SQUARE, height=SQUARE, class_="here", visibility="hidden") for _ in range(2)
    ]
    symbols = element("defs", Html("".join(chess.svg.PIECES.values())))
    return element(
        "svg", symbols, *squares, *here, element("g", id="pieces"),
        viewBox=f"0 0 {SIDE} {SIDE}", class_="board", role="img", aria_label="The board",
    )  # fmt: skip


def nav() -> Html:
    """Buttons to walk through the game, and the text of the position."""
    steps = (("start", "|◀", "To the start"), ("-1", "◀", "Back"), ("1", "▶", "On"), ("end", "▶|", "To the end"))
    buttons = (element("button", sign, data_step=step, aria_label=name) for step, sign, name in steps)
    return element("div", *buttons, element("output", ""), class_="nav")


def graph(review: Review) -> Html:
    """White's expected points over the game, with marks: full if certain, else hollow."""
    count = max(len(review.verdicts), 1)
    points = [(0.0, 0.5)]
    for place, verdict in enumerate(review.verdicts, 1):
        is_white = verdict.fen.split()[1] == "w"
        if verdict.after is not None:
            points.append((place, verdict.points_after if is_white else 1 - verdict.points_after))
    path = " L".join(f"{WIDE * x / count:.1f},{HIGH * (1 - y):.1f}" for x, y in points)
    area = f"M0,{HIGH} L{path} L{WIDE * points[-1][0] / count:.1f},{HIGH} Z"
    known = dict(points)
    flaws = [
        element(
            "circle",
            element("title", f"{numbered(verdict)}: {verdict.certainty}"),
            cx=f"{WIDE * verdict.ply / count:.1f}",
            cy=f"{HIGH * (1 - known[verdict.ply]):.1f}",
            r=6 if verdict.mark in (BLUNDER, MISTAKE) else 4,
            class_="flaw" if verdict.is_sure else "unsure",
        )
        for verdict in review.marked
    ]
    return element(
        "svg",
        element("rect", x=0, y=0, width=WIDE, height=HIGH, class_="black"),
        element("path", d=area, class_="white"),
        element("line", x1=0, x2=WIDE, y1=HIGH / 2, y2=HIGH / 2, class_="rule"),
        element("line", x1=0, x2=0, y1=0, y2=HIGH, class_="at"),
        *flaws,
        viewBox=f"0 0 {WIDE} {HIGH}",
        class_="graph",
        role="img",
        aria_label="White's expected points over the game",
    )  # fmt: skip


def moves_html(review: Review) -> Html:
    """All moves, to click on."""
    parts: list[object] = []
    for verdict in review.verdicts:
        board = verdict.board
        if board.turn or not parts:
            parts.append(f" {board.fullmove_number}{'.' if board.turn else '...'} ")
        kind = "good" if verdict.mark == GOOD else "bad" if verdict.mark else None
        title = verdict.certainty or ("the only move" if verdict.is_only else verdict.aside) or None
        parts.append(element("a", verdict.san + verdict.mark, href="#", data_ply=verdict.ply, class_=kind, title=title))
        parts.append(" ")
    return element("p", *parts, class_="moves")


def verdict_html(verdict: Verdict, has_trees: bool) -> Html:
    """One mark: how sure it is, why, both lines, and for the worse ones the tree at the end of the line."""
    board = verdict.board
    lines = [
        element("p", element("b", f"{name} "), board.variation_san(moves[:LINE_PLIES]))
        for name, moves in (("Better:", verdict.line), ("Played:", verdict.answer))
        if moves
    ]
    trees = [tree_html(verdict)] if has_trees and verdict.mark in (MISTAKE, BLUNDER) else []
    return element(
        "article",
        element("h3", element("a", numbered(verdict), href="#", data_ply=verdict.ply)),
        paragraph(f"{verdict.certainty}: {verdict.loss:.2f} expected points lost.", kind="dim"),
        paragraph(verdict.comment),
        *lines,
        *trees,
        class_="verdict",
    )


def tree_html(verdict: Verdict) -> Html:
    """The quiescence tree at the end of the played line; empty if there is none."""
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
