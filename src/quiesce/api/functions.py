"""Shell. Functions of one position that need no engine: counts, exchanges, evaluation, quiescence trees."""

from collections.abc import Callable, Mapping
from typing import Any

import chess
import numpy as np

from quiesce.api.boards import Position, game_of, move_of
from quiesce.api.evaluation import Evaluation, evaluation_of
from quiesce.api.info import board_of
from quiesce.api.options import read_options
from quiesce.api.quiescence import Quiescence, quiescence_of
from quiesce.board.counter import Counter, check_depth, count_quiescence
from quiesce.board.perft import MAX_PERFT_DEPTH
from quiesce.board.see import worth_of_exchange
from quiesce.board.tables import tables
from quiesce.engine.options import defaults, search_values
from quiesce.eval.names import DEFAULT_EVAL
from quiesce.jit import have_ready, warm_up
from quiesce.trace.explain import check_is_on


def check_weights(weights: Any) -> None:
    """Raise TypeError unless this is a name of weights or a path as text."""
    if not isinstance(weights, str):
        raise TypeError(f"weights are a name, or the path of a file as text, not {weights!r}")


def warmup(progress: Callable[[int, int, str], None] | None = None) -> None:
    """Compile or load the kernels now; `progress(done, total, name)` is called meanwhile.

    The kernels that record trees are compiled by the first trace, or by the command `quiesce warmup`.

    >>> import quiesce
    >>> quiesce.warmup()
    """
    warm_up(progress)


def perft(board: Position, depth: int) -> int:
    """Number of legal move sequences of this length.

    >>> import chess, quiesce
    >>> quiesce.perft(chess.Board(), 4)
    197281
    """
    check_depth(depth, MAX_PERFT_DEPTH)
    with Counter() as counter:
        return counter.count(game_of(board).position, depth)


def qperft(board: Position, depth: int) -> dict[str, int]:
    """Counts of all nodes to a depth and of the noisy lines after it, by name.

    >>> import quiesce
    >>> quiesce.qperft("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", 0)["captures"]
    1
    """
    return count_quiescence(game_of(board), depth)


def see(board: Position, move: chess.Move | str) -> int:
    """Static exchange evaluation of a legal move, in centipawns for its side; a pawn is 100.

    >>> import quiesce
    >>> quiesce.see("4k3/8/2p5/3p4/8/8/8/3RK3 w - - 0 1", "d1d5")
    -400
    """
    game = game_of(board)
    return int(worth_of_exchange(tables(), game.position, np.uint64(move_of(game, move))))


def evaluate(board: Position, weights: str = DEFAULT_EVAL) -> Evaluation:
    """The static evaluation, piece by piece or term by term. `weights` is a name, or a file of weights or of a network.

    >>> import chess, quiesce
    >>> found = quiesce.evaluate("4k3/pp6/8/8/8/8/PP6/Q3K3 w - - 0 1")
    >>> found.score.white().score() > 300, found.pieces[chess.A1] > 300
    (True, True)
    >>> "material" in quiesce.evaluate(chess.Board(), "fitted").groups
    True
    """
    game = game_of(board)
    check_weights(weights)
    have_ready()
    return evaluation_of(board_of(board, game), game, weights)


def explain(board: Position, options: Mapping[str, Any] | None = None, weights: str = DEFAULT_EVAL) -> Quiescence:
    """Quiescence search of a position with its tree and a reason for each node; can be printed.

    >>> import quiesce
    >>> found = quiesce.explain("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1")
    >>> [(child.san, child.reason) for child in found.tree.children]
    [('exd5', 'all_tried')]
    """
    values = search_values(defaults() | read_options(options or {}))
    check_is_on(values)
    check_weights(weights)
    game = game_of(board)
    return quiescence_of(board_of(board, game), game, values, weights, trace=True)
