"""Shell. The index of many reviews: every game, accuracy over time, by opening and by phase."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from quiesce.lab.report.charts import Series, line_chart
from quiesce.lab.report.markup import Html, element, joined, paragraph, plural, table
from quiesce.lab.reviewpages.document import document
from quiesce.lab.reviewpages.game import title_of
from quiesce.review.accuracy import PHASES
from quiesce.review.plan import BOTH

LEAST_FOR_CHART = 2
MARKS = ("??", "?", "?!", "!")


@dataclass(frozen=True, slots=True)
class Entry:
    """One game of the index: its page and its figures."""

    page: str
    headers: Mapping[str, str]
    opening: str
    players: Mapping[str, Any]

    def sides(self, player: str) -> list[tuple[str, Mapping[str, Any]]]:
        """Names and figures of those whose moves were judged, or of one player."""
        return [
            (self.headers.get(colour.title(), "?"), self.players[colour])
            for colour in BOTH
            if self.players[colour]["moves"] and player.lower() in self.headers.get(colour.title(), "?").lower()
        ]


def index_page(entries: Sequence[Entry], damaged: Sequence[str], player: str = "") -> str:
    """The whole page."""
    whose = f"Games of {player}" if player else "Games"
    notes = [paragraph(f"Not read: {line}", kind="warning") for line in damaged]
    told = paragraph(plural(len(entries), "game") + " reviewed.", kind="dim")
    return document(
        whose,
        joined(
            element("header", element("h1", whose), told, *notes),
            element(
                "main",
                element("section", element("h2", "All games"), games_table(entries)),
                element("section", element("h2", "Accuracy over time"), over_time(entries, player)),
                element("section", element("h2", "Phases"), phases_table(entries, player)),
                element("section", element("h2", "Openings"), openings_table(entries, player)),
            ),
        ),
    )  # fmt: skip


def shown(value: float | None) -> str:
    """An accuracy, or a dash."""
    return "-" if value is None else f"{value:.1f} %"


def games_table(entries: Iterable[Entry]) -> Html:
    """A row a game."""
    rows = [
        (
            element("a", title_of(entry.headers), href=entry.page),
            entry.headers.get("Date", "?"),
            entry.opening,
            *(shown(entry.players[colour]["accuracy"]) for colour in BOTH),
            marks_text(entry),
        )
        for entry in entries
    ]
    return table(("game", "date", "opening", "White", "Black", "?? / ? / ?!"), rows, words=3)


def marks_text(entry: Entry) -> str:
    """How many of each mark, both sides together."""
    return " / ".join(str(sum(entry.players[c]["marks"].get(mark, 0) for c in BOTH)) for mark in MARKS[:3])


def over_time(entries: Sequence[Entry], player: str) -> Html:
    """Accuracy game by game, in the order of their dates."""
    ordered = sorted(entries, key=lambda entry: entry.headers.get("Date", "?"))
    points = [
        (number, sum(figures["accuracy"] for _, figures in sides) / len(sides))
        for number, entry in enumerate(ordered, 1)
        if (sides := entry.sides(player))
    ]
    if len(points) < LEAST_FOR_CHART:
        return paragraph("One game makes no line.")
    name = f"accuracy of {player}" if player else "accuracy of both sides"
    return line_chart("Accuracy by game, oldest first", [Series(name, points)], ("game", "%"))


def mean_of(parts: Iterable[Mapping[str, Any]]) -> tuple[int, float | None]:
    """Moves and accuracy of several figures together, each move counted once."""
    known = [(part["moves"], part["accuracy"]) for part in parts if part["moves"]]
    moves = sum(count for count, _ in known)
    return moves, sum(count * accuracy for count, accuracy in known) / moves if moves else None


def phases_table(entries: Sequence[Entry], player: str) -> Html:
    """Accuracy by phase."""
    rows = []
    for phase in PHASES:
        moves, accuracy = mean_of(figures["phases"][phase] for entry in entries for _, figures in entry.sides(player))
        rows.append((phase, str(moves), shown(accuracy)))
    return table(("phase", "moves judged", "accuracy"), rows)


def openings_table(entries: Sequence[Entry], player: str) -> Html:
    """Games and accuracy by opening, the commonest first."""
    groups: dict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        groups[entry.opening.partition(" ")[2].partition(":")[0] or "no name"].append(entry)
    rows = [
        (name, str(len(group)), shown(mean_of(figures for entry in group for _, figures in entry.sides(player))[1]))
        for name, group in sorted(groups.items(), key=lambda item: (-len(item[1]), item[0]))
    ]
    return table(("opening", "games", "accuracy"), rows)
