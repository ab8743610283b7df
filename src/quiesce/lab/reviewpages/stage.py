"""Shell. The part of a page that stays on screen: the board with both players, buttons, and the graph of the game."""

from collections.abc import Mapping
from typing import Any

import chess.svg

from quiesce.lab.report.markup import Html, element
from quiesce.lab.reviewpages.tracks import numbered, white_points
from quiesce.review.plan import BLUNDER, MISTAKE
from quiesce.review.review import Review

SQUARE, SIDE = 45, 360
WIDE, HIGH = 600, 90
LARGE_DOT, SMALL_DOT = 6, 4
BADGE = 9
STEPS = (
    ("start", "|◀", "To the start"),
    ("-1", "◀", "Back"),
    ("1", "▶", "On"),
    ("end", "▶|", "To the end"),
    ("flip", "⇅", "Turn the board round"),
)


def stage_html(review: Review, players: Mapping[str, Mapping[str, Any]]) -> Html:
    """Board, names, buttons and graph; the board stands as the player whose moves were judged sees it."""
    is_black = review.plan.colours == ("black",)
    return element(
        "div",
        name_html(review, "black", players["black"]),
        board_svg(),
        name_html(review, "white", players["white"]),
        buttons(),
        graph(review),
        class_="stage flipped" if is_black else "stage",
    )


def name_html(review: Review, colour: str, figures: Mapping[str, Any]) -> Html:
    """A player beside the board: name, rating where it is known, accuracy."""
    name, rating = (review.headers.get(f"{colour.title()}{part}", "?") for part in ("", "Elo"))
    told = name if rating.strip("?-0") == "" else f"{name} ({rating})"
    accuracy = "" if figures["accuracy"] is None else f"{figures['accuracy']:.1f} %"
    marks = element("small", marks_text(figures["marks"]))
    return element("p", element("b", told), marks, element("span", accuracy), class_=f"name {colour}-name")


def marks_text(marks: Mapping[str, int]) -> str:
    """How many of each mark, the worst first."""
    return ", ".join(f"{marks[mark]} {mark}" for mark in ("??", "?", "?!", "!") if mark in marks)


def board_svg() -> Html:
    """An empty board, the pieces as symbols, and places for pieces, arrows, coordinates and a mark."""
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
    badge = element(
        "g", element("circle", r=BADGE), element("text", text_anchor="middle", dy="4"), id="badge", visibility="hidden"
    )
    symbols = element("defs", Html("".join(chess.svg.PIECES.values())))
    groups = (element("g", id=name) for name in ("coordinates", "pieces", "arrows"))
    return element(
        "svg", symbols, *squares, *here, *groups, badge,
        viewBox=f"0 0 {SIDE} {SIDE}", class_="board", role="img", aria_label="The board",
    )  # fmt: skip


def buttons() -> Html:
    """Buttons to walk, and what is said of the position."""
    made = (element("button", sign, type="button", data_step=step, aria_label=name) for step, sign, name in STEPS)
    return element("div", element("div", *made, class_="buttons"), element("output", ""), class_="nav")


def graph(review: Review) -> Html:
    """White's expected points over the game, marks on it: full where sure, hollow where not."""
    count = max(len(review.verdicts), 1)
    points = [(0.0, 0.5)]
    for place, verdict in enumerate(review.verdicts, 1):
        if verdict.after is not None:
            points.append((place, white_points(verdict)))
    path = " L".join(f"{WIDE * x / count:.1f},{HIGH * (1 - y):.1f}" for x, y in points)
    area = f"M0,{HIGH} L{path} L{WIDE * points[-1][0] / count:.1f},{HIGH} Z"
    known = dict(points)
    flaws = [
        element(
            "circle",
            element("title", f"{numbered(verdict)}: {verdict.certainty}"),
            cx=f"{WIDE * verdict.ply / count:.1f}",
            cy=f"{HIGH * (1 - known[verdict.ply]):.1f}",
            r=LARGE_DOT if verdict.mark in (BLUNDER, MISTAKE) else SMALL_DOT,
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
