"""Interior nodes: noted only where they are asked for, out of check, with a quiet best move; newest first."""

import numpy as np
import pytest

from quiesce.board.fen import write_fen
from quiesce.board.game import Game
from quiesce.board.types import NO_MOVE
from quiesce.engine.limits import NO_LIMIT
from quiesce.engine.table import Table
from quiesce.records import new
from quiesce.search.arena import ARENA
from quiesce.search.deepen import prepare_search, search_iteration
from quiesce.search.interior import INTERIOR_DEPTH, is_interior_wanted, note_interior, take_interior
from quiesce.search.scores import DRAW
from quiesce.search.worker import INTERIOR_SLOTS, MAX_PLY, new_worker, set_root
from tests.search.workers import KIWIPETE, PLY, move_of

MIDDLE = "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 0 9"
FENS = (KIWIPETE, MIDDLE)
QUIET = move_of("a2a3")


def searched(t, fen, interior_depth, depth=7):
    """A worker after a search that was asked to note interior nodes of a depth."""
    worker, table = new_worker(), Table(1)
    set_root(worker, Game(fen))
    worker.interior_depth = interior_depth
    prepare_search(worker, t, NO_LIMIT, 1)
    for iteration in range(1, depth + 1):
        search_iteration(worker, t, table.record, iteration)
    return worker


def noted(worker):
    """What its ring holds."""
    return np.asarray(worker.interior[: min(int(worker.interior_count), INTERIOR_SLOTS)])


@pytest.mark.parametrize("fen", FENS)
def test_noting_changes_no_search(t, fen):
    """The same nodes, move, score and line with it and without; nothing is noted unless it is asked for."""
    plain, noting = searched(t, fen, 0), searched(t, fen, INTERIOR_DEPTH)
    assert plain.nodes == noting.nodes
    assert plain.roots[0].tobytes() == noting.roots[0].tobytes()
    assert plain.interior_count == 0
    assert noting.interior_count > 0


@pytest.mark.parametrize("fen", FENS)
def test_what_is_noted_can_be_learnt_from(t, fen):
    """Legal positions below the root, out of check, their score no draw's; a greater depth notes fewer."""
    worker = searched(t, fen, INTERIOR_DEPTH)
    for node in noted(worker):
        game = Game(write_fen(node["position"]))
        assert not game.is_check
        assert game.legal_moves()
        assert game.position.key != Game(fen).position.key
        assert node["score"] != DRAW
    assert searched(t, fen, INTERIOR_DEPTH + 2).interior_count < worker.interior_count


def test_which_nodes_are_wanted(w):
    """Those below the root, deep enough, with a best move and no draw's score; none while it is off."""
    w.interior_depth = INTERIOR_DEPTH
    assert is_interior_wanted(w, PLY, QUIET, 15, INTERIOR_DEPTH)
    assert not is_interior_wanted(w, 0, QUIET, 15, INTERIOR_DEPTH)
    assert not is_interior_wanted(w, PLY, NO_MOVE, 15, INTERIOR_DEPTH)
    assert not is_interior_wanted(w, PLY, QUIET, DRAW, INTERIOR_DEPTH)
    assert not is_interior_wanted(w, PLY, QUIET, 15, INTERIOR_DEPTH - 1)
    w.interior_depth = 0
    assert not is_interior_wanted(w, PLY, QUIET, 15, MAX_PLY)


def test_the_newest_are_taken_each_position_once(w):
    """The ring holds the last; of a position noted twice the newer score is taken."""
    game = new(ARENA)
    for score in range(1, INTERIOR_SLOTS + 4):
        w.stack[PLY].key = score // 2
        note_interior(w, PLY, score)
    assert w.interior_count == INTERIOR_SLOTS + 3
    assert take_interior(w, game.interior, 5, 3) == 8
    assert game.interior[5:8]["score"].tolist() == [35, 33, 31]
    assert take_interior(w, game.interior, 0, 10**3) == INTERIOR_SLOTS // 2
    w.interior_count = 0
    assert take_interior(w, game.interior, 7, 3) == 7
