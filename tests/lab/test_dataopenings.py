"""Openings that self-play begins from: varied, calm, none twice."""

import random
from dataclasses import replace
from itertools import islice

import chess
import pytest

from quiesce.board.fen import write_fen
from quiesce.lab.datagen import DatagenError, path_of
from quiesce.lab.dataopenings import (
    LARGEST_OPENING,
    Prober,
    ends,
    least_plies,
    openings,
    openings_of,
    order_of_ends,
    positions_along,
)
from tests.lab.datamade import PLAN


def test_openings_are_varied_and_fair():
    """Out of check, neither side far ahead, hardly two alike."""
    source = openings(random.Random(1), PLAN)
    found = [next(source) for _ in range(30)]
    assert len({write_fen(position) for position in found}) > 25
    assert len({int(position.fullmove) for position in found}) > 5
    prober = Prober(PLAN.options, PLAN.weights)
    for position in found:
        assert not chess.Board(write_fen(position)).is_check()
        assert abs(prober.score(position)) <= LARGEST_OPENING


def knights_plan(book):
    """A plan of four openings a chunk, from the eight ends of a book that it writes."""
    boards = [chess.Board("4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1") for _ in range(8)]
    for file, board in enumerate(boards):
        board.set_piece_at(chess.square(file, 2), chess.Piece.from_symbol("N"))
    book.write_text("\n".join(board.fen() for board in boards), encoding="utf-8")
    return replace(
        PLAN, openings="ends", book=str(book), random_plies=(0, 0), largest_opening=3_000, chunk_positions=60
    )


def test_ends_of_a_book_are_not_taken_twice(tmp_path):
    """Every end of every line comes once, whatever chunk it is in, before any comes again; it is level, and decided."""
    plan = knights_plan(tmp_path / "book.epd")
    fens = (tmp_path / "book.epd").read_text(encoding="utf-8").splitlines()
    assert sorted(order_of_ends(plan.book, plan.seed)) == list(range(8))
    assert order_of_ends(plan.book, plan.seed) != order_of_ends(plan.book, 8)
    found = [[write_fen(opening) for opening in islice(openings_of(plan, chunk), 4)] for chunk in range(3)]
    assert sorted(found[0] + found[1]) == sorted(fens)
    assert set(found[2]).isdisjoint(fens)  # all were there: a random move makes another of each
    assert found == [[write_fen(opening) for opening in islice(openings_of(plan, chunk), 4)] for chunk in range(3)]


def test_ends_taken_often_have_more_random_moves(tmp_path):
    """None at first, then one, two from the fourth visit on, three from the sixteenth, whatever the plan asks for."""
    assert [least_plies(visits) for visits in (0, 1, 3, 4, 15, 16, 64)] == [0, 1, 1, 2, 2, 3, 4]
    plan = knights_plan(tmp_path / "book.epd")
    for chunk, plies in ((0, 0), (1, 0), (2, 1), (7, 1), (8, 2), (31, 2), (32, 3)):
        for opening in islice(openings_of(plan, chunk), 4):
            assert 2 * (int(opening.fullmove) - 1) + int(opening.turn) == plies


def test_ends_of_lines_are_calm():
    """At most so far ahead as the plan says, from the last position of a line."""
    plan = replace(PLAN, openings="ends", random_plies=(0, 0), largest_opening=60, chunk_positions=1_000)
    prober = Prober(plan.options, plan.weights)
    known = {write_fen(positions_along(number)[-1]) for number in range(1_986)}
    for position in islice(ends(random.Random(1), plan, 0), 10):
        assert write_fen(position) in known
        assert abs(prober.score(position)) <= 60


def test_openings_decide_the_plan(tmp_path):
    """Another source, book or score is another file; a source or book that there is not is refused."""
    (tmp_path / "book.epd").write_text("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n", encoding="utf-8")
    plans = [PLAN, replace(PLAN, openings="ends"), replace(PLAN, largest_opening=60)]
    plans.append(replace(PLAN, book=str(tmp_path / "book.epd")))
    assert len({path_of(tmp_path, plan) for plan in plans}) == 4
    for plan in (replace(PLAN, openings="none"), replace(PLAN, book="none.epd")):
        with pytest.raises(DatagenError, match="none"):
            plan.checked()
