"""Shell. Work on millions of positions in NumPy arrays, on all cores, without the GIL.

>>> from quiesce import batch
>>> positions = batch.from_fens(["4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", "7k/5KQ1/8/8/8/8/8/8 b - - 0 1"])
>>> positions.nbytes, batch.legal_counts(positions).tolist(), batch.in_check(positions).tolist()
(64, [5, 0], [False, True])
>>> quiet = batch.qsearch(positions[:1])
>>> batch.to_fens(quiet.ends)
['4k3/8/8/3P4/8/8/8/4K3 b - - 0 1']

Rows without a valid position raise BadRowsError after all others are done; pass a dict as `bad` to get the reasons by
row instead. Results do not depend on `threads`.
"""

from quiesce.batch.board import (
    Inputs,
    LegalMoves,
    features,
    in_check,
    is_quiet,
    keys,
    legal_counts,
    legal_moves,
    moves_from,
    moves_to_san,
    moves_to_uci,
    play,
    see,
)
from quiesce.batch.pgn import UNFINISHED, Games, from_pgn
from quiesce.batch.positions import columns, from_boards, from_fens, to_fens
from quiesce.batch.run import BadRowsError
from quiesce.batch.search import SEARCHED, Quiesced, evaluate, qsearch, search
from quiesce.board.rows import ROW

__all__ = [
    "ROW",
    "SEARCHED",
    "UNFINISHED",
    "BadRowsError",
    "Games",
    "Inputs",
    "LegalMoves",
    "Quiesced",
    "columns",
    "evaluate",
    "features",
    "from_boards",
    "from_fens",
    "from_pgn",
    "in_check",
    "is_quiet",
    "keys",
    "legal_counts",
    "legal_moves",
    "moves_from",
    "moves_to_san",
    "moves_to_uci",
    "play",
    "qsearch",
    "search",
    "see",
    "to_fens",
]
