"""Shell. The process behind the tracer: with the trace build, answers a question a line by a tree a line."""

import json
import sys
from typing import Any

from quiesce.jit import warm_up
from quiesce.search.explain import explain, is_needed
from quiesce.web.trees import MOST_NODES, tree_facts
from quiesce.web.wire import game_of, options_of


def answer(question: dict[str, Any]) -> dict[str, Any]:
    """The tree of the position a question tells."""
    return tree_facts(explain(game_of(question), options_of(question), most_nodes=MOST_NODES))


def main() -> None:
    """Say when ready, then answer until the input ends; trouble with one question is told, and is no end."""
    warm_up(wanted=is_needed)
    say({"ready": True})
    for line in sys.stdin:
        try:
            say(answer(json.loads(line)))
        except Exception as error:  # noqa: BLE001  (whatever it is, whoever asked should hear of it)
            say({"error": f"{type(error).__name__}: {error}"})


def say(value: dict[str, Any]) -> None:
    """One line of output."""
    sys.stdout.write(json.dumps(value, separators=(",", ":")) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
