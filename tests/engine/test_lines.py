"""Lines that the search cut short: the table's moves go on with them, and only legal ones."""

import chess
import pytest

from quiesce.board.game import Game
from quiesce.board.movetext import move_to_uci
from quiesce.engine import Engine, Limits
from quiesce.engine.lines import lengthened
from quiesce.engine.results import Line
from quiesce.search.tt import BOUND_EXACT, BOUND_LOWER

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
MATE_IN_THREE = "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1"


def test_a_cut_line_gets_its_ponder_move_and_its_mate():
    """One move is left of a line: the table knows the reply; of a mate it knows all moves to the end."""
    with Engine(8) as engine:
        whole = engine.search(Game(KIWIPETE), Limits(depth=8)).lines[0]
        cut = Line(whole.score, whole.moves[:1], 8, 8)
        assert lengthened(cut, engine.lead_worker, engine.table).moves == whole.moves[:2]
        mate = engine.search(Game(MATE_IN_THREE), Limits(depth=8)).lines[0]
        assert mate.mate == 3
        cut = Line(mate.score, mate.moves[:1], 8, 8)
        board = chess.Board(MATE_IN_THREE)
        for move in lengthened(cut, engine.lead_worker, engine.table).moves:
            board.push_uci(move_to_uci(move, chess960=False))
        assert board.is_checkmate()
        assert len(board.move_stack) == 5


def test_a_table_that_knows_nothing_adds_nothing():
    """An empty table leaves a line as it is; so does a line that is long enough."""
    with Engine(8) as engine:
        whole = engine.search(Game(KIWIPETE), Limits(depth=5)).lines[0]
        engine.table.clear()
        cut = Line(whole.score, whole.moves[:1], 5, 5)
        assert lengthened(cut, engine.lead_worker, engine.table) == cut
        assert lengthened(whole, engine.lead_worker, engine.table) == whole


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("fen", [KIWIPETE, "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", chess.STARTING_FEN])
def test_what_is_unfinished_is_no_exact_score(threads, fen):
    """Stopped anywhere, the answer is a finished depth's exact line, or a lower bound of a depth above it."""
    reports, without = [], 0
    with Engine(8, threads=threads) as engine:
        for nodes in range(1_500, 16_000, 250):
            reports.clear()
            engine.new_game()
            engine.set_position(Game(fen))
            engine.go(Limits(nodes=nodes), reports.append)
            line = engine.wait().lines[0]
            finished = {report.depth: report.lines[0] for report in reports[:-1]}
            without += len(line.moves) < 2
            if line.bound == BOUND_EXACT and threads == 1:
                known = finished.get(line.depth) or reports[-1].lines[0]
                assert (line.score, line.moves[0]) == (known.score, known.moves[0])
                assert line.depth == max([*finished, reports[-1].depth])
            else:
                assert line.bound in (BOUND_EXACT, BOUND_LOWER)
            assert reports[-1].lines[0] == line
    assert without <= 1
