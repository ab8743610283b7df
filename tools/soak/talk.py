"""UCI fuzzing of a real process: bursts of anything, then a question that must be answered, and answered well."""

import contextlib
import subprocess
import time

import chess

from tests.uci.driver import Gui
from tests.uci.lines import FAILURE, batch_of
from tools.soak.processes import OURS, Growth
from tools.soak.table import Tally

BURST = 200
PATIENCE = 60.0
"""Seconds within which `isready` and a short search must be answered."""
START_SECONDS = 300.0
PLAIN = (
    "stop", "setoption name Hash value 4", "setoption name Threads value 1", "setoption name MultiPV value 1",
    "setoption name OwnBook value false", "setoption name UCI_LimitStrength value false", "ucinewgame",
)  # fmt: skip
"""What makes a fuzzed engine answer a question as if nothing had been."""
GOES = ("go depth 6", "go nodes 5000", "go movetime 30", "go wtime 300 btime 300 winc 10 binc 10")
TEASES = (("go infinite", "stop"), ("go ponder wtime 500 btime 500", "ponderhit"), ("go infinite", "isready", "stop"))
LONGEST_WALK = 120
WARM_BURSTS = 5


def fuzz(seconds, choice, _folder, command=OURS, patience=PATIENCE):
    """Bursts of commands; an engine that crashed or hangs is restarted."""
    tally, deadline = Tally("UCI fuzz"), time.monotonic() + seconds
    while time.monotonic() < deadline:
        growth = Growth(WARM_BURSTS)
        with Gui(command=command) as gui:
            try:
                gui.ready(START_SECONDS)
                while time.monotonic() < deadline:
                    burst(tally, gui, choice, patience)
                    growth.sample([gui.process.pid])
                    tally.rounds += 1
                leave(tally, gui)
            except (AssertionError, OSError) as error:
                kind = "hangs" if is_running(gui.process) else "crashes"
                tally.fault(kind, f"after {tally.rounds} bursts: {error}")
        tally.grew(growth.megabytes())
    return tally


def is_running(process):
    """Does it still run, a moment after it stopped answering?"""
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(1.0)
    return process.poll() is None


def burst(tally, gui, choice, patience):
    """Send anything; then the engine must be ready, and find a legal move."""
    gui.log.clear()
    lines, asked = batch_of(choice, BURST)
    gui.send_bytes(b"\n".join(lines) + b"\n")
    gui.send("isready")
    for _ in range(asked + 1):
        gui.expect("^readyok$", patience)
    ask(tally, gui, choice, patience)
    for line in gui.log:
        if FAILURE.search(line):
            tally.fault("crashes", f"only the last net caught {line}")


def ask(tally, gui, choice, patience):
    """A search in a random position, plain or by ways round, whose answer python-chess judges."""
    board = walked(choice)
    lines = choice.choice(TEASES) if choice.random() < 0.3 else (choice.choice(GOES),)
    gui.send(*PLAIN, f"setoption name UCI_Chess960 value {str(board.chess960).lower()}")
    gui.ready(patience)
    gui.send(f"position fen {board.fen()}", *lines)
    move = gui.expect("^bestmove ", patience)[-1].split()[1]
    if move not in {legal.uci() for legal in board.legal_moves}:
        tally.fault("illegal", f"{move} in {board.fen()} by {lines}")
    gui.ready(patience)


def walked(choice):
    """A position some random moves from a start, with a move to play."""
    is_960 = choice.random() < 0.3
    board = chess.Board.from_chess960_pos(choice.randrange(960)) if is_960 else chess.Board()
    for _ in range(choice.randrange(LONGEST_WALK)):
        moves = list(board.legal_moves)
        board.push(choice.choice(moves))
        if not any(board.legal_moves):
            board.pop()
            break
    return board


def leave(tally, gui):
    """End of input must end the engine, in peace."""
    code, _ = gui.end()
    if code:
        tally.fault("crashes", f"ended with code {code}")
