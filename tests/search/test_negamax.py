"""The search: equal to a plain one when all is off, the same twice, stopped at any moment, mates exact."""

import random
import threading
import time

import chess
import pytest

from quiesce.board.bridge import to_chess_move
from quiesce.board.game import Game
from quiesce.board.movetext import parse_uci
from quiesce.engine import Engine, Limits
from quiesce.engine.table import Table
from quiesce.eval.terms import DEFAULT_SET
from quiesce.search.negamax import probe_node
from quiesce.search.params import TECHNIQUES, all_off
from quiesce.search.tt import BOUND_LOWER, BOUND_NONE, probe, store
from tests.conftest import run_json, shared
from tests.oracles import randomplay
from tests.oracles.plainsearch import PlainSearch
from tests.search.workers import PLY, frame, move_of, without

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
FEW_MEN, SOME_MEN = 8, 16
DETERMINISM_SCRIPT = f"""
from quiesce.board.game import Game
from quiesce.engine import Engine, Limits
with Engine(4) as engine:
    found = engine.search(Game({KIWIPETE!r}), Limits(depth=9))
    more = engine.search(Game({KIWIPETE!r}), Limits(nodes=20_000))
print([found.nodes, found.lines[0].score, more.nodes, more.lines[0].moves[0]])
"""


@pytest.fixture(scope="module")
def engine():
    """An engine as it ships."""
    with Engine(8) as made:
        yield made


def assert_twin(engine, board, depth):
    """Our plain score is the oracle's, and our move has that value."""
    values = PlainSearch().root(board, depth)
    line = engine.search(Game(board.fen()), Limits(depth=depth)).lines[0]
    assert line.score == max(values.values()), (board.fen(), depth)
    assert values[to_chess_move(line.moves[0])] == line.score, (board.fen(), depth)


def run_twins(seed, count, deeper):
    """Compare on boards, the deeper the fewer pieces there are."""
    with Engine(4, all_off()) as engine:
        engine.set_weights(DEFAULT_SET)
        for board in randomplay.boards(seed, count, most_pieces=SOME_MEN):
            assert_twin(engine, board, (2 if len(board.piece_map()) <= FEW_MEN else 1) + deeper)


def test_plain_search_is_the_naive_one():
    """With every technique off, score and move are those of a search written apart."""
    run_twins(seed=11, count=60, deeper=0)


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_plain_search_is_the_naive_one_deeper():
    """The same on hundreds of positions, a ply or two deeper on some."""
    run_twins(seed=12, count=300, deeper=0)
    run_twins(seed=13, count=60, deeper=1)
    run_twins(seed=14, count=30, deeper=2)


def test_same_nodes_twice():
    """Fixed depth and fixed nodes give the same nodes, score and move in this process and in others."""
    runs = [run_json("-c", DETERMINISM_SCRIPT) for _ in range(2)]
    assert runs[0] == runs[1]
    with Engine(4) as engine:
        for _ in range(2):
            engine.new_game()
            found = engine.search(Game(KIWIPETE), Limits(depth=9))
            assert [found.nodes, found.lines[0].score] == runs[0][:2]
    assert runs[0][2] == 20_000


@pytest.mark.parametrize("name", [item.name for item in TECHNIQUES if not item.name.startswith("QSearch")])
def test_every_switch_switches(name):
    """Each technique changes the tree when it is on; those of quiescence have their own test."""
    nodes = {}
    for value in (0, 1):
        with Engine(4, {name: value}) as engine:
            nodes[value] = [engine.search(Game(fen), Limits(depth=10)).nodes for fen in SWITCH_FENS]
    assert nodes[0] != nodes[1], f"{name} changes nothing"


SWITCH_FENS = (
    KIWIPETE,
    "r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1 w - - 0 7",
    "8/5k2/8/3R4/8/4K3/8/7r w - - 20 60",
    "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1",
    "8/8/4kpp1/3p4/p2P1P2/P3KP2/8/8 w - - 0 1",
    "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1",
    "8/5k2/2r5/3R4/8/4K3/6p1/6B1 w - - 91 90",
)


def assert_legal_line(game, line):
    """Every move of a line is legal in turn."""
    board = chess.Board(game.fen())
    for move in line.moves:
        played = to_chess_move(move)
        assert played in board.legal_moves
        board.push(played)


def test_stopped_at_any_moment(engine):
    """Hundreds of stops: the line is legal, the move too, and the engine searches on as before."""
    choice = random.Random(6)
    game = Game(KIWIPETE)
    for number in range(200):
        report = engine.search(game, Limits(nodes=choice.randrange(1, 6_000)), multi_pv=1 + number % 3)
        for line in report.lines:
            assert line.moves[0] in game.legal_moves()
            assert_legal_line(game, line)


def test_stop_from_another_thread(engine):
    """A stop ends an endless search at once."""
    for delay in (0.02, 0.05, 0.1):
        timer = threading.Timer(delay, engine.stop)
        timer.start()
        started = time.monotonic()
        report = engine.search(Game(KIWIPETE), Limits())
        assert time.monotonic() - started < delay + 1
        assert_legal_line(Game(KIWIPETE), report.lines[0])


@pytest.mark.parametrize(
    ("fen", "mate"),
    [
        ("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1", 1),
        ("5K2/8/2qk4/2nPp3/3r4/6B1/B7/3R4 w - e6 0 1", 1),
        ("2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1", 2),
        ("1B2n3/8/2R5/5p2/3kp1n1/4p3/B3K3/8 w - - 0 1", 4),
        ("8/8/8/8/8/5k2/6q1/7K w - - 0 1", None),
    ],
)
def test_mates_are_exact(engine, fen, mate):
    """Mates are found with their length, no more, no less; no legal move is no line."""
    engine.new_game()
    report = engine.search(Game(fen), Limits(seconds=60, mate=mate))
    if mate is None:
        assert report.lines == []
    else:
        assert report.lines[0].mate == mate
        assert len(report.lines[0].moves) == 2 * mate - 1


def test_only_some_root_moves(engine):
    """A search restricted to moves answers with one of them."""
    game = Game("8/5R2/2K1P3/4k3/8/b1PPpp1B/5p2/8 w - - 0 1")
    move = parse_uci(game, "c6d7")
    engine.new_game()
    report = engine.search(game, Limits(depth=12, moves=[move]))
    assert report.lines[0].moves[0] == move
    assert report.lines[0].mate == 2


def test_several_lines(engine):
    """MultiPV: different moves, best first, the first as good as the single one."""
    game = Game(KIWIPETE)
    lines = engine.search(game, Limits(depth=8), multi_pv=5).lines
    assert len({line.moves[0] for line in lines}) == 5
    assert [line.score for line in lines] == sorted((line.score for line in lines), reverse=True)
    assert len(engine.search(Game("7k/8/8/8/8/8/r7/1K6 w - - 0 1"), Limits(depth=4), multi_pv=9).lines) == 2


def test_draws_are_seen(engine):
    """Dead material and a forced repetition are worth nothing; a game's history counts."""
    assert engine.search(Game("8/8/4k3/8/8/3KN3/8/8 w - - 0 1"), Limits(depth=6)).lines[0].score == 0
    perpetual = Game("6k1/5ppp/8/8/8/8/1q3PPP/4Q1K1 w - - 0 1")
    assert engine.search(perpetual, Limits(depth=6)).lines[0].mate == 1
    clock = Game("8/8/8/3k4/8/8/6K1/7R w - - 98 80")
    assert engine.search(clock, Limits(depth=8)).lines[0].score == 0


@pytest.mark.lab
def test_mate_suites():
    """Published mates in 2 within two seconds each, with exact scores."""
    solved = total = 0
    with Engine(32) as engine:
        for line in shared("suites/mates_pychess.epd").read_text("utf-8").splitlines():
            board, operations = chess.Board.from_epd(line)
            if operations["dm"] == 2:
                engine.new_game()
                report = engine.search(Game(board.fen()), Limits(seconds=2, mate=2))
                solved += report.lines[0].mate == 2
                total += 1
    assert solved == total


def test_two_workers_share_a_table():
    """Two threads over one table: both answer with legal lines, and the table serves both."""
    with Engine(8) as one, Engine(8) as other:
        other.table = one.table
        reports = {}
        threads = [
            threading.Thread(
                target=lambda key=key, e=e: reports.update({key: e.search(Game(KIWIPETE), Limits(depth=11))})
            )
            for key, e in enumerate((one, other))
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for report in reports.values():
            assert report.depth == 11
            assert_legal_line(Game(KIWIPETE), report.lines[0])


def test_partial_roots_do_not_spoil_the_table():
    """Lines after the first, and searches of some moves only, leave no result for the root position behind."""
    with Engine(4) as engine:
        game = Game(KIWIPETE)
        worst = parse_uci(game, "e1d1")
        engine.search(game, Limits(depth=5, moves=[worst]))
        assert probe(engine.table.record, game.position.key, 0)[4] == BOUND_NONE
        lines = engine.search(game, Limits(depth=6), multi_pv=4).lines
        first = [line.moves[0] for line in lines[:2]]  # a later line may turn out better than the one searched first
        assert probe(engine.table.record, game.position.key, 0)[0] in first


def test_the_table_remembers_principal_variations(w, t):
    """With the switch a node that was on one is known as such, and stays so while its singularity is tested."""
    tt, key = Table(1).record, w.stack[PLY].key
    store(tt, key, PLY, move_of("e5g6"), 10, 0, 5, BOUND_LOWER, True)
    for table_pv, is_pv, expected in ((1, False, 1), (0, False, 0), (0, True, 1)):
        probe_node(without(w, TtPv=table_pv), t, tt, PLY, is_pv)
        assert frame(w, PLY).tt_pv == expected
    frame(w, PLY).excluded = move_of("e5g6")
    probe_node(w, t, tt, PLY, False)
    assert frame(w, PLY).tt_pv == 1
