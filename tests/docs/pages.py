"""The pages people read, and what of them can be run: blocks by language, commands in blocks and in sentences."""

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

from quiesce.cachekey import PACKAGE

ROOT = PACKAGE.parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SENTENCE = re.compile(r"`((?:quiesce|make|pip|dask|git|python|\.venv/bin/\w+) [^`\n]+)`")
PROMPT = "$ "
SHELL = "sh"
SHOWN = ("console", "text")
"""Languages of blocks in which commands stand behind a prompt, before what they print."""


@dataclass(frozen=True)
class Command:
    """A command line and the page that tells it."""

    page: Path
    line: str

    @property
    def name(self):
        """For the list of tests."""
        return f"{self.page.name}: {self.line[:60]}"


def blocks(page, language):
    """Texts of a page's blocks in a language."""
    return [text for found, text in BLOCK.findall(page.read_text(encoding="utf-8")) if found == language]


def pieces(page):
    """A page's blocks in order, each with its language and what stands between it and the one before."""
    text, end = page.read_text(encoding="utf-8"), 0
    for found in BLOCK.finditer(text):
        yield found[1], found[2], text[end : found.start()].strip()
        end = found.end()


def is_made(page):
    """Is it made from the code, so that the code's own tests hold it to the truth?"""
    return "made by tools/write_reference.py" in page.read_text(encoding="utf-8")


def in_blocks(page):
    """Command lines of a page's blocks."""
    for text in blocks(page, SHELL):
        yield from (line for line in text.splitlines() if line and not line.startswith("#"))
    for language in SHOWN:
        for text in blocks(page, language):
            yield from (line.removeprefix(PROMPT) for line in text.splitlines() if line.startswith(PROMPT))


def in_sentences(page):
    """Command lines a page tells between backticks."""
    yield from SENTENCE.findall(BLOCK.sub("", page.read_text(encoding="utf-8")))


def commands(source):
    """Every command line that `source` finds on any page, once, in their order."""
    found = [Command(page, line) for page in PAGES if not is_made(page) for line in source(page)]
    return list({command.line: command for command in found}.values())


def stages(line):
    """The programs a line starts, in turn or joined by a pipe, as words; variables set before them are dropped."""
    words = shlex.split(line, comments=True)
    while words:
        ends = [index for index, word in enumerate(words) if word in ("|", "&&")] or [len(words)]
        stage, words = words[: ends[0]], words[ends[0] + 1 :]
        while stage and re.fullmatch(r"[A-Z_]+=\S*", stage[0]):
            stage = stage[1:]
        yield stage
