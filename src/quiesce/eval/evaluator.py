"""Shell. EVALUATOR: everything the evaluation owns in one worker. EVAL_TRACE: what it counts for people and the fit."""

from pathlib import Path
from typing import Any

from quiesce.board.types import PIECES, SQUARES
from quiesce.eval.features import FEATURE_INDEX
from quiesce.eval.names import DEFAULT_EVAL, uses_network
from quiesce.eval.names import NETWORK as NETWORK_NAME
from quiesce.eval.netfile import NetworkError
from quiesce.eval.network import (
    ACCUMULATOR,
    BUILT_IN,
    BY_NETWORK,
    CLASSICAL,
    NETWORK,
    PLIES,
    REFRESH_ENTRIES,
    REFRESH_ENTRY,
    load_network,
)
from quiesce.eval.terms import DEFAULT_SET, TERM_COUNT
from quiesce.eval.weights import WEIGHTS, WeightsError, weights
from quiesce.jit import copy_record
from quiesce.records import Field, new, record

PAWN_SLOTS = 2_048

PAWN_ENTRY_FIELDS = (
    Field("key", "u8", "pawn key of what is kept here"),
    Field("score", "i8", "packed score of both sides' pawns, White's side"),
    Field("passed", ("u8", (2,)), "passed pawns of each side"),
    Field("reach", ("u8", (2,)), "squares each side's pawns attack or may yet attack"),
    Field("kings", "u8", "king squares that `shelter` belongs to, one byte each, and a mark that it was computed"),
    Field("shelter", "i8", "packed score of both kings' shelters and storms, White's side"),
)
PAWN_ENTRY = record(*PAWN_ENTRY_FIELDS)

ATTACKS_FIELDS = (
    Field("by_kind", ("u8", (2, 6)), "squares each side's pieces of a kind attack"),
    Field("by_any", ("u8", (2,)), "squares each side attacks"),
    Field("by_two", ("u8", (2,)), "squares each side attacks with at least two pieces"),
    Field("mobility_area", ("u8", (2,)), "squares that count for each side's mobility"),
    Field("king_ring", ("u8", (2,)), "squares around each side's king"),
    Field("king_attackers", ("i8", (2,)), "pieces that attack the ring of each side's king"),
    Field("danger", ("i8", (2,)), "units of danger to each side's king"),
)
ATTACKS = record(*ATTACKS_FIELDS)

EVALUATOR_FIELDS = (
    Field("weights", WEIGHTS, "the weights"),
    Field("attacks", ATTACKS, "attack bitboards of the position being evaluated"),
    Field("mode", "i8", "CLASSICAL or BY_NETWORK"),
    Field("network", NETWORK, "the network"),
    Field("feature_index", ("u2", (2, PIECES, SQUARES)), "feature of a piece on a square, by perspective"),
    Field("accumulators", (ACCUMULATOR, (PLIES,)), "what is kept up to date for each ply"),
    Field("refresh_cache", (REFRESH_ENTRY, (REFRESH_ENTRIES,)), "by perspective, king bucket and mirror side"),
    Field("pawn_table", (PAWN_ENTRY, (PAWN_SLOTS,)), "pawn structures evaluated before"),
)
EVALUATOR = record(*EVALUATOR_FIELDS)

EVAL_TRACE_FIELDS = (
    Field("counts", ("i2", (2, TERM_COUNT)), "how often each weight counts for each side"),
    Field("danger", ("i8", (2,)), "units of danger to each side's king, at least 0"),
    Field("phase", "i8", "phase, 0 to 24"),
    Field("scale", "i8", "how much of the endgame score counts, of 128"),
    Field("score", "i8", "packed score of everything, White's side"),
    Field("value", "i8", "the evaluation: points from the mover's side"),
)
EVAL_TRACE = record(*EVAL_TRACE_FIELDS)


def new_evaluator(name: str = DEFAULT_EVAL) -> Any:
    """An evaluator with weights by name or file, its caches empty."""
    evaluator = new(EVALUATOR)
    set_weights(evaluator, name)
    return evaluator


def set_weights(evaluator: Any, name: str) -> None:
    """Load another network or other weights, by name or file, and clear what was computed with the old ones."""
    if uses_network(name):
        try:
            load_network(evaluator.network, BUILT_IN if name == NETWORK_NAME else Path(name))
        except NetworkError as error:
            raise WeightsError(str(error)) from None
        clear_refresh_cache(evaluator)
        copy_record(evaluator.weights, weights(DEFAULT_SET))
        evaluator.mode = BY_NETWORK
    else:
        copy_record(evaluator.weights, weights(name))
        evaluator.mode = CLASSICAL
    evaluator.pawn_table[:] = 0
    evaluator.feature_index[:] = FEATURE_INDEX


def clear_refresh_cache(evaluator: Any) -> None:
    """Fill the refresh cache with the empty board, whose accumulator is the bias."""
    evaluator.refresh_cache["pieces"], evaluator.refresh_cache["colours"] = 0, 0
    evaluator.refresh_cache["values"] = evaluator.network.feature_bias
