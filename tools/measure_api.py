"""Print what batches cost beside a loop of python-chess, and the API beside a UCI pipe.

Run with `python tools/measure_api.py [--threads N] [--rows N]`; nothing is kept.
"""

import argparse
import io
import statistics
import sys
import time
from typing import NamedTuple

import chess
import chess.engine
import chess.pgn
import chess_loops
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
    """Self-play games as boards, and all their positions, made by batches."""
    boards = [board for board, _ in zip(openings(), range(GAMES), strict=False)]
    rows, playing, met = batch.from_boards(boards), boards, []
    for _ in range(GAME_PLIES):
        found = batch.search(rows, nodes=GAME_NODES, threads=threads)["move"]
        rows = batch.play(rows[found != 0], found[found != 0])
        met.append(rows)
        playing = [board for board, move in zip(playing, found, strict=True) if move]
        for board, move in zip(playing, batch.moves_to_uci(found[found != 0]), strict=True):
            board.push_uci(move)
    return boards, np.concatenate(met)


def seconds(work, *arguments):
    """How long something takes, the best of three."""
    times = []
    for _ in range(3):
        started = time.perf_counter()
        work(*arguments)
        times.append(time.perf_counter() - started)
    return min(times)


class Case(NamedTuple):
    """A call: ours for a number of threads, python-chess's loop if there is one, and the rows of each."""

    name: str
    ours: object
    rows: int
    loop: object = None
    loop_rows: int = LOOP_ROWS


def cases_in_and_out(rows, games):
    """Calls that read and write positions and moves; files are read by python-chess either way."""
    fens, some = batch.to_fens(rows), batch.to_fens(rows[:LOOP_ROWS])
    boards, all_boards = [chess.Board(fen) for fen in some], [chess.Board(fen) for fen in fens]
    firsts, playable = first_moves(rows)
    texts = batch.moves_to_uci(firsts)
    moves = [chess.Move.from_uci(text) for text in texts[: len(some)]]
    pairs = list(
        zip([board for board, has_move in zip(boards, playable, strict=False) if has_move], texts, strict=False)
    )
    file = "\n\n".join(str(chess.pgn.Game.from_board(board)) for board in games)
    in_file = len(batch.from_pgn(io.StringIO(file)).positions)
    has_move = rows[playable]
    return [
        Case(
            "from_fens",
            lambda n: batch.from_fens(fens, threads=n),
            len(rows),
            lambda: [*map(chess.Board, some)],
            len(some),
        ),
        Case("from_boards", lambda n: batch.from_boards(all_boards, threads=n), len(rows)),
        Case(
            "from_pgn",
            lambda _: batch.from_pgn(io.StringIO(file)),
            in_file,
            lambda: chess_loops.positions(file),
            in_file,
        ),
        Case(
            "to_fens",
            lambda n: batch.to_fens(rows, threads=n),
            len(rows),
            lambda: [b.fen() for b in boards],
            len(boards),
        ),
        Case(
            "moves_from",
            lambda n: batch.moves_from(has_move, texts, threads=n),
            len(texts),
            lambda: [board.parse_uci(text) for board, text in pairs],
            len(pairs),
        ),
        Case(
            "moves_to_uci",
            lambda _: batch.moves_to_uci(firsts),
            len(firsts),
            lambda: [m.uci() for m in moves],
            len(moves),
        ),
    ]


def cases_of_rules(rows):
    """Calls that know the rules, and what a network sees."""
    boards = [chess.Board(fen) for fen in batch.to_fens(rows[:LOOP_ROWS])]
    firsts, playable = first_moves(rows)
    has_move = rows[playable]
    pairs = [(board, next(iter(board.legal_moves))) for board in boards if any(board.legal_moves)]
    loops = {
        "legal_counts": (batch.legal_counts, lambda: [board.legal_moves.count() for board in boards]),
        "legal_moves": (batch.legal_moves, lambda: [list(board.legal_moves) for board in boards]),
        "in_check": (batch.in_check, lambda: [board.is_check() for board in boards]),
        "keys": (batch.keys, lambda: [board._transposition_key() for board in boards]),
        "is_quiet": (batch.is_quiet, lambda: [chess_loops.is_quiet(board) for board in boards]),
        "features": (batch.features, lambda: [chess_loops.inputs(board) for board in boards]),
        "planes": (
            lambda rows, threads: batch.features(rows, "planes", threads=threads),
            lambda: [chess_loops.planes(board) for board in boards],
        ),
    }
    return [
        *(
            Case(name, lambda n, ours=ours: ours(rows, threads=n), len(rows), loop, len(boards))
            for name, (ours, loop) in loops.items()
        ),
        Case(
            "play",
            lambda n: batch.play(has_move, firsts, threads=n),
            len(firsts),
            lambda: [(board.push(move), board.pop()) for board, move in pairs],
            len(pairs),
        ),
        Case(
            "see",
            lambda n: batch.see(has_move, firsts, threads=n),
            len(firsts),
            lambda: [chess_loops.exchange(board, move) for board, move in pairs],
            len(pairs),
        ),
    ]


def cases_of_search(rows):
    """Calls of evaluation and search, without a python-chess counterpart."""
    few = rows[:: max(1, len(rows) // SHORT_POSITIONS)][:SHORT_POSITIONS]
    return [
        Case("evaluate", lambda n: batch.evaluate(rows, threads=n), len(rows)),
        Case("qsearch", lambda n: batch.qsearch(rows, threads=n), len(rows)),
        Case(f"search, {SHORT_NODES} nodes", lambda n: batch.search(few, nodes=SHORT_NODES, threads=n), len(few)),
    ]


def first_moves(rows):
    """The first legal move of each row that has one, and which have."""
    every = batch.legal_moves(rows)
    playable = np.diff(every.offsets) > 0
    return every.moves[every.offsets[:-1][playable]], playable


def batch_table(rows, games, threads):
    """Microseconds a row of each batch call, with one and several threads, and of a loop."""
    print(f"{'call':<18}{'us a row, 1 thread':>20}{f'{threads} threads':>14}{'python-chess':>14}{'ratio a core':>14}")
    for case in (*cases_in_and_out(rows, games), *cases_of_rules(rows), *cases_of_search(rows)):
        case.ours(1)
        one, many = (seconds(case.ours, n) / case.rows * 1e6 for n in (1, threads))
        theirs = seconds(case.loop) / case.loop_rows * 1e6 if case.loop else None
        beside = f"{theirs:>14.2f}{theirs / one:>14.1f}" if theirs else ""
        print(f"{case.name:<18}{one:>20.3f}{many:>14.3f}{beside}")
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
    games, met = typical(chosen.threads)
    rows = np.tile(met, -(-chosen.rows // len(met)))[: chosen.rows]
    print(f"{len(rows)} rows of {GAMES} games, {statistics.mean(batch.legal_counts(rows)):.1f} legal moves on average")
    batch_table(rows, games, chosen.threads)
    api_table(rows)


if __name__ == "__main__":
    main()
