"""The process that traces: it answers as we would, hands back errors, and is replaced when it dies."""

import pytest

from quiesce.board.game import Game
from quiesce.board.movetext import move_to_uci
from quiesce.search.explain import quiesce
from quiesce.search.params import OptionError
from quiesce.search.tracer import Tracer, TracerError, tracer

CHECK = "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1"


@pytest.mark.timeout(400)
def test_a_tracer_that_died_is_replaced():
    """Its end is told once; the next question starts another, and closing ends it."""
    mine = Tracer()
    assert mine.explain(Game(CHECK)).root.size > 0
    mine._child.kill()
    mine._child.wait()
    with pytest.raises(TracerError):
        mine.explain(Game(CHECK))
    assert mine.explain(Game(CHECK)).root.size > 0
    child = mine._child
    mine.close()
    assert child.poll() is not None
    assert tracer() is tracer()


@pytest.mark.timeout(400)
def test_moves_and_options_reach_it():
    """The position after moves is searched with the options given; a bad one is refused, the next question answered."""
    game = Game()
    for move in ("e2e4", "d7d5"):
        game.push(next(own for own in game.legal_moves() if move_to_uci(own) == move))
    options = {"QSearchFutility": 0}
    found, plain = tracer().explain(game, options), quiesce(game, options)
    assert (found.score, found.line, found.counters) == (plain.score, plain.line, plain.counters)
    with pytest.raises(OptionError):
        tracer().explain(game, {"QSearchMaxPly": 10_000})
    assert tracer().explain(Game(CHECK)).root.size > 0
