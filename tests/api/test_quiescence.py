"""Quiescence for programs: traced and plain answers agree, the tree is legal, pictures say what they omit."""

import xml.etree.ElementTree as ET

import chess
import pytest

import quiesce
from quiesce.search.reasons import REASONS
from tests.oracles import randomplay

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
CASTLED = "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K2R w H - 0 1"
EXPLOSIVE = "q2q3k/1q2q1pp/2q2q2/3q4/3Q4/2Q2Q2/PP1Q2Q1/K3Q2Q w - - 0 1"
PRUNING = ("Delta", "Futility", "ExchangeFutility", "SEE", "MoveCount", "TT")
WILD = {f"QSearch{name}": False for name in PRUNING} | {"EvalMode": "classical"}
TRACED = 1 << 16
"""Nodes and moves a trace has room for."""
CHECK = "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1"


@pytest.fixture(scope="module")
def engine():
    """One engine for all, which asks one tracing process."""
    with quiesce.Engine({"Hash": 1}) as made:
        yield made


@pytest.mark.timeout(400)
def test_traced_and_plain_agree(engine):
    """Score, line and every counter are the same in both builds, and the tree has as many nodes as were counted."""
    boards = [chess.Board(fen) for fen in (KIWIPETE, CHECK, chess.STARTING_FEN)]
    for board in [*boards, *randomplay.boards(seed=11, count=20)]:
        plain, traced = engine.qsearch(board), engine.qsearch(board, trace=True)
        assert (traced.score, traced.static, traced.pv) == (plain.score, plain.static, plain.pv)
        assert traced.counters == plain.counters
        assert traced.summary == plain.summary
        assert plain.tree is None
        assert traced.is_whole
        assert traced.tree.size == traced.nodes
        assert traced.tree.score == traced.score
        assert (plain.static is None) == board.is_check()


@pytest.mark.timeout(400)
def test_the_tree_is_legal_and_reasoned(engine):
    """Every move is legal on its parent's board, every node has a known reason, what is left out has no children."""
    found = engine.qsearch(KIWIPETE, trace=True)
    words = {reason.word for reason in REASONS}
    nodes = list(found.tree.walk())
    for node in nodes:
        assert node.reason in words
        assert node.meaning
        if node.parent is not None:
            assert node.move in node.parent.board.legal_moves
            assert node.san == node.parent.board.san(node.move)
        if node.is_left_out:
            assert node.children == []
            assert node.score is None
        else:
            assert node.alpha < node.beta
    assert sum(not node.is_left_out for node in nodes) == found.nodes


@pytest.mark.timeout(400)
def test_options_reach_the_trace(engine):
    """Switches given to the call or to the engine change the tree as they change the plain search."""
    off = {"QSearchSEE": False}
    assert engine.qsearch(KIWIPETE, trace=True, options=off).counters == engine.qsearch(KIWIPETE, options=off).counters
    assert quiesce.explain(KIWIPETE, off).nodes == engine.qsearch(KIWIPETE, options=off).nodes


@pytest.mark.timeout(400)
def test_pictures_say_what_they_leave_out(engine):
    """Text, HTML and SVG are bounded; the SVG is well-formed and counts what is missing."""
    tree = engine.qsearch(KIWIPETE, trace=True).tree
    everything = sum(1 for _ in tree.walk())
    assert everything > 40
    picture = ET.fromstring(tree.svg(most=20))
    titles = [item for item in picture.iter() if item.tag.endswith("title")]
    assert len(titles) == 20
    assert f"{everything - 20} of {everything}" in tree.svg(most=20)
    whole = ET.fromstring(tree.svg(most=everything))
    assert sum(item.tag.endswith("title") for item in whole.iter()) == everything
    assert len(list(tree.lines(plies=1, moves=3))) == 5 + sum(bool(child.children) for child in tree.children[:3])
    assert tree.html(plies=1, moves=3).count("<details") == 1
    assert str(tree).startswith("White to move")


@pytest.mark.timeout(400)
def test_explain_shows_itself():
    """Printed it is the tree and a sentence; in a notebook board, sentence and tree."""
    found = quiesce.explain("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1")
    assert "exd5" in str(found)
    assert "With quiescence, after" in str(found)
    assert found.end.fen() == "4k3/8/8/3P4/8/8/8/4K3 b - - 0 1"
    html = found._repr_html_()
    assert "<svg" in html
    assert "<details" in html


@pytest.mark.timeout(400)
def test_errors_come_back_from_the_tracer(engine):
    """What the other process refuses is raised here, and it answers the next question."""
    with pytest.raises(ValueError, match="no-such-set"):
        quiesce.explain(KIWIPETE, weights="no-such-set")
    assert engine.qsearch(CHECK, trace=True).nodes > 0


@pytest.mark.timeout(400)
def test_a_tree_too_large_is_cut_and_says_so(engine):
    """An explosion is kept up to its bound; words, counters and pictures tell what is missing, and soon."""
    found = engine.qsearch(EXPLOSIVE, trace=True, options=WILD)
    assert not found.is_whole
    assert found.tree.total == TRACED
    assert found.tree.size < found.nodes
    assert f"{found.tree.size} of {found.nodes} nodes" in str(found)
    assert "no room for more" in found._repr_html_()
    assert len(found._repr_html_()) < 1_000_000
    assert f"{TRACED - 200} of {TRACED}" in found.tree.svg()
    assert found.counters == engine.qsearch(EXPLOSIVE, options=WILD).counters


@pytest.mark.timeout(400)
def test_chess960_lines_are_written_so(engine):
    """A Chess960 position stays one in board, line and tree."""
    board = chess.Board(CASTLED, chess960=True)
    found = engine.qsearch(board, trace=True)
    assert found.board.chess960
    assert found.tree.board.chess960
    assert engine.qsearch(CASTLED).board.chess960
