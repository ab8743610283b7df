"""A browser's connection: questions, answers, searches that end when they should."""

import time
from contextlib import suppress

import pytest
from websockets.exceptions import ConnectionClosed

from quiesce.board.game import Game
from quiesce.engine import Engine, Limits
from quiesce.search.params import TECHNIQUES
from quiesce.search.reasons import REASONS
from quiesce.web.session import Allowance, play_limits
from quiesce.web.wire import WireError

from .conftest import KIWIPETE, START, Client, settled, status

FOOLS_MATE = ["f2f3", "e7e5", "g2g4", "d8h4"]


def test_hello_tells_what_there_is(client):
    """Version, strengths, every technique of quiescence with its numbers, every reason, the tour."""
    names = {technique["name"] for technique in client.hello["techniques"]}
    assert {technique.name for technique in TECHNIQUES if technique.name.startswith("QSearch")} <= names
    assert client.hello["elo"] == [1_000, 2_600]
    assert [reason["word"] for reason in client.hello["reasons"]] == [reason.word for reason in REASONS]
    assert len(client.hello["tour"]) >= 5
    assert client.hello["start"] == START


def test_a_position_is_answered(client):
    """Moves, destinations and end of a game; errors in the words of UCI; the question's number comes back."""
    facts = client.ask("position", moves=FOOLS_MATE)
    assert facts["end"] == {"result": "0-1", "why": "checkmate"}
    assert facts["dests"] == {}
    assert client.error("position", fen="rubbish").startswith("FEN has 1 fields instead of 4 to 6")
    assert "it would leave White's king in check" in client.error(
        "position", fen="4k3/4r3/8/8/8/8/4B3/4K3 w - - 0 1", moves=["e2d3"]
    )


@pytest.mark.parametrize("body", [{"elo": 1_000}, {"left": 300, "increment": 0}, {"milliseconds": 50}])
def test_the_engine_moves(client, body):
    """A legal move at a strength, by a clock, or in a time."""
    answer = client.ask("play", moves=["e2e4"], **body)
    assert len(answer["game"]["plies"]) == 2
    assert answer["game"]["turn"] == "white"


def test_an_opening_is_named(client):
    """By the last name its moves came through; from another start, or before any move, there is none."""
    najdorf = ["e2e4", "c7c5", "g1f3", "d7d6", "d2d4", "c5d4", "f3d4", "g8f6", "b1c3", "a7a6"]
    assert "Najdorf" in client.ask("opening", moves=najdorf)["name"]
    assert client.ask("opening") == {}
    assert client.ask("opening", fen=KIWIPETE, moves=["e1g1"]) == {}


def test_why_a_move_is_bad(client):
    """Its sentences, its line to the leaf, and the best other line, with White's scores; the leaf has a tree."""
    moves = ["c2c4", "c7c5", "g1f3", "d7d6", "b1c3", "g8f6", "e2e4"]
    found = client.ask("why", moves=moves, move="f6e4")
    assert found["sentences"][0].startswith("Nxe4 loses a knight for a pawn")
    assert (found["is_best"], found["is_over"]) == (False, False)
    assert found["loss"] > 0.1
    assert found["answer"]["moves"][0]["san"] == "Nxe4"
    assert found["answer"]["cp"] > 60 > found["line"]["cp"]
    leaf = [ply["uci"] for ply in found["answer"]["moves"]][: found["leaf"]]
    assert found["leaf"] >= 2
    assert client.ask("tree", moves=moves + leaf)["rows"]


def test_why_a_move_mates(client):
    """The game is over at the leaf, and the mate is told; a move that is not legal is told, too."""
    found = client.ask("why", moves=FOOLS_MATE[:3], move="d8h4")
    assert (found["is_best"], found["is_over"], found["leaf"]) == (True, True, 1)
    assert found["answer"]["mate"] == -1
    assert "d8h5" in client.error("why", moves=FOOLS_MATE[:3], move="d8h5")


def test_two_sets_of_options_are_compared(client, address):
    """Each column is told depth by depth, and is what an engine of its own finds with these options and nodes."""
    options = [{}, {"UseQuiescence": 0}]
    said = client.all("compare", fen=KIWIPETE, options=options, nodes=5_000)
    reports = said[-1]["answer"]["reports"]
    for column, (values, report) in enumerate(zip(options, reports, strict=True)):
        depths = [message["report"]["depth"] for message in said if message.get("column") == column]
        assert depths == sorted(depths)
        assert depths[0] == 1
        with Engine(4, values) as engine:
            alone = engine.search(Game(KIWIPETE), Limits(nodes=5_000))
        assert (report["nodes"], report["depth"]) == (alone.nodes, alone.depth)
        assert report["lines"][0]["cp"] == alone.lines[0].centipawns
    again = client.ask("compare", fen=KIWIPETE, options=[{}], nodes=5_000)
    assert again["reports"][0]["nodes"] == reports[0]["nodes"]
    settled(address, running=0)


def test_wrong_comparisons_are_told(client):
    """In one sentence each."""
    assert client.error("compare", options=[{}] * 3, nodes=10) == "options is not a list of 1 to 2 objects"
    assert client.error("compare", options=[{"Nonsense": 1}], nodes=10) == "there is no search option 'Nonsense'"
    assert client.error("compare", options=[{}]) == "nodes is not a whole number"


def test_a_finished_game_has_no_move(client):
    """The game comes back as it was."""
    assert len(client.ask("play", moves=FOOLS_MATE, elo=1_000)["game"]["plies"]) == 4


def test_strength_means_nodes():
    """A weak engine has few nodes, a strong one its clock alone; wrong clocks are refused."""
    assert play_limits({}, 1_000).nodes == 100
    assert play_limits({"left": 5_000}, 0).clock.left == 5_000
    with pytest.raises(WireError, match="left is outside"):
        play_limits({"left": 10**9}, 0)


def test_analysis_reports_until_it_is_stopped(client, address):
    """Depths grow, lines are as many as wanted, and after `stop` nothing runs."""
    number = client.send("analyse", fen=KIWIPETE, lines=3)
    depths = []
    while len(depths) < 4:
        message = client.hear()
        assert message["number"] == number
        if "report" in message:
            depths.append(message["report"]["depth"])
            assert len(message["report"]["lines"]) == 3
            assert message["report"]["lines"][0]["moves"][0]["san"]
    assert depths == sorted(depths)
    stop = client.send("stop")
    said = []
    while not any(message["number"] == stop for message in said):
        said.append(client.hear())
    assert {"number": number, "answer": {"stopped": True}} in said
    settled(address, running=0, waiting=0, seconds=2)


def test_an_analysis_ends_after_its_seconds(client):
    """By itself, with what it found; more threads or memory than there are is refused."""
    began = time.monotonic()
    answer = client.ask("analyse", fen=KIWIPETE, seconds=1, threads=1, megabytes=8)
    assert answer["lines"]
    assert 0.9 < time.monotonic() - began < 4
    wishes = client.hello["engine"]
    assert "threads is outside" in client.error("analyse", threads=wishes["threads"] + 1)
    assert "megabytes is outside" in client.error("analyse", megabytes=wishes["megabytes"] + 1)


def test_a_new_analysis_takes_the_place_of_the_old(client, address):
    """One analysis a browser, however often it asks for another."""
    numbers = [client.send("analyse", moves=["e2e4"] * (index % 2)) for index in range(5)]
    stopped = set()
    while stopped != set(numbers[:-1]):
        message = client.hear()
        if "answer" in message:
            stopped.add(message["number"])
    settled(address, running=1, waiting=0, seconds=2)


def test_a_game_goes_on_beside_an_analysis(client):
    """A move is asked for, then an analysis, which is stopped: the move is made all the same."""
    move = client.send("play", moves=["e2e4"], milliseconds=500)
    client.send("analyse")
    client.send("stop")
    while (message := client.hear())["number"] != move:
        pass
    assert len(message["answer"]["game"]["plies"]) == 2


def test_each_slot_is_stopped_by_name(client, address):
    """`stop` ends what it names; what is no slot is told."""
    move = client.send("play", moves=["e2e4"], milliseconds=20_000)
    settled(address, running=1)
    stop = client.send("stop", what="play")
    assert client.hear() == {"number": move, "answer": {"stopped": True}}
    assert client.hear() == {"number": stop, "answer": {}}
    settled(address, running=0, waiting=0, seconds=2)
    assert client.error("stop", what="time") == "there is nothing called 'time' to stop"


def test_a_closed_tab_frees_its_search(address):
    """Within a moment of the connection's end no search runs."""
    with Client(address) as client:
        client.send("analyse")
        settled(address, running=1)
    found = settled(address, running=0, browsers=0, seconds=3)
    assert found["waiting"] == 0


def test_a_connection_that_breaks_frees_its_search(address):
    """The same without a goodbye."""
    client = Client(address)
    client.send("analyse")
    settled(address, running=1)
    client.vanish()
    settled(address, running=0, browsers=0, seconds=5)


def test_three_analyses_share_two_engines(address):
    """All three hear reports; the third is told that it waits."""
    with Client(address) as one, Client(address) as two, Client(address) as three:
        one.send("analyse")
        two.send("analyse", moves=["e2e4"])
        settled(address, running=2)
        three.send("analyse", moves=["d2d4"])
        assert "waiting" in three.hear()
        assert "report" in three.hear(15)
        assert status(address)["running"] == 2
    settled(address, running=0, waiting=0)


def test_a_game_is_reviewed(client):
    """Each position is told from the last on, then as judged: the losing move a blunder, surely, and a better one."""
    said = client.all("review", moves=FOOLS_MATE)
    told = [message["verdict"] for message in said[:-1]]
    assert [verdict["ply"] for verdict in told] == [3, 2, 1, 0, 0, 1, 2, 3, 4]
    verdicts = told[4:]
    assert "unsure" not in verdicts[3]["certainty"]
    assert [verdict["judgement"] for verdict in verdicts if verdict["judgement"]] == ["blunder"]
    assert verdicts[3]["judgement"] == "blunder"
    assert verdicts[2]["best"]["san"] != "g4"
    assert (verdicts[4]["mate"], verdicts[4]["points"]) == (0, 0.0)
    assert said[-1]["answer"] == {"plies": 4}


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ("", "message is no JSON"),
        ("nonsense", "message is no JSON"),
        ("[1]", "message is no JSON object"),
        ('{"number": 1, "do": "fly"}', "there is nothing called 'fly' to do"),
        ('{"number": 1, "do": "analyse", "lines": 99}', "lines is outside 1 to 5"),
        ('{"number": 1, "do": "play", "elo": 99999}', "elo is outside"),
        ('{"number": 1, "do": "position", "moves": "e2e4"}', "moves is not a list"),
        ('{"number": 1, "do": "position", "fen": 5}', "fen is not a text"),
    ],
)
def test_nonsense_is_answered_and_survived(client, message, reason):
    """One sentence, and the connection lives."""
    client.socket.send(message)
    assert reason in client.hear()["error"]
    assert client.ask("position")["fen"] == START


def test_an_allowance_runs_out_and_grows():
    """A burst is free, then it is paid for; long messages cost more."""
    allowance = Allowance()
    assert all(allowance.take(10) == 0 for _ in range(55))
    assert sum(allowance.take(10) for _ in range(20)) > 0
    long = Allowance()
    assert long.take(30_000) == 0
    assert 0 < long.take(30_000) < 1
    assert long.take(30_000) > 1


def test_a_flood_is_sent_away(address):
    """Whoever sends far more than is allowed loses the connection and its search; others notice nothing."""
    with Client(address) as flooder, Client(address) as other:
        flooder.send("analyse")
        settled(address, running=1)
        with suppress(ConnectionClosed):
            for _ in range(60):
                flooder.send("position", fen="8" * 30_000)
        started = time.monotonic()
        assert other.ask("position")["fen"] == START
        settled(address, running=0, browsers=1)
        assert time.monotonic() - started < 3
        with pytest.raises(ConnectionClosed) as closed:
            list(iter(flooder.hear, None))
    assert closed.value.rcvd.reason == "too many messages"


def test_a_burst_is_slowed_down(client):
    """A little more than is allowed is answered, later."""
    started = time.monotonic()
    numbers = [client.send("position") for _ in range(75)]
    answered = [client.hear()["number"] for _ in numbers]
    assert answered == numbers
    assert time.monotonic() - started > 0.5
