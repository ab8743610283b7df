"""Engines of the tests' own, and plans with them."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from quiesce.lab.match.engines import EngineSpec
from quiesce.lab.match.plan import MatchPlan
from quiesce.lab.match.referee import Adjudication, Control

MOCK = Path(__file__).parent / "mockengine.py"
SHORT = Adjudication(draw_moves=0, win_moves=0, longest=12)


def mock(behaviour="good", ply=0, salt=""):
    """A scripted engine."""
    return EngineSpec(f"{behaviour}{salt}", (sys.executable, str(MOCK), behaviour, str(ply), salt))


def plan_with(engine1, engine2, **changes):
    """A short plan at fixed nodes."""
    return replace(MatchPlan(engine1, engine2, Control(nodes=1), adjudication=SHORT, pairs=3, concurrency=2), **changes)


@pytest.fixture
def mocks():
    """Two good players that differ."""
    return mock(salt="a"), mock(salt="b")
