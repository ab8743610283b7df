"""What the tests of the search share."""

import pytest

from tests.search.workers import worker_at


@pytest.fixture
def w(t):
    """A worker with Kiwipete at ply 0 and at PLY, and evaluations in its frames."""
    return worker_at(t)
