"""The account of a soak: one row of counts for each station, added up over turns and over runs."""

import json
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path

FAULTS = ("crashes", "illegal", "late", "lost", "hangs")
"""Counts of our own that must be zero."""
HEADS = {
    "station": "station",
    "minutes": "minutes",
    "rounds": "games or rounds",
    "crashes": "crashes",
    "illegal": "illegal moves",
    "late": "time losses",
    "lost": "lost results",
    "hangs": "hangs",
    "growth": "memory growth, MB",
    "theirs": "faults of opponents",
}
MOST_NOTES = 50
LARGEST_GROWTH = 32.0
"""Most growth of a process in MB, from warm-up to the end of a turn."""


@dataclass
class Tally:
    """What one station has done and seen."""

    station: str
    seconds: float = 0.0
    rounds: int = 0
    """Games, or what else is done over and over."""
    crashes: int = 0
    """Processes of ours that ended by themselves, and errors that only the last net caught."""
    illegal: int = 0
    """Moves that python-chess does not allow, and results that the final position denies."""
    late: int = 0
    lost: int = 0
    """Results that were there and are not, are there twice, or are not what an undisturbed run gives."""
    hangs: int = 0
    """Answers that did not come, processes and searches that did not end."""
    growth: float = 0.0
    """The largest of all processes."""
    theirs: int = 0
    """Crashes, illegal moves, time losses and hangs of engines that are not ours."""
    notes: list[str] = field(default_factory=list)

    def fault(self, kind, words):
        """Count a fault, with its description."""
        setattr(self, kind, getattr(self, kind) + 1)
        if len(self.notes) < MOST_NOTES:
            self.notes.append(f"{self.station}: {kind}: {words}")

    def grew(self, megabytes):
        """Note the memory growth of a process."""
        self.growth = max(self.growth, megabytes)

    def add(self, other):
        """Count another tally of the station."""
        for item in fields(self):
            mine, its = getattr(self, item.name), getattr(other, item.name)
            if item.name == "growth":
                self.growth = max(mine, its)
            elif item.name != "station":
                setattr(self, item.name, mine + its)

    @property
    def is_clean(self):
        """Is all zero that must be, and memory bounded?"""
        return not any(getattr(self, kind) for kind in FAULTS) and self.growth <= LARGEST_GROWTH

    def cells(self):
        """The row of the table, as texts."""
        texts = {name: str(getattr(self, name)) for name in HEADS if name != "minutes"}
        texts |= {"minutes": f"{self.seconds / 60:.1f}", "growth": f"{self.growth:.1f}"}
        return [texts[name] for name in HEADS]


class Account:
    """All stations of one run or of several."""

    def __init__(self):
        self.tallies = {}

    def add(self, tally):
        """Count what a station did in a turn."""
        self.tallies.setdefault(tally.station, Tally(tally.station)).add(tally)

    @property
    def is_clean(self):
        """Did nothing go wrong?"""
        return all(tally.is_clean for tally in self.tallies.values())

    def facts(self):
        """All as plain values."""
        return {"clean": self.is_clean, "stations": [asdict(tally) for tally in self.tallies.values()]}

    def write(self, path):
        """Replace the stored counts."""
        fresh = path.with_name(path.name + ".new")
        fresh.write_text(json.dumps(self.facts(), indent=1) + "\n", encoding="utf-8")
        fresh.replace(path)

    def read(self, path):
        """Add the stored counts."""
        for facts in json.loads(Path(path).read_text(encoding="utf-8"))["stations"]:
            self.add(Tally(**facts))

    def table(self):
        """The table, in Markdown, all stations and their sum."""
        total = Tally("all")
        for tally in self.tallies.values():
            total.add(tally)
        rows = [list(HEADS.values()), *(tally.cells() for tally in [*self.tallies.values(), total])]
        widths = [max(len(row[column]) for row in rows) for column in range(len(HEADS))]
        lines = [f"| {' | '.join(pad(*pair) for pair in zip(row, widths, strict=True))} |" for row in rows]
        rule = "|".join(["-" * (widths[0] + 2), *("-" * (width + 1) + ":" for width in widths[1:])])
        return "\n".join([lines[0], f"|{rule}|", *lines[1:]])

    def notes(self):
        """What went wrong, in words."""
        return [note for tally in self.tallies.values() for note in tally.notes]


def pad(text, width):
    """A cell: names to the left, numbers to the right."""
    return text.rjust(width) if text[:1].isdigit() else text.ljust(width)
