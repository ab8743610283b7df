"""Shell. What can be configured, as python-chess describes options: the search's own, and the few of the engine."""

from collections.abc import Callable, Mapping
from typing import Any

import chess.engine

from quiesce.engine import Engine
from quiesce.eval.names import DEFAULT_EVAL, MODES, eval_named
from quiesce.eval.terms import DEFAULT_SET
from quiesce.search.params import TECHNIQUES
from quiesce.search.strength import LEAST_ELO, MOST_ELO
from quiesce.search.table import DEFAULT_MEGABYTES

Values = dict[str, Any]
MOST_MEGABYTES, MOST_THREADS, MOST_OVERHEAD = 1 << 20, 256, 10_000
DEFAULT_ELO, DEFAULT_OVERHEAD = 1_800, 10


def option(
    name: str,
    kind: str,
    default: Any = None,
    low: int | None = None,
    high: int | None = None,
    choices: tuple[str, ...] = (),
) -> Any:
    """One option as python-chess writes it."""
    return chess.engine.Option(name, kind, default, low, high, list(choices) or None)


def all_options() -> list[chess.engine.Option]:
    """Every option, the engine's first."""
    made = [
        option("Hash", "spin", DEFAULT_MEGABYTES, 1, MOST_MEGABYTES),
        option("Clear Hash", "button"),
        option("Threads", "spin", 1, 1, MOST_THREADS),
        option("Move Overhead", "spin", DEFAULT_OVERHEAD, 0, MOST_OVERHEAD),
        option("EvalMode", "combo", DEFAULT_EVAL, choices=MODES),
        option("EvalFile", "string", ""),
        option("EvalWeights", "string", DEFAULT_SET),
        option("UCI_LimitStrength", "check", default=False),
        option("UCI_Elo", "spin", DEFAULT_ELO, LEAST_ELO, MOST_ELO),
    ]
    for technique in TECHNIQUES:
        made.append(option(technique.name, "check", technique.default))
        made += [option(spin.name, "spin", spin.default, spin.low, spin.high) for spin in technique.numbers]
    return made


OPTIONS = {made.name: made for made in all_options()}
SPELLINGS = {name.lower(): name for name in OPTIONS}
SEARCH = {name for technique in TECHNIQUES for name in (technique.name, *(spin.name for spin in technique.numbers))}


def defaults() -> Values:
    """The value of every option that has one."""
    return {name: made.default for name, made in OPTIONS.items() if made.type != "button"}


def read_options(given: Mapping[str, Any]) -> Values:
    """Options by their right names, with values they can have; raises ValueError for any other. None is the default."""
    read: Values = {}
    for name, value in given.items():
        known = SPELLINGS.get(name.lower())
        if known is None:
            raise ValueError(f"there is no option {name!r}")
        made = OPTIONS[known]
        try:
            read[known] = made.default if value is None else made.parse(value)
        except (chess.engine.EngineError, TypeError) as error:
            raise ValueError(f"{known}: {error}") from None
    return read


def search_values(values: Values) -> dict[str, int]:
    """The search's part of all values."""
    return {name: int(values[name]) for name in SEARCH}


def eval_of(values: Values) -> str:
    """The evaluation that all values together ask for."""
    return eval_named(values["EvalMode"], values["EvalWeights"], values["EvalFile"])


def apply(engine: Engine, old: Values, new: Values) -> None:
    """Bring an engine from some values to others; raises MemoryError or WeightsError, and leaves all as it was."""
    steps: list[tuple[Callable[[Any], None], Any, Any]] = [
        (engine.set_weights, eval_of(old), eval_of(new)),
        (engine.set_hash, old["Hash"], new["Hash"]),
        (engine.set_threads, old["Threads"], new["Threads"]),
        (engine.configure, search_values(old), search_values(new)),
    ]
    wanted = [step for step in steps if step[1] != step[2]]
    for done, (change, _, after) in enumerate(wanted):
        try:
            change(after)
        except (MemoryError, ValueError):
            for undo, before, _ in wanted[:done]:
                undo(before)
            raise
