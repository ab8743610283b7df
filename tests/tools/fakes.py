"""Programs that do wrong on purpose, for tests of the soak: run as `python fakes.py KIND BEHAVIOUR [FOLDER]`.

`engine` speaks UCI and is well, crashes, hangs or plays a1a1 at a `go`. `run` keeps forty items in a file, one after
the other, and goes on after a kill; or begins anew and so loses them, or leaves a child behind.
"""

import json
import subprocess
import sys
import time
from pathlib import Path

ITEMS = 40


def say(text):
    """Write a line, at once."""
    print(text, flush=True)


def engine(behaviour):
    """Answer questions, well or badly; rubbish is passed over."""
    import chess  # noqa: PLC0415  (a run starts without it)

    from quiesce.uci.parse import clean, parse_command  # noqa: PLC0415  (the same)

    board = chess.Board()
    for line in sys.stdin.buffer:
        command = parse_command(clean(line.rstrip(b"\n")))
        word, text = command.word if command else "", clean(line)
        if word == "isready":
            say("readyok")
        elif text.startswith("position fen "):
            try:
                board = chess.Board(text.removeprefix("position fen ").strip(), chess960=True)
            except ValueError:
                continue
        elif word in ("stop", "ponderhit") or (word == "go" and not {"infinite", "ponder"} & set(text.split())):
            answer(behaviour, board)


def answer(behaviour, board):
    """The end of a search."""
    if behaviour == "crash":
        sys.exit(3)
    if behaviour == "hang":
        time.sleep(3600)
    move = next(iter(board.legal_moves), None)
    say(
        f"bestmove {'a1a1' if behaviour == 'illegal' else board.uci(move, chess960=board.chess960) if move else '0000'}"
    )


def run(behaviour, folder):
    """Keep what is missing of forty items."""
    path = Path(folder, "items")
    if behaviour == "forgetful" or not path.exists():
        path.write_text("")
    if behaviour == "orphan":
        subprocess.Popen(["sleep", "9"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for item in range(len(path.read_text().split()), ITEMS):
        time.sleep(0.05)
        with path.open("a") as file:
            file.write(f"{item}\n")
    say(json.dumps({"items": ITEMS}))


if __name__ == "__main__":
    {"engine": engine, "run": run}[sys.argv[1]](*sys.argv[2:])
