"""`import quiesce`: light, complete, typed."""

import importlib
from pathlib import Path

import pytest

import quiesce
from tests.conftest import run_json

HEAVY = (
    "import json, sys, quiesce; print(json.dumps(sorted({'numpy', 'numba', 'chess', 'llvmlite'} & set(sys.modules))))"
)


def test_importing_is_light():
    """Nothing heavy is loaded by the import, nor by looking at what there is."""
    assert run_json("-c", HEAVY) == []
    assert run_json("-c", HEAVY.replace("; print", "; dir(quiesce); print")) == []


@pytest.mark.parametrize("name", quiesce.__all__)
def test_every_name_is_there(name):
    """All that `__all__` promises can be had, and shows itself in `dir`."""
    assert getattr(quiesce, name) is not None
    assert name in dir(quiesce)


def test_unknown_names_are_refused():
    """What is not there is an AttributeError, so that `hasattr` and submodules work."""
    assert not hasattr(quiesce, "no_such_name")
    assert importlib.import_module("quiesce.records") is quiesce.records


def test_is_typed():
    """Type checkers are told that there are types."""
    assert (Path(quiesce.__file__).parent / "py.typed").exists()
