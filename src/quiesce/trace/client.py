"""Shell. Trees of quiescence for those whose own kernels leave no trace: asked of a child process whose kernels do."""

import atexit
import sys
import time
from collections.abc import Mapping
from functools import cache

from quiesce.board.game import Game
from quiesce.eval.names import DEFAULT_EVAL
from quiesce.eval.weights import WeightsError
from quiesce.jit import TRACE
from quiesce.search.params import OptionError
from quiesce.trace.child import Answer, Child, TracerError, serve
from quiesce.trace.explain import Explanation, Finding, explain, explanation_of, quiesce

__all__ = ["Tracer", "TracerError", "tracer"]

PATIENCE = 600.0
"""Seconds one tree may take; with all limits off there are positions without end."""
SPEAKS_AFTER = 3.0
"""Seconds of compiling after which a word is due."""
KNOWN_ERRORS: dict[str, type[ValueError]] = {kind.__name__: kind for kind in (OptionError, WeightsError)}
"""What may be wrong with a question, told as whoever asked would have found it."""


class Tracer:
    """Asks a child process of its own."""

    def __init__(self) -> None:
        self.child = Child("quiesce.trace.client", PATIENCE)

    def explain(self, game: Game, options: Mapping[str, int] | None = None, weights: str = DEFAULT_EVAL) -> Explanation:
        """Search a position by quiescence alone and return its whole tree."""
        if TRACE:
            return explain(game, options, weights)
        question = {"fen": game.start_fen, "chess960": game.chess960, "moves": game.moves, "weights": weights}
        answer = self.child.ask(question | {"options": dict(options or {})})
        if "error" in answer:
            raise KNOWN_ERRORS.get(answer["kind"], TracerError)(answer["error"])
        return explanation_of(game, Finding(**answer))

    def close(self) -> None:
        """End the child."""
        self.child.close()


@cache
def tracer() -> Tracer:
    """The one tracer of this process, ended with it."""
    made = Tracer()
    atexit.register(made.close)
    return made


class Patient:
    """Says a word, once, if compiling takes its time."""

    def __init__(self) -> None:
        self._since, self._has_spoken = time.monotonic(), False

    def __call__(self, done: int, total: int, _what: str) -> None:
        """Hear of one more kernel."""
        if not self._has_spoken and done < total and time.monotonic() - self._since > SPEAKS_AFTER:
            self._has_spoken = True
            sys.stderr.write("quiesce: compiling a build that records its tree, this happens once...\n")


def answer_of(question: Answer) -> Answer:
    """The finding a question asks for, by the names of its fields."""
    game = Game(question["fen"], question["chess960"])
    game.push_all(question["moves"])
    return quiesce(game, question["options"], question["weights"])._asdict()


if __name__ == "__main__":
    serve(answer_of, Patient())
