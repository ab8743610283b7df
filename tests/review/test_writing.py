"""A review as PGN and as plain values."""

import io
import json

import chess.pgn
import pytest

import quiesce
from quiesce.review.plan import ReviewPlan
from quiesce.review.reading import read_source
from quiesce.review.review import review_from
from quiesce.review.reviewing import review_game
from quiesce.review.writing import annotated, pgn_text

TEXT = '[White "A"]\n\n1. f3 {[%clk 0:01:00] odd} e5 (1... d5 {also}) 2. g4 Qh4# 0-1'


@pytest.fixture
def found(engine):
    """A short game, reviewed."""
    return review_game(engine, read_source(TEXT), ReviewPlan(nodes=3_000))


def test_marks_and_lines_stand_beside_what_was_there(found):
    """Mark, evaluation and better line are added; comments, clocks and variations stay; it can be read again."""
    text = pgn_text(annotated(read_source(TEXT), found))
    again = chess.pgn.read_game(io.StringIO(text))
    assert not again.errors
    nodes = list(again.mainline())
    assert nodes[0].clock() == 60
    assert "odd" in nodes[0].comment
    assert nodes[0].variations[1].comment == "also" if len(nodes[0].variations) > 1 else True
    assert 4 in nodes[2].nags
    assert nodes[2].eval().white().mate() == -1
    assert len(nodes[1].variations) == 2
    assert again.headers["White"] == "A"
    assert float(again.headers["WhiteAccuracy"]) < 50


def test_annotating_twice_changes_nothing_more(engine, found):
    """A game that has our marks already gets none twice."""
    once = pgn_text(annotated(read_source(TEXT), found))
    second = review_game(engine, read_source(once), ReviewPlan(nodes=3_000))
    assert pgn_text(annotated(read_source(once), second)) == once


def test_a_person_s_mark_stays(found):
    """Where somebody judged a move, ours is in the comment only."""
    game = annotated(read_source(TEXT.replace("2. g4", "2. g4 $1")), found)
    node = list(game.mainline())[2]
    assert node.nags == {1}
    assert "??" in node.comment


def test_plain_values_travel_both_ways(found):
    """A review read from its JSON says the same; another schema is refused."""
    facts = json.loads(json.dumps(found.facts()))
    again = review_from(facts)
    assert again.facts() == facts
    assert pgn_text(annotated(read_source(TEXT), again)) == pgn_text(annotated(read_source(TEXT), found))
    with pytest.raises(ValueError, match="schema 99"):
        review_from(facts | {"schema": 99})


def test_files_through_python(tmp_path):
    """All games of a file, damaged ones named."""
    path = tmp_path / "games.pgn"
    path.write_text(f'{TEXT}\n\n[White "B"]\n\n1. e4 Ke4 *\n\n[White "C"]\n\n1. e4 e5 *\n')
    bad = {}
    games = list(quiesce.annotate(path, bad=bad, nodes=1_000))
    assert [game.headers["White"] for game in games] == ["A", "C"]
    assert list(bad) == [f"{path}, game 2"]
    with pytest.raises(ValueError, match="game 2"):
        list(quiesce.annotate(path, nodes=1_000))
