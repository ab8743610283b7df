"""One search from start to answer: what a ponder hit changes."""

import time

from quiesce.board.game import Game
from quiesce.engine import Engine, Limits, clock
from quiesce.engine.clock import Clock
from quiesce.search.tt import BOUND_EXACT

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def test_a_ponder_hit_after_the_time_is_due_ends_the_search(monkeypatch):
    """The time was used up in the opponent's: the move comes at once, not after one more iteration, however long."""
    monkeypatch.setattr(clock, "MOVES_AHEAD", 1_000_000)  # due after the first iteration
    monkeypatch.setattr(clock, "HARD_FACTOR", 1_000_000)  # and far from the end
    told = []
    with Engine(8) as engine:
        engine.set_position(Game(KIWIPETE))
        engine.go(Limits(clock=Clock(600_000), is_ponder=True), told.append)
        while not told or told[-1].depth < 11:
            time.sleep(0.01)
        reached = told[-1].depth
        engine.ponder_hit()
        engine.wait()
    finished = [report.depth for report in told if report.lines[0].bound == BOUND_EXACT]
    assert max(finished) == reached
