"""`quiesce explain` as people see it: counts of what is folded, options that leave nothing, words kept whole."""

import chess
import pytest
from click.testing import CliRunner
from rich.tree import Tree as RichTree

import quiesce
import quiesce.cli.console as console_module
from quiesce.board.bridge import from_chess_move
from quiesce.board.game import Game
from quiesce.cli import cli
from quiesce.cli.explain import add_branches
from quiesce.trace.explain import sentence
from quiesce.trace.node import Node
from quiesce.trace.tree import Tree
from quiesce.trace.tree import drawn as drawn_part
from tests.cli.screen import Screen, console_on

ROOK_AND_QUEEN = "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1"


def node(move, *children, reason="all_tried", is_skip=False):
    """A node with a score of nothing."""
    return Node(move, -1, 1, 0, 0, reason, is_skip, list(children))


def drawn(root, board, depth):
    """A tree as text."""
    screen, shown = Screen(120, 40), RichTree("root")
    add_branches(shown, drawn_part(Tree(board, root), depth, 8, apart=True))
    console_on(screen).print(shown)
    return "\n".join(screen.rows)


def test_what_is_folded_is_counted():
    """Nodes and moves left out below what is not drawn, each in the right number; never no nodes."""
    board = chess.Board(ROOK_AND_QUEEN)
    take = from_chess_move(Game(ROOK_AND_QUEEN), chess.Move.from_uci("e4d5"))
    skip = node(take, reason="exchange", is_skip=True)
    assert "... 1 move left out" in drawn(node(0, node(take, skip)), board, 1)
    text = drawn(node(0, node(take, node(take), skip, skip)), board, 1)
    assert "... 1 node folded, 2 moves left out" in text
    assert "... 2 nodes folded" in drawn(node(0, node(take, node(take, node(take)))), board, 1)
    wide = drawn(node(0, *[node(take)] * 9), board, 1)
    assert "... 1 more move, 1 node\n" in wide.replace(" \n", "\n") + "\n"


def test_one_position_is_singular():
    """The sentence counts as people do."""
    assert "after 1 position, it" in sentence(Game(), 0, 0, [], 1)
    assert "after 2 positions, it" in sentence(Game(), 0, 0, [], 2)


@pytest.mark.parametrize("value", ["0", "false"])
def test_without_quiescence_there_is_nothing_to_explain(value):
    """The option that switches it off is refused with a sentence, by the command and in Python."""
    done = CliRunner().invoke(cli, ["explain", "--option", f"UseQuiescence={value}"])
    assert done.exit_code == 2
    assert "UseQuiescence is off" in done.output
    with pytest.raises(ValueError, match="UseQuiescence is off"):
        quiesce.explain(ROOK_AND_QUEEN, {"UseQuiescence": False})


def test_words_are_kept_whole(monkeypatch):
    """A terminal breaks between words; a pipe gets the line as it is."""
    words = "Without quiescence this counts +0.41 for White, as it stands. With quiescence, after 4 positions"
    screen = Screen(80, 10)
    monkeypatch.setattr(console_module, "out", console_on(screen, soft_wrap=True))
    console_module.print_words(words)
    shown = [row.strip() for row in screen.rows if row.strip()]
    assert len(shown) == 2
    assert " ".join(shown) == words
