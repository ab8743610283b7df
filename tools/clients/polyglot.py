"""Polyglot, driven as xboard drives it: whole games with ponder against an engine of Debian.

After a ponder miss polyglot writes `stop`, `position` and `go` at once and does not wait for the `bestmove` between.
"""

import queue
import subprocess
import threading
import time

import chess

from tools.clients.desk import ClientError, program
from tools.clients.opponents import opponent

BASE, INCREMENT = 6.0, 0.1
"""Seconds of our engine's clock."""
START_SECONDS, SPARE_SECONDS = 120.0, 15.0
LONGEST_GAME = 240
"""Half-moves; a longer game counts as whole."""


class Adapter:
    """Polyglot with our engine behind it, in the xboard protocol."""

    def __init__(self, desk):
        self.process = desk.start(
            program("polyglot"), "-noini", "-ec", str(desk.engine), "-pg", "Book=false", "-pg", "Log=false",
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=desk.folder,
        )  # fmt: skip
        self._lines = queue.SimpleQueue()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        for line in self.process.stdout:
            self._lines.put(line.strip())
        self._lines.put(None)

    def send(self, *lines):
        """Send lines in one write."""
        self.process.stdin.write("".join(f"{line}\n" for line in lines))
        self.process.stdin.flush()

    def forget(self, number):
        """End a game, and pass over what polyglot still has to say about it."""
        self.send("force", f"ping {number}")
        while self.expect("pong ", SPARE_SECONDS) != f"pong {number}":
            pass

    def expect(self, start, seconds):
        """The first line that starts so, or the result of the game it claims."""
        limit = time.monotonic() + seconds
        while True:
            try:
                line = self._lines.get(timeout=max(limit - time.monotonic(), 0.001))
            except queue.Empty:
                raise ClientError(f"polyglot said no `{start.strip()}` in {seconds:.0f} s") from None
            if line is None:
                raise ClientError("polyglot ended")
            if line.startswith((start, "1-0", "0-1", "1/2-1/2", "resign", "tellusererror", "Illegal move")):
                return line


def play(desk):
    """Play the games against an engine of Debian, where one is installed."""
    with opponent(desk.family) as player:
        play_against(desk, player)


def play_against(desk, player, longest=LONGEST_GAME):
    """Play the games, our engine with either colour in turn."""
    adapter = Adapter(desk)
    adapter.send("xboard", "protover 2")
    adapter.expect("feature done=1", START_SECONDS)
    for number in range(desk.games):
        plies = play_game(desk, adapter, player, our_colour=bool(number % 2), longest=longest)
        desk.rounds += 1
        desk.note(f"game {number + 1} against {player.name}: {plies} half-moves")
    adapter.send("quit")
    desk.wait("polyglot to end after quit", lambda: adapter.process.poll() is not None, seconds=10)


def play_game(desk, adapter, player, our_colour, longest):
    """One game to its end; returns its length."""
    board, clock = chess.Board(), {our_colour: BASE, not our_colour: BASE}
    adapter.send("new", "random", f"level 0 0:{BASE:02.0f} {INCREMENT}", "post", "hard")
    sent = ["go"] if our_colour == chess.WHITE else []
    patience = START_SECONDS  # the first answer may have to wait for our engine to load
    while not board.is_game_over(claim_draw=True) and board.ply() < longest:
        if desk.left < 0:
            raise ClientError(f"no time left at half-move {board.ply()} of a game")
        began = time.monotonic()
        if board.turn == our_colour:
            centiseconds = [max(round(clock[colour] * 100), 1) for colour in (our_colour, not our_colour)]
            adapter.send(f"time {centiseconds[0]}", f"otim {centiseconds[1]}", *sent)
            line = adapter.expect("move ", patience)
            patience = clock[our_colour] + SPARE_SECONDS
            if not line.startswith("move "):
                return ended_by(line, board)
            board.push(legal(board, line.split()[1]))
            clock[our_colour] += INCREMENT - (time.monotonic() - began)
        else:
            move = player.move(board)
            board.push(move)
            sent = [move.uci()]
    adapter.forget(number=board.ply())
    return board.ply()


def ended_by(line, board):
    """The length of a game that polyglot ended, rightly."""
    if line.startswith("resign") or board.is_game_over(claim_draw=True):
        return board.ply()
    raise ClientError(f"polyglot said `{line}` in {board.fen()}")


def legal(board, text):
    """The move that polyglot plays."""
    try:
        return board.parse_uci(text)
    except ValueError:
        raise ClientError(f"polyglot played {text} in {board.fen()}") from None
