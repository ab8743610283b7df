"""Positions that all batch tests share."""

import pytest

from quiesce import batch
from tests.batch.boards import mixed_boards


@pytest.fixture(scope="session")
def boards():
    """Boards of random games of all kinds, mates and stalemates among them."""
    return mixed_boards()


@pytest.fixture(scope="session")
def positions(boards):
    """The same as an array."""
    return batch.from_boards(boards)
