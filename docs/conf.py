"""How Sphinx builds these pages: `make docs`. They are plain Markdown, and read as well where nothing is built."""

import re

project = "Quiesce"
author = "the Quiesce developers"
project_copyright = "the Quiesce developers, GPL-3.0-or-later"
extensions = ["myst_parser"]
myst_heading_anchors = 3
html_theme = "furo"
html_title = "Quiesce"
html_copy_source = False
html_show_sphinx = False
exclude_patterns = ["_build"]

SECTION = re.compile(r"^## (.+)$", re.MULTILINE)
LINK = re.compile(r"\]\(([\w/-]+)\.md\)")


def contents_of(text: str) -> str:
    """Hidden tables of contents, one a section, made of the links in the sections of the first page."""
    _, *parts = SECTION.split(text)
    tables = [
        "\n".join(["```{toctree}", ":hidden:", f":caption: {title}", "", *LINK.findall(section), "```", ""])
        for title, section in zip(parts[::2], parts[1::2], strict=True)
    ]
    return "\n".join(tables)


def add_contents(app: object, name: str, source: list[str]) -> None:  # noqa: ARG001  (Sphinx calls it so)
    """Give the first page its tables of contents; a page it does not name is a warning, so none is forgotten."""
    if name == "index":
        source[0] += "\n" + contents_of(source[0])


def setup(app: object) -> None:
    """What Sphinx calls first."""
    app.connect("source-read", add_contents)  # type: ignore[attr-defined]
