"""Limits of python-chess: read as it reads them, and refused with a sentence where they cannot be meant."""

import math
from decimal import Decimal

import chess
import numpy as np
import pytest
from chess.engine import Limit

from quiesce.api.limits import ending_limits_of, limits_of
from quiesce.board.game import Game
from quiesce.engine.limits import DEEPEST, NO_LIMIT

WHITE, BLACK = Game(), Game(chess.STARTING_FEN.replace(" w ", " b "))


def test_whole_numbers_may_be_written_as_floats():
    """What python-chess sends as whole numbers is one here: floats without a fraction, NumPy's, too large ones."""
    limits = limits_of(WHITE, Limit(depth=3.0, nodes=np.int64(100), mate=2.0), None)
    assert (limits.depth, limits.nodes, limits.mate) == (3, 100, 2)
    limits = limits_of(WHITE, Limit(depth=10**9, nodes=2**80, time=10**400, white_clock=1e300), None)
    assert (limits.depth, limits.nodes) == (DEEPEST, NO_LIMIT)
    assert limits.budget(0).hard < 10**9
    assert limits_of(WHITE, Limit(time=Decimal("0.25")), None).seconds == 0.25
    assert limits_of(WHITE, Limit(white_clock=1, remaining_moves=4.0), None).clock.moves_to_go == 4


@pytest.mark.parametrize(
    ("limit", "error", "sentence"),
    [
        (Limit(time=math.inf), ValueError, "time is a finite number of seconds, not inf"),
        (Limit(time=math.nan), ValueError, "time is a finite number of seconds, not nan"),
        (Limit(white_clock=math.inf), ValueError, "white_clock is a finite number"),
        (Limit(white_clock=1, white_inc=math.inf), ValueError, "white_inc is a finite number"),
        (Limit(depth=3.5), ValueError, "depth is a whole number, not 3.5"),
        (Limit(nodes=math.inf), ValueError, "nodes is a whole number, not inf"),
        (Limit(nodes="many"), TypeError, "nodes is a whole number, not 'many'"),
        (Limit(time="1"), TypeError, "time is a number of seconds, not '1'"),
        (None, TypeError, "limit is None, but this call needs one"),
        (1.5, TypeError, "a limit is a chess.engine.Limit, not float"),
        (Limit(), ValueError, "this limit ends no search: give time, depth, nodes, mate or a clock"),
        (Limit(white_inc=1, black_inc=1), ValueError, "this limit ends no search"),
        (Limit(black_clock=1), ValueError, "White is to move and only Black has a clock.*give white_clock"),
    ],
)
def test_limits_that_cannot_be_meant(limit, error, sentence):
    """A search that is waited for is refused with a sentence rather than begun."""
    with pytest.raises(error, match=sentence):
        ending_limits_of(WHITE, limit, None)


def test_a_clock_counts_for_its_own_side():
    """A clock of the side that waits ends nothing; beside another limit, or unwaited, it does no harm."""
    limit = Limit(white_clock=1, white_inc=0)
    assert ending_limits_of(WHITE, limit, None).clock.left == 1_000
    with pytest.raises(ValueError, match="Black is to move and only White has a clock"):
        ending_limits_of(BLACK, limit, None)
    assert ending_limits_of(BLACK, Limit(white_clock=1, depth=3), None).depth == 3
    assert limits_of(BLACK, limit, None).clock is None
