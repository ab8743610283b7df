"""Shell. The index of many reviews: every game, the costliest moves, motifs, accuracy over time, phases, openings."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from quiesce.lab.report.charts import Series, line_chart
from quiesce.lab.report.markup import Html, element, joined, paragraph, plural, table
from quiesce.lab.reviewpages.document import document
from quiesce.lab.reviewpages.game import title_of
from quiesce.lab.reviewpages.tracks import numbered
from quiesce.review.accuracy import PHASES, summary_of
from quiesce.review.plan import BOTH
from quiesce.review.review import Review
from quiesce.review.verdict import Verdict, story_of

LEAST_FOR_CHART = 2
MARKS = ("??", "?", "?!", "!")
COSTLIEST = 15


@dataclass(frozen=True, slots=True)
class Flaw:
    """A move with a mark, as the index keeps it; `motif` is empty where the board shows none."""

    colour: str
    name: str
    ply: int
    loss: float
    certainty: str
    is_sure: bool
    words: str
    motif: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One game of the index: its page and its figures."""

    page: str
    headers: Mapping[str, str]
    opening: str
    players: Mapping[str, Any]
    flaws: Sequence[Flaw] = ()

    def is_of(self, colour: str, player: str) -> bool:
        """Has the player this side? Everybody has, where none is named."""
        return player.lower() in self.headers.get(colour.title(), "?").lower()

    def sides(self, player: str) -> list[tuple[str, Mapping[str, Any]]]:
        """Names and figures of those whose moves were judged, or of one player."""
        return [
            (self.headers.get(colour.title(), "?"), self.players[colour])
            for colour in BOTH
            if self.players[colour]["moves"] and self.is_of(colour, player)
        ]


def entry_of(review: Review, page: str) -> Entry:
    """What the index keeps of a review."""
    opening = f"{review.opening.eco} {review.opening.name}" if review.opening else ""
    flaws = tuple(flaw_of(verdict) for verdict in review.marked)
    return Entry(page, review.headers, opening, summary_of(review.verdicts), flaws)


def flaw_of(verdict: Verdict) -> Flaw:
    """What the index keeps of a mark."""
    motifs = story_of(verdict).motifs
    return Flaw(
        "white" if verdict.board.turn else "black",
        numbered(verdict),
        verdict.ply,
        verdict.loss,
        verdict.certainty,
        verdict.is_sure,
        verdict.comment,
        motifs[0].name if motifs else "",
    )


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
                element("section", element("h2", "What cost most"), costliest(entries, player)),
                element("section", element("h2", "How points were lost"), motifs_table(entries, player)),
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


def flaws_of(entries: Iterable[Entry], player: str) -> list[tuple[Entry, Flaw]]:
    """All marks, or those of one player."""
    return [(entry, flaw) for entry in entries for flaw in entry.flaws if entry.is_of(flaw.colour, player)]


def costliest(entries: Iterable[Entry], player: str) -> Html:
    """The moves that lost most, those that are sure before others, each with a link to its place in its game."""
    found = sorted(flaws_of(entries, player), key=lambda pair: (not pair[1].is_sure, -pair[1].loss))[:COSTLIEST]
    if not found:
        return paragraph("No move lost much.")
    items = (
        element(
            "li",
            element("a", flaw.name, href=f"{entry.page}#mark-{flaw.ply}"),
            f" lost {flaw.loss:.2f} ",
            element("span", flaw.certainty, class_="sure" if flaw.is_sure else "doubted"),
            element("span", f" {title_of(entry.headers)}", class_="dim"),
            element("div", flaw.words),
        )
        for entry, flaw in found
    )
    return element("ol", *items, class_="costliest")


def motifs_table(entries: Iterable[Entry], player: str) -> Html:
    """By which means marked moves were refuted, the commonest first."""
    counts, lost = Counter[str](), Counter[str]()
    for _, flaw in flaws_of(entries, player):
        counts[flaw.motif or "no motif: simply worse"] += 1
        lost[flaw.motif or "no motif: simply worse"] += round(100 * flaw.loss)
    if not counts:
        return paragraph("There is no mark to count.")
    rows = [(name, str(counts[name]), f"{lost[name] / 100:.2f}") for name, _ in lost.most_common()]
    return table(("motif", "moves", "points lost"), rows)


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
