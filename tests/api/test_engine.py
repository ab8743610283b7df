"""The engine for Python programs: python-chess in, python-chess out, errors at once, turns and threads."""

import asyncio
import inspect
import threading
import time

import chess
import chess.engine
import pytest
from chess.engine import Limit, Mate, PovScore, SimpleEngine
from hypothesis import given
from hypothesis import strategies as st

import quiesce
from quiesce.board.game import Game
from quiesce.engine import Engine as Core
from quiesce.engine import Limits as CoreLimits
from tests.oracles import randomplay

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
MATED = "7k/5KQ1/8/8/8/8/8/8 b - - 0 1"
STALEMATE = "7k/5K2/6Q1/8/8/8/8/8 b - - 0 1"
FEW = Limit(nodes=2_000)


@pytest.fixture(scope="module")
def engine():
    """One engine for tests that leave it as it was."""
    with quiesce.Engine({"Hash": 4}) as made:
        yield made


def test_play_returns_python_chess_types(engine):
    """A legal move, a legal answer, an info of the right types."""
    board = chess.Board(KIWIPETE)
    result = engine.play(board, FEW)
    assert isinstance(result, chess.engine.PlayResult)
    assert result.move in board.legal_moves
    board.push(result.move)
    assert result.ponder in board.legal_moves
    assert isinstance(result.info["score"], PovScore)
    assert isinstance(result.info["wdl"], chess.engine.PovWdl)
    assert sum(result.info["wdl"].white()) == 1_000
    assert board.move_stack == [result.move]


@pytest.mark.parametrize("name", ["play", "analyse", "analysis", "configure", "ping", "quit", "close"])
def test_calls_take_what_python_chess_takes(name):
    """Whatever may be given to an engine of python-chess may be given to ours, by the same name or place."""
    theirs, ours = (inspect.signature(getattr(of, name)).parameters for of in (SimpleEngine, quiesce.Engine))
    assert set(theirs) <= set(ours)
    assert {word: given.kind for word, given in theirs.items()} == {word: ours[word].kind for word in theirs}


def test_what_has_no_effect_is_taken(engine):
    """A player of python-chess's may ask to ponder, offer a draw and tell of the opponent: the answer is the same."""
    plain = engine.play(KIWIPETE, FEW, game=1)
    opponent = chess.engine.Opponent(name="somebody", title=None, rating=1_500, is_engine=False)
    asked = engine.play(KIWIPETE, FEW, game=2, ponder=True, draw_offered=True, opponent=opponent)
    assert (asked.move, asked.info["nodes"], asked.draw_offered) == (plain.move, plain.info["nodes"], False)
    assert not engine._core.is_searching
    engine.ping()


@given(st.integers(0, 10_000))
def test_lines_are_legal_and_boards_untouched(engine, seed):
    """From any board of a random game, Chess960 too, lines are legal and ordered, and the board is as before."""
    source = randomplay.games(seed)
    for _ in range(seed % 3 + 1):
        board, choice = next(source)
    for _ in range(seed % 60):
        if not any(board.legal_moves):
            break
        board.push(randomplay.lively(board, choice))
    before = board.copy()
    found = engine.analyse(board, Limit(depth=2), multipv=3)
    assert board == before
    assert board.move_stack == before.move_stack
    assert len(found) == max(min(3, board.legal_moves.count()), 1)
    assert [info["score"].relative for info in found] == sorted((i["score"].relative for i in found), reverse=True)
    for info in found:
        line = board.copy()
        for move in info["pv"]:
            assert line.is_legal(move)
            line.push(move)


def test_same_search_as_the_engine_inside():
    """A fixed number of nodes gives the move, score and nodes that the façade finds."""
    with quiesce.Engine({"Hash": 16}) as ours, Core(16) as core:
        info = ours.analyse(KIWIPETE, Limit(nodes=20_000))
        report = core.search(Game(KIWIPETE), CoreLimits(nodes=20_000))
    assert info["nodes"] == report.nodes
    assert info["depth"] == report.lines[0].depth
    assert info["score"] == PovScore(chess.engine.Cp(report.lines[0].centipawns), chess.WHITE)


@pytest.mark.parametrize(
    ("fen", "score"), [(MATED, Mate(0)), (STALEMATE, chess.engine.Cp(0))], ids=["mate", "stalemate"]
)
def test_a_game_that_is_over(engine, fen, score):
    """There is no move, no waiting, and the score says why."""
    result = engine.play(fen, FEW)
    assert result.move is None
    assert engine.analyse(fen, FEW)["score"] == PovScore(score, chess.BLACK)
    with engine.analysis(fen, FEW) as analysis:
        assert [info["score"].relative for info in analysis] == [score]
        assert analysis.wait().move is None


def test_the_stack_counts_for_repetition(engine):
    """A move back to a position that stood twice is a draw; from the same position without its past it loses."""
    board = chess.Board("k7/8/8/8/8/8/8/K6R b - - 0 1")
    for move in ("a8b8", "a1b1", "b8a8", "b1a1") * 2:
        board.push_uci(move)
    back = [chess.Move.from_uci("a8b8")]
    with_past = engine.analyse(board, Limit(depth=4), game="with", root_moves=back)
    without = engine.analyse(board.fen(), Limit(depth=4), game="without", root_moves=back)
    assert with_past["score"].relative.score() == 0
    assert without["score"].relative.score() < -300


def test_chess960_castles_onto_the_rook(engine):
    """A Chess960 board gets its castling as king takes rook, a standard board to the king's target."""
    fen = "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K2R w K - 0 1"
    for chess960, written in ((True, "e1h1"), (False, "e1g1")):
        board = chess.Board(fen, chess960=chess960)
        castling = chess.Move.from_uci(written)
        assert engine.play(board, FEW, root_moves=[castling]).move == castling


INVALID = {
    "no king": chess.Board("8/8/8/8/8/8/8/K7 w - - 0 1"),
    "already in check": chess.Board("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1"),
    "a pawn stands on": chess.Board("P3k3/8/8/8/8/8/8/4K3 w - - 0 1"),
    "8 ranks|ranks instead of 8": "4k3/8/8/8/8/8/4K3 w - - 0 1",
}


@pytest.mark.parametrize("reason", INVALID)
def test_invalid_boards_raise_at_once(engine, reason):
    """Every question refuses them with the reason, and the engine goes on."""
    board = INVALID[reason]
    questions = (
        lambda: engine.play(board, Limit(time=60)),
        lambda: engine.analyse(board, Limit(time=60)),
        lambda: engine.analysis(board),
        lambda: engine.qsearch(board),
        lambda: quiesce.perft(board, 3),
        lambda: quiesce.evaluate(board),
    )
    started = time.monotonic()
    for ask in questions:
        with pytest.raises(ValueError, match=reason):
            ask()
    assert time.monotonic() - started < 5
    assert engine.play(chess.Board(), FEW).move is not None


def test_bad_arguments_raise_at_once(engine):
    """A limit that ends nothing, an illegal root move, too many lines, something that is no board."""
    for ask, error in (
        (lambda: engine.play(chess.Board(), Limit()), ValueError),
        (lambda: engine.play(chess.Board(), Limit(white_inc=1)), ValueError),
        (lambda: engine.play(chess.Board(), Limit(black_clock=1, black_inc=0)), ValueError),
        (lambda: engine.analyse(chess.Board(), Limit(black_clock=1, black_inc=0)), ValueError),
        (lambda: engine.play(chess.Board(), None), TypeError),
        (lambda: engine.play(chess.Board(), FEW, root_moves=[chess.Move.from_uci("e2e5")]), ValueError),
        (lambda: engine.play(chess.Board(), FEW, root_moves=[]), ValueError),
        (lambda: engine.analyse(chess.Board(), FEW, multipv=0), ValueError),
        (lambda: engine.analyse(42, FEW), TypeError),
        (lambda: engine.configure({"NoSuchOption": 1}), ValueError),
        (lambda: engine.configure({"NullMove": True, "Threads": 0}), ValueError),
    ):
        with pytest.raises(error):
            ask()
    assert engine._values["Threads"] == 1


def test_clock_and_time_are_kept(engine):
    """A time is used and not exceeded by much; a clock gives a move well before it runs out."""
    for limit in (Limit(time=0.2), Limit(white_clock=2.0, black_clock=2.0, white_inc=0.01, black_inc=0.01)):
        started = time.monotonic()
        assert engine.play(chess.Board(KIWIPETE), limit).move
        assert time.monotonic() - started < 2.0


def test_info_is_selected(engine):
    """Only the parts of an info that were asked for are there."""
    assert engine.play(KIWIPETE, FEW, info=chess.engine.INFO_NONE).info == {}
    found = engine.analyse(KIWIPETE, FEW, info=chess.engine.INFO_SCORE | chess.engine.INFO_PV)
    assert set(found) == {"score", "wdl", "pv"}


def test_options_of_one_call_are_its_own(engine):
    """Options of a call change it and are gone after it; strength is limited in play, not in analysis."""
    weak = {"UCI_LimitStrength": True, "UCI_Elo": 1_000}
    assert engine.play(chess.Board(), Limit(depth=12), options=weak).info["nodes"] <= 200
    assert engine.analyse(KIWIPETE, Limit(nodes=5_000), options=weak)["nodes"] >= 4_000
    assert not engine._values["UCI_LimitStrength"]
    plain = engine.qsearch(KIWIPETE).nodes
    assert engine.qsearch(KIWIPETE, options={"QSearchSEE": False}).nodes != plain
    assert engine.qsearch(KIWIPETE).nodes == plain


def test_options_of_one_call_are_not_anothers():
    """While a call with options of its own runs, quiescence in another thread goes by those configured."""
    wild = {"QSearchSEE": False, "QSearchDelta": False}
    with quiesce.Engine({"Hash": 1}) as engine:
        plain = engine.qsearch(KIWIPETE).nodes
        assert engine.qsearch(KIWIPETE, options=wild).nodes != plain
        playing = threading.Thread(target=lambda: engine.play(KIWIPETE, Limit(time=1.5), options=wild))
        playing.start()
        while not engine._core.is_searching:
            time.sleep(0.001)
        meanwhile = engine.qsearch(KIWIPETE).nodes
        assert engine._core.is_searching
        playing.join()
        assert meanwhile == plain


def test_options_of_one_call_end_with_it():
    """The next call finds what it would have found without them, and an option asked for again costs no table."""
    with quiesce.Engine({"Hash": 2}) as engine:
        before = engine.analyse(KIWIPETE, FEW, game=1)
        engine.analyse(KIWIPETE, FEW, options={"Hash": 1, "Threads": 2, "NullMove": False, "EvalMode": "classical"})
        after = engine.analyse(KIWIPETE, FEW, game=2)
        assert (after["nodes"], after["score"], after["pv"]) == (before["nodes"], before["score"], before["pv"])
        assert (engine._core.table.megabytes, engine._core.threads) == (2, 1)
        engine.analyse(KIWIPETE, Limit(depth=8), options={"Hash": 1})
        again = engine.analyse(KIWIPETE, Limit(depth=8), options={"Hash": 1})
        assert again["nodes"] < engine.analyse(KIWIPETE, Limit(depth=8), game=3)["nodes"]


def test_several_workers_search_together():
    """With two threads there is a legal move, and the nodes of both are counted."""
    with quiesce.Engine({"Hash": 4, "Threads": 2}) as engine:
        info = engine.analyse(KIWIPETE, Limit(nodes=20_000))
        assert info["pv"][0] in chess.Board(KIWIPETE).legal_moves
        assert info["nodes"] > 10_000
        engine.configure({"Threads": None})
        assert engine._core.threads == 1


def test_threads_take_turns():
    """Many threads ask one engine at once; each gets the answer to its own question."""
    boards = [chess.Board(board.fen()) for board in randomplay.boards(seed=3, count=12)]
    with quiesce.Engine({"Hash": 1}) as engine:
        answers = [None] * len(boards)

        def ask(index):
            answers[index] = engine.play(boards[index], Limit(nodes=500))

        threads = [threading.Thread(target=ask, args=(index,)) for index in range(len(boards))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
    for board, answer in zip(boards, answers, strict=True):
        assert answer.move in board.legal_moves


def test_engines_do_not_disturb_each_other():
    """Two engines with different options at the same time find what each finds alone."""
    settings = ({"Hash": 4}, {"Hash": 4, "NullMove": False, "QSearchSEE": False})

    def found(engine):
        infos = [engine.analyse(board, Limit(nodes=3_000)) for board in boards]
        return [(info["nodes"], info["pv"], info["score"]) for info in infos]

    boards = list(randomplay.boards(seed=5, count=6))
    alone = []
    for options in settings:
        with quiesce.Engine(options) as engine:
            alone.append(found(engine))
    together = [None, None]
    with quiesce.Engine(settings[0]) as one, quiesce.Engine(settings[1]) as other:
        engines = (one, other)

        def work(index):
            together[index] = found(engines[index])

        threads = [threading.Thread(target=work, args=(index,)) for index in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(120)
    assert together == alone
    assert alone[0] != alone[1]


def test_asyncio():
    """An event loop goes on while searches run: in threads, and as an async iteration that can be cancelled."""

    async def follow(engine):
        async with engine.analysis(chess.Board()) as endless:
            async for _ in endless:
                pass

    async def main():
        ticks = 0

        async def tick():
            nonlocal ticks
            while True:
                ticks += 1
                await asyncio.sleep(0.01)

        ticking = asyncio.create_task(tick())
        with quiesce.Engine({"Hash": 1}) as one, quiesce.Engine({"Hash": 1}) as other:
            plays = [asyncio.to_thread(engine.play, chess.Board(), Limit(time=0.3)) for engine in (one, other)]
            results = await asyncio.gather(*plays)
            depths = []
            async with one.analysis(chess.Board()) as analysis:
                async for info in analysis:
                    depths.append(info["depth"])
                    if len(depths) == 5:
                        break
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(follow(other), 0.2)
            assert other.play(chess.Board(), FEW).move
        ticking.cancel()
        return ticks, results, depths

    ticks, results, depths = asyncio.run(main())
    assert ticks > 10
    assert all(result.move in chess.Board().legal_moves for result in results)
    assert depths == sorted(depths)
    assert len(depths) == 5


def test_a_closed_engine_says_so():
    """Closing ends a search that runs; later questions are refused, closing again is not."""
    engine = quiesce.Engine({"Hash": 1})
    answers = []
    asking = threading.Thread(target=lambda: answers.append(engine.play(chess.Board(), Limit(time=60))))
    asking.start()
    while not engine._core.is_searching:
        time.sleep(0.001)
    engine.close()
    asking.join(10)
    assert answers[0].move in chess.Board().legal_moves
    for ask in (lambda: engine.play(chess.Board(), FEW), lambda: engine.qsearch(chess.Board()), engine.ping):
        with pytest.raises(chess.engine.EngineTerminatedError):
            ask()
    engine.quit()


def test_bad_weights_are_refused():
    """An engine that cannot have its weights is not made; one that has some keeps them."""
    with pytest.raises(ValueError, match="nothing-like-this"):
        quiesce.Engine({"EvalMode": "classical", "EvalWeights": "nothing-like-this"})
    with quiesce.Engine({"Hash": 1}) as engine:
        before = engine.analyse(KIWIPETE, FEW)["score"]
        with pytest.raises(ValueError, match="nothing-like-this"):
            engine.configure({"EvalFile": "nothing-like-this.qnet"})
        assert engine.analyse(KIWIPETE, FEW, game=1)["score"] == before


def test_options_change_together_or_not_at_all():
    """One that cannot be had leaves the others as they were, whichever stands first."""
    with quiesce.Engine({"Hash": 2}) as engine:
        before = engine.analyse(KIWIPETE, FEW)["score"]
        for options, error in (
            ({"Hash": 3, "Threads": 2, "EvalFile": "nothing-like-this.qnet"}, ValueError),
            ({"EvalMode": "classical", "NullMove": False, "Hash": 1 << 20}, MemoryError),
        ):
            with pytest.raises(error):
                engine.configure(options)
            core = engine._core
            assert (core.table.megabytes, core.threads, core.weights) == (2, 1, "network")
            assert engine.analyse(KIWIPETE, FEW, game=object())["score"] == before


def test_results_show_themselves(engine):
    """In a notebook a result is a board with its move, and an analysis its newest info."""
    result = engine.play(KIWIPETE, FEW)
    for shown in (result, engine.analyse(KIWIPETE, FEW)):
        html = shown._repr_html_()
        assert html.count("<svg") == 1
        assert "depth" in html
    with engine.analysis(KIWIPETE, FEW) as analysis:
        analysis.wait()
        assert "<svg" in analysis._repr_html_()


def test_options_by_keyword_and_in_any_case():
    """Keywords stand for names, _ for blanks; the map of options finds a name in any case."""
    with quiesce.Engine({"hash": 2}, Threads=2, Move_Overhead=50, UCI_Elo=1500) as engine:
        assert repr(engine) == "<quiesce.Engine: Hash 2, Threads 2, idle>"
        assert engine.options["hash"] is engine.options["Hash"]
        assert "nullmove" in engine.options
    assert repr(engine).endswith("closed>")


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"Hsah": 3}, "there is no option 'Hsah'; is 'Hash' meant\\?"),
        ({"Hash": "lots"}, "Hash is a whole number, not 'lots'"),
        ({"Hash": 0}, "Hash goes from 1 to"),
        ({"NullMove": "perhaps"}, "NullMove is true or false, not 'perhaps'"),
        ({"EvalMode": "magic"}, "EvalMode is network or classical"),
    ],
)
def test_bad_options_are_told_in_words(options, reason):
    """As ValueError, and as python-chess's EngineError, for those who wrote for it."""
    for kind in (ValueError, chess.engine.EngineError):
        with pytest.raises(kind, match=reason):
            quiesce.Engine(options)


def test_another_engines_name_is_no_option():
    """Whoever thinks of SimpleEngine.popen_uci is told where it is."""
    with pytest.raises(TypeError, match=r"not 'stockfish': .*popen_uci starts other engines"):
        quiesce.Engine("stockfish")
