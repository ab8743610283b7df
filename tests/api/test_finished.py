"""Games that are over, with any number of threads and any limit: no move, the score that the rules give, at once."""

import chess
import pytest
from chess.engine import Cp, Limit, Mate

import quiesce

MATED = ("7k/5KQ1/8/8/8/8/8/8 b - - 0 1", "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3")
STALEMATE = ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "8/8/8/8/8/5k2/5p2/5K2 w - - 0 1")
LIMITS = {
    "time": Limit(time=0.05),
    "depth": Limit(depth=5),
    "nodes": Limit(nodes=1_000),
    "mate": Limit(mate=3),
    "clock": Limit(white_clock=10, black_clock=10, white_inc=0.1, black_inc=0.1),
    "moves to go": Limit(white_clock=10, black_clock=10, remaining_moves=1),
    "all": Limit(time=0.05, depth=5, nodes=1_000, mate=1),
}
OTHER = Limit(depth=6)


@pytest.fixture(scope="module", params=[1, 2, 8], ids=lambda threads: f"{threads} threads")
def engine(request):
    """An engine with so many threads."""
    with quiesce.Engine(Hash=4, Threads=request.param) as made:
        yield made


@pytest.mark.parametrize("limit", LIMITS.values(), ids=LIMITS)
@pytest.mark.parametrize("fen", MATED + STALEMATE)
@pytest.mark.parametrize("is_new", [True, False], ids=["new game", "after another"])
def test_no_move_and_the_score_of_the_rules(engine, fen, limit, is_new):
    """Mate is mate in 0 against the mover, stalemate is 0; whatever was searched before leaves nothing behind."""
    board, score = chess.Board(fen), Mate(-0) if fen in MATED else Cp(0)
    if is_new:
        engine.configure({"Clear Hash": None})
    else:
        engine.play(chess.Board(), OTHER)
    played = engine.play(board, limit)
    assert (played.move, played.ponder) == (None, None)
    info = engine.analyse(board, limit)
    assert (info["score"].relative, info["pv"]) == (score, [])
    assert [found["pv"] for found in engine.analyse(board, limit, multipv=3)] == [[]]


@pytest.mark.parametrize("fen", MATED + STALEMATE)
def test_an_analysis_without_a_limit_waits_to_be_stopped(engine, fen):
    """It says that there is no move once it is stopped, and the engine goes on."""
    with engine.analysis(chess.Board(fen)) as analysis:
        analysis.stop()
        assert analysis.wait().move is None
    assert engine.play(chess.Board(), OTHER).move
