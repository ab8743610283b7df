"""Shell. The page of one game: what decided it, a board to walk on, moves with their marks, and each mark told."""

import json
from collections.abc import Mapping

from quiesce.lab.report.markup import Html, element, joined, paragraph
from quiesce.lab.reviewpages.document import document, resource
from quiesce.lab.reviewpages.stage import stage_html
from quiesce.lab.reviewpages.tracks import GAME, PLAYED, number_of, numbered, track_of, tracks_of
from quiesce.lab.reviewpages.verdicts import step, verdict_html
from quiesce.review.accuracy import summary_of
from quiesce.review.plan import BLUNDER, GOOD, MISTAKE
from quiesce.review.review import Review

MOST_DECISIVE = 3


def title_of(headers: Mapping[str, str]) -> str:
    """Who played whom, and how it ended."""
    white, black, result = (headers.get(name, "?") for name in ("White", "Black", "Result"))
    return f"{white} - {black}, {result}"


def about(review: Review) -> str:
    """Where and when a game was played, and its opening."""
    names = [review.headers.get(name, "?") for name in ("Event", "Site")]
    date = review.headers.get("Date", "").replace(".??", "")
    opening = [f"{review.opening.eco} {review.opening.name}"] if review.opening else []
    return ", ".join([*(name for name in (*names, date) if name.strip("?.")), *opening])


def game_page(review: Review, has_trees: bool = True) -> str:
    """The whole page."""
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
        decided(review),
    )
    note = paragraph(
        "Expected points: a win counts 1, a draw 0.5. A mark is sure if deeper looks agree on it and no threshold is"
        " near; the graph has the others hollow. Scores are White's. Arrow keys walk, Escape goes back to the game.",
        kind="dim",
    )
    data = Html(json.dumps(tracks_of(review)).replace("<", "\\u003c"))
    script = joined(element("script", data, type="application/json", id="tracks"))
    main = element("main", stage_html(review, summary_of(review.verdicts)), side, class_="game")
    return document(title_of(review.headers), joined(head, main, note, script), resource("page.js"))


def decided(review: Review) -> Html:
    """The moves that cost most, sure ones before others."""
    found = sorted(
        (verdict for verdict in review.marked if verdict.mark in (BLUNDER, MISTAKE)),
        key=lambda verdict: (not verdict.is_sure, -verdict.loss),
    )[:MOST_DECISIVE]
    if not found:
        return paragraph("Neither side made a mistake that this review could see.")
    parts = list[object]()
    for verdict in sorted(found, key=lambda verdict: verdict.ply):
        parts += [", " if parts else "", step(numbered(verdict), track_of(PLAYED, verdict), 0)]
    return element("p", "It cost most: ", *parts, ".", class_="decided")


def moves_html(review: Review) -> Html:
    """All moves, to click on."""
    parts: list[object] = []
    for verdict in review.verdicts:
        board = verdict.board
        number = f"{number_of(board)} " if board.turn or not parts else ""
        kind = "good" if verdict.mark == GOOD else "bad" if verdict.mark else ""
        doubt = "" if verdict.is_sure or kind != "bad" else " doubted"
        title = verdict.certainty or ("the only move" if verdict.is_only else verdict.aside) or None
        link = element(
            "a", verdict.san + verdict.mark, href="#",
            data_track=GAME, data_at=verdict.ply, class_=(kind + doubt) or None, title=title,
        )  # fmt: skip
        parts += [element("span", number, link, class_="move"), " "]
    return element("p", *parts, class_="moves")
