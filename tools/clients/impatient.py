"""A client of ours that waits for nothing: games written as polyglot writes them, and words in every order.

Each `go` must get one `bestmove` that is legal in its own position, whatever was written between, in one write or many.
"""

import itertools
import random
import re
import time

import chess

from tests.uci.driver import Gui
from tools.clients.desk import ClientError
from tools.clients.family import MARK
from tools.clients.opponents import RandomMover

FIRST = "position startpos moves e2e4 e7e5"
SECOND = "position fen 8/8/4k3/8/8/4K3/4P3/8 b - - 0 1"
THIRD = "position fen k7/7p/8/8/8/8/8/K7 b - - 0 1"
"""No move is legal in two of them."""
GO = "go movetime 5"
ORDERS = {
    "nothing": ("stop", SECOND, GO),
    "isready": ("stop", "isready", SECOND, GO),
    "isready before stop": ("isready", "stop", SECOND, GO),
    "setoption": ("stop", "setoption name Move Overhead value 10", SECOND, GO),
    "Hash": ("stop", "setoption name Hash value 2", SECOND, GO, "setoption name Hash value 1"),
    "Clear Hash": ("stop", "setoption name Clear Hash", SECOND, GO),
    "ponderhit": ("stop", "ponderhit", SECOND, GO),
    "ponderhit before stop": ("ponderhit", "stop", SECOND, GO),
    "position": ("stop", THIRD, SECOND, GO),
    "position before stop": (SECOND, "stop", GO),
    "ucinewgame": ("stop", "ucinewgame", SECOND, GO),
    "another go": ("stop", THIRD, "go ponder wtime 1000 btime 1000", SECOND, "stop", SECOND, GO),
}
"""What is sent while a search runs, by what stands between."""
SEARCHES = {"infinite": "go infinite", "ponder": "go ponder wtime 60000 btime 60000"}
LONGEST_PAUSE = 0.02
"""Seconds a search runs before it is stopped."""
ANSWER_SECONDS = 5.0
START_SECONDS = 120.0
ROUNDS = 10
MOST_LOST = 5
"""After so many no more is tried: each costs seconds."""
GAME_GO = "wtime 3000 btime 3000 winc 20 binc 20"
LONGEST_GAME = 160


class LostError(ClientError):
    """A `go` without its answer, or with one of another position."""


def play(desk):
    """A game, then every order some times."""
    environment = {MARK: desk.family.mark}
    for number in range(desk.games):
        try:
            with opened([desk.engine], **environment) as gui:
                plies = play_game(gui, RandomMover(number))
        except (AssertionError, OSError) as error:
            raise ClientError(str(error)) from error
        desk.rounds += 1
        desk.note(f"a game of {plies} half-moves, written as polyglot does")
    counts = lost_goes([desk.engine], ROUNDS, **environment)
    desk.faults += [f"{lost} of {tried} `go`s lost: {name}" for name, (lost, tried) in counts.items() if lost]
    desk.note(f"{len(counts)} orders, {sum(tried for _, tried in counts.values())} `go`s after `stop`")


def opened(command, **environment):
    """An engine that is ready."""
    gui = Gui(command=tuple(map(str, command)), **environment)
    gui.send("uci", "setoption name Hash value 1", "setoption name Ponder value true")
    gui.ready(START_SECONDS)
    return gui


def lost_goes(command, rounds, orders=tuple(ORDERS), **environment):
    """How many `go`s were lost of how many, by mode, order and number of writes; too many end it."""
    counts, choice = {}, random.Random(1)
    gui = opened(command, **environment)
    try:
        for mode, order, is_one_write in itertools.product(SEARCHES, orders, (True, False)):
            name = f"{mode}, {order}, {'one write' if is_one_write else 'a write a line'}"
            lost = tried = 0
            while tried < rounds and lost < MOST_LOST:
                tried += 1
                try:
                    provoke(gui, mode, order, is_one_write, choice.uniform(0, LONGEST_PAUSE))
                except (AssertionError, LostError, OSError):  # no answer, a wrong one, no engine
                    lost += 1
                    gui.__exit__()
                    gui = opened(command, **environment)
            counts[name] = (lost, tried)
            if sum(count for count, _ in counts.values()) >= MOST_LOST:
                break
    finally:
        gui.__exit__()
    return counts


def provoke(gui, mode, order, is_one_write, pause, patience=ANSWER_SECONDS):
    """Start a search, send an order while it runs, and look at every answer."""
    lines = ORDERS[order]
    gui.send(FIRST, SEARCHES[mode])
    time.sleep(pause)
    for sent in [lines] if is_one_write else [(line,) for line in lines]:
        gui.send(*sent)
    said = []
    for position in asked((FIRST, SEARCHES[mode], *lines)):
        said += gui.expect("^bestmove", patience)
        check(board_of(position), said[-1])
    count = len(said)
    said += gui.ready(patience)
    if "isready" in lines and "readyok" not in said:
        raise LostError("readyok")
    if extra := [line for line in said[count:] if line.startswith("bestmove")]:
        raise LostError(f"one too many: {extra}")


def asked(lines):
    """The position of each `go`, in order."""
    found, position = [], FIRST
    for line in lines:
        if line.startswith("position"):
            position = line
        elif line.startswith("go"):
            found.append(position)
    return found


def board_of(position):
    """The board of a `position` line."""
    before, _, moves = position.partition(" moves ")
    fen = before.removeprefix("position ").removeprefix("fen ")
    board = chess.Board() if fen == "startpos" else chess.Board(fen)
    for move in moves.split():
        board.push_uci(move)
    return board


def check(board, line):
    """An answer must be legal in its own position."""
    text = line.split()[1]
    if not re.fullmatch("[a-h][1-8][a-h][1-8][nbrq]?", text) or chess.Move.from_uci(text) not in board.legal_moves:
        raise LostError(f"{line} in {board.fen()}")


def play_game(gui, player):
    """A game with ponder; after a miss `stop`, `position` and `go` come in one write. Returns its length."""
    board = chess.Board()
    gui.send("ucinewgame", "position startpos", f"go {GAME_GO}")
    answers = 1
    while True:
        for _ in range(answers):
            line = gui.expect("^bestmove", ANSWER_SECONDS)[-1]
        check(board, line)
        _, move, *rest = line.split()
        board.push_uci(move)
        if board.is_game_over() or board.ply() >= LONGEST_GAME:
            return board.ply()
        expected = chess.Move.from_uci(rest[1]) if rest else None
        told = [played.uci() for played in board.move_stack]
        if expected is not None:
            gui.send(f"position startpos moves {' '.join([*told, expected.uci()])}", f"go ponder {GAME_GO}")
        reply = player.move(board, expected)
        board.push(reply)
        if board.is_game_over():
            gui.send("stop")
            gui.ready()
            return board.ply()
        answers = answer_count(gui, board, reply, expected)


def answer_count(gui, board, reply, expected):
    """Tell our engine its opponent's move; returns how many answers will come."""
    if reply == expected:
        gui.send("ponderhit")
        return 1
    told = " ".join(move.uci() for move in board.move_stack)
    stop = ["stop"] if expected is not None else []
    gui.send(*stop, f"position startpos moves {told}", f"go {GAME_GO}")
    return 1 + len(stop)
