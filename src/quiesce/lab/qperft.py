"""Shell. Q-perft: how large the tree of quiescence would be if nothing were cut."""

import threading

from quiesce.board.game import Game
from quiesce.board.perft import PERFT, QPERFT, qperft
from quiesce.board.tables import tables
from quiesce.records import new

MOST_DEPTH = 8
LONGEST_WAIT = 0.1
"""Seconds until an interrupt is noticed."""


def count_quiescence(game: Game, depth: int) -> dict[str, int]:
    """Counts by name; an interrupt ends the count first."""
    record, counts = new(PERFT), new(QPERFT)
    record.stack[0] = game.position
    counting = threading.Thread(target=qperft, args=(tables(), record, counts, 0, depth), daemon=True)
    counting.start()
    try:
        while counting.is_alive():
            counting.join(LONGEST_WAIT)
    except BaseException:
        record.stop[0] = 1
        counting.join()
        raise
    return {name: int(counts[name]) for name in QPERFT.names or ()}
