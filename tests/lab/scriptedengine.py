"""A scripted UCI engine for tests of suites: run as `python scriptedengine.py SCRIPT LOG`.

SCRIPT is JSON: for each board field of a FEN, what follows `go`: a number is seconds to wait, "crash" ends the process,
anything else is written as it stands. Every line heard is added to LOG behind the process's number.
"""

import json
import os
import sys
import time
from pathlib import Path

SCRIPT = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
LOG = Path(sys.argv[2])


def answer(board):
    """Do what the script says of a position."""
    for step in SCRIPT[board]:
        if step == "crash":
            sys.exit(3)
        if isinstance(step, int | float):
            time.sleep(step)
        else:
            print(step, flush=True)


def main():
    """Hear and answer."""
    board = ""
    for line in sys.stdin:
        with LOG.open("a", encoding="utf-8") as log:
            log.write(f"{os.getpid()} {line}")
        words = line.split()
        if words[0] == "uci":
            print("id name Scripted\noption name Hash type spin default 1 min 1 max 9\nuciok", flush=True)
        elif words[0] == "isready":
            print("readyok", flush=True)
        elif words[0] == "position":
            board = words[2]
        elif words[0] == "go":
            answer(board)
        elif words[0] == "quit":
            return


main()
