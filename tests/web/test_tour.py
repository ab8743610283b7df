"""The guided tour: its positions are those found to show the horizon, and they still do."""

import chess
import pytest

from quiesce.search.params import check_option
from quiesce.web.tour import CAPTURES, TOUR, tour_facts
from tests.conftest import DATA

from .conftest import Client

HORIZON_STOPS = [stop for stop in TOUR if stop.moves]


def blunders():
    """Blunders of searches without quiescence, by position."""
    found = {}
    for line in (DATA / "horizon.epd").read_text("utf-8").splitlines():
        if not line.startswith("#"):
            board = chess.Board()
            operations = board.set_epd(line)
            found[board.epd()] = operations["am"]
    return found


@pytest.mark.parametrize("stop", HORIZON_STOPS, ids=lambda stop: stop.title)
def test_games_and_blunders_are_those_found(stop):
    """Each is a position of horizon.epd with a move searches without quiescence play there."""
    [move] = stop.moves
    assert chess.Move.from_uci(move) in blunders()[chess.Board(stop.fen).epd()]


def test_options_of_stops_exist():
    """Every option named is one, with a value it may have."""
    for stop in TOUR:
        for name, value in stop.options.items():
            check_option(name, value)


@pytest.fixture(scope="module")
def trees(address):
    """The tree of each stop."""
    with Client(address) as client:
        return {stop["title"]: client.ask("tree", **stop) for stop in tour_facts()}


@pytest.mark.timeout(400)
@pytest.mark.parametrize("stop", HORIZON_STOPS, ids=lambda stop: stop.title)
def test_quiescence_sees_more_than_stands_on_the_board(stop, trees):
    """The side that was invited by the blunder gains half a pawn or more once the captures are searched."""
    tree = trees[stop.title]
    assert tree["score"] - tree["static"] >= 50
    assert tree["line"]


def test_what_the_texts_say(trees):
    """Check without standing pat; the chain of captures; growth without techniques, told to be cut."""
    checked = trees["In check nobody stands pat"]
    [row] = [row for row in checked["rows"] if row[2] == "Nd6+" and row[0] == 0]
    assert row[checked["columns"].index("stand_pat")] is None
    assert trees["A chain of captures with checks in it"]["line"][:3] == ["Rxd1+", "Bxd1", "Qxd1+"]
    usual, grown = trees["A position made of captures"], trees["The same with everything off"]
    assert usual["fen"] == grown["fen"] == CAPTURES
    assert grown["nodes"] > 20 * usual["nodes"]
    assert "are shown" in grown["left_out"]
    assert not usual["left_out"]
