"""Shell. WORKER: all that one search thread owns, in one record."""

from typing import Any

from quiesce.board.draws import GAME_KEYS, PATH
from quiesce.board.game import Game
from quiesce.board.position import POSITION
from quiesce.board.types import MOVE_LIST, MOVE_SLOTS, PIECES, SQUARES
from quiesce.eval.evaluator import EVALUATOR, set_weights
from quiesce.eval.names import DEFAULT_EVAL
from quiesce.jit import TRACE, copy_record
from quiesce.records import Field, new, record
from quiesce.search.reasons import REASONS
from quiesce.search.settings import PARAMS, params

MAX_PLY = 128
"""Deepest ply from the root; the stack ends there."""
FRAMES_BEFORE = 6
"""Frames before the root, so that a look at the moves before needs no test."""
TRIED_SLOTS = 64
"""Quiet or noisy moves remembered as tried at one node; later ones are not punished."""
PIECE_SQUARES = PIECES * SQUARES
NO_PIECE_SQUARE = PIECE_SQUARES
"""What stands for the moved piece where no move was made."""
CORRECTION_SLOTS = 16_384
PAWN_HISTORY_SLOTS = 256

FRAME_FIELDS = (
    Field("raw_eval", "i8", "evaluation as it came, mover's side, NO_SCORE in check"),
    Field("static_eval", "i8", "evaluation corrected by history, mover's side, NO_SCORE in check"),
    Field("move", "i8", "move being searched"),
    Field("moved", "i8", "piece and target square of that move, NO_PIECE_SQUARE after a null move"),
    Field("mode", "i8", "which moves the picker hands out"),
    Field("tree_slot", "i8", "this node's slot in the trace"),
    Field("excluded", "i8", "move left out while its singularity is tested"),
    Field("tt_move", "i8", "move the table or an earlier pass proposes"),
    Field("tt_pv", "i8", "1 where the node is on a principal variation, or its position was once"),
    Field("killers", ("i8", (2,)), "quiet moves that cut here of late"),
    Field("counter", "i8", "quiet move that refuted the last move elsewhere"),
    Field("double_extensions", "i8", "double extensions in the line up to here"),
    Field("cutoff_count", "i8", "cutoffs among the children, a sign that late moves will fail"),
    Field("stage", "i8", "what the picker hands out next"),
    Field("history", "i8", "history of the quiet move handed out last"),
    Field("noisy_count", "i8", "noisy moves generated"),
    Field("noisy_next", "i8", "first of them not handed out"),
    Field("bad_count", "i8", "noisy moves put off because they lose material"),
    Field("bad_next", "i8", "first of those not handed out"),
    Field("quiet_count", "i8", "quiet moves generated"),
    Field("quiet_next", "i8", "first of them not handed out"),
    Field("tried_quiet_count", "i8", "quiet moves tried"),
    Field("tried_noisy_count", "i8", "noisy moves tried"),
    Field("tried_quiet", ("u2", (TRIED_SLOTS,)), "those quiet moves"),
    Field("tried_noisy", ("u2", (TRIED_SLOTS,)), "those noisy moves"),
)
FRAME = record(*FRAME_FIELDS)

ROOT_MOVE_FIELDS = (
    Field("move", "u2", "the move"),
    Field("pv_length", "i8", "moves in its line"),
    Field("pv", ("u2", (MAX_PLY,)), "the best line that starts with it"),
    Field("score", "i8", "points of this iteration, -INFINITE where it only failed to be best"),
    Field("last_score", "i8", "points of the iteration before"),
    Field("bound", "i8", "kind of bound the score is"),
    Field("depth", "i8", "iteration in which it last had a line"),
    Field("seldepth", "i8", "deepest ply then"),
    Field("effort", "i8", "nodes spent on it in this search"),
)
ROOT_MOVE = record(*ROOT_MOVE_FIELDS)

COUNTER_FIELDS = (
    Field("nodes", "i8", "positions entered, quiescence included"),
    Field("qnodes", "i8", "those in quiescence"),
    Field("table_hits", "i8", "probes that found the position"),
    Field("cutoffs", "i8", "nodes of the main search that failed high"),
    Field("first_cutoffs", "i8", "those that failed high on the first move"),
    Field("seldepth", "i8", "deepest ply of this iteration"),
    Field("stack_ends", "i8", "times the end of the stack was reached"),
    Field("q_calls", "i8", "calls of quiescence from outside"),
    Field("q_deepest", "i8", "deepest ply below the root of quiescence"),
    Field("q_longest", "i8", "nodes of the longest call"),
    Field("evasion_nodes", "i8", "nodes of quiescence in check"),
    Field("quiet_checks", "i8", "quiet checks tried in quiescence"),
    Field("q_first_cuts", "i8", "beta cuts in quiescence by the first move"),
    Field("q_probes", "i8", "questions of quiescence to the table"),
    Field("q_hits", "i8", "those it could answer"),
    Field("q_refined", "i8", "stand pats bettered by the table"),
    Field("q_stores", "i8", "results of quiescence stored"),
    Field("collisions", "i8", "stores that drove out another position of this search"),
)

TRACE_SLOTS = 1 << 16 if TRACE else 1
"""Nodes a trace can hold; the plain build has no room for any."""
LIMIT_SLOTS = 32 if TRACE else 1
"""Positions kept in which a limit of quiescence was reached."""
TIMED = ("quiescence", "generation", "evaluation")
"""What the trace build times."""
TIMER = record(
    Field("calls", "i8", "how often"),
    Field("total", "i8", "nanoseconds in all"),
    Field("longest", "i8", "nanoseconds of the longest"),
)
TRACE_FIELDS = (
    Field("key", "u8", "key of the position; of the position before where a move was left out"),
    Field("parent", "i4", "slot of the node before, -1 at the root"),
    Field("ply", "i4", "plies from the root"),
    Field("move", "u2", "move that led here, or that was left out"),
    Field("alpha", "i4", "lower end of the window"),
    Field("beta", "i4", "upper end of the window"),
    Field("stand_pat", "i4", "score of standing pat, NO_SCORE in check"),
    Field("score", "i4", "score it came to"),
    Field("reason", "i4", "why it ended, or was left out"),
)
TRACE_NODE = record(*TRACE_FIELDS)

INTERIOR_SLOTS = 32
INTERIOR_FIELDS = (
    Field("position", POSITION, "the position of a node of the main search"),
    Field("score", "i8", "score it came to, mover's side"),
)
INTERIOR = record(*INTERIOR_FIELDS)

WORKER_FIELDS = (
    Field("stack", (POSITION, (MAX_PLY + 2,)), "the position at each ply"),
    Field("frames", (FRAME, (MAX_PLY + FRAMES_BEFORE + 2,)), "scratch of each ply, FRAMES_BEFORE before the root"),
    Field("noisy", (MOVE_LIST, (MAX_PLY + 2,)), "noisy moves of each ply; all moves in check"),
    Field("quiet", (MOVE_LIST, (MAX_PLY + 2,)), "quiet moves of each ply"),
    Field("path", PATH, "keys of game and search"),
    Field("root_index", "i8", "where the root lies in the path"),
    Field("pv", ("u2", (MAX_PLY + 2, MAX_PLY + 2)), "best line from each ply"),
    Field("pv_length", ("i8", (MAX_PLY + 2,)), "moves in it"),
    Field("roots", (ROOT_MOVE, (MOVE_SLOTS,)), "root moves, best first"),
    Field("root_count", "i8", "how many"),
    Field("root_first", "i8", "first root move searched now: those before have their line (MultiPV)"),
    Field("root_partial", "i8", "1 where only some legal moves are searched at the root"),
    Field("multi_pv", "i8", "lines wanted"),
    Field("root_depth", "i8", "depth of this iteration"),
    Field("window_low", "i8", "alpha the root is searched with next"),
    Field("window_high", "i8", "beta the root is searched with next"),
    Field("window_step", "i8", "points the window grows by next"),
    Field("null_ply", "i8", "no null move before this ply while one is verified"),
    Field("stop", ("i8", (1,)), "set by anybody to end the search"),
    Field("poll", "i8", "nodes until the clock and the flag are looked at again"),
    Field("node_limit", "i8", "nodes after which the search ends"),
    Field("deadline", "i8", "nanoseconds of the monotonic clock at which it ends, 0 for never"),
    Field("params", PARAMS, "switches and numbers"),
    Field("evaluator", EVALUATOR, "all that the evaluation owns"),
    *COUNTER_FIELDS,
    Field("q_reasons", ("i8", (len(REASONS),)), "how often quiescence ended or left a move out for each reason"),
    Field("q_start", "i8", "nodes when this call of quiescence began"),
    Field("tree", (TRACE_NODE, (TRACE_SLOTS + 1,)), "the tree of quiescence, in the trace build"),
    Field("tree_count", "i8", "nodes in it"),
    Field("timers", (TIMER, (len(TIMED),)), "how long each part took, in the trace build"),
    Field("q_since", "i8", "nanoseconds of the clock when this call of quiescence began, in the trace build"),
    Field("limit_hits", (POSITION, (LIMIT_SLOTS,)), "positions in which a limit was reached, in the trace build"),
    Field("limit_count", "i8", "how often that was"),
    Field("interior_depth", "i8", "least depth of nodes that are noted for learning, 0 for none"),
    Field("interior_count", "i8", "nodes noted in this search"),
    Field("interior", (INTERIOR, (INTERIOR_SLOTS,)), "the last of them, in a ring"),
    Field("quiet_history", ("i2", (2, SQUARES, SQUARES)), "by side, from and to"),
    Field("capture_history", ("i2", (PIECE_SQUARES, 8)), "by piece and target, and victim"),
    Field("continuation", ("i2", (PIECE_SQUARES + 1, PIECE_SQUARES)), "by the piece moved before, then by this one"),
    Field("pawn_history", ("i2", (PAWN_HISTORY_SLOTS, PIECE_SQUARES)), "by pawn key, and piece and target"),
    Field("counters", ("u2", (PIECE_SQUARES + 1,)), "quiet move that refuted a piece's arrival"),
    Field("pawn_correction", ("i2", (2, CORRECTION_SLOTS)), "error of the evaluation by side and pawn key"),
    Field("nonpawn_correction", ("i2", (2, 2, CORRECTION_SLOTS)), "the same by side, and each colour's pieces"),
    Field("continuation_correction", ("i2", (2, CORRECTION_SLOTS)), "the same by side and the last two moves"),
)
WORKER = record(*WORKER_FIELDS)
HISTORIES = (
    "quiet_history",
    "capture_history",
    "continuation",
    "pawn_history",
    "counters",
    "pawn_correction",
    "nonpawn_correction",
    "continuation_correction",
)


def new_worker(settings: Any = None, weights: str = DEFAULT_EVAL) -> Any:
    """A worker with empty histories and, unless given, default params; weights by name or file."""
    w = new(WORKER)
    set_weights(w.evaluator, weights)
    copy_record(w.params, params() if settings is None else settings)
    return w


def forget(w: Any) -> None:
    """Empty all histories."""
    for name in HISTORIES:
        w[name] = 0


def set_root(w: Any, game: Game) -> None:
    """Put a game's position at the root, and its keys into the path."""
    copy_record(w.stack[0], game.position)
    w.path.keys[: game.index + 1] = game.path.keys[: game.index + 1]
    w.root_index = game.index
    assert game.index < GAME_KEYS


def show_position(w: Any, position: Any) -> None:
    """Put a position without a past at the root."""
    copy_record(w.stack[0], position)
    w.path.keys[0] = position.key
    w.root_index = 0
