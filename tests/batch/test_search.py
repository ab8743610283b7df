"""Evaluation, quiescence and search of arrays: what one finds position by position, on any number of threads."""

import threading
import time

import chess
import numpy as np
import pytest
from chess.engine import Limit

import quiesce
from quiesce import batch
from quiesce.api.boards import game_of
from quiesce.board.bridge import to_chess_move
from quiesce.engine import Engine as Core
from quiesce.engine import Limits
from quiesce.search.scores import MATE
from quiesce.trace.explain import quiesce as quiesce_one

EXPLOSIVE = "q2q3k/1q2q1pp/2q2q2/3q4/3Q4/2Q2Q2/PP1Q2Q1/K3Q2Q w - - 0 1"
SOME = slice(None, None, 9)


def test_evaluate(boards, positions):
    """The engine's own static evaluation."""
    found = batch.evaluate(positions)
    with Core(1) as core:
        for row, board in enumerate(boards[SOME]):
            assert found[SOME][row] == core.static_eval(game_of(board))
    assert (batch.evaluate(positions, weights="hand") != found).any()


def test_qsearch(boards, positions):
    """Score, nodes and end of the line are those of a single quiescence search without the table."""
    found = batch.qsearch(positions)
    ends = batch.to_fens(found.ends, shredder=True)
    for row, board in list(enumerate(boards))[SOME]:
        single = quiesce_one(game_of(board), {"QSearchTT": 0})
        assert found.scores[row] == single.score
        assert found.nodes[row] == single.counters["nodes"]
        assert found.plies[row] == len(single.line)
        end = board.copy(stack=False)
        for move in single.line:
            end.push(to_chess_move(move, board.chess960))
        assert ends[row] == end.shredder_fen(en_passant="legal")
    mated = [board.is_checkmate() for board in boards]
    assert (found.scores[mated] == -MATE).all()
    assert found.plies.max() > 2


def test_a_row_is_the_same_in_any_company(positions):
    """Sums made from the row before are those made from scratch: in any order, beside bad rows, whatever kings do."""
    order = np.random.default_rng(3).permutation(len(positions))
    rows = positions[order]
    rows[::7] = 0
    good = np.arange(len(rows)) % 7 != 0
    values, found = batch.evaluate(rows, threads=1, bad={}), batch.qsearch(rows, threads=1, bad={})
    for index in np.flatnonzero(good)[:150]:
        alone = rows[index : index + 1]
        assert values[index] == batch.evaluate(alone, threads=1)[0]
        assert found.scores[index] == batch.qsearch(alone, threads=1).scores[0]
    assert (values[good] == batch.evaluate(positions)[order][good]).all()
    assert (found.nodes[good] == batch.qsearch(positions).nodes[order][good]).all()


def test_quiescence_ends_in_quiet(positions):
    """Where the line ends, most often nothing is won any more: quiescence of the end comes to the same score."""
    found = batch.qsearch(positions)
    again = batch.qsearch(found.ends)
    is_calm = ~batch.in_check(found.ends)
    signs = np.where(found.plies % 2 == 0, 1, -1)
    share = ((again.scores * signs == found.scores) & is_calm).mean()
    assert share > 0.7


def test_options_and_weights(positions):
    """Switches reach the search; the table stays off; wrong ones are refused."""
    plain = batch.qsearch(positions)
    assert (batch.qsearch(positions, options={"QSearchSEE": 0}).nodes != plain.nodes).any()
    assert (batch.qsearch(positions, options={"QSearchTT": 1}).nodes == plain.nodes).all()
    with pytest.raises(ValueError, match="NoSuchOption"):
        batch.qsearch(positions, options={"NoSuchOption": 1})


def test_search_is_a_fresh_engine_each_time(boards, positions):
    """Move, score, depth and nodes of a new engine with 1 MB and as many nodes."""
    found = batch.search(positions[SOME], nodes=600)
    with Core(1) as core:
        for board, row in zip(boards[SOME], found, strict=True):
            core.new_game()
            report = core.search(game_of(board), Limits(nodes=600))
            if not report.lines:
                assert row["move"] == 0
                continue
            line = report.lines[0]
            assert (row["move"], row["score"], row["depth"]) == (line.moves[0], line.score, line.depth)
            assert row["nodes"] == report.nodes


def test_search_of_games_that_are_over():
    """No move, and the score says why; the fewest nodes still give a move; bounds are checked."""
    over = batch.from_fens(["7k/5KQ1/8/8/8/8/8/8 b - - 0 1", "7k/5K2/6Q1/8/8/8/8/8 b - - 0 1", chess.STARTING_FEN])
    found = batch.search(over, nodes=1)
    assert found["move"][:2].tolist() == [0, 0]
    assert found["score"][:2].tolist() == [-MATE, 0]
    assert batch.moves_to_uci(found["move"][2:])[0] in {move.uci() for move in chess.Board().legal_moves}
    assert batch.search(over, depth=2)["depth"].max() == 2
    for wrong in ({"nodes": 0}, {"depth": 0}, {"depth": 999}):
        with pytest.raises(ValueError, match="nodes must be at least 1"):
            batch.search(over, **wrong)


@pytest.mark.parametrize(
    "call",
    [
        lambda rows, **how: batch.evaluate(rows, **how).tobytes(),
        lambda rows, **how: b"".join(part.tobytes() for part in batch.qsearch(rows, **how)),
        lambda rows, **how: batch.search(rows[SOME], nodes=300, **how).tobytes(),
        lambda rows, **how: b"".join(part.tobytes() for part in batch.legal_moves(rows, **how)),
    ],
    ids=["evaluate", "qsearch", "search", "legal_moves"],
)
def test_any_number_of_threads_and_any_order(positions, call):
    """Bit for bit the same on one thread and on several; progress ends at the end."""
    told = []
    one = call(positions, threads=1, progress=lambda done, count: told.append((done, count)))
    assert call(positions, threads=3) == one
    assert told[-1][0] == told[-1][1]
    assert [done for done, _ in told] == sorted({done for done, _ in told})


def test_rows_do_not_learn_from_each_other(positions):
    """In reverse order each row gets the same."""
    there, back = batch.qsearch(positions, threads=1), batch.qsearch(positions[::-1], threads=1)
    assert (there.scores == back.scores[::-1]).all()
    assert (there.nodes == back.nodes[::-1]).all()


class EnoughError(Exception):
    """Raised by a progress callback."""


@pytest.mark.parametrize("call", [batch.legal_counts, batch.evaluate, batch.qsearch, batch.search])
def test_progress_may_give_up(positions, call):
    """An error in the callback ends the batch soon and reaches the caller; no thread is left."""
    many = np.tile(positions, 20)

    def enough(_done, _count):
        raise EnoughError

    with pytest.raises(EnoughError):
        call(many, threads=2, progress=enough)
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("batch")]


def test_an_interrupt_ends_an_explosion(monkeypatch):
    """Quiescence that would go on for minutes ends within a second of an interrupt."""
    rows = batch.from_fens([EXPLOSIVE] * 4)
    wild = {"QSearchSEE": 0, "QSearchChecks": 1, "QSearchCheckPlies": 4}
    asked = []

    def interrupt(*_):
        asked.append(time.monotonic())
        time.sleep(0.2)
        raise KeyboardInterrupt

    monkeypatch.setattr("quiesce.batch.run.tell_of", interrupt)
    with pytest.raises(KeyboardInterrupt):
        batch.qsearch(rows, options=wild, threads=2)
    assert time.monotonic() - asked[0] < 5


def test_a_batch_leaves_the_loop_free(positions):
    """Kernels run without the GIL: another thread goes on counting while one batch runs."""
    ticks, over = [], threading.Event()

    def tick():
        while not over.wait(0.002):
            ticks.append(time.monotonic())

    ticking = threading.Thread(target=tick)
    ticking.start()
    started = time.monotonic()
    batch.qsearch(np.tile(positions, 8), threads=1)
    lasted = time.monotonic() - started
    over.set()
    ticking.join()
    assert len([moment for moment in ticks if moment < started + lasted]) > 5


def test_engines_go_on_beside_batches(positions):
    """An engine that thinks meanwhile finds what it finds alone."""
    with quiesce.Engine({"Hash": 1}) as engine:
        alone = engine.analyse(chess.Board(), Limit(nodes=20_000), game=1)
        done = []
        beside = threading.Thread(target=lambda: done.append(batch.qsearch(np.tile(positions, 4), threads=1)))
        beside.start()
        together = engine.analyse(chess.Board(), Limit(nodes=20_000), game=2)
        beside.join()
    assert (together["score"], together["nodes"], together["pv"]) == (alone["score"], alone["nodes"], alone["pv"])
    assert done


def test_lines_are_those_of_an_engine(boards, positions):
    """With `multipv` each row has as many columns: moves and scores of a new engine's lines, then nothing."""
    found = batch.search(positions[SOME], nodes=600, multipv=3)
    assert found.shape == (len(positions[SOME]), 3)
    with Core(1) as core:
        for board, row in zip(boards[SOME], found, strict=True):
            core.new_game()
            lines = core.search(game_of(board), Limits(nodes=600), multi_pv=3).lines
            shown = [(line.moves[0], line.score, line.depth) for line in lines]
            assert [(one["move"], one["score"], one["depth"]) for one in row[: len(lines)]] == shown
            assert not row[len(lines) :]["move"].any()


@pytest.mark.parametrize("name", ["nodes", "depth", "multipv", "threads"])
def test_limits_are_whole_numbers(name):
    """Text is no number, and the error says which one is meant."""
    with pytest.raises(TypeError, match=f"{name} is a whole number, not '5'"):
        batch.search(batch.from_fens([chess.STARTING_FEN]), **{name: "5"})
    with pytest.raises(ValueError, match="multipv must be from 1 to 256"):
        batch.search(batch.from_fens([chess.STARTING_FEN]), multipv=0)
