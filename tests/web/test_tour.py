"""The guided tour: its positions are those found to show the horizon, and they still do."""

import re

import chess
import pytest

from quiesce.search.params import check_option
from quiesce.web.tour import CAPTURES, TOUR, tour_facts
from tests.conftest import DATA

from .conftest import Client

NAMED_MOVE = re.compile(r"\b(?:[KQRBN][a-h]?[1-8]?x?[a-h][1-8]|[a-h]x[a-h][1-8])[+#]?")
HORIZON_STOPS = [stop for stop in TOUR if stop.moves]


def operations():
    """What horizon.epd says of its positions: blunders of searches without quiescence, and what is right."""
    found = {}
    for line in (DATA / "horizon.epd").read_text("utf-8").splitlines():
        if not line.startswith("#"):
            board = chess.Board()
            said = board.set_epd(line)
            found[board.epd()] = said
    return found


@pytest.mark.parametrize("stop", HORIZON_STOPS, ids=lambda stop: stop.title)
def test_games_and_blunders_are_those_found(stop):
    """Each is a position of horizon.epd with a move searches without quiescence play there."""
    [move] = stop.moves
    assert chess.Move.from_uci(move) in operations()[chess.Board(stop.fen).epd()]["am"]


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


def column(tree, name):
    """One column of a tree's rows."""
    return [row[tree["columns"].index(name)] for row in tree["rows"]]


@pytest.mark.timeout(400)
@pytest.mark.parametrize("stop", TOUR, ids=lambda stop: stop.title)
def test_moves_named_are_there(stop, trees):
    """Every capture, check or move of a piece that a text names led to the position or is searched in its tree."""
    board, tree = chess.Board(stop.fen), trees[stop.title]
    played = [board.san_and_push(chess.Move.from_uci(move)) for move in stop.moves]
    named = NAMED_MOVE.findall(stop.text)
    searched = {san for san, score in zip(column(tree, "san"), column(tree, "score"), strict=True) if score is not None}
    assert set(named) <= searched | set(played)
    if stop.moves:
        assert set(named) & (searched | set(played))


@pytest.mark.timeout(400)
def test_what_the_texts_say_of_lines(trees):
    """The best line is the one that is told, move by move, and so are the scores, roughly."""
    first = trees["A queen takes a queen, and the search stops"]
    assert (first["line"], first["static"] < -400, abs(first["score"]) < 100) == (["Bxa4"], True, True)
    assert trees["Tukmakov's knight"]["line"] == ["exd5", "Bxf6", "gxf6"]
    chain = trees["A chain of captures with checks in it"]
    assert chain["line"] == ["Rxd1+", "Bxd1", "Qxd1+", "Kh2", "Bxg7"]
    assert -120 < chain["static"] < -50
    assert [move.uci() for move in operations()[chess.Board(TOUR[1].fen).epd()]["bm"]] == ["b3b4"]


@pytest.mark.timeout(400)
def test_what_the_texts_say_of_checks(trees):
    """Better than to take back is a check, at which nobody stands pat, with nothing but answers to it below."""
    tree = trees["In check nobody stands pat"]
    assert tree["line"][0] == "Nd6+"
    [number] = [number for number, row in enumerate(tree["rows"]) if row[2] == "Nd6+" and row[0] == 0]
    assert column(tree, "stand_pat")[number] is None
    assert sorted(row[2] for row in tree["rows"] if row[0] == number) == ["Kd7", "Ke7", "Kf8", "Qxd6"]


@pytest.mark.timeout(400)
def test_what_the_texts_say_of_counts(trees):
    """Three ways to leave a move out; beta cuts; growth without techniques to nearly the same score, told to be cut."""
    small = trees["Why the tree stays small"]["counters"]
    assert small["q_exchange"] > 0
    assert small["q_futility"] + small["q_exchange_futility"] > 0
    assert small["q_quiet_evasion"] > 0
    usual, grown = trees["A position made of captures"], trees["The same with everything off"]
    assert usual["fen"] == grown["fen"] == CAPTURES
    assert usual["counters"]["q_beta_cut"] > 20
    assert grown["nodes"] > 20 * usual["nodes"]
    assert abs(grown["score"] - usual["score"]) <= 20
    assert "are shown" in grown["left_out"]
    assert not usual["left_out"]
