"""What is said of a technique at the code is what was measured."""

import ast
import re

import pytest

from quiesce.cachekey import PACKAGE
from quiesce.search.params import TECHNIQUES, field_name

PAGES = PACKAGE.parent.parent / "docs" / "explanation"
FIGURE = r"[+-]?\d+(?:\.\d)? ± \d+(?:\.\d)?"
UNMEASURED = "not measured"


def functions():
    """Every compiled function of the search by the switches that it reads, with its docstring."""
    for path in sorted((PACKAGE / "search").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                read = {
                    item.attr
                    for item in ast.walk(node)
                    if isinstance(item, ast.Attribute)
                    and isinstance(item.value, ast.Attribute)
                    and item.value.attr == "params"
                }
                yield node.name, read, ast.get_docstring(node) or ""


FUNCTIONS = list(functions())
LINES = [line for page in ("measured.md", "log.md") for line in (PAGES / page).read_text(encoding="utf-8").splitlines()]


def measured(name):
    """The figures of the lines that name a technique, most of them rows of a table."""
    lines = [at for at, line in enumerate(LINES) if re.search(rf"\b{name}\b", line)]
    return {figure for at in lines for figure in re.findall(FIGURE, LINES[at])}


def worth(doc):
    """The part of a docstring that says what a technique is worth, in one line."""
    found = re.search(r"^Worth: (.*?)(?=^Test: |\Z)", doc, re.MULTILINE | re.DOTALL)
    return " ".join(found[1].split()) if found else ""


@pytest.mark.parametrize("name", [technique.name for technique in TECHNIQUES])
def test_each_technique_says_what_it_is_worth(name):
    """A function that reads the switch says why, what was measured and which test; the figures stand in the pages."""
    docs = [doc for _, read, doc in FUNCTIONS if field_name(name) in read and re.search(rf"\b{name}\b", worth(doc))]
    assert docs, f"no function that reads {field_name(name)} says what {name} is worth"
    for doc in docs:
        assert "Why: " in doc
        assert "Test: tests/" in doc
        told = re.search(rf"\b{name} (.*?)(?=(?:,| and|;) [A-Z]|$)", worth(doc))[1]
        figures = set(re.findall(FIGURE, told))
        assert figures <= measured(name), f"{name}: {figures} are not in docs/explanation"
        assert bool(figures) != (UNMEASURED in told), told
        assert figures or not measured(name), f"{name} was measured: {measured(name)}"


def test_each_test_named_exists():
    """What a docstring calls its test is there."""
    for name, _, doc in FUNCTIONS:
        for path, test in re.findall(r"^Test: (tests/\S+?\.py)(?:::(\w+))?$", doc, re.MULTILINE):
            text = (PACKAGE.parent.parent / path).read_text(encoding="utf-8")
            assert not test or f"def {test}(" in text, f"{name}: {path}::{test}"
