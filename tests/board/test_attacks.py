"""Tables and attack sets against python-chess and against rays walked square by square."""

import random

import chess
import pytest

from quiesce.board.attacks import bishop_attacks, piece_attacks, rook_attacks
from quiesce.board.bits import capture_east, capture_west, forward
from quiesce.board.geometry import BISHOP_STEPS, ROOK_STEPS, ray
from quiesce.board.types import BISHOP, BLACK, KING, KNIGHT, QUEEN, ROOK, WHITE, u64


def walked(square, steps, occupied):
    """Squares a slider reaches, one step at a time."""
    reached = 0
    for step in steps:
        for met in ray(square, step):
            reached |= 1 << met
            if occupied >> met & 1:
                break
    return reached


@pytest.mark.parametrize("square", range(64))
def test_sliders(t, square):
    """Magic look-ups equal a walk along the rays, on sparse and dense boards."""
    choice = random.Random(square)
    for _ in range(200):
        occupied = choice.getrandbits(64) & choice.getrandbits(64) & (choice.getrandbits(64) | choice.getrandbits(64))
        assert int(rook_attacks(t, u64(square), u64(occupied))) == walked(square, ROOK_STEPS, occupied)
        assert int(bishop_attacks(t, u64(square), u64(occupied))) == walked(square, BISHOP_STEPS, occupied)


@pytest.mark.parametrize("kind", [KNIGHT, BISHOP, ROOK, QUEEN, KING])
def test_pieces_on_an_empty_board(t, kind):
    """Each kind attacks from each square what python-chess says."""
    for square in chess.SQUARES:
        board = chess.Board(None)
        board.set_piece_at(square, chess.Piece(int(kind) + 1, chess.WHITE))
        assert int(piece_attacks(t, kind, u64(square), u64(0))) == int(board.attacks(square))


def test_pawn_captures_and_pushes(t):
    """Pawn tables and the shifts of whole sets agree with python-chess."""
    for square in range(8, 56):
        for colour in (WHITE, BLACK):
            white = bool(colour == WHITE)
            expected = chess.BB_PAWN_ATTACKS[white][square]
            assert int(t.pawns[colour, square]) == expected
            here = u64(1 << square)
            assert int(capture_west(here, colour) | capture_east(here, colour)) == expected
            assert int(forward(here, colour)) == 1 << (square + (8 if white else -8))


def test_lines_between_squares(t):
    """`between` and `line` are python-chess's, but that a line includes no single square."""
    for one in chess.SQUARES:
        for other in chess.SQUARES:
            if one != other:
                assert int(t.between[one, other]) == chess.between(one, other)
                assert int(t.line[one, other]) == chess.ray(one, other)
