"""Quiescence: equal to a plain one when all is off, right on the audited positions, free of the bugs others had."""

import chess
import pytest

from quiesce.board.bridge import to_chess_move
from quiesce.board.fen import FenError
from quiesce.board.game import Game
from quiesce.board.movetext import move_to_uci, parse_uci
from quiesce.engine import Engine, Limits
from quiesce.engine.limits import NO_LIMIT
from quiesce.engine.table import Table
from quiesce.eval.names import DEFAULT_EVAL
from quiesce.eval.terms import DEFAULT_SET
from quiesce.search.deepen import prepare_search
from quiesce.search.node import tt_score_within_50_moves
from quiesce.search.params import TECHNIQUES, all_off
from quiesce.search.qsearch import qsearch
from quiesce.search.scores import INFINITE, MATE, MATE_IN_STACK, NO_SCORE
from quiesce.search.settings import params
from quiesce.search.tt import probe
from quiesce.search.worker import new_worker, set_root
from tests.conftest import DATA, shared
from tests.oracles import randomplay
from tests.oracles.plainsearch import PlainSearch, TooLongError

MOST_ORACLE_NODES = 1_500
QTECHNIQUES = [technique.name for technique in TECHNIQUES if technique.name.startswith("QSearch")]


class Bare:
    """Quiescence alone, with a window of one's choice."""

    def __init__(self, t, options=None, weights=DEFAULT_EVAL):
        self.t, self.w, self.table = t, new_worker(params(options), weights), Table(1)

    def score(self, game, alpha=-INFINITE, beta=INFINITE, fresh=True):
        """Its score of a position; the table is empty at first."""
        if fresh:
            self.table.clear()
        set_root(self.w, game)
        prepare_search(self.w, self.t, NO_LIMIT, 1)
        return int(qsearch(self.w, self.t, self.table.record, 0, alpha, beta, 0))


def suite_boards(*names):
    """Boards of tactical suites."""
    for name in names:
        for line in shared(f"suites/{name}").read_text("utf-8").splitlines():
            yield chess.Board.from_epd(line)[0]


def assert_twin(bare, board):
    """Equal to the oracle inside the window, a true bound outside it; returns whether the oracle had time."""
    try:
        value = PlainSearch(MOST_ORACLE_NODES).quiesce(board, -INFINITE, INFINITE, 0)
    except TooLongError:
        return False
    game = Game(board.fen())
    assert bare.score(game) == value, board.fen()
    for alpha, beta in ((value - 1, value), (value, value + 1), (value - 60, value + 60), (value + 30, value + 90)):
        found = bare.score(game, alpha, beta)
        if alpha < found < beta:
            assert found == value, board.fen()
        else:
            assert value <= found <= alpha or beta <= found <= value, board.fen()
    return True


def test_all_off_equals_the_oracle(t):
    """Without any technique the score is the plain one, window by window: 150 boards here."""
    bare = Bare(t, all_off(), DEFAULT_SET)
    assert sum(assert_twin(bare, board) for board in randomplay.boards(seed=2, count=190)) >= 150


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_all_off_equals_the_oracle_on_thousands(t):
    """The same on 2,000 boards of random games, tactical suites and endings."""
    bare, compared = Bare(t, all_off(), DEFAULT_SET), 0
    for board in (*randomplay.boards(seed=3, count=2_200), *suite_boards("wac.epd", "ecm_odd.epd")):
        compared += assert_twin(bare, board)
    assert compared >= 2_000


def test_scores_respect_the_window_with_everything_on(t):
    """Scores are in range, and a second call, with the table warm, says the same."""
    bare = Bare(t)
    for board in randomplay.boards(seed=5, count=300):
        game = Game(board.fen())
        value = bare.score(game)
        assert abs(value) <= MATE
        assert bare.score(game, fresh=False) == value, board.fen()


@pytest.mark.parametrize("name", [name for name in QTECHNIQUES if name != "QSearchStoreEval"])
def test_every_switch_does_something(name):
    """Each technique of quiescence changes the nodes of some search; a second run without it is the same."""

    def nodes(options):
        total = []
        with Engine(2, options) as engine:
            for fen in SWITCH_POSITIONS:
                engine.new_game()
                total.append(engine.search(Game(fen), Limits(depth=6)).nodes)
        return total

    default = next(technique.default for technique in TECHNIQUES if technique.name == name)
    extra = {"QSearchMaxPly": 16, "QSearchMaxNodes": 1_000, "QSearchSEE": 0} if name == "QSearchLimits" else {}
    if name == "QSearchUnderpromotions":
        extra = {"QSearchSEE": 0}
    changed = nodes({**extra, name: int(not default)})
    assert changed != nodes({**extra, name: int(default)})
    assert changed == nodes({**extra, name: int(not default)})


def test_evaluations_are_stored_on_a_miss(t):
    """A node that ends without a result of its own leaves its evaluation in the table, if it may."""
    game = Game(SWITCH_POSITIONS[-1])
    for switch, expected in ((0, NO_SCORE), (1, None)):
        bare = Bare(t, {"QSearchStoreEval": switch})
        bare.score(game, alpha=5_000, beta=5_001)
        evaluation = int(probe(bare.table.record, game.position.key, 0)[2])
        assert evaluation == (expected or int(bare.w.frames[6].raw_eval))


SWITCH_POSITIONS = (
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/5P1k/8/8/8/2p5/1p3K2/8 w - - 0 1",
    "7K/P1p1p1p1/2P1P1Pk/6pP/3p2P1/1P6/3P4/8 w - - 0 1",
    "q2q3k/1q2q1pp/2q2q2/3q4/3Q4/2Q2Q2/PP1Q2Q1/K3Q2Q w - - 0 1",
    "2r3k1/pp3ppp/1qnbpn2/8/3P4/P1NB1N2/1P3PPP/R1BQ2K1 w - - 0 1",
    "rnbqkb1r/pp1p1ppp/2p2n2/4p3/2P1P3/2N2N2/PP1P1PPP/R1BQKB1R w KQkq - 0 1",
)


def test_check_has_no_stand_pat(t):
    """In check every evasion is looked at: the rook is taken, and without a move it is mate."""
    bare = Bare(t)
    assert bare.score(Game("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1")) == 0
    assert bare.score(Game("7k/5KQ1/8/8/8/8/8/8 b - - 0 1")) == -MATE


AUDITED = (
    ("8/2P5/3K4/8/8/8/2p5/3k4 w - - 0 1", "c7c8q", -60, 60),
    ("3r1k2/8/8/8/8/8/8/R3K3 w - - 0 1", None, -60, 60),
    ("r1b2rk1/pp3ppp/2n5/3p4/3P4/2N5/PP3PPq/R1BQ1RK1 w - - 0 1", "g1h2", 400, 1_500),
    ("6k1/pp4pp/8/8/8/8/PP4PP/6K1 b - - 0 1", None, -80, 80),
    ("8/2P5/3K4/8/8/3k4/2p5/8 w - - 0 1", "c7c8q", -60, 60),
    ("r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 0 1", None, -120, 60),
    ("r1bqkb1r/pppp1ppp/2n2n2/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 1", None, -50, 150),
    ("r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 1", None, -50, 150),
    ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", None, 0, 0),
    ("r3k2r/8/8/8/b7/8/8/R3K2R w KQkq - 0 1", None, 100, 1_500),
    ("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", "e1e2", 0, 0),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", None, -500, 500),
    ("r4rk1/1b2qppp/p1n1p3/1p6/3P4/P1N1P3/1PQ2PPP/R1B2RK1 b - - 0 1", None, -250, 100),
)
"""The positions of the documents, with what is true of them (scores from the mover's side, wide)."""


@pytest.mark.parametrize(("fen", "move", "low", "high"), AUDITED)
def test_the_documents_positions(fen, move, low, high):
    """Each behaves as the audit says."""
    with Engine(8) as engine:
        line = engine.search(Game(fen), Limits(depth=14)).lines[0]
    assert low <= line.score <= high
    assert move is None or move_to_uci(line.moves[0]) == move


@pytest.mark.parametrize(
    "fen",
    [
        "3q4/8/3n1n2/2b1b3/2B1B3/3N1N2/8/3Q4 w - - 0 1",
        "3q4/3nnn2/3bbb2/3rrr2/8/8/PPPPPPPP/3QK3 w - - 0 1",
        "KQQQQQQQ/QQQQQQQQ/QQQQqqqq/QQQ1qqqq/QQQqqqqq/QQqqqqqq/QQqqqqqq/QQqqqqqk b - - 1 1",
    ],
)
def test_impossible_positions_are_refused(fen):
    """No king, or more pieces than a side can have."""
    with pytest.raises(FenError):
        Game(fen)


@pytest.fixture(scope="module")
def engine():
    """An engine as it ships."""
    with Engine(16) as made:
        yield made


@pytest.fixture
def fresh(engine):
    """The same with nothing learnt."""
    engine.new_game()
    return engine


@pytest.mark.parametrize(
    "fen",
    ["2N4k/5Q2/P1P3p1/5pPp/1P3P1P/3R4/4K3/8 b - - 0 10", "2R5/5QBk/P5p1/1N3pPp/1P3P1P/3K4/8/R7 b - - 0 11"],
)
def test_stalemate_is_no_evaluation(t, fresh, fen):
    """Bug: stalemate in quiescence scored by material."""
    game = Game(fen)
    assert not game.legal_moves()
    assert Bare(t).score(game) == 0
    assert fresh.search(game, Limits(depth=4)).lines == []


def test_no_false_mate_from_pruned_evasions(fresh):
    """Bug: pruned evasions gave a mate in 3 where it is 4."""
    report = fresh.search(Game("1B2n3/8/2R5/5p2/3kp1n1/4p3/B3K3/8 w - - 0 1"), Limits(seconds=10, mate=4))
    assert report.lines[0].mate == 4


def test_best_never_sinks_below_stand_pat(t):
    """Bug: the best value sank inside quiescence. Out of check the score is never below standing pat."""
    bare = Bare(t, {"QSearchRefine": 0, "UpcomingRepetition": 0, "QSearchStalemate": 0})
    for board in randomplay.boards(seed=9, count=300):
        if not board.is_check() and not board.is_insufficient_material():
            value = bare.score(Game(board.fen()))
            assert value >= int(bare.w.frames[6].static_eval), board.fen()


def test_the_stack_end_and_explosions_are_survived(fresh):
    """Bug: lines ran off the stack, or stop could not end an explosion."""
    deep = fresh.search(Game("7K/P1p1p1p1/2P1P1Pk/6pP/3p2P1/1P6/3P4/8 w - - 0 1"), Limits(nodes=1_000_000))
    assert deep.lines
    assert deep.counters["q_longest"] <= 210_000
    many = Game("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1")
    assert len(many.legal_moves()) == 218
    assert fresh.search(many, Limits(seconds=0.3)).lines[0].mate == 1
    other = Game("1Q5R/4Q1K1/B1Q5/B4Q2/N2Q4/pQ4Q1/pn2Q3/krQ4R w - - 0 1")
    assert len(other.legal_moves()) == 216
    assert fresh.search(other, Limits(seconds=0.3)).lines


def test_evaluation_does_not_overflow(fresh):
    """Bug: seven queens overflowed the evaluation."""
    report = fresh.search(Game("7k/QQQQR3/2B5/4KN1Q/3QQ3/8/8/4R3 b - - 0 1"), Limits(depth=6))
    assert report.lines == [] or report.lines[0].score < -1_000


def test_the_table_knows_the_clock(fresh):
    """Bug: a mate from the table overtaken by the fifty-move rule."""
    drawn = fresh.search(Game("8/1p2KP2/1p4q1/1Pp5/2P5/N1Pp1k2/3P4/1N6 b - - 76 40"), Limits(seconds=2))
    assert drawn.lines[0].mate is None
    fresh.new_game()
    early = fresh.search(Game("8/8/8/3k4/8/8/1Q4K1/8 w - - 0 1"), Limits(nodes=3_000_000, mate=9))
    moves = early.lines[0].mate
    assert 4 <= moves <= 9
    clock = 100 - (2 * moves - 1) + 4
    late = fresh.search(Game(f"8/8/8/3k4/8/8/1Q4K1/8 w - - {clock} 80"), Limits(depth=6))
    assert late.lines[0].mate is None


def test_mates_are_believed_as_far_as_the_clock_goes(w):
    """A table's mate that the fifty-move rule overtakes is a win at most; one that comes in time stays."""
    pos = w.stack[0]
    for clock, expected in ((70, MATE - 20), (79, MATE - 20), (80, MATE_IN_STACK - 1), (95, MATE_IN_STACK - 1)):
        pos.halfmove = clock
        assert tt_score_within_50_moves(w, pos, MATE - 20, 0) == expected
        assert tt_score_within_50_moves(w, pos, 20 - MATE, 0) == -expected
    assert tt_score_within_50_moves(w, pos, 250, 0) == 250


def test_a_mate_at_a_distance_is_as_near_as_its_own_position(w):
    """A mate score counts from the root: of 20 plies 5 are played at ply 5, and only the other 15 need the clock."""
    pos = w.stack[0]
    for clock, expected in ((80, MATE - 20), (84, MATE - 20), (85, MATE_IN_STACK - 1)):
        pos.halfmove = clock
        assert tt_score_within_50_moves(w, pos, MATE - 20, 5) == expected
        assert tt_score_within_50_moves(w, pos, 20 - MATE, 5) == -expected


def test_no_score_out_of_range_is_stored(fresh):
    """Bug: an out-of-range score stored; every score told stays within a mate."""
    game = Game("8/7k/P3Q3/8/1p6/1B2Q3/3K4/8 b - - 0 1")
    game.push(parse_uci(game, "h7h8"))
    scores = []
    fresh.search(game, Limits(depth=12, seconds=5), lambda report: scores.append(report.lines[0].score))
    assert all(abs(score) <= MATE for score in scores)


def test_lines_do_not_spoil_the_table(fresh):
    """Bug: several lines wrote results of a part of the moves into the table."""
    fresh.search(Game("5R2/2kB2p1/p2bR3/8/3p1B2/8/PPP5/2K5 b - - 0 49"), Limits(depth=10), multi_pv=4)
    after = fresh.search(Game("2B2R2/3r2p1/p1kbR3/8/3p1B2/8/PPP5/2K5 b - - 8 48"), Limits(depth=10)).lines[0].score
    fresh.new_game()
    alone = fresh.search(Game("2B2R2/3r2p1/p1kbR3/8/3p1B2/8/PPP5/2K5 b - - 8 48"), Limits(depth=10)).lines[0].score
    assert abs(after - alone) < 150


def test_no_false_repetition(fresh):
    """Bug: a position seen before, but with another side's pawn about to promote, called a draw."""
    game = Game("8/8/8/8/8/8/p7/2k4K b - - 0 1")
    for text in ["c1b1", "h1g1", "b1c1", "g1h1", "c1b1", "h1g1", "b1a1", "g1h1"]:
        game.push(parse_uci(game, text))
    assert fresh.search(game, Limits(depth=8)).lines[0].score > 300


def test_an_illegal_en_passant_is_forgotten():
    """Bug: an en passant square on which no capture is legal kept in the key."""
    assert Game("k1r5/8/8/1pP5/2K5/8/8/8 w - b6 0 1").fen() == "k1r5/8/8/1pP5/2K5/8/8/8 w - - 0 1"


@pytest.mark.parametrize("weights", [DEFAULT_SET, DEFAULT_EVAL])
def test_a_promotion_that_walks_into_mate(weights):
    """Bug: b8=Q is mated; whoever judges, it is not played by depth 6."""
    with Engine(2) as engine:
        engine.set_weights(weights)
        line = engine.search(Game("4R3/1P5p/4p3/5p2/4k1p1/5nP1/5P1P/1r3B1K w - - 5 51"), Limits(depth=6)).lines[0]
    assert move_to_uci(line.moves[0]) != "b7b8q"


def test_exact_mates(fresh):
    """Mate in one by en passant, and mate in two by a named move."""
    one = fresh.search(Game("5K2/8/2qk4/2nPp3/3r4/6B1/B7/3R4 w - e6 0 1"), Limits(seconds=2, mate=1)).lines[0]
    assert (one.mate, move_to_uci(one.moves[0])) == (1, "d5e6")
    game = Game("8/5R2/2K1P3/4k3/8/b1PPpp1B/5p2/8 w - - 0 1")
    limits = Limits(seconds=5, mate=2, moves=[parse_uci(game, "c6d7")])
    assert fresh.search(game, limits).lines[0].mate == 2


def horizon():
    """Positions of real games: FEN, the blunders, the depth, and a name."""
    for line in (DATA / "horizon.epd").read_text("utf-8").splitlines():
        if not line.startswith("#"):
            board, operations = chess.Board.from_epd(line)
            yield pytest.param(board.fen(), operations["am"], operations["acd"], id=operations["id"])


def choices(fen, depth, options, weights):
    """The moves without and with quiescence."""
    moves = []
    for switch in (0, 1):
        with Engine(4, options | {"UseQuiescence": switch}) as engine:
            engine.set_weights(weights)
            moves.append(to_chess_move(engine.search(Game(fen), Limits(depth=depth)).lines[0].moves[0]))
    return moves


@pytest.mark.parametrize(("fen", "blunders", "depth"), list(horizon()))
def test_the_horizon(fen, blunders, depth):
    """Plain search blunders without quiescence, with it not: found in master games, judged by Stockfish."""
    blind, seeing = choices(fen, depth, all_off(), "hand")
    assert blind in blunders
    assert seeing not in blunders


def test_the_horizon_of_the_engine_as_it_ships():
    """With every technique and the fitted evaluation at least eight still show it, whatever was tuned since."""
    shown = 0
    for case in horizon():
        fen, blunders, depth = case.values
        blind, seeing = choices(fen, depth, {}, "fitted")
        shown += blind in blunders and seeing not in blunders
    assert shown >= 8
