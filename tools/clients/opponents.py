"""The opponent: an engine of Debian, else random moves."""

import contextlib
import random
import time

import chess.engine

from tools.clients.desk import program
from tools.clients.family import MARK

ENGINES = (
    ("gnuchess", "--uci"),
    ("stockfish",),
    ("toga2",),
)
"""The first that is installed plays; all of them by UCI."""
WEAK = {"Skill Level": 3, "Hash": 4}
MOVE_SECONDS = 0.15
"""Long enough that our engine ponders meanwhile."""
PONDER_SECONDS = 0.02
"""The same for moves that need no thought."""


class RandomMover:
    """A player of random moves, except for a third."""

    name = "random moves"

    def __init__(self, seed=1):
        self._choice = random.Random(seed)

    def move(self, board, expected=None):
        """A legal move, a third of the time the expected one, after a moment to ponder in."""
        time.sleep(PONDER_SECONDS)
        if expected is not None and self._choice.random() < 1 / 3:
            return expected
        return self._choice.choice(list(board.legal_moves))

    def close(self):
        """Nothing runs."""


class Engine:
    """An engine of Debian, limited."""

    def __init__(self, family, command):
        self.name = command[0]
        environment = {MARK: family.mark}
        self._engine = chess.engine.SimpleEngine.popen_uci([program(command[0]), *command[1:]], env=environment)
        known = {name: value for name, value in WEAK.items() if name in self._engine.options}
        self._engine.configure(known)

    def move(self, board, _expected=None):
        """Its move after a short search."""
        return self._engine.play(board, chess.engine.Limit(time=MOVE_SECONDS)).move

    def close(self):
        """End it."""
        with contextlib.suppress(chess.engine.EngineError, TimeoutError):
            self._engine.close()


@contextlib.contextmanager
def opponent(family, names=None):
    """The opponent of a game, while it is played."""
    commands = [line for line in ENGINES if (names is None or line[0] in names) and program(line[0])]
    player = Engine(family, commands[0]) if commands else RandomMover()
    try:
        yield player
    finally:
        player.close()
