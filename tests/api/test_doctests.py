"""The examples in the docstrings are true."""

import doctest
import importlib

import pytest

API, BATCH = ("analysis", "engine", "functions"), ("board", "pgn", "positions")
MODULES = [
    "quiesce",
    "quiesce.batch",
    "quiesce.review.functions",
    *(f"quiesce.api.{name}" for name in API),
    *(f"quiesce.batch.{name}" for name in BATCH),
]


@pytest.mark.timeout(400)
@pytest.mark.parametrize("name", MODULES)
def test_examples(name):
    """Every example of a module gives what it says, and there is at least one."""
    found = doctest.testmod(importlib.import_module(name), optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
    assert found.attempted > 0
    assert found.failed == 0
