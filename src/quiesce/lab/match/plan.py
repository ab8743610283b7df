"""Shell. The plan of a match: everything that decides it, from a TOML or JSON file or from the command line."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from quiesce.board.readfile import read_json, read_text
from quiesce.lab.match.engines import EngineSpec, engine_of
from quiesce.lab.match.openings import DEFAULT_BOOK, DEFAULT_PLIES
from quiesce.lab.match.referee import Adjudication, Control
from quiesce.lab.sprt import Sprt

CLOCK = re.compile(r"^(?:(\d+)/)?(\d+(?:\.\d+)?)(?:\+(\d+(?:\.\d+)?))?$")
LARGEST_FILE = 1 << 20
DEFAULT_CONTROL = "8+0.08"
STATISTICS = ("pentanomial", "trinomial")
"""What the sequential test counts: pairs, or single games."""


class PlanError(ValueError):
    """An invalid plan; the message says why."""


def control_of(text: str) -> Control:
    """A time control such as 10+0.1, 60 or 40/60+0.5: seconds, increment, moves."""
    found = CLOCK.match(text.strip())
    if found is None or float(found[2]) <= 0:
        raise PlanError(f"{text!r} is no time control such as 10+0.1 or 40/60")
    return Control(float(found[2]), float(found[3] or 0), int(found[1] or 0))


@dataclass(frozen=True, slots=True)
class MatchPlan:
    """A match between two engines."""

    engine1: EngineSpec = field(default_factory=EngineSpec)
    engine2: EngineSpec = field(default_factory=EngineSpec)
    control: Control = field(default_factory=lambda: control_of(DEFAULT_CONTROL))
    book: str = DEFAULT_BOOK
    plies: int = DEFAULT_PLIES
    seed: int = 1
    pairs: int = 100
    concurrency: int = 0
    """Parallel games; 0 for all cores."""
    adjudication: Adjudication = field(default_factory=Adjudication)
    sprt: Sprt | None = None
    is_trinomial: bool = False
    """Does the sequential test count single games, as older tools do, instead of pairs?"""

    @property
    def name(self) -> str:
        """Name for users."""
        return f"{self.engine1.title} - {self.engine2.title}, {self.control}"

    def identity(self) -> dict[str, Any]:
        """Everything that determines the games, except the openings."""
        return {
            "engine1": self.engine1.identity(),
            "engine2": self.engine2.identity(),
            "control": asdict(self.control),
            "seed": self.seed,
            "adjudication": asdict(self.adjudication),
        }


def read_plan(path: Path, pairs: int = MatchPlan().pairs) -> MatchPlan:
    """The plan of a file; `pairs` is the default number of pairs."""
    try:
        text = read_text(path, LARGEST_FILE)
        table = read_json(text) if path.suffix == ".json" else tomllib.loads(text)
    except OSError as error:
        raise PlanError(f"{path}: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:
        raise PlanError(f"{path}: {error}") from None
    if not isinstance(table, dict):
        raise PlanError(f"{path}: not a table of settings")
    try:
        return plan_of({"games": 2 * pairs} | table)
    except (TypeError, ValueError) as error:
        raise PlanError(f"{path}: {error}") from None


KEYS = ("engine1", "engine2", "time_control", "movetime", "nodes", "depth", "margin", "book", "plies", "seed", "games",
        "concurrency", "adjudication", "sprt", "statistics")  # fmt: skip

TYPES = {"movetime": float, "nodes": int, "depth": int, "margin": float, "book": str, "plies": int, "seed": int,
         "games": int, "concurrency": int}  # fmt: skip


def plan_of(table: Mapping[str, Any]) -> MatchPlan:
    """The plan of a table as files have it."""
    if unknown := set(table) - set(KEYS):
        raise PlanError(f"unknown key {min(unknown)!r}; known are {', '.join(KEYS)}")
    plan = MatchPlan()
    for key, kind in TYPES.items():
        if key in table:
            check_type(key, table[key], kind)
    changes: dict[str, Any] = {key: table[key] for key in ("book", "plies", "seed", "concurrency") if key in table}
    for key in ("engine1", "engine2"):
        if key in table:
            changes[key] = engine_of(table[key], key)
    if "games" in table:
        changes["pairs"] = -(-int(table["games"]) // 2)
    changes["control"] = table_control(table)
    changes["adjudication"] = part_of(Adjudication, table.get("adjudication", {}), "adjudication")
    if "statistics" in table:
        if table["statistics"] not in STATISTICS:
            raise PlanError(f"statistics is {' or '.join(STATISTICS)}, not {table['statistics']!r}")
        changes["is_trinomial"] = table["statistics"] == STATISTICS[1]
    if "sprt" in table:
        changes["sprt"] = part_of(Sprt, table["sprt"], "sprt")
    return checked(replace(plan, **changes))


def table_control(table: Mapping[str, Any]) -> Control:
    """The control of a table: a clock unless fixed amounts are given."""
    fixed: dict[str, Any] = {"seconds": table.get("movetime"), "nodes": table.get("nodes"), "depth": table.get("depth")}
    is_fixed = any(value is not None for value in fixed.values())
    if "time_control" in table:
        control = replace(control_of(str(table["time_control"])), **fixed)
    else:
        control = Control(**fixed) if is_fixed else control_of(DEFAULT_CONTROL)
    return replace(control, margin=float(table["margin"])) if "margin" in table else control


def part_of(kind: Any, told: Any, name: str) -> Any:
    """A part of the plan whose keys are the fields of its class."""
    known = [item.name for item in fields(kind)]
    if not isinstance(told, Mapping):
        raise PlanError(f"{name} is a table of {', '.join(known)}")
    if unknown := set(told) - set(known):
        raise PlanError(f"{name}: unknown key {min(unknown)!r}; known are {', '.join(known)}")
    plain = kind()
    for key, value in told.items():
        check_type(f"{name}.{key}", value, type(getattr(plain, key)))
    return kind(**told)


def check_type(name: str, value: Any, kind: type) -> None:
    """Refuse a value of another type than its default has; whole numbers are numbers, truth values are not."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    is_whole = is_number and isinstance(value, int)
    is_right = {int: is_whole, float: is_number, str: isinstance(value, str)}[kind]
    if not is_right:
        words = {int: "a whole number", float: "a number", str: "text"}[kind]
        raise PlanError(f"{name} is {words}, not {value!r}")


def checked(plan: MatchPlan) -> MatchPlan:
    """The plan, if its numbers make sense."""
    if plan.pairs < 1:
        raise PlanError("there must be at least two games, one pair")
    if plan.concurrency < 0 or plan.plies < 1:
        raise PlanError("concurrency cannot be negative, and openings have at least one ply")
    control = plan.control
    for name, value in (("movetime", control.seconds), ("nodes", control.nodes), ("depth", control.depth)):
        if value is not None and value <= 0:
            raise PlanError(f"{name} must be more than 0, not {value}")
    if control.base is not None and control.seconds is not None:
        raise PlanError("a clock and a fixed time for each move exclude each other")
    if plan.adjudication.tablebase and not Path(plan.adjudication.tablebase).is_dir():
        raise PlanError(f"{plan.adjudication.tablebase}: no folder of tables")
    return plan
