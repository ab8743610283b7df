"""Shell. OPTIONS: everything a GUI may set, once; the search's own come from its table. Loads without the kernels."""

from collections.abc import Mapping
from dataclasses import dataclass

from quiesce.eval.names import DEFAULT_EVAL, MODES, eval_named
from quiesce.eval.terms import DEFAULT_SET, SETS
from quiesce.search.params import TECHNIQUES
from quiesce.search.strength import LEAST_ELO, MOST_ELO

CHECK, SPIN, STRING, COMBO, BUTTON = "check", "spin", "string", "combo", "button"
NOTHING = "<empty>"
"""How the protocol writes a string option that is not set."""
EVAL_OPTIONS = ("EvalMode", "EvalFile", "EvalWeights")
"""Those that decide the evaluation together."""

Value = bool | int | str


class BadValueError(ValueError):
    """A value that an option cannot have; the message says which and why."""


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

    @property
    def declaration(self) -> str:
        """The line a GUI is told."""
        text = f"option name {self.name} type {self.kind}"
        if self.kind == CHECK:
            return f"{text} default {str(self.default).lower()}"
        if self.kind == SPIN:
            return f"{text} default {self.default} min {self.low} max {self.high}"
        if self.kind == COMBO:
            return f"{text} default {self.default} {' '.join(f'var {choice}' for choice in self.choices)}"
        return f"{text} default {self.default or NOTHING}" if self.kind == STRING else text

    def read(self, text: str) -> Value:
        """The value a text means."""
        if self.kind == CHECK:
            if text.lower() not in ("true", "false"):
                raise BadValueError(f"{self.name} is true or false, not {text[:40]!r}")
            return text.lower() == "true"
        if self.kind == SPIN:
            return self._read_number(text)
        if self.kind == COMBO:
            if text.lower() not in self.choices:
                raise BadValueError(f"{self.name} is {' or '.join(self.choices)}, not {text[:40]!r}")
            return text.lower()
        return "" if text == NOTHING else text

    def _read_number(self, text: str) -> int:
        """A whole number within the bounds."""
        try:
            number = int(text)
        except ValueError:
            raise BadValueError(f"{self.name} is a whole number, not {text[:40]!r}") from None
        if not self.low <= number <= self.high:
            raise BadValueError(f"{self.name} goes from {self.low} to {self.high}, not {text[:40]}")
        return number


GENERAL = (
    Option("Hash", SPIN, 16, "megabytes of the transposition table", 1, 1 << 20),
    Option("Clear Hash", BUTTON, why="forget the transposition table"),
    Option("Threads", SPIN, 1, "workers that search together", 1, 256),
    Option("MultiPV", SPIN, 1, "lines shown, best first", 1, 256),
    Option("Ponder", CHECK, False, "tells that the GUI may let us think on the other side's time"),  # noqa: FBT003
    Option("Move Overhead", SPIN, 10, "milliseconds each move loses between us and the clock", 0, 10_000),
    Option("OwnBook", CHECK, False, "play moves from Book File"),  # noqa: FBT003
    Option("Book File", STRING, "", "an opening book in Polyglot's format"),
    Option("EvalMode", COMBO, DEFAULT_EVAL, "judge by a network, or by terms that people can read", choices=MODES),
    Option("EvalFile", STRING, "", "another network than the built-in one"),
    Option("EvalWeights", STRING, DEFAULT_SET, f"weights of the terms: {', '.join(SETS)}, or a file of them"),
    Option("SyzygyPath", STRING, "", "folders with Syzygy endgame tables"),
    Option("UCI_Chess960", CHECK, False, "castling is written as king takes rook"),  # noqa: FBT003
    Option("UCI_ShowWDL", CHECK, False, "show permille of wins, draws and losses with each score"),  # noqa: FBT003
    Option("UCI_AnalyseMode", CHECK, False, "analysis: neither book nor limited strength"),  # noqa: FBT003
    Option("UCI_LimitStrength", CHECK, False, "play as weak as UCI_Elo says"),  # noqa: FBT003
    Option("UCI_Elo", SPIN, 1_800, "strength where it is limited", LEAST_ELO, MOST_ELO),
    Option("UCI_Opponent", STRING, "", "who plays against us, noted for the log"),
)


def search_options() -> list[Option]:
    """The search's switches and numbers as options."""
    made = []
    for technique in TECHNIQUES:
        made.append(Option(technique.name, CHECK, technique.default, technique.why, is_search=True))
        made += [Option(n.name, SPIN, n.default, n.why, n.low, n.high, is_search=True) for n in technique.numbers]
    return made


OPTIONS = {option.name.lower(): option for option in (*GENERAL, *search_options())}


def declarations() -> str:
    """All declarations, a line each."""
    return "\n".join(option.declaration for option in OPTIONS.values())


def defaults() -> dict[str, Value]:
    """The value of every option that has one, by its name."""
    return {option.name: option.default for option in OPTIONS.values() if option.kind != BUTTON}


def search_values(values: Mapping[str, Value]) -> dict[str, int]:
    """The search's part of all values, as it takes them."""
    return {option.name: int(values[option.name]) for option in OPTIONS.values() if option.is_search}


def eval_of(values: Mapping[str, Value]) -> str:
    """The evaluation that all values together ask for."""
    return eval_named(str(values["EvalMode"]), str(values["EvalWeights"]), str(values["EvalFile"]))
