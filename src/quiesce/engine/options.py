"""Shell. OPTIONS: the table of all options, for UCI, API, command line and web. Loads no kernels."""

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from quiesce.engine.strength import LEAST_ELO, MOST_ELO
from quiesce.eval.names import DEFAULT_EVAL, MODES, eval_named
from quiesce.eval.terms import DEFAULT_SET, SETS
from quiesce.search.params import RENAMED, TECHNIQUES

CHECK, SPIN, STRING, COMBO, BUTTON = "check", "spin", "string", "combo", "button"
MOST_LINES = 256
LONGEST_SHOWN = 40
"""Letters of a bad value that a message repeats."""
SWITCH = {"true": True, "on": True, "1": True, "false": False, "off": False, "0": False}
"""Texts of a switch's values."""

Value = bool | int | str
Values = dict[str, Any]


class BadValueError(ValueError):
    """An option that does not exist, or a value that it cannot have; the message says which and why."""


@dataclass(frozen=True, slots=True)
class Option:
    """One option: its kind and default decide how it is written and read."""

    name: str
    kind: str
    default: Value = ""
    why: str = ""
    low: int = 0
    high: int = 0
    is_search: bool = False
    choices: tuple[str, ...] = ()

    def value_of(self, value: Any) -> Value:
        """A value that the option can have, also from text; None is the default. Raises BadValueError for any other."""
        if value is None or self.kind == BUTTON:
            return self.default
        if self.kind == CHECK:
            return self._switch(value)
        if self.kind == SPIN:
            return self._number(value)
        text = str(value)
        if self.choices:
            text = text.lower()
            if text not in self.choices:
                raise BadValueError(f"{self.name} is {' or '.join(self.choices)}, not {shown(value)}")
        if "\n" in text or "\r" in text:
            raise BadValueError(f"{self.name} is one line, not {shown(value)}")
        return text

    def _switch(self, value: Any) -> bool:
        """A switch's value."""
        found = SWITCH.get(str(value).lower())
        if found is None:
            raise BadValueError(f"{self.name} is true or false, not {shown(value)}")
        return found

    def _number(self, value: Any) -> int:
        """A whole number within the bounds."""
        try:
            number = int(value)
        except (TypeError, ValueError, OverflowError):
            raise BadValueError(f"{self.name} is a whole number, not {shown(value)}") from None
        if not self.low <= number <= self.high:
            raise BadValueError(f"{self.name} goes from {self.low} to {self.high}, not {str(value)[:LONGEST_SHOWN]}")
        return number


def shown(value: Any) -> str:
    """A value as a message repeats it, short enough."""
    return repr(value[:LONGEST_SHOWN] if isinstance(value, str) else value)


GENERAL = (
    Option("Hash", SPIN, 16, "megabytes of the transposition table", 1, 1 << 20),
    Option("Clear Hash", BUTTON, why="forget the transposition table"),
    Option("Threads", SPIN, 1, "search threads", 1, 256),
    Option("MultiPV", SPIN, 1, "number of best lines to show", 1, MOST_LINES),
    Option("Ponder", CHECK, False, "the GUI may let the engine think on the opponent's time"),  # noqa: FBT003
    Option("Move Overhead", SPIN, 10, "milliseconds lost per move between engine and clock", 0, 10_000),
    Option("OwnBook", CHECK, False, "play moves from Book File"),  # noqa: FBT003
    Option("Book File", STRING, "", "opening book in Polyglot format"),
    Option(
        "EvalMode", COMBO, DEFAULT_EVAL, "evaluate by the network, or by the hand-made terms (classical)", choices=MODES
    ),
    Option("EvalFile", STRING, "", "network file, instead of the built-in network"),
    Option("EvalWeights", STRING, DEFAULT_SET, f"weights of the terms: {', '.join(SETS)}, or a file of them"),
    Option("SyzygyPath", STRING, "", "folders with Syzygy endgame tables"),
    Option("UCI_Chess960", CHECK, False, "Chess960: castling moves are written as king takes rook"),  # noqa: FBT003
    Option("UCI_ShowWDL", CHECK, False, "show win, draw and loss chances in permille"),  # noqa: FBT003
    Option("UCI_AnalyseMode", CHECK, False, "analysis: ignore book and limited strength"),  # noqa: FBT003
    Option("UCI_LimitStrength", CHECK, False, "limit the strength to UCI_Elo"),  # noqa: FBT003
    Option("UCI_Elo", SPIN, 1_800, "Elo if the strength is limited", LEAST_ELO, MOST_ELO),
    Option("UCI_Opponent", STRING, "", "the opponent's name; has no effect"),
)


def search_options() -> list[Option]:
    """The search's switches and numbers as options."""
    made = []
    for technique in TECHNIQUES:
        made.append(Option(technique.name, CHECK, technique.default, technique.why, is_search=True))
        made += [Option(n.name, SPIN, n.default, n.why, n.low, n.high, is_search=True) for n in technique.numbers]
    return made


OPTIONS = {option.name.lower(): option for option in (*GENERAL, *search_options())}
"""All options, by their names in small letters."""
UNDERSTOOD = OPTIONS | {old.lower(): OPTIONS[name.lower()] for old, name in RENAMED.items()}
"""The same, and by names of 0.1.0 too."""
SEARCH = frozenset(option.name for option in OPTIONS.values() if option.is_search)
LOOKS_ON = SEARCH | {"Hash", "Threads", "EvalMode", "EvalFile", "EvalWeights", "SyzygyPath"}
"""Options that change what an analysis finds, or how fast."""


def option_named(name: Any) -> Option:
    """The option of a name, in any case. Raises BadValueError if there is none."""
    spelt = str(name).strip().lower()
    if spelt in UNDERSTOOD:
        return UNDERSTOOD[spelt]
    near = get_close_matches(spelt, OPTIONS, 1)
    raise BadValueError(f"there is no option {name!r}" + (f"; is {OPTIONS[near[0]].name!r} meant?" if near else ""))


def read_options(given: Mapping[str, Any]) -> Values:
    """Options by their right names with values that they can have; raises BadValueError for any other."""
    if not isinstance(given, Mapping):
        raise TypeError(f"options are a mapping such as {{'Hash': 64}}, not {given!r}")
    return {(option := option_named(name)).name: option.value_of(value) for name, value in given.items()}


def defaults() -> Values:
    """The value of every option that has one, by its name."""
    return {option.name: option.default for option in OPTIONS.values() if option.kind != BUTTON}


def search_values(values: Mapping[str, Any]) -> dict[str, int]:
    """The search's part of all values, as it takes them."""
    return {option.name: int(values[option.name]) for option in OPTIONS.values() if option.is_search}


def eval_of(values: Mapping[str, Any]) -> str:
    """The evaluation that all values together ask for."""
    return eval_named(str(values["EvalMode"]), str(values["EvalWeights"]), str(values["EvalFile"]))
