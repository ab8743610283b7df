"""A scripted engine for tests of the match runner: plays by a rule anyone can repeat, and misbehaves as told.

Run as `python mockengine.py BEHAVIOUR [PLY]`: good, crash, illegal, nomove, stall, late, garbage, mute, flood, quitter;
from the ply on where one is given. A third word makes it play otherwise.
"""

import sys
import time
import zlib

import chess

BEHAVIOUR = sys.argv[1]
FROM_PLY = int(sys.argv[2]) if len(sys.argv) > 2 else 0
SALT = sys.argv[3] if len(sys.argv) > 3 else ""


def say(text):
    """Write a line, at once."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def chosen(board):
    """A legal move that depends on the position alone."""
    moves = sorted(board.legal_moves, key=chess.Move.uci)
    return moves[zlib.crc32((SALT + board.epd()).encode()) % len(moves)]


def answer(board):
    """Answer `go`, well or badly."""
    behaviour = BEHAVIOUR if len(board.move_stack) >= FROM_PLY else "good"
    if behaviour == "crash":
        sys.exit(3)
    if behaviour == "stall":
        time.sleep(3600)
    if behaviour == "late":
        time.sleep(1.2)
    if behaviour == "garbage":
        sys.stdout.buffer.write(b"\xff\xfe\x00 not a line of UCI\ninfo depth x score cp\ninfo score\nbestmov e2e4\n\n")
    if behaviour == "flood":
        say("\n".join(["info depth 1 score cp 1 nodes 1 pv " + "e2e4 " * 30] * 3000))
    say(f"info depth 7 score cp {zlib.crc32(board.epd().encode()) % 100 - 50} nodes {len(board.move_stack)} pv a1a1")
    say("bestmove " + {"illegal": "e1e8", "nomove": "0000"}.get(behaviour, chosen(board).uci()))


def main():
    """Answer commands."""
    board, is_960 = chess.Board(), False
    for line in sys.stdin:
        words = line.split()
        if words[:1] == ["uci"] and BEHAVIOUR != "mute":
            say("id name mock\noption name Hash type spin default 1 min 1 max 9")
            say("option name UCI_Chess960 type check default false\nuciok")
        elif words[:1] == ["isready"]:
            say("readyok")
        elif words[:1] == ["setoption"] and "UCI_Chess960" in words:
            is_960 = words[-1] == "true"
        elif words[:1] == ["position"]:
            fen = chess.STARTING_FEN if words[1] == "startpos" else " ".join(words[2:8])
            board = chess.Board(fen, chess960=is_960)
            for move in words[words.index("moves") + 1 :] if "moves" in words else []:
                board.push_uci(move)
        elif words[:1] == ["go"]:
            answer(board)
        elif words[:1] == ["quit"]:
            return


main()
