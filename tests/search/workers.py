"""A worker made ready for questions about one node."""

from quiesce.board.game import Game
from quiesce.board.movetext import parse_uci
from quiesce.board.types import u64
from quiesce.engine.limits import NO_LIMIT
from quiesce.eval.names import DEFAULT_EVAL
from quiesce.jit import copy_record
from quiesce.search.deepen import prepare_search
from quiesce.search.scores import MATE
from quiesce.search.settings import params
from quiesce.search.worker import FRAMES_BEFORE, new_worker, set_root

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
PLY = 3
BIG, NEAR_MATE = 5_000, MATE - 5


def frame(w, ply):
    """The frame of a ply."""
    return w.frames[FRAMES_BEFORE + ply]


def without(w, **options):
    """Change options of a worker."""
    copy_record(w.params, params(options))
    return w


def move_of(text, fen=KIWIPETE):
    """A move of Kiwipete, or of another position."""
    return u64(parse_uci(Game(fen), text))


def worker_at(t, fen=KIWIPETE, weights=DEFAULT_EVAL):
    """A worker with a position at ply 0 and at PLY, and evaluations in its frames."""
    worker = new_worker(weights=weights)
    set_root(worker, Game(fen))
    prepare_search(worker, t, NO_LIMIT, 1)
    copy_record(worker.stack[PLY], worker.stack[0])
    copy_record(worker.stack[PLY + 1], worker.stack[0])
    for ply in range(PLY + 1):
        frame(worker, ply).static_eval = 0
        worker.evaluator.accumulators[ply].phase = worker.evaluator.accumulators[0].phase
    worker.root_depth = 10
    return worker
