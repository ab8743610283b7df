"""The loops that batches are measured beside do the same work: every answer is the batch's."""

import io

import numpy as np
import pytest

from quiesce import batch
from tests.batch.boards import mixed_boards
from tools import chess_loops


@pytest.fixture(scope="module")
def boards():
    """Boards of random games of all kinds."""
    return mixed_boards()


@pytest.fixture(scope="module")
def rows(boards):
    """The same as an array."""
    return batch.from_boards(boards)


def test_exchanges(boards, rows):
    """Every legal move of every board is worth what the batch says."""
    pairs = [(index, move) for index, board in enumerate(boards) for move in board.legal_moves]
    values = batch.see(rows[[index for index, _ in pairs]], [move for _, move in pairs])
    assert values.tolist() == [chess_loops.exchange(boards[index], move) for index, move in pairs]


def test_quietness(boards, rows):
    """The same boards are quiet."""
    assert batch.is_quiet(rows).tolist() == [chess_loops.is_quiet(board) for board in boards]


def test_inputs_and_planes(boards, rows):
    """The same inputs are on, in whatever order, and the planes are alike."""
    sparse, planes = batch.features(rows), batch.features(rows, "planes")
    for index, board in enumerate(boards):
        ours = np.sort(np.stack([sparse.mover[index], sparse.other[index]]))
        assert (ours == np.sort(chess_loops.inputs(board))).all()
        assert (planes[index] == chess_loops.planes(board)).all()


def test_files():
    """A file's games have the same positions."""
    text = "1. e4 e5 (1... c5) 2. Nf3 *\n\n1. d4 *\n"
    fens = [board.fen(en_passant="legal") for board in chess_loops.positions(text)]
    assert batch.to_fens(batch.from_pgn(io.StringIO(text)).positions) == fens
