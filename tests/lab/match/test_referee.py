"""The referee: rules, clocks, adjudication, and what it makes of engines that misbehave."""

import io
import sys
import time
from pathlib import Path

import chess
import chess.pgn
import pytest

from quiesce.board.ending import end_of_board
from quiesce.lab.match import channel, player
from quiesce.lab.match.channel import CRASH, ILLEGAL, STALL, TIME, Fault
from quiesce.lab.match.engines import EngineSpec
from quiesce.lab.match.openings import Opening
from quiesce.lab.match.pair import play_pair, task_of
from quiesce.lab.match.player import MoveBudget, Thought, go_line
from quiesce.lab.match.referee import Adjudication, Adjudicator, Clocks, Control, Tables, play_game
from quiesce.lab.match.ucioptions import SetUpError
from quiesce.lab.match.xboard import XboardPlayer, clock_lines, move_text
from tests.conftest import DATA, shared

from .conftest import SHORT, mock

START = Opening(chess.STARTING_FEN, ("e2e4", "e7e5"))
NO_TABLES = Tables("")
ONE_NODE = Control(nodes=1)


class Scripted:
    """A player inside the test: answers with moves and scores from a list."""

    name = "scripted"

    def __init__(self, *thoughts):
        self._thoughts = iter(thoughts)

    def new_game(self, start, is_chess960):
        """Nothing to do."""

    def think(self, board, _budget):
        """The next of the list, else any legal move."""
        thought = next(self._thoughts, None) or Thought(next(iter(board.legal_moves)).uci(), 0.01)
        if isinstance(thought, Fault):
            raise thought
        return thought


def game(white, black, opening=START, control=ONE_NODE, rules=SHORT, tables=NO_TABLES):
    """Play one game."""
    return play_game(white, black, opening, control, Adjudicator(rules, tables))


@pytest.mark.parametrize(
    ("fen", "result", "reason"),
    [
        ("7k/5KQ1/8/8/8/8/8/8 b - - 0 1", 1, "checkmate"),
        ("7K/5kq1/8/8/8/8/8/8 w - - 0 1", -1, "checkmate"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 0, "stalemate"),
        ("7k/8/6K1/8/8/8/8/8 b - - 0 1", 0, "insufficient material"),
        ("7k/8/6K1/8/8/8/8/R7 b - - 100 90", 0, "the fifty-move rule"),
        ("7k/5KQ1/8/8/8/8/8/8 b - - 100 90", 1, "checkmate"),
    ],
)
def test_ends_by_the_rules(fen, result, reason):
    """A mate at the hundredth ply still wins."""
    assert end_of_board(chess.Board(fen)) == (result, reason)


def test_threefold_repetition_ends_the_game():
    """At the third time, moves of the opening counted."""
    dance = [Thought(move, 0.0) for move in ("g1f3", "f3g1") * 4]
    answer = [Thought(move, 0.0) for move in ("g8f6", "f6g8") * 4]
    played = game(Scripted(*dance), Scripted(*answer), rules=Adjudication())
    assert (played.result, played.reason) == (0, "threefold repetition")
    assert len(played.board.move_stack) == 2 + 8


@pytest.mark.parametrize("white", [True, False])
@pytest.mark.parametrize(
    ("behaviour", "fault", "words"),
    [
        ("crash", CRASH, "ended with code 3"),
        ("illegal", ILLEGAL, "'e1e8'"),
        ("nomove", ILLEGAL, "'0000'"),
        ("stall", STALL, "no move after"),
        ("late", TIME, "took 1.2"),
    ],
)
def test_faults_lose_and_are_told(monkeypatch, white, behaviour, fault, words):
    """Each misbehaviour gets its verdict, the other side wins, and the next game is played by a fresh engine."""
    monkeypatch.setattr(player, "STALL_SECONDS", 0.5 if behaviour == "stall" else 9.0)
    bad, good = mock(behaviour, 6), mock()
    engines = [bad, good] if white else [good, bad]
    facts = play_pair(task_of(0, engines, START, Control(0.5, 0.05), SHORT))
    seat = 1 if white else 2
    assert [one["fault"] for one in facts["games"]] == [fault, fault]
    assert [one["offender"] for one in facts["games"]] == [seat, seat]
    assert [one["result"] for one in facts["games"]] == [-1 if white else 1] * 2
    assert all(words in one["reason"] for one in facts["games"])
    assert all(one["plies"] >= 6 for one in facts["games"])


@pytest.mark.parametrize("behaviour", ["garbage", "flood"])
def test_noise_is_survived(behaviour):
    """Bytes that are no text, lines that are no UCI, and thousands of infos for each move."""
    facts = play_pair(task_of(0, [mock(behaviour), mock()], START, Control(5.0, 0.1), SHORT))
    assert [one["fault"] for one in facts["games"]] == ["", ""]
    assert all(one["reason"] == "adjudication: too long" for one in facts["games"])


def test_engines_that_do_not_play_end_the_match(monkeypatch):
    """No program, no answer to `uci`, an option it does not have, no Chess960: trouble, told once, not lost games."""
    monkeypatch.setattr(player, "HELLO_SECONDS", 0.5)
    nowhere = EngineSpec("nowhere", ("/no/such/engine",))
    strange = EngineSpec("strange", mock().command, options={"Colour": "blue"})
    for engine, words in (
        (nowhere, "cannot be started"),
        (mock("mute"), "does not answer"),
        (strange, "no option 'Colour'"),
    ):
        facts = play_pair(task_of(0, [engine, mock()], START, Control(nodes=1), SHORT))
        assert words in facts["trouble"]


def test_pgn_has_what_viewers_show():
    """Names, result, reason, and for each move score, depth, time and nodes; it reads back as the same game."""
    facts = play_pair(task_of(4, [mock(salt="a"), mock(salt="b")], START, Control(nodes=1), SHORT))
    read = chess.pgn.read_game(io.StringIO(facts["games"][1]["pgn"]))
    assert read.errors == []
    assert dict(read.headers) | {"White": "goodb", "Black": "gooda", "Round": "5.2", "Result": "1/2-1/2"} == dict(
        read.headers
    )
    assert [move.uci() for move in read.mainline_moves()] == facts["games"][1]["moves"].split()
    comments = [node.comment for node in read.mainline()]
    assert comments[:2] == ["book", "book"]
    assert "/7 0.0" in comments[5]
    assert "n=" in comments[5]
    assert "too long" in comments[-1]


def test_time_is_counted_and_renewed():
    """Increment after each move, a new period after its moves, and a loss only beyond the margin."""
    clocks = Clocks(Control(10.0, 1.0, 2, margin=0.1))
    assert clocks.budget(chess.WHITE).moves_left == 2
    clocks.stop(chess.WHITE, 4.0)
    assert clocks.left[chess.WHITE] == pytest.approx(7.0)
    assert clocks.budget(chess.WHITE).moves_left == 1
    clocks.stop(chess.WHITE, 7.05)
    assert clocks.left[chess.WHITE] == pytest.approx(11.0)
    with pytest.raises(Fault) as lost:
        clocks.stop(chess.BLACK, 10.2)
    assert lost.value.kind == TIME
    Clocks(Control(seconds=1.0, margin=0.1)).stop(chess.WHITE, 1.05)
    with pytest.raises(Fault):
        Clocks(Control(seconds=1.0, margin=0.1)).stop(chess.WHITE, 1.2)


def test_adjudication_needs_both_sides_to_agree():
    """Wins when both scores say so for long enough, draws only late in the game and while all is calm."""
    rules = Adjudication(draw_from=3, draw_moves=2, draw_score=10, win_moves=2, win_score=500, longest=0)
    high, low, mate = (Thought("", 0.0, score=score) for score in (600, -600, 0))
    for thoughts, expected in (
        ([(True, high), (False, low)] * 2, 1),
        ([(True, low), (False, high)] * 2, -1),
        ([(True, high), (False, high)] * 4, None),
        ([(True, high), (False, low), (True, mate), (False, low)] * 2, None),
        ([(True, Thought("", 0.0, mate=5)), (False, Thought("", 0.0, mate=-5))] * 2, 1),
        ([(True, Thought("", 0.0)), (False, Thought("", 0.0))] * 4, None),
        ([(True, Thought("", 0.0, score=3)), (False, Thought("", 0.0, score=-9))] * 2, 0),
        ([(True, Thought("", 0.0, score=3)), (False, Thought("", 0.0, score=-19))] * 4, None),
    ):
        judge = Adjudicator(rules, NO_TABLES)
        for turn, thought in thoughts:
            judge.hear(turn, thought)
        verdict = judge.verdict(chess.Board("4k3/8/8/8/8/8/8/4KQ2 w - - 5 9"))
        assert (verdict and verdict[0]) == expected
    judge = Adjudicator(rules, NO_TABLES)
    for turn in (True, False) * 4:
        judge.hear(turn, Thought("", 0.0, score=0))
    assert judge.verdict(chess.Board("4k3/8/8/8/8/8/8/4KQ2 w - - 5 2")) is None


def test_tablebases_end_games():
    """Where the clock of the fifty-move rule is at nought; for both colours."""
    tables = Tables(str(shared("syzygy")))
    assert tables.result(chess.Board("8/8/8/4k3/8/8/8/KQ6 w - - 0 1")) == 1
    assert tables.result(chess.Board("8/8/8/4K3/8/8/8/kq6 w - - 0 1")) == -1
    assert tables.result(chess.Board("8/8/8/4K3/8/8/8/kr6 w - - 0 1")) == -1
    assert tables.result(chess.Board("8/8/8/4k3/8/8/8/KN6 w - - 0 1")) == 0
    assert tables.result(chess.Board("8/8/8/4k3/8/8/8/KQ6 w - - 3 1")) is None
    assert tables.result(chess.Board()) is None
    assert NO_TABLES.result(chess.Board("8/8/8/4k3/8/8/8/KQ6 w - - 0 1")) is None


def test_damaged_tables_end_the_match_by_name(tmp_path):
    """No table at all, a damaged one when it is met: one sentence each, in the pair's facts too, and no lost game."""
    with pytest.raises(SetUpError, match=f"tablebase: there are no Syzygy tables in {tmp_path}"):
        Tables(str(tmp_path))
    sound = (DATA / "syzygy" / "KQvK.rtbw").read_bytes()
    (tmp_path / "KQvK.rtbw").write_bytes(sound[:128])
    won = chess.Board("8/8/8/4k3/8/8/8/KQ6 w - - 0 1")
    with pytest.raises(SetUpError, match=r"tablebase: .*KQvK\.rtbw is damaged"):
        Tables(str(tmp_path)).result(won)
    rules = Adjudication(tablebase=str(tmp_path))
    task = task_of(0, [mock(), mock()], Opening(won.fen()), ONE_NODE, rules)
    assert "KQvK.rtbw is damaged" in play_pair(task)["trouble"]
    assert Tables(str(DATA / "syzygy")).result(won) == 1


def test_go_says_what_the_budget_is():
    """Clocks as White's and Black's, whoever moves."""
    budget = MoveBudget(1.5, 2.0, 0.1, 7)
    assert go_line(chess.WHITE, budget) == "go wtime 1500 btime 2000 winc 100 binc 100 movestogo 7"
    assert go_line(chess.BLACK, budget) == "go wtime 2000 btime 1500 winc 100 binc 100 movestogo 7"
    assert go_line(chess.WHITE, MoveBudget(seconds=0.25, nodes=9, depth=3)) == "go movetime 250 nodes 9 depth 3"


def test_xboard_clocks_and_moves():
    """The control before the first move, both clocks before each; moves in either notation."""
    assert clock_lines(MoveBudget(90.0, 60.0, 0.5, None), is_first=True) == [
        "level 0 1:30 0.5",
        "time 9000",
        "otim 6000",
    ]
    assert clock_lines(MoveBudget(1.0, 2.0), is_first=False) == ["time 100", "otim 200"]
    assert clock_lines(MoveBudget(depth=5), is_first=True) == ["sd 5"]
    assert clock_lines(MoveBudget(seconds=1.9), is_first=True) == ["st 1"]
    with pytest.raises(SetUpError, match="whole seconds"):
        clock_lines(MoveBudget(seconds=0.5), is_first=True)
    with pytest.raises(SetUpError, match="not by nodes"):
        clock_lines(MoveBudget(nodes=5), is_first=True)
    board = chess.Board()
    assert [move_text(board, text) for text in ("e2e4", "Nf3", "zz")] == ["e2e4", "g1f3", "zz"]


XBOARD_SCRIPT = """
import sys
moves, is_forced = iter({moves!r}), True
for line in sys.stdin:
    word = line.split()[0]
    if word == "protover":
        print('feature ping=1 setboard=0 usermove=1 myname="box" done=1', flush=True)
    if word == "ping":
        print("pong", line.split()[1], flush=True)
    if word in ("force", "go"):
        is_forced = word == "force"
    if word in ("go", "usermove") and not is_forced:
        print("7 25 10 999 e4 e5", flush=True)
        print(next(moves), flush=True)
"""


@pytest.fixture
def xboard(tmp_path):
    """Makes an engine that speaks xboard's protocol and answers with given lines."""

    def make(*moves):
        script = tmp_path / f"box{len(list(tmp_path.iterdir()))}.py"
        script.write_text(XBOARD_SCRIPT.format(moves=list(moves)))
        return XboardPlayer((sys.executable, str(script)), {}, None, "box")

    return make


def test_xboard_engines_play(xboard):
    """Moves, thinking output, a resignation (a loss but no fault), and a refused move (a fault)."""
    box = xboard("move e7e5", "move Nc6", "resign")
    white = Scripted(*(Thought(move, 0.0) for move in ("e2e4", "g1f3", "f1c4")))
    played = game(white, box, Opening(chess.STARTING_FEN), Control(5.0, 0.1))
    box.close()
    assert [move.uci() for move in played.board.move_stack] == ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4"]
    assert (played.result, played.reason, played.fault) == (1, "resigned: resigned", "")
    assert (played.thoughts[1].score, played.thoughts[1].depth, played.thoughts[1].nodes) == (25, 7, 999)
    box = xboard("Illegal move: e2e4")
    played = game(Scripted(Thought("e2e4", 0.0)), box, Opening(chess.STARTING_FEN), Control(5.0, 0.1))
    box.close()
    assert (played.result, played.fault, played.offender) == (1, ILLEGAL, chess.BLACK)


def test_xboard_engines_without_setboard_are_told_apart(xboard):
    """They cannot start from a position, and the message says what to do."""
    box = xboard()
    with pytest.raises(SetUpError, match="openings that are moves"):
        box.new_game("4k3/8/8/8/8/8/8/4KQ2 w - - 0 1", is_chess960=False)
    box.close()


def test_xboard_engines_may_grumble(xboard):
    """An unknown command is no refused move, a refused limit ends the match, a result may be a resignation."""
    grumbling = ("Error (unknown command): post\nIllegal move: easy\nmove e7e5", "0-1 {White resigns}")
    box = xboard(*grumbling)
    played = game(Scripted(Thought("e2e4", 0.0)), box, Opening(chess.STARTING_FEN), Control(5.0, 0.1))
    box.close()
    assert (played.thoughts[1].move, played.fault, played.reason) == ("e7e5", "", "resigned: resigned")
    box = xboard("Illegal move: sd 3")
    with pytest.raises(SetUpError, match="by this limit"):
        game(Scripted(Thought("e2e4", 0.0)), box, Opening(chess.STARTING_FEN), Control(depth=3))
    box.close()


def test_a_clock_at_nought_is_no_clock_without_end():
    """Patience is ten seconds beyond it, not minutes."""
    assert MoveBudget(0.0, 1.0).patience == MoveBudget(1.0, 1.0).patience - 1
    assert MoveBudget(nodes=5).patience > 100


def test_channels_end_what_they_started(tmp_path):
    """An engine that ignores `quit` and has children: all are gone."""
    script = tmp_path / "stubborn.py"
    script.write_text(
        "import subprocess, sys, time, signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        "print(child.pid, flush=True)\ntime.sleep(600)\n"
    )
    talk = channel.Channel((sys.executable, str(script)))
    child = int(talk.read(time.perf_counter() + 10))
    talk.close()
    deadline = time.monotonic() + 5
    while Path(f"/proc/{child}").exists() and "Z" not in Path(f"/proc/{child}/stat").read_text():
        assert time.monotonic() < deadline
        time.sleep(0.01)
