"""Shell. Trees of quiescence for those whose own kernels leave no trace: asked of a child process whose kernels do."""

import atexit
import sys
import time
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from quiesce.board.game import Game
from quiesce.eval.names import DEFAULT_EVAL
from quiesce.eval.weights import WeightsError
from quiesce.jit import TRACE
from quiesce.search.params import OptionError
from quiesce.trace.child import Answer, Child, OnCompiling, TracerError, serve
from quiesce.trace.explain import Explanation, QsearchResult, explain, explanation_of, quiesce
from quiesce.trace.rows import LineError, explanation_facts

__all__ = ["TraceClient", "TracerError", "trace_client"]

PATIENCE = 600.0
"""Seconds one tree may take; with all limits off there are positions without end."""
SPEAKS_AFTER = 3.0
"""Seconds of compiling after which the user is told."""
KNOWN_ERRORS: dict[str, type[ValueError]] = {kind.__name__: kind for kind in (OptionError, WeightsError, LineError)}
"""Exceptions that are raised here as in the child."""


class Patient:
    """Tells the user once if compiling takes long."""

    def __init__(self) -> None:
        self._since, self._has_spoken = time.monotonic(), False

    def __call__(self, done: int, total: int, _what: str) -> None:
        """Hear of one more kernel."""
        if not self._has_spoken and done < total and time.monotonic() - self._since > SPEAKS_AFTER:
            self._has_spoken = True
            sys.stderr.write("quiesce: compiling a build that records its tree, this happens once...\n")


class TraceClient:
    """Gets trees from its child process, one at a time, from any thread."""

    def __init__(self, patience: float = PATIENCE, on_compiling: OnCompiling | None = None) -> None:
        """Starts nothing yet. A tree may take `patience` seconds. By default, compiling is reported on stderr."""
        self.child = Child("quiesce.trace.client", patience, on_compiling or Patient())

    @property
    def is_ready(self) -> bool:
        """Is the trace build loaded?"""
        return self.child.is_ready

    def start(self, on_compiling: OnCompiling | None = None) -> None:
        """Have a child that is ready; where kernels must be compiled this takes a while, and `on_compiling` hears."""
        if on_compiling is not None:
            self.child.on_compiling = on_compiling
        self.child.start()

    def explain(self, game: Game, options: Mapping[str, int] | None = None, weights: str = DEFAULT_EVAL) -> Explanation:
        """Search a position by quiescence alone and return its whole tree."""
        if TRACE:
            return explain(game, options, weights)
        return explanation_of(game, QsearchResult(**self._ask(game, options, weights)))

    def facts(
        self, game: Game, options: Mapping[str, int], most_nodes: int, path: Sequence[int] = ()
    ) -> dict[str, Any]:
        """The same as `rows.explanation_facts`, which the child makes; the search ends after `most_nodes`."""
        return self._ask(game, options, DEFAULT_EVAL, most_nodes=most_nodes, path=list(path))

    def _ask(self, game: Game, options: Mapping[str, int] | None, weights: str, **more: Any) -> Answer:
        """The child's answer; its errors are raised here."""
        question = {"fen": game.start_fen, "chess960": game.chess960, "moves": game.moves, "weights": weights}
        answer = self.child.ask(question | {"options": dict(options or {})} | more)
        if "error" in answer:
            raise KNOWN_ERRORS.get(answer["kind"], TracerError)(answer["error"])
        return answer

    def close(self) -> None:
        """End the child."""
        self.child.close()


@cache
def trace_client() -> TraceClient:
    """The client that this process shares, ended with it."""
    made = TraceClient()
    atexit.register(made.close)
    return made


def answer_of(question: Answer) -> Answer:
    """What a question asks for: the finding by the names of its fields, or the facts of a bounded search."""
    game = Game(question["fen"], question["chess960"])
    game.push_all(question["moves"])
    if "most_nodes" in question:
        found = explain(game, question["options"], question["weights"], question["most_nodes"])
        return explanation_facts(found, path=question["path"])
    return quiesce(game, question["options"], question["weights"])._asdict()


if __name__ == "__main__":
    serve(answer_of)
