"""Shell. What can be configured, as python-chess describes options: the search's own, and the few of the engine."""

from collections.abc import Callable, Mapping
from difflib import get_close_matches
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
SEARCH = frozenset(name for technique in TECHNIQUES for name in (technique.name, *(n.name for n in technique.numbers)))
LOOKS_ON = SEARCH | {"Hash", "Threads", "EvalMode", "EvalFile", "EvalWeights"}
"""Options that change what an analysis finds, or how fast."""
SWITCH = {"true": True, "on": True, "1": True, "false": False, "off": False, "0": False}
"""What may be said of a switch."""


class BadOptionError(chess.engine.EngineError, ValueError):
    """An option that does not exist or a value it cannot have; the message says which."""


def defaults() -> Values:
    """The value of every option that has one."""
    return {name: made.default for name, made in OPTIONS.items() if made.type != "button"}


def read_options(given: Mapping[str, Any]) -> Values:
    """Options by their right names with values they can have, None as the default; raises BadOptionError for others."""
    if not isinstance(given, Mapping):
        raise TypeError(f"options are a mapping such as {{'Hash': 64}}, not {given!r}")
    return {(made := option_named(name)).name: value_of(made, value) for name, value in given.items()}


def option_named(name: Any) -> chess.engine.Option:
    """The option that a name means, in any case; raises BadOptionError where there is none."""
    spelt = str(name).strip().lower()
    if spelt in SPELLINGS:
        return OPTIONS[SPELLINGS[spelt]]
    near = get_close_matches(spelt, SPELLINGS, 1)
    raise BadOptionError(f"there is no option {name!r}" + (f"; is {SPELLINGS[near[0]]!r} meant?" if near else ""))


def by_keyword(named: Mapping[str, Any]) -> Values:
    """Options given by keyword, by their right names: _ stands for the blank that no keyword can hold."""
    return {name if name.lower() in SPELLINGS else name.replace("_", " "): value for name, value in named.items()}


def value_of(made: chess.engine.Option, value: Any) -> Any:
    """A value as an option takes it, also from text; None is the default. Raises BadOptionError for any other."""
    if value is None or made.type == "button":
        return made.default
    if made.type == "check":
        return switch_of(made, value)
    if made.type == "spin":
        return number_of(made, value)
    text = str(value)
    if made.var and text not in made.var:
        raise BadOptionError(f"{made.name} is one of {', '.join(made.var)}, not {text!r}")
    if "\n" in text or "\r" in text:
        raise BadOptionError(f"{made.name} is one line, not {text!r}")
    return text


def switch_of(made: chess.engine.Option, value: Any) -> bool:
    """A switch's value."""
    found = SWITCH.get(str(value).lower())
    if found is None:
        raise BadOptionError(f"{made.name} is true or false, not {value!r}")
    return found


def number_of(made: chess.engine.Option, value: Any) -> int:
    """A whole number within an option's bounds."""
    assert made.min is not None
    assert made.max is not None
    try:
        number = int(value)
    except (TypeError, ValueError, OverflowError):
        raise BadOptionError(f"{made.name} is a whole number, not {value!r}") from None
    if not made.min <= number <= made.max:
        raise BadOptionError(f"{made.name} goes from {made.min} to {made.max}, not {value}")
    return number


def search_values(values: Values) -> dict[str, int]:
    """The search's part of all values."""
    return {name: int(values[name]) for name in SEARCH}


def eval_of(values: Values) -> str:
    """The evaluation that all values together ask for."""
    return eval_named(values["EvalMode"], values["EvalWeights"], values["EvalFile"])


def engine_of(values: Values) -> Engine:
    """An engine with all these values; raises MemoryError or WeightsError where it cannot be had."""
    made = Engine(values["Hash"], search_values(values), values["Threads"])
    if eval_of(values) != made.weights:
        try:
            made.set_weights(eval_of(values))
        except ValueError:
            made.close()
            raise
    return made


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
