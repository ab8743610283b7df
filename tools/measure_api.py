"""Print what batches cost beside a loop of python-chess, and the API beside a UCI pipe.

Run with `python tools/measure_api.py [--threads N] [--rows N]`; nothing is kept.
"""

import argparse
import statistics
import sys
import time

import chess
import chess.engine
import numpy as np

import quiesce
from quiesce import batch
from quiesce.board.game import Game
from quiesce.cachekey import PACKAGE
from quiesce.engine import Engine as Core
from quiesce.engine import Limits

BOOK = PACKAGE / "lab" / "books" / "gnubook.txt"
GAME_NODES, GAME_PLIES, GAMES = 60, 60, 100
SHORT_POSITIONS, SHORT_NODES = 1_000, 500
LOOP_ROWS = 2_000
"""Rows the loop of python-chess goes through; it is slow."""


def openings():
    """Positions at the end of the lines of a book."""
    for line in BOOK.read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            board = chess.Board()
            for move in line.split():
                board.push_uci(move)
            yield board


def typical(threads):
    """Positions of games that the engine plays against itself, as games go: many at once, by batches."""
    boards = [board for board, _ in zip(openings(), range(GAMES), strict=False)]
    rows, met = batch.from_boards(boards), []
    for _ in range(GAME_PLIES):
        found = batch.search(rows, nodes=GAME_NODES, threads=threads)
        rows = batch.play(rows[found["move"] != 0], found["move"][found["move"] != 0])
        met.append(rows)
    return np.concatenate(met)


def seconds(work, *arguments):
    """How long something takes, the best of three."""
    times = []
    for _ in range(3):
        started = time.perf_counter()
        work(*arguments)
        times.append(time.perf_counter() - started)
    return min(times)


def batch_table(rows, threads):
    """Each batch call in microseconds a row, on one thread and on several, beside a loop where there is one."""
    fens = batch.to_fens(rows[:LOOP_ROWS])
    boards = [chess.Board(fen) for fen in fens]
    moves = [next(iter(board.legal_moves), None) for board in boards]
    playable = [index for index, move in enumerate(moves) if move is not None]
    every = batch.legal_moves(rows)
    firsts = every.moves[np.minimum(every.offsets[:-1], len(every.moves) - 1)]
    has_move = np.diff(every.offsets) > 0
    cases = {
        "from_fens": (lambda n: batch.from_fens(all_fens, threads=n), lambda: [chess.Board(fen) for fen in fens]),
        "to_fens": (lambda n: batch.to_fens(rows, threads=n), lambda: [board.fen() for board in boards]),
        "legal_counts": (
            lambda n: batch.legal_counts(rows, threads=n),
            lambda: [board.legal_moves.count() for board in boards],
        ),
        "legal_moves": (lambda n: batch.legal_moves(rows, threads=n), lambda: [list(b.legal_moves) for b in boards]),
        "in_check": (lambda n: batch.in_check(rows, threads=n), lambda: [board.is_check() for board in boards]),
        "keys": (lambda n: batch.keys(rows, threads=n), lambda: [b._transposition_key() for b in boards]),
        "play": (
            lambda n: batch.play(rows[has_move], firsts[has_move], threads=n),
            lambda: [(boards[i].push(moves[i]), boards[i].pop()) for i in playable],
        ),
        "is_quiet": (lambda n: batch.is_quiet(rows, threads=n), None),
        "see": (lambda n: batch.see(rows[has_move], firsts[has_move], threads=n), None),
        "features": (lambda n: batch.features(rows, threads=n), lambda: [board.piece_map() for board in boards]),
        "planes": (lambda n: batch.features(rows, "planes", threads=n), None),
        "evaluate": (lambda n: batch.evaluate(rows, threads=n), None),
        "qsearch": (lambda n: batch.qsearch(rows, threads=n), None),
    }
    all_fens = batch.to_fens(rows)
    print(f"{'call':<14}{'us a row, 1 thread':>20}{f'{threads} threads':>14}{'python-chess':>14}{'ratio a core':>14}")
    for name, (ours, loop) in cases.items():
        ours(1)
        one, many = (seconds(ours, n) / len(rows) * 1e6 for n in (1, threads))
        theirs = seconds(loop) / len(boards) * 1e6 if loop else None
        beside = f"{theirs:>14.2f}{theirs / one:>14.0f}" if theirs else ""
        print(f"{name:<14}{one:>20.3f}{many:>14.3f}{beside}")
    nodes = batch.qsearch(rows).nodes.mean()
    speed = len(rows) / seconds(lambda: batch.qsearch(rows, threads=threads))
    print(f"quiescence: {speed:,.0f} positions a second on {threads} threads, {nodes:.1f} nodes each")


def api_table(rows):
    """A thousand short searches: bare, through the API, through a UCI pipe."""
    fens = batch.to_fens(rows[:: max(1, len(rows) // SHORT_POSITIONS)])[:SHORT_POSITIONS]
    boards, games = [chess.Board(fen) for fen in fens], [Game(fen) for fen in fens]
    limit = chess.engine.Limit(nodes=SHORT_NODES)
    with Core() as core:
        bare = seconds(lambda: [core.search(game, Limits(nodes=SHORT_NODES)) for game in games])
    with quiesce.Engine() as engine:
        ours = seconds(lambda: [engine.analyse(board, limit) for board in boards])
    with chess.engine.SimpleEngine.popen_uci([sys.executable, "-m", "quiesce"]) as piped:
        pipe = seconds(lambda: [piped.analyse(board, limit) for board in boards])
    many = seconds(lambda: batch.search(rows[:SHORT_POSITIONS], nodes=SHORT_NODES, threads=1))
    print(f"\n{len(fens)} positions, {SHORT_NODES} nodes each, milliseconds a position:")
    for name, taken in (("search alone", bare), ("API", ours), ("UCI pipe", pipe), ("batch, 1 thread", many)):
        print(f"  {name:<16}{taken / len(fens) * 1e3:8.3f}")


def main():
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rows", type=int, default=20_000)
    chosen = parser.parse_args()
    games = typical(chosen.threads)
    rows = np.tile(games, -(-chosen.rows // len(games)))[: chosen.rows]
    print(f"{len(rows)} rows of {GAMES} games, {statistics.mean(batch.legal_counts(rows)):.1f} legal moves on average")
    batch_table(rows, chosen.threads)
    api_table(rows)


if __name__ == "__main__":
    main()
