"""Offshoots: positions around a game's, each with what the terms say of it."""

import numpy as np

from quiesce.board.game import Game
from quiesce.eval.evaluate import explain_eval
from quiesce.eval.evaluator import EVAL_TRACE, new_evaluator
from quiesce.eval.perturbed import MOST_RANDOM, PERTURBED, PERTURBED_SLOTS, find_perturbed
from quiesce.eval.samples import UNKNOWN
from quiesce.jit import copy_record
from quiesce.lab.datagen import DataPlan, played_chunk
from quiesce.records import new

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def test_each_has_the_value_of_the_terms(t):
    """Counted apart, from scratch; none in check, all a few moves away, and many of them different."""
    evaluator, state, trace = new_evaluator("fitted"), new(PERTURBED), new(EVAL_TRACE)
    game = Game(KIWIPETE)
    copy_record(state.walk.line[0], game.position)
    state.walk.draw, state.wanted = 7, PERTURBED_SLOTS
    count = int(find_perturbed(t, evaluator, state))
    assert PERTURBED_SLOTS // 2 < count <= PERTURBED_SLOTS
    for position, score in zip(state.found[:count], state.scores[:count], strict=True):
        assert position.checkers == 0
        assert 0 < 2 * int(position.fullmove) + int(position.turn) - 2 <= int(MOST_RANDOM)
        assert int(score) == int(explain_eval(t, evaluator, position, trace))
    assert len(set(state.found[:count]["key"].tolist())) > count // 2


def test_a_plan_may_keep_them_instead():
    """Their result is unknown, and there are many more than plies."""
    games, seen = played_chunk(DataPlan(seed=3, nodes=100, offshoots=8, chunk_positions=300), 0)
    samples = np.concatenate(games)
    assert len(samples) > 3 * seen
    assert set(samples["result"].tolist()) == {UNKNOWN}
