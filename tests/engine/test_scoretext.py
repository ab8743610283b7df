"""A score as people read it: signs turn with each ply, and mates count moves."""

import chess
import pytest
from chess.engine import Cp, Mate, PovScore

from quiesce.engine.results import Line
from quiesce.engine.scoretext import centipawns_or_mate, mate_in, pawns, pov_score
from quiesce.search.scores import INFINITE, MATE

CASES = [
    (160, 0, 100, "+1.00"),
    (160, 1, -100, "-1.00"),
    (None, 0, None, "?"),
    (MATE - 3, 0, "#2", "#2"),
    (MATE - 3, 1, "#-1", "#-1"),
    (3 - MATE, 2, "#-1", "#-1"),
    (-MATE, 0, "#0", "#0"),
]


@pytest.mark.parametrize(("points", "ply", "number", "text"), CASES)
def test_scores_are_the_root_s_side_s(points, ply, number, text):
    """Signs turn with each ply; a mate is told in moves, the side that is mated with a minus."""
    assert centipawns_or_mate(points, ply) == number
    assert pawns(points, ply) == text


def test_an_open_end_of_a_window_is_no_score():
    """What is infinite is told as nothing."""
    assert centipawns_or_mate(INFINITE, 0) is centipawns_or_mate(-INFINITE, 3) is None


@pytest.mark.parametrize("points", [0, 35, -700, MATE - 1, MATE - 4, 2 - MATE])
def test_lines_and_python_chess_agree(points):
    """A line's mate and centipawns are those that python-chess is given."""
    line = Line(points, [], 0, 0)
    assert line.mate == mate_in(points)
    expected = Cp(line.centipawns) if line.mate is None else Mate(line.mate)
    assert pov_score(points, chess.BLACK) == PovScore(expected, chess.BLACK)
