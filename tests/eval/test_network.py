"""The network in the search: accumulators after every kind of move, values of the reference, files that are refused."""

import platform
import random

import numba
import numpy as np
import pytest

from quiesce.board.game import Game
from quiesce.board.makemove import make_move, make_null
from quiesce.board.movegen import generate_all
from quiesce.board.tables import tables
from quiesce.board.types import FLAG_SHIFT, u64
from quiesce.engine import Engine, Limits
from quiesce.engine.limits import NO_LIMIT
from quiesce.eval.accumulator import perspective_output
from quiesce.eval.evaluate import EVAL_LIMIT, static_eval, update_evaluation
from quiesce.eval.evaluator import set_weights
from quiesce.eval.names import DEFAULT_EVAL
from quiesce.eval.netfile import BIAS_LIMIT, FEATURE_LIMIT, Network, reference_eval, write_network
from quiesce.eval.network import ACCUMULATOR, KING_BUCKETS, NETWORK, OUTPUT_BUCKETS, WIDTH
from quiesce.eval.samples import FEATURES, features, pack_positions
from quiesce.eval.weights import WeightsError
from quiesce.records import new
from quiesce.search.deepen import prepare_search
from quiesce.search.report import root_eval
from quiesce.search.settings import params
from quiesce.search.worker import new_worker, set_root
from tests.oracles import randomplay

SPECIAL = (
    "r3k2r/1P4P1/8/2pP4/4pP2/8/1p4p1/R3K2R w KQkq c6 0 1",
    "r3k2r/1P4P1/8/2pP4/4pP2/8/1p4p1/R3K2R b KQkq f3 0 1",
)
"""Both castlings, en passant, promotions with and without a capture."""


def network_of(seed, width=WIDTH, buckets=OUTPUT_BUCKETS, king_buckets=KING_BUCKETS, largest=120):
    """A network of random weights."""
    draw = np.random.default_rng(seed)
    return Network(
        draw.integers(-largest, largest + 1, (king_buckets, FEATURES, width), np.int16),
        draw.integers(0, 200, width, np.int16),
        draw.integers(-60, 61, (buckets, 2 * width), np.int16),
        draw.integers(-5000, 5000, buckets, np.int32),
    )


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """A network and its file."""
    network, path = network_of(1), tmp_path_factory.mktemp("net") / "some.qnet"
    write_network(path, network)
    return network, path


def expected(network, position):
    """The reference's value of a position."""
    samples = pack_positions(np.array([position]), np.zeros(1, np.int16), np.ones(1, np.uint8))
    piece_count = np.array([int((position.board != 12).sum())])
    return max(-EVAL_LIMIT, min(EVAL_LIMIT, int(reference_eval(network, *features(samples), piece_count)[0])))


def value_at_root(w, game):
    """What a search would say of a position at its root."""
    set_root(w, game)
    prepare_search(w, tables(), NO_LIMIT, 1)
    return int(root_eval(w, tables()))


def has_bare_king(board):
    """Is a side down to its king? The network is not asked then."""
    return min(board.occupied_co[colour].bit_count() for colour in (True, False)) == 1


def game_of(board):
    """The same position as a game of ours."""
    return Game(board.shredder_fen() if board.chess960 else board.fen(), board.chess960)


def test_values_are_the_references(file):
    """On random boards of every kind, from scratch."""
    network, path = file
    w, seen = new_worker(params(), str(path)), set()
    for board in randomplay.boards(seed=31, count=150):
        if not has_bare_king(board):
            seen.add(value_at_root(w, game_of(board)))
            assert int(root_eval(w, tables())) == expected(network, game_of(board).position), board.fen()
    assert len(seen) > 40


def random_walk(w, network, game, choice, steps=120):
    """Go up and down a tree as a search does, asking here and there; returns how often an answer was compared."""
    set_root(w, game)
    prepare_search(w, tables(), NO_LIMIT, 1)
    ply, asked, t = 0, 0, tables()
    for _ in range(steps):
        moves = legal(w, ply)
        if moves and ply < 20 and choice.random() < 0.7:
            make_move(t, w.stack[ply], w.stack[ply + 1], choice.choice(moves))
            update_evaluation(w.evaluator, w.stack, ply + 1)
            ply += 1
        elif ply:
            ply -= choice.randint(1, ply)
        pieces = [int(side).bit_count() for side in w.stack[ply].colours]
        if choice.random() < 0.3 and min(pieces) > 1:
            value = int(static_eval(t, w.evaluator, w.stack, ply))
            assert value == expected(network, w.stack[ply])
            asked += 1
    return asked


def legal(w, ply):
    """Legal moves of a ply, castling, en passant and promotions three times as likely as others."""
    moves = w.noisy[ply]
    count = int(generate_all(tables(), w.stack[ply], moves))
    found = [int(move) for move in moves.moves[:count]]
    return found + 2 * [move for move in found if move >> int(FLAG_SHIFT) > 1]


def test_accumulators_follow_every_kind_of_move(file):
    """Castling (Chess960 too), en passant, promotions, captures; asked late, after going back, or not at all."""
    network, path = file
    w, choice, asked = new_worker(params(), str(path)), random.Random(5), 0
    starts = [Game(fen) for fen in SPECIAL] * 6
    starts += [game_of(randomplay.start("chess960", choice)) for _ in range(6)]
    starts += [game_of(board) for board in randomplay.boards(seed=33, count=12) if not has_bare_king(board)]
    for game in starts:
        asked += random_walk(w, network, game, choice)
    assert asked > 400


def test_a_null_move_keeps_the_accumulators(file):
    """After a null move the other side's perspective comes first."""
    network, path = file
    w = new_worker(params(), str(path))
    set_root(w, Game("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 3 3"))
    prepare_search(w, tables(), NO_LIMIT, 1)
    make_null(tables(), w.stack[0], w.stack[1])
    update_evaluation(w.evaluator, w.stack, 1)
    assert int(static_eval(tables(), w.evaluator, w.stack, 1)) == expected(network, w.stack[1])


def test_symmetric_under_colour_flip(file):
    """A position and its mirror get the same number."""
    w = new_worker(params(), str(file[1]))
    for board in randomplay.boards(seed=34, count=60):
        assert value_at_root(w, game_of(board)) == value_at_root(w, game_of(board.mirror())), board.fen()


def test_the_heaviest_weights_do_not_overflow(tmp_path):
    """Weights at the limits of what a file may hold: the kernels and the reference still agree."""
    draw = np.random.default_rng(3)
    shape = (OUTPUT_BUCKETS, 2 * WIDTH)
    output = np.where(draw.random(shape) < 0.5, 1, -1) * draw.integers(90, 129, shape)
    network = Network(
        np.where(draw.random((1, FEATURES, WIDTH)) < 0.5, -FEATURE_LIMIT, FEATURE_LIMIT).astype(np.int16),
        np.where(draw.random(WIDTH) < 0.5, -BIAS_LIMIT, BIAS_LIMIT).astype(np.int16),
        output.astype(np.int16),
        np.full(OUTPUT_BUCKETS, 2_000_000, np.int32),
    )
    write_network(tmp_path / "heavy.qnet", network)
    w = new_worker(params(), str(tmp_path / "heavy.qnet"))
    for board in randomplay.boards(seed=35, count=40):
        if not has_bare_king(board):
            assert value_at_root(w, game_of(board)) == expected(network, game_of(board).position)


def test_the_terms_evaluate_a_bare_king(file):
    """The mating terms decide, whatever the network says."""
    game = Game("8/8/8/3k4/8/8/8/KQ6 w - - 0 1")
    assert value_at_root(new_worker(params(), str(file[1])), game) == value_at_root(new_worker(params()), game)


@pytest.mark.parametrize(("width", "king_buckets"), [(16, 4), (WIDTH // 2, 1), (WIDTH, 2), (WIDTH, 1)])
def test_a_smaller_network_is_taken_too(file, tmp_path, width, king_buckets):
    """Units and king buckets that it lacks count nothing, though a larger network was loaded before."""
    network, path = network_of(3, width=width, king_buckets=king_buckets), tmp_path / "narrow.qnet"
    write_network(path, network)
    w, choice, game = new_worker(params(), str(file[1])), random.Random(7), Game(SPECIAL[0])
    random_walk(w, file[0], game, choice)
    set_weights(w.evaluator, str(path))
    random_walk(w, network, game, choice)
    for board in randomplay.boards(seed=36, count=40):
        if not has_bare_king(board):
            assert value_at_root(w, game_of(board)) == expected(network, game_of(board).position), board.fen()


def test_an_engine_takes_a_network_and_gives_it_back(file, tmp_path):
    """Deterministic with it, for new threads too; a bad file changes nothing; the terms come back."""
    path, limits = str(file[1]), Limits(depth=6)
    (tmp_path / "cut.qnet").write_bytes(file[1].read_bytes()[:5000])
    write_network(tmp_path / "wide.qnet", network_of(2, width=2 * WIDTH, king_buckets=1))
    with Engine(4) as engine:
        game = Game("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 3 3")
        plain = engine.search(game, limits).nodes
        engine.set_weights(path)
        by_network = engine.search(game, limits).nodes
        assert by_network != plain
        for bad in ("cut.qnet", "wide.qnet", "missing.qnet"):
            with pytest.raises(WeightsError, match=bad):
                engine.set_weights(str(tmp_path / bad))
        engine.new_game()
        assert engine.search(game, limits).nodes == by_network
        engine.set_threads(2)
        assert engine._team.workers[1].evaluator.mode == engine.lead_worker.evaluator.mode
        engine.set_threads(1)
        engine.set_weights(DEFAULT_EVAL)
        assert engine.search(game, limits).nodes == plain


@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="the names of instructions are x86's")
def test_the_output_fills_wide_instructions():
    """Products are summed in pairs of 16 bits, not one by one in 64: twice the speed of the whole evaluation."""
    network, accumulator = new(NETWORK), new(ACCUMULATOR)

    @numba.njit
    def output(network, accumulator):
        return perspective_output(accumulator.values[u64(0)], network.output_weights[u64(0)][u64(0)])

    assert output(network, accumulator) == 0
    assert "pmaddwd" in "".join(output.inspect_asm().values())
