"""Shell. Extra commands for engine authors: board, evaluation, perft, quiescence, compiler."""

import platform
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from quiesce import __version__
from quiesce.board.fen import PIECE_LETTERS, SIDE
from quiesce.board.game import Game
from quiesce.board.movetext import move_to_uci
from quiesce.board.perft import MAX_PERFT_DEPTH, PERFT, QPERFT, perft, qperft
from quiesce.board.tables import tables
from quiesce.board.types import NO_PIECE
from quiesce.engine import Engine
from quiesce.engine.wdl import centipawns
from quiesce.eval.breakdown import Breakdown, breakdown, grouped
from quiesce.eval.bypiece import by_piece
from quiesce.eval.names import uses_network
from quiesce.jit.library import description
from quiesce.records import new
from quiesce.uci.infolines import moves_text
from quiesce.uci.output import Output

MOST_QPERFT = 8
"""Largest depth of a q-perft before its noisy plies."""


Job = Callable[["JobQueue", list[str]], None]


class JobQueue:
    """Runs the extra commands; long ones in a thread of their own."""

    def __init__(self, output: Output, engine: Engine) -> None:
        self.output, self.engine, self.game = output, engine, Game()
        self.is_stopped = False
        """Should the running job stop?"""
        self._perft = new(PERFT)
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="queue")

    def start(self, job: Job, arguments: list[str], game: Game, on_end: Callable[[], None]) -> None:
        """Start a long job on a game; `on_end` is called at its end."""
        self.is_stopped, self._perft.stop[0] = False, 0

        def run() -> None:
            try:
                self.do(job, arguments, game)
            finally:
                on_end()

        self._pool.submit(run)

    def do(self, job: Job, arguments: list[str], game: Game) -> None:
        """Run a job now; errors are printed, not raised."""
        self.game = game
        try:
            job(self, arguments)
        except (ValueError, RuntimeError, OSError, MemoryError) as error:
            self.output.note(str(error))
        except Exception as error:  # noqa: BLE001  (one bad job must not end the session)
            self.output.note(f"{job.__name__} failed: {type(error).__name__}: {error}")

    def stop(self) -> None:
        """Stop the running job."""
        self.is_stopped = True
        self._perft.stop[0] = 1

    def close(self) -> None:
        """End the thread after its job."""
        self._pool.shutdown()

    def say(self, text: str) -> None:
        """Write a line to the GUI."""
        self.output.say(text)

    def count(self, game: Game, depth: int) -> int:
        """Perft of a game."""
        self._perft.stack[0] = game.position
        return int(perft(tables(), self._perft, 0, depth))

    def count_quiescence(self, game: Game, depth: int) -> dict[str, int]:
        """Q-perft of a game; counts by name."""
        counts = new(QPERFT)
        self._perft.stack[0] = game.position
        qperft(tables(), self._perft, counts, 0, depth)
        return {name: int(counts[name]) for name in QPERFT.names or ()}


def depth_of(arguments: list[str], most: int) -> int:
    """The depth of a job. Raises ValueError if it is missing or wrong."""
    text = arguments[0] if arguments else "1"
    if not (text.isascii() and text.isdigit() and int(text[:9]) <= most):
        raise ValueError(f"depth goes from 0 to {most}")
    return int(text)


def show_board(queue: JobQueue, _arguments: list[str]) -> None:
    """Board, FEN, key and legal moves."""
    game, rows = queue.game, []
    for rank in range(SIDE - 1, -1, -1):
        pieces = game.position.board[rank * SIDE :][:SIDE]
        rows.append(f"{rank + 1} " + " ".join("." if p == NO_PIECE else PIECE_LETTERS[p] for p in pieces))
    legal = sorted(move_to_uci(move, game.chess960) for move in game.legal_moves())
    facts = (
        f"fen: {game.fen(shredder=game.chess960)}",
        f"key: {int(game.position.key):016x}",
        f"check: {'yes' if game.is_check else 'no'}",
        f"moves: {' '.join(legal)}",
    )
    queue.say("\n".join((*rows, "  a b c d e f g h", "", *facts)))


def show_eval(queue: JobQueue, _arguments: list[str]) -> None:
    """Static evaluation: a network's piece by piece, the terms' by groups."""
    if uses_network(queue.engine.weights):
        shares = by_piece(queue.game.position, queue.engine.weights)
        lines, points = shares.rows(PIECE_LETTERS), shares.value
    else:
        found = breakdown(queue.game.position, queue.engine.weights)
        lines, points = terms_lines(found), found.value
    value = f"{centipawns(points)} cp for the side to move ({points} points)"
    queue.say("\n".join([*lines, f"eval: {'none, in check' if queue.game.is_check else value}"]))


def terms_lines(found: Breakdown) -> list[str]:
    """One line for each group of terms, and the sum."""
    lines = [f"{'term':<10} {'White mg eg':>13} {'Black mg eg':>13} {'total mg eg':>13}"]
    for row in grouped(found):
        pairs = " ".join(f"{middle:>6} {ending:>6}" for middle, ending in (row.white, row.black, row.total))
        lines.append(f"{row.name:<10} {pairs}")
    lines.append(f"{'total':<38} {found.total[0]:>6} {found.total[1]:>6}")
    lines.append(f"White's side: {found.formula}")
    return lines


def show_quiescence(queue: JobQueue, _arguments: list[str]) -> None:
    """Score, nodes and line of a quiescence search."""
    found = queue.engine.quiescence(queue.game)
    line = found.lines[0]
    score = f"{line.centipawns} cp" if line.mate is None else f"mate {line.mate}"
    queue.say(f"qsearch: {score}, nodes {found.nodes}, seldepth {line.seldepth}")
    queue.say(f"line: {moves_text(line.moves, queue.game.chess960) or '(stand pat)'}")


def run_perft(queue: JobQueue, arguments: list[str]) -> None:
    """Legal move sequences to a depth, divided by the first move."""
    depth, game, total, started = depth_of(arguments, MAX_PERFT_DEPTH), queue.game, 0, time.monotonic()
    if depth == 0:
        queue.say("\nNodes searched: 1\n")
        return
    for move in game.legal_moves():
        child = game.copy()
        child.push(move)
        count = queue.count(child, depth - 1)
        if queue.is_stopped:
            queue.output.note("perft given up")
            return
        total += count
        queue.say(f"{move_to_uci(move, game.chess960)}: {count}")
    seconds = max(time.monotonic() - started, 1e-9)
    queue.output.note(f"perft {depth} took {seconds:.3f} s, {total / seconds / 1e6:.1f} million a second")
    queue.say(f"\nNodes searched: {total}\n")


def run_qperft(queue: JobQueue, arguments: list[str]) -> None:
    """Nodes to a depth, and of the noisy lines after it."""
    counts = queue.count_quiescence(queue.game, depth_of(arguments, MOST_QPERFT))
    if queue.is_stopped:
        queue.output.note("qperft given up")
    else:
        queue.say("qperft: " + ", ".join(f"{name.replace('_', ' ')} {count}" for name, count in counts.items()))


def show_compiler(queue: JobQueue, _arguments: list[str]) -> None:
    """How this engine was compiled."""
    stack = f"Python {platform.python_version()}, NumPy {np.__version__}, {platform.machine()}"
    queue.say(f"Quiesce {__version__}, {stack}, kernels {description()}")


def show_help(queue: JobQueue, _arguments: list[str]) -> None:
    """The list of commands."""
    queue.say("Quiesce speaks UCI: uci, isready, setoption, position, go, stop, quit.")
    rows = [f"  {word:10}{job.__doc__}" for word, job in {**QUICK, **LONG}.items()]
    queue.say("\n".join(("By hand also:", *rows)))


QUICK = {
    "d": show_board,
    "eval": show_eval,
    "qsearch": show_quiescence,
    "compiler": show_compiler,
    "help": show_help,
}
"""Jobs that run at once."""
LONG = {"perft": run_perft, "qperft": run_qperft}
"""Jobs that run in a thread of their own."""
