"""Run all that users run, from an installed wheel with kernels: `PYTHON tools/check_wheel.py --nodes N`.

Nothing of the checkout is imported: PYTHON is of the environment that has the wheel and its dependencies, Numba not
among them. HOME and its like are an empty folder, which must be empty at the end. Exits with 1 if anything failed.
"""

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

HOMES = ("HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME")
QUIESCE = (sys.executable, "-P", "-m", "quiesce")
LONGEST = 900
GAME = '[White "A"]\n[Black "B"]\n[Result "1-0"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n'
PROGRAM = """
import sys, chess, quiesce, quiesce.batch as batch
board = chess.Board()
with quiesce.Engine() as engine:
    assert engine.play(board, chess.engine.Limit(nodes=2000)).move in board.legal_moves
    assert engine.qsearch(board, trace=True).tree is not None
rows = batch.from_fens([board.fen(), "8/8/8/8/8/5k2/5p2/5K2 w - - 0 1"])
assert list(batch.legal_counts(rows)) == [20, 0]
assert len(batch.evaluate(rows)) == 2
assert batch.is_quiet(rows)[0]
assert quiesce.perft(board, 4) == 197281
assert quiesce.see(board, chess.Move.from_uci("e2e4")) == 0
assert not {"numba", "llvmlite"} & set(sys.modules)
print("right")
"""
TALK = "uci\nisready\nposition startpos moves e2e4\ngo depth 8\nisready\ngo movetime 200\nisready\nquit\n"


def said_by(*words, **options):
    """The output of a command. Raises RuntimeError with its last lines if it fails."""
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=LONGEST, **options)
    if done.returncode:
        raise RuntimeError(f"exit {done.returncode}: {(done.stdout + done.stderr)[-600:]}")
    return done.stdout + done.stderr


def serves():
    """The board is served; it is ended as by Ctrl-C."""
    words = [*QUIESCE, "serve", "--port", "0", "--engines", "1"]
    on_windows = sys.platform == "win32"
    told = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP} if on_windows else {}
    server = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, **told)
    try:
        address = re.search(r"http://[^/]+/", server.stdout.readline())[0]
        with urllib.request.urlopen(address + "status", timeout=60) as answer:  # noqa: S310  (ours)
            return f"engines {json.load(answer)['engines']}"
    finally:
        server.terminate() if on_windows else server.send_signal(signal.SIGINT)
        server.communicate(timeout=60)


def checks(nodes, quick):
    """Commands to run, and what their output must contain."""
    yield "version", lambda: said_by(*QUIESCE, "--version"), "compiled ahead"
    yield "perft", lambda: said_by(*QUIESCE, "perft", "5"), "4,865,609"
    if not quick:
        yield "bench", lambda: said_by(*QUIESCE, "bench"), f"{nodes} nodes"
    yield "uci", lambda: said_by(*QUIESCE, input=TALK), "bestmove"
    yield "explain", lambda: said_by(*QUIESCE, "explain"), "quiescence"
    yield "why", lambda: said_by(*QUIESCE, "why", "startpos", "e4", "--nodes", "2000"), "e4"
    yield "eval", lambda: said_by(*QUIESCE, "eval"), "points"
    yield "suite", lambda: said_by(*QUIESCE, "suite", "bk", "--nodes", "500", "--first", "2", "--store", "s"), "bk"
    words = ("datagen", "made", "--positions", "200", "--nodes", "100", "--concurrency", "2")
    yield "datagen", lambda: said_by(*QUIESCE, *words), "positions"
    yield "match", lambda: said_by(*QUIESCE, "arena", "--pairs", "1", "--nodes", "100"), "2 games"
    Path("game.pgn").write_text(GAME, encoding="utf-8")
    words = ("annotate", "game.pgn", "--nodes", "500", "--concurrency", "1", "--store", "t")
    yield "annotate", lambda: said_by(*QUIESCE, *words), "Qxf7#"
    yield "API and batch", lambda: said_by(sys.executable, "-P", "-c", PROGRAM), "right"
    yield "serve", serves, "engines 1"


def failed(nodes, quick):
    """Names of failed checks; each result is printed at once."""
    for name, run, wanted in checks(nodes, quick):
        began = time.monotonic()
        try:
            said = run()
        except (RuntimeError, OSError, subprocess.TimeoutExpired, TypeError) as error:
            said = f"{type(error).__name__}: {error}"
        is_right = wanted in said
        print(f"{'ok  ' if is_right else 'FAIL'} {name}, {time.monotonic() - began:.1f} s", flush=True)
        if not is_right:
            print(f"     {wanted!r} is not in {said[-800:]!r}", flush=True)
            yield name


def main():
    """Run all checks in a temporary folder, with an empty home."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--nodes", type=int, required=True, help="What `quiesce bench` counts: the last commit's trailer."
    )
    parser.add_argument("--quick", action="store_true", help="Leave out the bench: under an emulator it takes minutes.")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as work, tempfile.TemporaryDirectory() as home:
        os.environ |= dict.fromkeys(HOMES, home)
        start = Path.cwd()
        os.chdir(work)
        wrong = list(failed(given.nodes, given.quick))
        if left := sorted(path.name for path in Path(home).rglob("*")):
            print(f"FAIL the home is not empty: {left}")
            wrong.append("home")
        os.chdir(start)  # Windows removes no folder that somebody stands in
    print(f"Python {sys.version.split()[0]} on {sys.platform}: {'all right' if not wrong else f'wrong: {wrong}'}")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
