"""Trees for browsers: whole where they fit, cut with a word where they do not, true to the search."""

import json
import time

import chess
import pytest

from quiesce.board.game import Game
from quiesce.engine import Engine
from quiesce.engine.scoretext import centipawns_or_mate
from quiesce.search.params import all_off
from quiesce.search.reasons import REASONS
from quiesce.trace.explain import quiesce
from quiesce.trace.rows import COLUMNS
from quiesce.web.tour import CAPTURES
from quiesce.web.wire import game_of

from .conftest import KIWIPETE

PLAIN = {name: value for name, value in all_off().items() if name.startswith("QSearch")}


def check_rows(tree, fen):
    """Every row: legal moves in SAN, parents before children; the path, too, is legal."""
    boards, start = [], chess.Board(fen)
    for uci, san in tree["path"]:
        assert start.parse_san(san) == chess.Move.from_uci(uci)
        start.push_uci(uci)
    for number, row in enumerate(tree["rows"]):
        facts = dict(zip(COLUMNS, row, strict=True))
        if facts["parent"] < 0:
            board = start
        else:
            assert facts["parent"] < number
            board = boards[facts["parent"]].copy(stack=False)
            assert board.parse_san(facts["san"]) == chess.Move.from_uci(facts["uci"])
            board.push_uci(facts["uci"])
        assert 0 <= facts["reason"] < len(REASONS)
        boards.append(board)


@pytest.mark.timeout(400)
def test_the_tree_is_the_search(client):
    """Nodes, score and counters are those of the plain build."""
    tree = client.ask("tree", fen=KIWIPETE)
    with Engine(1) as engine:
        plain = engine.quiescence(Game(KIWIPETE))
    check_rows(tree, KIWIPETE)
    searched = [row for row in tree["rows"] if not REASONS[row[COLUMNS.index("reason")]].is_skip]
    assert tree["nodes"] == plain.nodes == len(searched)
    assert tree["score"] == centipawns_or_mate(plain.lines[0].score, 0)
    assert tree["left_out"] == ""
    for number, reason in enumerate(REASONS):
        found = sum(row[COLUMNS.index("reason")] == number for row in tree["rows"])
        assert tree["counters"][f"q_{reason.word}"] == plain.counters[f"q_{reason.word}"] == found


@pytest.mark.timeout(400)
def test_the_tree_knows_what_came_before(client):
    """A position that comes for the third time is a draw, as it is for the search; by its FEN alone it is lost."""
    fen, moves = "r5k1/5ppp/8/8/8/8/5PPP/6K1 w - - 0 1", ["g1f1", "g8f8", "f1g1", "f8g8"] * 2
    game = game_of({"fen": fen, "moves": moves})
    tree = client.ask("tree", fen=fen, moves=moves)
    assert tree["score"] == centipawns_or_mate(quiesce(game).score, 0) == 0
    assert REASONS[tree["rows"][0][COLUMNS.index("reason")]].word == "draw"
    assert client.ask("tree", fen=game.fen())["score"] < -300


def test_switches_change_the_tree(client):
    """With everything off it grows; with quiet checks off there are none."""
    usual = client.ask("tree", fen=KIWIPETE)
    grown = client.ask("tree", fen=KIWIPETE, options=PLAIN)
    assert grown["nodes"] > 10 * usual["nodes"]
    assert not any(REASONS[row[COLUMNS.index("reason")]].is_skip for row in grown["rows"])


@pytest.mark.timeout(400)
def test_a_big_tree_is_cut_and_says_so(client):
    """Rows and nodes are bounded, and what is missing is told and counted."""
    tree = client.ask("tree", fen=CAPTURES, options=PLAIN)
    assert len(tree["rows"]) == 20_000
    assert tree["left_out"] == f"20,000 of {tree['nodes']:,} steps are shown, upper plies first"
    hidden = sum(row[COLUMNS.index("hidden")] for row in tree["rows"])
    assert hidden + 20_000 == tree["nodes"]
    check_rows(tree, CAPTURES)


@pytest.mark.timeout(400)
def test_what_was_cut_is_shown_from_its_node(client):
    """From a node whose subtree was cut all rows of the subtree come: those the cut tree has and those it counts."""
    whole = client.ask("tree", fen=CAPTURES, options=PLAIN)
    rows = [dict(zip(COLUMNS, row, strict=True)) for row in whole["rows"]]
    sizes = [1 + row["hidden"] for row in rows]
    for number in range(len(rows) - 1, 0, -1):
        sizes[rows[number]["parent"]] += sizes[number]
    cut = max((number for number, row in enumerate(rows) if row["hidden"]), key=lambda number: sizes[number])
    path, number = [], cut
    while number:
        path.insert(0, rows[number]["uci"])
        number = rows[number]["parent"]
    below = client.ask("tree", fen=CAPTURES, options=PLAIN, path=path)
    check_rows(below, CAPTURES)
    assert [uci for uci, _ in below["path"]] == path
    assert len(below["rows"]) == sizes[cut] > 1
    assert below["rows"][0][COLUMNS.index("score")] == rows[cut]["score"]
    assert below["left_out"] == ""
    assert (below["nodes"], below["sentence"]) == (whole["nodes"], whole["sentence"])


def test_a_line_that_is_not_in_the_tree_is_told(client):
    """A legal move that quiescence did not look at, and a move that is not legal."""
    assert client.error("tree", path=["e2e4"]) == "the tree has no such line"
    assert "e2e5" in client.error("tree", path=["e2e5"])


@pytest.mark.timeout(400)
def test_an_explosion_is_stopped_and_says_so(client):
    """Where captures never end, the search is stopped, and the answer is still one message of bearable size."""
    fen = "qqqqkqqq/8/8/qqqqqqqq/QQQQQQQQ/8/8/QQQQKQQQ w - - 0 1"
    started = time.monotonic()
    said = client.all("tree", fen=fen, options=PLAIN)[-1]
    seconds = time.monotonic() - started
    tree = said["answer"]
    print(f"explosion: {tree['nodes']:,} nodes, {len(json.dumps(said)):,} bytes, {seconds:.1f} s")
    assert tree["left_out"].startswith("The search was stopped after 500,")
    assert "only its first 65,536 steps were kept" in tree["left_out"]
    assert len(json.dumps(said)) < 2_000_000
    assert seconds < 30


def test_stalemate_mate_and_check_have_trees(client):
    """Roots that end at once are trees of one node."""
    mate = client.ask("tree", fen="rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3")
    assert (mate["score"], mate["static"], len(mate["rows"])) == ("#0", None, 1)
    assert client.ask("tree", fen="k7/8/8/8/8/8/8/7K b - - 0 1")["score"] == 0


def test_wrong_options_are_told(client):
    """In the words of the search."""
    assert client.error("tree", options={"QSearchSEE": 7}) == "QSearchSEE is 7, outside 0 to 1"
    assert client.error("tree", options={"Nonsense": 1}) == "there is no search option 'Nonsense'"
