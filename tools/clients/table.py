"""What clients did, one row each, as a table, as words and as JSON."""

from dataclasses import asdict, dataclass, field

HEADS = (
    "client", "version", "rounds", "moves", "analyses", "ponder hits", "misses", "hasty", "faults", "left behind",
    "result",
)  # fmt: skip


@dataclass
class Row:
    """One client."""

    client: str
    version: str = ""
    seconds: float = 0.0
    rounds: int = 0
    """Games, or what else the client does over and over."""
    moves: int = 0
    """Moves that our engine played there."""
    analyses: int = 0
    hits: int = 0
    misses: int = 0
    hasty: int = 0
    """Times that the client sent `go` before the search it had stopped was answered."""
    left: int = 0
    """Engines that still ran when their client had ended."""
    faults: list[str] = field(default_factory=list)
    """What our engine did wrong; each is a failure."""
    trouble: str = ""
    """What the client did not do as it should; a failure too."""
    skipped: str = ""
    """Why it was not run."""
    notes: list[str] = field(default_factory=list)

    @property
    def result(self):
        """In a word."""
        if self.skipped:
            return "skipped"
        return "FAILED" if self.faults or self.trouble or self.left else "passed"

    def cells(self):
        """The row of the table."""
        counts = (
            self.rounds,
            self.moves,
            self.analyses,
            self.hits,
            self.misses,
            self.hasty,
            len(self.faults),
            self.left,
        )
        numbers = ["" if self.skipped else str(count) for count in counts]
        return [self.client, self.version, *numbers, self.result]


def table(rows):
    """All rows in Markdown."""
    lines = [list(HEADS), *(row.cells() for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEADS))]
    texts = [f"| {' | '.join(cell.ljust(width) for cell, width in zip(line, widths, strict=True))} |" for line in lines]
    rule = "|" + "|".join("-" * (width + 2) for width in widths) + "|"
    return "\n".join([texts[0], rule, *texts[1:]])


def words(rows):
    """Skipped clients, errors and remarks, one line each."""
    for row in rows:
        for kind, texts in (("skipped", [row.skipped]), ("trouble", [row.trouble]), ("fault", row.faults)):
            yield from (f"{row.client}: {kind}: {text}" for text in texts if text)
        yield from (f"{row.client}: {note}" for note in row.notes)


def facts(rows):
    """All as plain values."""
    return {"passed": not any(row.result == "FAILED" for row in rows),
            "clients": [{**asdict(row), "result": row.result} for row in rows]}  # fmt: skip
