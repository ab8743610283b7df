"""Pages of reviews: whole in themselves, everything escaped, the index with its figures."""

import base64
import hashlib
import re

import pytest

from quiesce.engine import Engine
from quiesce.lab.reviewpages.game import game_page
from quiesce.lab.reviewpages.index import Entry, index_page
from quiesce.review.accuracy import summary_of
from quiesce.review.plan import MEGABYTES, ReviewPlan
from quiesce.review.reading import read_source
from quiesce.review.reviewing import review_game

TEXT = '[White "<script>alert(1)</script>"]\n[Black "B & C"]\n[Date "2020.01.02"]\n\n1. f3 e5 2. g4 Qh4# 0-1'


@pytest.fixture(scope="module")
def found():
    """A short game, reviewed."""
    with Engine(MEGABYTES) as engine:
        return review_game(engine, read_source(TEXT), ReviewPlan(nodes=2_000))


def test_the_page_of_a_game(found):
    """Board, moves with marks, certainty, comment and both lines; of scripts only its own may run."""
    page = game_page(found, has_trees=False)
    assert "<script>alert" not in page
    assert "&lt;script&gt;" in page
    assert "g4??" in page
    assert "g4 allows Qh4#: it is mate in 1." in page
    assert "?? holds at" in page
    script = page.rpartition("<script>")[2].partition("</script>")[0]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src &#x27;sha256-{digest}&#x27;" in page
    assert not re.search(r'(src|href)="https?:', page)


def test_the_index(found):
    """Every game with a link, both accuracies, phases and openings; damaged games are named."""
    entry = Entry("game-1-1.html", found.headers, "A00 Barnes Opening", summary_of(found.verdicts))
    page = index_page([entry, entry], ["x.pgn, game 7: <b>bad</b>"])
    assert 'href="game-1-1.html"' in page
    assert "Barnes Opening" in page
    assert "&lt;b&gt;bad" in page
    assert "<path" in page
    assert "Games of B" in index_page([entry], [], "B")


def test_a_game_without_moves():
    """Is shown as what it is."""
    with Engine(MEGABYTES) as engine:
        empty = review_game(engine, read_source('[White "A"]\n\n*'), ReviewPlan(nodes=1_000))
    assert "Nowhere." in game_page(empty)
