"""Explain: the tree the trace build records is the tree the plain build searches, and it says why."""

import json

import chess
import pytest

from quiesce.board.game import Game
from quiesce.engine import Engine
from quiesce.search.reasons import REASONS
from tests.conftest import run_python

HANGING = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 0 1"


def explained(*arguments):
    """What `quiesce explain` prints."""
    done = run_python("-m", "quiesce", "explain", *arguments, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


def walk(node, board, seen):
    """Check a node and all below it; counts the searched ones."""
    seen.append(node)
    assert node["reason"] in {reason.word for reason in REASONS}
    if node["left_out"]:
        assert not node["children"]
        return
    assert node["alpha"] < node["beta"]
    assert (node["stand_pat"] is None) or not board.is_check()
    for child in node["children"]:
        move = chess.Move.from_uci(child["move"])
        assert move in board.legal_moves
        board.push(move)
        walk(child, board, seen)
        board.pop()


@pytest.mark.timeout(400)
@pytest.mark.parametrize("fen", [HANGING, "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", chess.STARTING_FEN])
def test_the_tree_is_the_search(fen):
    """Score and nodes are those of the plain build; every move is legal, every end has a reason."""
    found = json.loads(explained(fen, "--json"))
    with Engine(1) as engine:
        plain = engine.quiescence(Game(fen))
    seen = []
    walk(found["tree"], chess.Board(fen), seen)
    assert found["score"] == plain.lines[0].score
    assert sum(not node["left_out"] for node in seen) == plain.nodes
    assert found["whole"]


@pytest.mark.timeout(400)
def test_the_tree_is_drawn_with_a_sentence():
    """Moves in SAN, reasons in words, what was left out, and the answer to the reader's question."""
    text = explained(HANGING)
    assert "White to move" in text
    assert "Qxf7" in text or "Bxf7" in text
    assert "Without quiescence this counts" in text
    assert "With quiescence, after" in text
    assert "left out" in text
