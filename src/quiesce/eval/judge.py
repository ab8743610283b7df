"""Shell. JUDGE: all that the evaluation owns in one worker, and LEDGER: what it writes for people and for the fit."""

from pathlib import Path
from typing import Any

from quiesce.eval.names import DEFAULT_EVAL, is_by_network
from quiesce.eval.names import NETWORK as NETWORK_NAME
from quiesce.eval.netfile import NetworkError
from quiesce.eval.network import (
    ACCUMULATOR,
    BUILT_IN,
    BY_NETWORK,
    CLASSICAL,
    NETWORK,
    PLIES,
    SEEN,
    VIEWS,
    load_network,
)
from quiesce.eval.terms import DEFAULT_SET, TERM_COUNT
from quiesce.eval.weights import WEIGHTS, WeightsError, weights
from quiesce.jit import copy_record
from quiesce.records import Field, new, record

PAWN_SLOTS = 2_048

PAWN_ENTRY_FIELDS = (
    Field("key", "u8", "pawn key of what is kept here"),
    Field("pair", "i8", "pair of both sides' pawns, White's side"),
    Field("passed", ("u8", (2,)), "passed pawns of each side"),
    Field("reach", ("u8", (2,)), "squares each side's pawns attack or may yet attack"),
    Field("kings", "u8", "king squares that `shelter` was counted for, one byte each, and a mark that it was"),
    Field("shelter", "i8", "pair of both kings' shelters and storms, White's side"),
)
PAWN_ENTRY = record(*PAWN_ENTRY_FIELDS)

SIGHT_FIELDS = (
    Field("by_kind", ("u8", (2, 6)), "squares each side's men of a kind attack"),
    Field("all_attacks", ("u8", (2,)), "squares each side attacks"),
    Field("twice", ("u8", (2,)), "squares each side attacks at least twice"),
    Field("area", ("u8", (2,)), "squares that count for each side's mobility"),
    Field("ring", ("u8", (2,)), "squares around each side's king"),
    Field("attackers", ("i8", (2,)), "men that attack the ring of each side's king"),
    Field("danger", ("i8", (2,)), "units of danger to each side's king"),
)
SIGHT = record(*SIGHT_FIELDS)

JUDGE_FIELDS = (
    Field("weights", WEIGHTS, "the weights"),
    Field("sight", SIGHT, "who attacks what in the position being judged"),
    Field("mode", "i8", "CLASSICAL or BY_NETWORK"),
    Field("network", NETWORK, "the network"),
    Field("accumulators", (ACCUMULATOR, (PLIES,)), "the network's sums at each ply"),
    Field("seen", (SEEN, (VIEWS,)), "the men that were summed last from each view, and their sums"),
    Field("pawn_table", (PAWN_ENTRY, (PAWN_SLOTS,)), "pawn structures judged before"),
)
JUDGE = record(*JUDGE_FIELDS)

LEDGER_FIELDS = (
    Field("counts", ("i2", (2, TERM_COUNT)), "how often each weight counts for each side"),
    Field("danger", ("i8", (2,)), "units of danger to each side's king, at least 0"),
    Field("phase", "i8", "phase, 0 to 24"),
    Field("scale", "i8", "how much of the ending's centipawns stands, of 128"),
    Field("pair", "i8", "pair of everything, White's side"),
    Field("value", "i8", "what it comes to: centipawns, mover's side"),
)
LEDGER = record(*LEDGER_FIELDS)


def new_judge(name: str = DEFAULT_EVAL) -> Any:
    """A judge with an evaluation, by name or file, and nothing remembered."""
    judge = new(JUDGE)
    set_weights(judge, name)
    return judge


def set_weights(judge: Any, name: str) -> None:
    """Take another network or other weights, by name or file, and forget what was judged by the old ones."""
    if is_by_network(name):
        try:
            load_network(judge.network, BUILT_IN if name == NETWORK_NAME else Path(name))
        except NetworkError as error:
            raise WeightsError(str(error)) from None
        forget_seen(judge)
        copy_record(judge.weights, weights(DEFAULT_SET))
        judge.mode = BY_NETWORK
    else:
        copy_record(judge.weights, weights(name))
        judge.mode = CLASSICAL
    judge.pawn_table[:] = 0


def forget_seen(judge: Any) -> None:
    """Begin with the empty board from every view, which is its sums' bias."""
    judge.seen["pieces"], judge.seen["colours"] = 0, 0
    judge.seen["sums"] = judge.network.feature_bias
