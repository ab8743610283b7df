"""What the tests of self-play data share: one file of it, played once."""

import pytest

from quiesce.eval.samples import open_samples
from quiesce.lab.datagen import grow_file
from tests.lab.datamade import CHUNKS, PLAN, POSITIONS, HerePool


@pytest.fixture(scope="package")
def made(tmp_path_factory):
    """The plan's file, played without interruption."""
    path, progress = grow_file(tmp_path_factory.mktemp("made"), PLAN, POSITIONS, HerePool())
    assert progress.chunks == progress.wanted == CHUNKS
    assert progress.positions == progress.played == len(open_samples(path)) >= POSITIONS
    assert progress.speed > 0
    return path
