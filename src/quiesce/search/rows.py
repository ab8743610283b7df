"""Kernels. Many positions at once, evaluated and brought to rest: the rows of `board/rows.py` in a worker's hands.

Nothing that a search learns from one row is left when the next begins, so that an answer depends on its row alone.
Only the network's sums are made from those of the row before, as they are from one ply to the next.
"""

# mypy: ignore-errors

import numpy as np

from quiesce.board.makemove import make_move
from quiesce.board.rows import GOOD_ROW, ROW, pack_row, unpack_row
from quiesce.board.tables import TABLES
from quiesce.board.types import u64
from quiesce.eval.evaluate import follow_root, start_following
from quiesce.jit import Many, copy_record, entry, kernel
from quiesce.search.deepen import clear_counters, clear_frames
from quiesce.search.history import frame_of
from quiesce.search.node import evaluation_of
from quiesce.search.qsearch import qsearch
from quiesce.search.scores import INFINITE
from quiesce.search.tt import TABLE
from quiesce.search.worker import WORKER


@entry(WORKER, TABLES, Many(ROW, is_read=True), Many("u1"), "i8", "i8", Many("i4"), rare=True)
def evaluate_rows(w, t, rows, bad, first, end, values):
    """Static evaluation of each row, points from the mover's side; in check they mean little."""
    clear_frames(w)
    is_first = True
    for index in range(u64(first), u64(end)):
        bad[index] = unpack_row(t, rows[index], w.stack[u64(1)])
        if bad[index] == GOOD_ROW:
            take_row(w, is_first)
            is_first = False
            values[index] = evaluation_of(w, t, np.int64(0))


@kernel
def take_row(w, is_first):
    """Bring a row's position from ply 1, where it was read, to the root."""
    root, read = w.stack[u64(0)], w.stack[u64(1)]
    if not is_first:
        follow_root(w.judge, frame_of(w, 0), w.stack, read)
    copy_record(root, read)
    if is_first:
        start_following(w.judge, frame_of(w, 0), w.stack)


@kernel
def start_row(w):
    """Make ready for quiescence at the root, alone in its path, with nothing learnt from the rows before."""
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
    rare=True,
)
def quiesce_rows(w, t, tt, rows, bad, first, end, scores, nodes, plies, after):
    """Bring each row to rest: points from its mover's side, nodes, plies of its line, and where the line ends."""
    clear_frames(w)
    is_first = True
    for index in range(u64(first), u64(end)):
        bad[index] = unpack_row(t, rows[index], w.stack[u64(1)])
        if bad[index] != GOOD_ROW:
            continue
        take_row(w, is_first)
        is_first = False
        start_row(w)
        score = qsearch(w, t, tt, np.int64(0), np.int64(-INFINITE), np.int64(INFINITE), np.int64(0))
        if w.stop[0] != 0:
            return
        scores[index] = score
        nodes[index] = w.nodes
        plies[index] = w.pv_length[u64(0)]
        pack_row(w.stack[follow_line(w, t)], after[index])
