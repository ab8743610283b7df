"""The possible faults of a module (cosmic-ray's operators), and a random sample of them."""

import difflib
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.ast.ast_query import ASTQuery
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

SOURCES = Path("src/quiesce")
WITHOUT_MEANING = re.compile(r"@dataclass\(|strict=(True|False)|^\s*(from|import) |TypeVar\(|daemon=(True|False)")
"""Lines whose faults have no effect: guards against future mistakes, or types only."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One change of a module: the n-th place where an operator applies."""

    module: str
    operator: str
    occurrence: int
    function: str = ""

    def planted(self, source: str) -> str | None:
        """The module's text with the fault in it; None if there is no such place."""
        return mutate_code(source, get_operator(self.operator)(), self.occurrence)

    def patch(self, source: str) -> str:
        """The change as a patch."""
        changed = self.planted(source) or source
        lines = difflib.unified_diff(source.splitlines(), changed.splitlines(), self.module, self.module, "", "", 1, "")
        return "\n".join(lines)

    @property
    def identity(self) -> str:
        """What names it in the session file."""
        return f"{self.module}:{self.operator}:{self.occurrence}"


def faults_of(module: str, source: str) -> Iterator[Fault]:
    """Every fault that a module may have; strings of documentation have none."""
    tree = get_ast(source)
    for name in sorted(operator_names()):
        operator = get_operator(name)
        if operator.arguments() or name.endswith("NoOp"):
            continue
        places = (node for node in ast_nodes(tree) for _ in operator().mutation_positions(node))
        for occurrence, node in enumerate(places):
            yield Fault(module, name, occurrence, ASTQuery(node).get_definition_name() or "")


def sample(module: str, source: str, most: int, seed: int) -> list[Fault]:
    """A random sample of a module's faults, by a seed; those that change only the text are left out."""
    every = list(faults_of(module, source))
    random.Random(f"{seed}:{module}").shuffle(every)
    chosen, seen = list[Fault](), {source}
    for fault in every:
        changed = fault.planted(source) if len(chosen) < most else None
        if changed is not None and changed not in seen and has_meaning(source, changed):
            seen.add(changed)
            chosen.append(fault)
    return chosen


def has_meaning(source: str, changed: str) -> bool:
    """Is any line changed that does something when it runs?"""
    lines = difflib.unified_diff(source.splitlines(), changed.splitlines(), n=0, lineterm="")
    return any(line.startswith("-") and not WITHOUT_MEANING.search(line[1:]) for line in list(lines)[2:])
