"""The debug build: every invariant holds at every node, and a broken one is caught."""

import pytest

from tests.conftest import SHARED, run_python

RUN = """
import sys
from pathlib import Path
import chess
from quiesce.board.game import Game
from quiesce.engine import Engine, Limits
from quiesce.jit import DEBUG
assert DEBUG
folder, count = Path({folder!r}), 0
with Engine(4) as engine:
    for name in ("suites/wac", "suites/zugzwang", "edge/grief", "edge/stalemate_prone", "games/positions"):
        path = folder / f"{{name}}.epd"
        for line in path.read_text("utf-8").splitlines()[:120] if path.exists() else []:
            board = chess.Board(" ".join(line.split()[:4]) + " 0 1")
            if board.is_valid() and any(board.legal_moves):
                engine.search(Game(board.fen()), Limits(nodes=4_000), multi_pv=1 + count % 3)
                count += 1
    for fen in {fens!r}:
        engine.search(Game(fen), Limits(nodes=20_000))
        count += 1
print(count)
"""
FENS = (
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
)


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_nothing_is_broken_over_suites():
    """Hundreds of searches of suites, endings and nasty positions with all assertions on."""
    done = run_python("-c", RUN.format(folder=str(SHARED), fens=FENS), QUIESCE_DEBUG="1", timeout=1100)
    assert done.returncode == 0, done.stderr[-2000:]
    assert int(done.stdout) >= len(FENS)


BROKEN = """
import numpy as np
from quiesce.board.game import Game
from quiesce.board.tables import tables
from quiesce.search import invariants
from quiesce.engine.limits import NO_LIMIT
from quiesce.search.deepen import prepare_search
from quiesce.search.worker import FRAMES_BEFORE, new_worker, set_root
def caught(change, *window):
    copy = new_worker()
    set_root(copy, Game())
    prepare_search(copy, tables(), NO_LIMIT, 1)
    change(copy)
    try:
        invariants.assert_node(copy, 0, *window)
    except AssertionError as error:
        return str(error)
    return ""
print(caught(lambda c: None, -5, 5) == "", "window" in caught(lambda c: None, 5, 5))
def key(c): c.path.keys[c.root_index] = 1
def psqt(c): c.evaluator.accumulators[0].psqt = 77
print("path" in caught(key, -5, 5), "PSQT" in caught(psqt, -5, 5))
"""


def test_broken_nodes_are_caught():
    """A false window, path or PSQT raises, a sound node does not."""
    done = run_python("-c", BROKEN, timeout=200)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.split() == ["True"] * 4
