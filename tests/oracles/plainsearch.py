"""Plain alpha-beta with plain quiescence over python-chess: no table, no pruning. Slow and obvious."""

from functools import cache, partial

from quiesce.board.bridge import from_board
from quiesce.board.tables import tables
from quiesce.eval.evaluate import explain_eval
from quiesce.eval.evaluator import EVAL_TRACE, new_evaluator
from quiesce.records import new

MATE, INFINITE = 31_000, 32_000


@cache
def evaluator():
    """The weights that ship."""
    return new_evaluator()


def evaluate(board):
    """Our own static evaluation, from scratch, mover's side; tests/oracles/terms.py is what that is held against."""
    trace = new(EVAL_TRACE)
    return int(explain_eval(tables(), evaluator(), from_board(board).position, trace))


class TooLongError(Exception):
    """More nodes than Python has time for."""


class PlainSearch:
    """Scores of a root position by plain search; `path` holds the positions since the root."""

    def __init__(self, most=None):
        self.path = []
        self.nodes, self.most = 0, most

    def is_draw(self, board):
        """Fifty moves without mate, dead material, or a position met since the root."""
        if board.is_insufficient_material():
            return True
        if board.halfmove_clock >= 100 and (not board.is_check() or any(board.legal_moves)):
            return True
        return board._transposition_key() in self.path[1:]

    def after(self, board, move, search, alpha, beta):
        """The value of a move, as `search(board, alpha, beta)` sees the position after it."""
        self.path.append(board._transposition_key())
        board.push(move)
        value = -search(board, -beta, -alpha)
        board.pop()
        self.path.pop()
        return value

    def best(self, board, moves, search, value, alpha, beta):
        """The best of some moves and a value in hand, by alpha-beta."""
        for move in moves:
            if value >= beta:
                break
            value = max(value, self.after(board, move, search, max(alpha, value), beta))
        return value

    def root(self, board, depth):
        """Value of each root move at a depth, each with an open window."""
        search = partial(self.search, depth=depth - 1, ply=1)
        return {move: self.after(board, move, search, -INFINITE, INFINITE) for move in list(board.legal_moves)}

    def search(self, board, alpha, beta, depth, ply):
        """Value at a depth."""
        if self.is_draw(board):
            return 0
        if depth == 0:
            return self.quiesce(board, alpha, beta, ply)
        moves = list(board.legal_moves)
        if not moves:
            return ply - MATE if board.is_check() else 0
        return self.best(board, moves, partial(self.search, depth=depth - 1, ply=ply + 1), -INFINITE, alpha, beta)

    def quiesce(self, board, alpha, beta, ply):
        """Value once the position is quiet: stand pat or take; every evasion in check."""
        self.nodes += 1
        if self.most is not None and self.nodes > self.most:
            raise TooLongError
        if self.is_draw(board):
            return 0
        moves, search = list(board.legal_moves), partial(self.quiesce, ply=ply + 1)
        if board.is_check():
            return self.best(board, moves, search, -INFINITE, alpha, beta) if moves else ply - MATE
        noisy = [move for move in moves if board.is_capture(move) or move.promotion]
        noisy.sort(key=lambda move: -(board.piece_type_at(move.to_square) or 0))
        return self.best(board, noisy, search, evaluate(board), alpha, beta)
