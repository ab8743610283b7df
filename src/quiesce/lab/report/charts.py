"""Shell. Charts as plain SVG: lines with bands, bars with error bars, strips of marks, maps of small cells.

A chart is drawn 340 units wide, about what a phone has, so that its letters can be read there as they are; colours
are classes of the page's style, light and dark.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from quiesce.lab.report.markup import Html, element, joined, number
from quiesce.lab.report.scale import Scale, span, tick_text

WIDTH, HEIGHT = 340.0, 210.0
LETTER = 6.6
"""Units a letter takes, on the safe side."""
ROW = 20.0
"""Height of a bar or strip with the room around it."""
LONGEST_LABEL = 22
COLOURS = 6
"""Series that differ by colour, as the style has them."""
CELL, GAP = 14.0, 2.0
COLUMNS = 30
"""Cells in one line of a map."""


@dataclass(frozen=True, slots=True)
class Series:
    """A line, optionally with a band: x, low and high."""

    name: str
    points: Sequence[tuple[float, float]]
    band: Sequence[tuple[float, float, float]] = ()


@dataclass(frozen=True, slots=True)
class Rule:
    """A value that is marked across a chart."""

    value: float
    text: str


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar with half the width of its interval and a text; hollow if undecided."""

    label: str
    value: float
    text: str
    error: float = 0.0
    is_hollow: bool = False


@dataclass(frozen=True, slots=True)
class Mark:
    """A point on a strip, with half the width of its interval; the kind is a class of the style."""

    value: float
    error: float = 0.0
    kind: str = "known"


@dataclass(frozen=True, slots=True)
class Strip:
    """One row of a strip chart: marks and a text."""

    label: str
    marks: Sequence[Mark]
    text: str


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a heat map: a CSS class and a tooltip."""

    kind: str
    title: str
    is_crossed: bool = False


def figure(title: str, drawing: Html, *below: object) -> Html:
    """A drawing under its title."""
    return element("figure", element("figcaption", title), drawing, *below)


def drawn(title: str, width: float, height: float, *content: object) -> Html:
    """The SVG of a drawing; the title is for screen readers."""
    return element("svg", *content, viewBox=f"0 0 {number(width)} {number(height)}", role="img", aria_label=title)


def legend(entries: Iterable[tuple[str, str]]) -> Html:
    """What colours mean: classes of the style and words."""
    return element("ul", *(element("li", element("i", class_=kind), text) for kind, text in entries), class_="legend")


def shortened(text: str, longest: int = LONGEST_LABEL) -> str:
    """A text that fits."""
    return text if len(text) <= longest else text[: longest - 1] + "…"


def label(text: str, x: float, y: float, **attributes: str) -> Html:
    """Text at a position; shortened text has a tooltip."""
    shown = shortened(text)
    return element("text", shown, element("title", text) if shown != text else "", x=x, y=y, **attributes)


def path(points: Iterable[tuple[float, float]]) -> str:
    """The commands of a line through points."""
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points)


def line_chart(
    title: str,
    series: Sequence[Series],
    names: tuple[str, str],
    rules: Sequence[Rule] = (),
    is_log: bool = False,
    limits: tuple[float, float] | None = None,
) -> Html:
    """Lines over a common axis; `names` are those of x and y, `limits` the values of y that are shown."""
    left, right, top, bottom = 44.0, WIDTH - 18, 24.0, HEIGHT - 34
    xs = [x for one in series for x, _ in one.points]
    ys = [y for one in series for _, y in one.points] + [
        edge for one in series for _, *edges in one.band for edge in edges
    ]
    low, high = limits or span([*ys, *(rule.value for rule in rules)], is_log)
    across = Scale(min(xs), max(*xs, min(xs) + 1), left, right)
    up = Scale(low, high, bottom, top, is_log)
    parts: list[Html] = []
    for value in up.ticks():
        parts.append(element("line", x1=left, x2=right, y1=up(value), y2=up(value), class_="grid"))
        parts.append(element("text", tick_text(value), x=left - 5, y=up(value) + 4, class_="end"))
    for value in across.ticks(4):
        parts.append(element("line", x1=across(value), x2=across(value), y1=bottom, y2=bottom + 4, class_="axis"))
        parts.append(element("text", tick_text(value), x=across(value), y=bottom + 16, class_="middle"))
    parts.append(element("line", x1=left, x2=right, y1=bottom, y2=bottom, class_="axis"))
    parts.append(element("text", names[1], x=4.0, y=12.0, class_="dim"))
    parts.append(element("text", names[0], x=right, y=HEIGHT - 4, class_="end dim"))
    parts += [ruled(rule, up, left, right) for rule in rules]
    for place, one in enumerate(series):
        parts += line_of(one, place % COLOURS, across, up)
    below = legend((f"c{place % COLOURS}", one.name) for place, one in enumerate(series)) if len(series) > 1 else ""
    return figure(title, drawn(title, WIDTH, HEIGHT, *parts), below)


def ruled(rule: Rule, up: Scale, left: float, right: float) -> Html:
    """A marked value: a dashed line with its text above, or below if there is no room."""
    height = up(rule.value)
    beside = height - 4 if height - 14 > up.end else height + 12
    return joined(
        element("line", x1=left, x2=right, y1=height, y2=height, class_="rule"),
        element("text", rule.text, x=left + 4, y=beside, class_="dim halo"),
    )


def line_of(one: Series, colour: int, across: Scale, up: Scale) -> list[Html]:
    """A line over its band; a single point is a dot."""
    parts = []
    if one.band:
        edge = [(across(x), up(high)) for x, _, high in one.band] + [(across(x), up(low)) for x, low, _ in one.band][
            ::-1
        ]
        parts.append(element("path", d=path(edge) + "Z", class_=f"band c{colour}"))
    if len(one.points) == 1:
        (x, y), *_ = one.points
        parts.append(element("circle", cx=across(x), cy=up(y), r=3.0, class_=f"dot c{colour}"))
    else:
        parts.append(element("path", d=path((across(x), up(y)) for x, y in one.points), class_=f"line c{colour}"))
    return parts


def gutters(labels: Iterable[str], texts: Iterable[str]) -> tuple[float, float]:
    """Left and right edge of the plot, beside labels and texts."""
    left = max((min(len(text), LONGEST_LABEL) for text in labels), default=0) * LETTER + 8
    return left, WIDTH - max((len(text) for text in texts), default=0) * LETTER - 8


def rows_axis(scale: Scale, bottom: float, name: str) -> list[Html]:
    """Grid and numbers of a chart with rows; the name is that of its values."""
    parts = []
    for value in scale.ticks(3):
        parts.append(element("line", x1=scale(value), x2=scale(value), y1=0.0, y2=bottom, class_="grid"))
        parts.append(element("text", tick_text(value), x=scale(value), y=bottom + 13, class_="middle"))
    parts.append(element("text", name, x=(scale.start + scale.end) / 2, y=bottom + 28, class_="middle dim"))
    return parts


def whisker(scale: Scale, value: float, error: float, y: float) -> Html:
    """An error bar."""
    low, high = scale(value - error), scale(value + error)
    ends = f"M{number(low)} {number(y - 3)}v6m0-3H{number(high)}m0-3v6"
    return element("path", d=ends, class_="whisker")


def bar_chart(title: str, bars: Sequence[Bar], name: str) -> Html:
    """Horizontal bars from zero, with error bars."""
    left, right = gutters((bar.label for bar in bars), (bar.text for bar in bars))
    bounded = [bar.error if math.isfinite(bar.error) else 0.0 for bar in bars]
    edges = [bar.value + sign * error for bar, error in zip(bars, bounded, strict=True) for sign in (-1, 1)]
    low, high = span([0.0, *edges])
    scale = Scale(low if min(edges) < 0 else 0.0, high if max(edges) > 0 or min(edges) >= 0 else 0.0, left, right)
    bottom = ROW * len(bars) + 2
    parts = rows_axis(scale, bottom, name)
    for place, bar in enumerate(bars):
        middle = ROW * (place + 0.5) + 1
        start, end = sorted((scale(0), scale(bar.value)))
        shape = "bar hollow" if bar.is_hollow else "bar" if bar.value >= 0 else "bar minus"
        parts.append(element("rect", x=start, y=middle - 6, width=max(end - start, 1.0), height=12.0, class_=shape))
        if bar.error:
            parts.append(whisker(scale, bar.value, bar.error, middle))
        parts.append(label(bar.label, left - 6, middle + 4, class_="end"))
        parts.append(element("text", bar.text, x=WIDTH - 2, y=middle + 4, class_="end dim"))
    parts.append(element("line", x1=scale(0), x2=scale(0), y1=0.0, y2=bottom, class_="axis"))
    return figure(title, drawn(title, WIDTH, bottom + 34, *parts))


def strip_chart(title: str, strips: Sequence[Strip], name: str, middle: Mark | None, *below: object) -> Html:
    """Marks on a common axis, one line for each strip; `middle` draws a vertical line through all."""
    left, right = gutters((strip.label for strip in strips), (strip.text for strip in strips))
    marks = [mark for strip in strips for mark in strip.marks] + ([middle] if middle else [])
    edges = [mark.value + sign * mark.error for mark in marks for sign in (-1, 1)]
    scale = Scale(*span([*edges, *(mark.value for mark in marks)]), left, right)
    bottom = ROW * len(strips) + 2
    parts = rows_axis(scale, bottom, name)
    if middle:
        start, end = scale(middle.value - middle.error), scale(middle.value + middle.error)
        parts.append(element("rect", x=start, y=0.0, width=max(end - start, 1.0), height=bottom, class_="band c0"))
        x = scale(middle.value)
        parts.append(element("line", x1=x, x2=x, y1=0.0, y2=bottom, class_="line c0"))
    for place, strip in enumerate(strips):
        y = ROW * (place + 0.5) + 1
        for mark in strip.marks:
            if mark.error:
                parts.append(whisker(scale, mark.value, mark.error, y))
            parts.append(element("circle", cx=scale(mark.value), cy=y, r=4.0, class_=f"mark {mark.kind}"))
        parts.append(label(strip.label, left - 6, y + 4, class_="end"))
        parts.append(element("text", strip.text, x=WIDTH - 2, y=y + 4, class_="end dim"))
    return figure(title, drawn(title, WIDTH, bottom + 34, *parts), *below)


def heat_map(title: str, cells: Sequence[Cell | None]) -> Html:
    """Rows of small cells; None is a gap."""
    columns, step, crosses = min(max(len(cells), 1), COLUMNS), CELL + GAP, []
    parts: list[Html] = []
    for place, cell in enumerate(cells):
        if cell is not None:
            row, column = divmod(place, columns)
            x, y = column * step, row * step
            told = element("title", cell.title)
            parts.append(element("rect", told, x=x, y=y, width=CELL, height=CELL, rx=2, class_=f"cell {cell.kind}"))
            if cell.is_crossed:
                crosses.append(f"M{number(x + 4)} {number(y + 4)}l6 6m0-6l-6 6")
    if crosses:
        parts.append(element("path", d="".join(crosses), class_="cross"))
    rows = -(-len(cells) // columns)
    width = columns * step - GAP
    drawing = drawn(title, width, rows * step - GAP, *parts)
    return element("div", drawing, class_="map", style=f"max-width:{number(width)}px")
