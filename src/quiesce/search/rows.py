"""Kernels. Evaluation and quiescence search of many positions: the rows of `board/rows.py`.

Nothing that a search learns from one row is left when the next begins, so that an answer depends on its row alone. The
refresh cache stays: an accumulator computed from the last position of its bucket equals one from scratch.
"""

# mypy: ignore-errors

import numpy as np

from quiesce.board.makemove import make_move
from quiesce.board.rows import GOOD_ROW, ROW, pack_row, unpack_row
from quiesce.board.tables import TABLES
from quiesce.board.types import u64
from quiesce.eval.evaluate import refresh_evaluation
from quiesce.jit import Many, entry, kernel
from quiesce.search.deepen import clear_counters, clear_frames
from quiesce.search.node import evaluation_of
from quiesce.search.qsearch import qsearch
from quiesce.search.scores import INFINITE
from quiesce.search.tt import TABLE
from quiesce.search.worker import WORKER


@entry(WORKER, TABLES, Many(ROW, is_read=True), Many("u1"), "i8", "i8", Many("i4"), lazy=True)
def evaluate_rows(w, t, rows, bad, first, end, values):
    """Static evaluation of each row, points from the mover's side; in check it means little."""
    clear_frames(w)
    for index in range(u64(first), u64(end)):
        bad[index] = unpack_row(t, rows[index], w.stack[u64(0)])
        if bad[index] == GOOD_ROW:
            refresh_evaluation(w.evaluator, w.stack)
            values[index] = evaluation_of(w, t, np.int64(0))


@kernel
def start_row(w):
    """Get ready to search the position at the root: alone in its path, with nothing learnt from the rows before."""
    refresh_evaluation(w.evaluator, w.stack)
    clear_counters(w)
    w.path.keys[u64(0)] = w.stack[u64(0)].key
    w.root_index = 0
    if w.params.q_search_capture_history:
        w.capture_history[:, :] = 0


@kernel
def follow_line(w, t):
    """Play the best line from the root; returns the ply at which it ends."""
    length = u64(w.pv_length[u64(0)])
    for ply in range(length):
        make_move(t, w.stack[ply], w.stack[ply + u64(1)], u64(w.pv[u64(0), ply]))
    return length


@entry(
    WORKER,
    TABLES,
    TABLE,
    Many(ROW, is_read=True),
    Many("u1"),
    "i8",
    "i8",
    Many("i4"),
    Many("i4"),
    Many("i4"),
    Many(ROW),
    lazy=True,
)
def quiesce_rows(w, t, tt, rows, bad, first, end, scores, nodes, plies, after):
    """Quiescence search of each row: points from its mover's side, nodes, plies of its line, and its last position."""
    clear_frames(w)
    for index in range(u64(first), u64(end)):
        bad[index] = unpack_row(t, rows[index], w.stack[u64(0)])
        if bad[index] != GOOD_ROW:
            continue
        start_row(w)
        score = qsearch(w, t, tt, np.int64(0), np.int64(-INFINITE), np.int64(INFINITE), np.int64(0))
        if w.stop[0] != 0:
            return
        scores[index] = score
        nodes[index] = w.nodes
        plies[index] = w.pv_length[u64(0)]
        pack_row(w.stack[follow_line(w, t)], after[index])
