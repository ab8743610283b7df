"""The tree and the part of it that is drawn: bounds, what is hidden counted, and every renderer's view of the same."""

import chess
import pytest

from quiesce.board.bridge import from_chess_move
from quiesce.board.game import Game
from quiesce.search.reasons import REASONS
from quiesce.trace.explain import Explanation
from quiesce.trace.node import Node
from quiesce.trace.rows import explanation_facts, tree_rows
from quiesce.trace.tree import Tree, drawn

ROOK_TAKES = "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1"


def node(move, *children, reason="all_tried", is_skip=False):
    """A made-up node."""
    return Node(move, -100, 100, 0, 0, reason, is_skip, list(children))


def moves_of(places):
    """The moves of what is drawn."""
    return [place.tree.node.move for place in places]


class Still(Tree):
    """A node whose moves are only numbers."""

    @property
    def children(self):
        """The same of those below."""
        return [Still(self._board, child, self) for child in self.node.children]


def test_upper_plies_are_drawn_first():
    """A bounded tree holds whole plies from the top; the rest is counted."""
    deep = node(3, node(4), node(5), node(6))
    root = Still(chess.Board(), node(0, node(1, deep), node(2)))
    assert root.total == 7
    top = drawn(root, most=5)
    assert moves_of(top.children) == [1, 2]
    [place] = top.children[0].children
    assert moves_of(place.children) == [4]
    assert place.hidden_total == place.hidden_size == 2
    assert top.hidden_total == 0


@pytest.mark.parametrize(("plies", "moves", "hidden"), [(0, 9, [1, 2, 3]), (1, 9, []), (1, 2, [3])])
def test_plies_and_moves_are_bounds(plies, moves, hidden):
    """Below the last ply nothing is drawn, and of each node no more moves than asked for."""
    top = drawn(Still(chess.Board(), node(0, node(1, node(4)), node(2), node(3))), plies, moves)
    assert [item.move for item in top.hidden] == hidden
    assert all(not place.children for place in top.children) == (plies < 2)


def test_moves_left_out_can_be_counted_apart():
    """With one of each kind asked for, the first that was tried and the first that was not are drawn, in order."""
    skip = {"reason": "exchange", "is_skip": True}
    root = Still(chess.Board(), node(0, node(1, **skip), node(2), node(3, **skip), node(4)))
    assert moves_of(drawn(root, moves=1).children) == [1]
    assert moves_of(drawn(root, moves=1, apart=True).children) == [1, 2]


def test_renderers_draw_the_same_part():
    """Text, HTML, SVG and rows name the same moves, and count what they hide."""
    game = Game(ROOK_TAKES)
    take = from_chess_move(game, chess.Move.from_uci("e4d5"))
    tree = Tree(chess.Board(ROOK_TAKES), node(0, node(take), node(take), node(take)))
    text, html = "\n".join(tree.lines(1, 2)), tree.html(1, 2)
    assert text.count("exd5") == html.count("exd5") == 2
    assert "... 1 more move, 1 node" in text
    assert "... 1 more move" in html
    assert tree.svg(3).count("exd5 +0.00") == 2
    assert "1 of 4 nodes and moves left out are not drawn" in tree.svg(3)
    rows = tree_rows(drawn(tree, most=3))
    assert [row[2] for row in rows] == ["", "exd5", "exd5"]
    assert rows[0][-1] == 1


def test_rows_need_no_process():
    """A made-up explanation is written as one made by the search would be."""
    game = Game("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1")
    [move] = [move for move in game.legal_moves() if (move & 63) == 12 or (move >> 6) & 63 == 12][:1]
    counters = {f"q_{reason.word}": 0 for reason in REASONS} | {"qnodes": 2, "nodes": 2}
    found = Explanation(game, None, 5, [move], counters, node(0, node(move)), True)
    facts = explanation_facts(found)
    assert facts["line"] == ["Kxe2"]
    assert [row[2] for row in facts["rows"]] == ["", "Kxe2"]
    assert explanation_facts(found, 1)["left_out"] == "1 of 2 steps are shown, upper plies first"
