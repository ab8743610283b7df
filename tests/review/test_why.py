"""Why a move is bad or good: the sentences, the lines, the depth, and the tree at the leaf."""

import random
from dataclasses import replace

import chess
import pytest

import quiesce
from quiesce.board.bridge import game_at, to_chess_move
from quiesce.board.game import Game
from quiesce.board.movetext import parse_move
from quiesce.board.positiontext import game_from_text
from quiesce.review.reading import read_source
from quiesce.review.why import why
from tests.conftest import run_json, run_python
from tests.oracles.sentences import wrong

from .conftest import KASPAROV_TOPALOV

SCHOLAR = "1. e4 e5 2. Bc4 Nc6 3. Qf3"
FORK = "2R5/p5pk/2p1r1q1/4p1pn/1P2Q3/P4P1P/6P1/2R4K b - - 0 1"


def told(engine, position, move, nodes=20_000):
    """What is said of a move."""
    game = game_from_text(position, False)
    return why(engine, game, parse_move(game, move), nodes)


def test_a_mate_that_is_allowed(engine):
    """The mate, its length and the depth at which it is seen; the better move has its score."""
    found = told(engine, SCHOLAR, "d6")
    assert found.sentences[0] == "d6 allows Qxf7#: it is mate in 1, seen from depth 1."
    assert found.sentences[1].endswith("(even).")
    assert found.after.relative.mate() == -1
    assert not found.leaf.legal_moves()
    assert found.quiescence is None


def test_a_piece_that_is_lost(engine):
    """What is lost and gained for it, by what means."""
    found = told(engine, "1. c4 c5 2. Nf3 d6 3. Nc3 Nf6 4. e4", "Nxe4")
    assert found.sentences[0].startswith("Nxe4 loses a knight for a pawn: after 5. Nxe4 the knight on e4 hangs")
    assert found.loss > 0.1
    assert found.motifs[0].name == "hanging piece"


def test_the_point_of_a_good_move(engine):
    """A fork that wins the queen."""
    found = told(engine, FORK, "Ng3+")
    assert "wins a queen" in found.sentences[0]
    assert "the knight forks the king on h1 and the queen on e4" in found.sentences[0]
    assert (found.loss, found.seen) == (0.0, 0)


def test_the_only_move(engine):
    """There is nothing to compare it with."""
    found = told(engine, "6kr/8/8/8/8/8/r7/7K w - - 0 1", "Kg1")
    assert found.sentences[1] == "There is no other move."


def test_the_same_question_has_the_same_answer(engine):
    """Whatever was searched before."""
    first = told(engine, FORK, "Nf4")
    told(engine, SCHOLAR, "d6")
    again = told(engine, FORK, "Nf4")
    assert (first.sentences, first.answer, first.line) == (again.sentences, again.answer, again.line)


@pytest.mark.timeout(400)
def test_the_tree_at_the_leaf():
    """The main search's line leads to the position whose tree is shown."""
    with quiesce.Engine(Hash=4) as engine:
        found = engine.why(FORK, "Nf4", nodes=5_000)
    assert found.tree.board.fen() == found.leaf.fen()
    board = chess.Board(FORK)
    for move in found.leaf.moves:
        board.push(to_chess_move(move))
    assert board.board_fen() == found.tree.board.board_fen()
    assert str(found) == " ".join(found.sentences)


def test_bad_questions():
    """An illegal move is refused with the reason."""
    with quiesce.Engine(Hash=4) as engine, pytest.raises(ValueError, match="illegal"):
        engine.why(Game().fen(), "e5")


def test_the_command():
    """Sentences and lines in the terminal, everything as JSON; a bad move is a usage error."""
    done = run_python("-m", "quiesce", "why", *SCHOLAR.split(), "d6", "--nodes", "5000", "--no-tree")
    assert "d6 allows Qxf7#: it is mate in 1" in done.stdout
    facts = run_json("-m", "quiesce", "why", "e4", "e5", "Bc4", "Nc6", "Qf3", "d6", "--nodes", "5000", "--json")
    assert (facts["move"], facts["motifs"], facts["after"]) == ("d7d6", ["mate"], {"mate": 1})
    assert run_python("-m", "quiesce", "why", "startpos", "e5").returncode == 2


def test_sentences_are_true(engine):
    """What is said of moves, good and bad, is what an oracle finds on the board; the oracle notices a lie."""
    lot, told = random.Random(3), 0
    boards = [node.parent.board() for node in read_source(KASPAROV_TOPALOV).mainline()]
    for _ in range(25):
        board = lot.choice(boards)
        game = game_at(board.copy(stack=False))
        found = why(engine, game, lot.choice(game.legal_moves()), 3_000)
        assert wrong(found) == [], str(found)
        told += " loses " in str(found) or " wins " in str(found)
    assert told >= 5
    lie = why(engine, game_from_text(FORK, False), parse_move(game_from_text(FORK, False), "Ng3+"), 20_000)
    assert wrong(lie) == []
    assert wrong(replace(lie, sentences=(lie.sentences[0].replace("queen", "rook"), lie.sentences[1])))
