"""Shell. UCI lines to commands. Errors are reported, never raised. Loads without kernels."""

from dataclasses import dataclass, field

PROTOCOL = "uci debug isready setoption register ucinewgame position go stop ponderhit quit"
BY_HAND = frozenset(["d", "eval", "flip", "bench", "qsearch", "qperft", "compiler", "help"])
COMMANDS = BY_HAND | frozenset(PROTOCOL.split())
GO_WITH_NUMBER = "wtime btime winc binc movestogo depth nodes mate movetime perft"
GO_NUMBERS = frozenset(GO_WITH_NUMBER.split())
GO_FLAGS = frozenset(("infinite", "ponder"))
GO_WORDS = GO_NUMBERS | GO_FLAGS | {"searchmoves"}
CONTROLS = dict.fromkeys([*range(32), *range(127, 160), 0x2028, 0x2029], " ")
LONGEST_NUMBER = 18
"""Most digits of a number."""
LONGEST_SHOWN = 60


@dataclass(slots=True, eq=False)
class Command:
    """A command's word and arguments. Times are of the monotonic clock."""

    word: str
    arguments: list[str] = field(default_factory=list)
    read_at: int = 0
    """Nanoseconds when it was read."""
    stops_before: int = 0
    """Number of `stop` commands read before it."""
    hit_at: int | None = None
    """Nanoseconds when the `ponderhit` that belongs to it was read."""


@dataclass(slots=True)
class Go:
    """The arguments of a `go`; `problems` are words that could not be read."""

    numbers: dict[str, int] = field(default_factory=dict)
    moves: list[str] | None = None
    is_infinite: bool = False
    is_ponder: bool = False
    problems: list[str] = field(default_factory=list)


def clean(line: bytes) -> str:
    """A line as text: invalid bytes are marked, control characters become spaces."""
    return line.decode("utf-8", errors="replace").translate(CONTROLS).strip()


def shown(text: str) -> str:
    """A text short enough for a message."""
    return text if len(text) <= LONGEST_SHOWN else text[:LONGEST_SHOWN] + "..."


def parse_command(text: str) -> Command | None:
    """The command of a line, or None. Unknown words before it are skipped, as the protocol demands.

    `debug` counts as unknown unless `on`, `off` or nothing follows.
    """
    words = text.split()
    for index, word in enumerate(words):
        rest = words[index + 1 :]
        if word in COMMANDS and not (word == "debug" and rest and rest[0] not in ("on", "off")):
            return Command(word, rest)
    return None


def parse_option(arguments: list[str]) -> tuple[str, str]:
    """Name and value of `setoption name ... value ...`; both may contain spaces."""
    if not arguments or arguments[0] != "name":
        return "", ""
    words = arguments[1:]
    split = words.index("value") if "value" in words else len(words)
    return " ".join(words[:split]), " ".join(words[split + 1 :])


def parse_position(arguments: list[str]) -> tuple[str | None, list[str]]:
    """The FEN, None for the start position, and the moves. Raises ValueError if neither is given."""
    split = arguments.index("moves") if "moves" in arguments else len(arguments)
    head, moves = arguments[:split], arguments[split + 1 :]
    if head[:1] == ["startpos"]:
        return None, moves
    if head[:1] == ["fen"] and len(head) > 1:
        return " ".join(head[1:]), moves
    raise ValueError("position needs startpos or fen")


def parse_go(arguments: list[str]) -> Go:
    """The limits of a `go`."""
    go, index = Go(), 0
    while index < len(arguments):
        word = arguments[index]
        index += 1
        if word == "infinite":
            go.is_infinite = True
        elif word == "ponder":
            go.is_ponder = True
        elif word == "searchmoves":
            stop = index
            while stop < len(arguments) and arguments[stop] not in GO_WORDS:
                stop += 1
            go.moves, index = arguments[index:stop], stop
        elif word in GO_NUMBERS:
            index += read_number(go, word, arguments[index : index + 1])
        else:
            go.problems.append(f"unknown word {shown(word)}")
    return go


def read_number(go: Go, word: str, following: list[str]) -> int:
    """Read the number after a word; returns how many words were used."""
    text = following[0] if following else ""
    digits = text[1:] if text[:1] in ("-", "+") else text
    if not (digits.isascii() and digits.isdigit()) or len(digits) > LONGEST_NUMBER:
        go.problems.append(f"{word} needs a number" + (f", not {shown(text)}" if text else ""))
        return 0 if text in GO_WORDS else len(following)
    go.numbers[word] = int(text)
    return 1
