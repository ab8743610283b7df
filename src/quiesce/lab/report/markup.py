"""Shell. HTML and SVG as values: text is escaped when it is inserted."""

import math
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any


class Html(str):
    """Text that is markup already."""

    __slots__ = ()


def html(value: object) -> Html:
    """Anything as markup: text is escaped, markup is not."""
    return value if isinstance(value, Html) else Html(escape(str(value)))


def joined(*parts: object) -> Html:
    """Parts one after the other."""
    return Html("".join(html(part) for part in parts))


def element(tag: str, *content: object, **attributes: Any) -> Html:
    """An element; names of attributes have `_` for `-` and may end in one, numbers are short, None leaves one out."""
    words = [tag]
    for name, value in attributes.items():
        if value is not None:
            told = number(value) if isinstance(value, float) else str(value)
            words.append(f'{name.rstrip("_").replace("_", "-")}="{escape(told)}"')
    return Html(f"<{' '.join(words)}>{joined(*content)}</{tag}>")


def number(value: float) -> str:
    """A coordinate: a tenth is finer than the eye."""
    return f"{value:.1f}".removesuffix(".0")


def table(headings: Sequence[str], rows: Iterable[Sequence[object]], words: int = 1) -> Html:
    """A table whose first columns are text, the others numbers; it scrolls if it is too wide."""
    kinds = [None if place < words else "n" for place in range(len(headings))]
    head = element("tr", *(element("th", text, class_=kind) for text, kind in zip(headings, kinds, strict=True)))
    body = (
        element("tr", *(element("td", cell, class_=kind) for cell, kind in zip(row, kinds, strict=True)))
        for row in rows
    )
    return element("div", element("table", element("thead", head), element("tbody", *body)), class_="wide")


def tiles(facts: Iterable[tuple[str, object]]) -> Html:
    """Names and values side by side."""
    parts = (element("div", element("dt", name), element("dd", fact)) for name, fact in facts)
    return element("dl", *parts, class_="tiles")


def folded(summary: str, *content: object) -> Html:
    """Something shown when it is asked for."""
    return element("details", element("summary", summary), *content)


def paragraph(*content: object, kind: str | None = None) -> Html:
    """A paragraph."""
    return element("p", *content, class_=kind)


def charts(*figures: Html) -> Html:
    """Figures side by side as far as there is room."""
    return element("div", *figures, class_="charts")


def with_error(value: float, error: float) -> str:
    """A difference and half the width of its interval."""
    return f"{value:+.1f} ± {amount(error)}"


def amount(value: float) -> str:
    """A number with one decimal, or the sign for one without end."""
    return f"{value:.1f}" if math.isfinite(value) else "∞"


def games_text(games: Sequence[int]) -> str:
    """Wins, draws and losses, from counts of losses, draws and wins."""
    losses, draws, wins = games
    return f"{wins:,} / {draws:,} / {losses:,}"


def percent(share: float) -> str:
    """A share, with the sign never alone on the next line."""
    return f"{100 * share:.1f}\u00a0%"


def plural(count: int, word: str, words: str = "") -> str:
    """A count with its word."""
    return f"{count:,} {word if count == 1 else words or word + 's'}"
