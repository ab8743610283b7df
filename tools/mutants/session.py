"""The session file: one line of JSON for each tested fault, so that a run can resume."""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tools.mutants.faults import Fault
from tools.mutants.trial import SURVIVED, Outcome

EQUIVALENT = Path("tests/data/equivalent_mutants.json")
"""Faults that change nothing anybody could see, each with its reason: by module, and the lines it takes and gives."""


def lines_changed(patch: str) -> tuple[str, str]:
    """What a patch takes out and puts in, without spaces at the ends."""
    body = patch.splitlines()[2:]
    return (
        "\n".join(line[1:].strip() for line in body if line.startswith("-")),
        "\n".join(line[1:].strip() for line in body if line.startswith("+")),
    )


def equivalents(file: Path = EQUIVALENT) -> dict[tuple[str, str, str], str]:
    """Reasons why faults have no effect."""
    if not file.exists():
        return {}
    return {(row["module"], row["takes"], row["gives"]): row["reason"] for row in json.loads(file.read_text("utf-8"))}


class Session:
    """Results so far; faults of changed modules are tested again."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self.rows: dict[str, dict[str, Any]] = {}
        if file.exists():
            for line in file.read_text("utf-8").splitlines():
                row = json.loads(line)
                self.rows[row["identity"]] = row

    def find(self, fault: Fault, digest: str) -> dict[str, Any] | None:
        """What became of a fault in a module of this text."""
        row = self.rows.get(fault.identity)
        return row if row is not None and row["digest"] == digest else None

    def add(self, fault: Fault, digest: str, patch: str, outcome: Outcome) -> None:
        """Keep an outcome; a line is written whole."""
        row = {"identity": fault.identity, "digest": digest, "patch": patch, **asdict(fault), **asdict(outcome)}
        self.rows[fault.identity] = row
        self._file.parent.mkdir(parents=True, exist_ok=True)
        with self._file.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")


def table(rows: Iterable[dict[str, Any]], reasons: dict[tuple[str, str, str], str]) -> tuple[list[str], list[str]]:
    """A line for each module, and the patches of those that survived."""
    counts: dict[str, Counter[str]] = {}
    survivors = []
    for row in rows:
        is_equivalent = (row["module"], *lines_changed(row["patch"])) in reasons
        end = "equivalent" if is_equivalent and row["end"] == SURVIVED else row["end"]
        counts.setdefault(row["module"], Counter())[end] += 1
        if end == SURVIVED:
            survivors.append(row["patch"])
    lines = []
    for module, ends in [*sorted(counts.items()), ("all", sum(counts.values(), Counter()))]:
        judged = ends.total() - ends["equivalent"]
        share = 100 * (judged - ends[SURVIVED]) / max(judged, 1)
        lines.append(f"{module:24} {share:5.1f} % of {judged:4} caught, {ends[SURVIVED]:3} survived, "
                     f"{ends['timed out']:3} timed out, {ends['equivalent']:3} equivalent")  # fmt: skip
    return lines, survivors
