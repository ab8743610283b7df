"""Shell. WEIGHTS: the numbers behind each term, packed for kernels, from the table of terms or from a fit."""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from quiesce.board.fen import shorten
from quiesce.board.readfile import read_json, read_text
from quiesce.board.types import KINDS, PIECES, SQUARES
from quiesce.eval.terms import DEFAULT_SET, OFFSETS, SETS, TERM_COUNT, TERMS, Score
from quiesce.eval.terms import KINDS as KIND_NAMES
from quiesce.records import Field, new, record

PHASES = (0, 1, 1, 2, 4, 0)
"""How much a piece of each kind adds to the phase; 24 is the full middlegame."""
FITTED_FILE = Path(__file__).with_name("fitted.json")
LARGEST_FILE = 1_000_000
"""Bytes; ours has some ten thousand."""
LARGEST_WEIGHT = 4_000
"""With larger ones the sum of a position, or the square of a danger, might not fit its half of a packed score."""
PLAIN_GROUPS = {"material", "squares", "tempo"}

WEIGHTS_FIELDS = (
    Field(
        "psqt", ("i8", (PIECES, SQUARES)), "packed score of a piece on a square, with its material; Black's negative"
    ),
    Field("phase", ("i4", (PIECES,)), "how much a piece adds to the phase; 24 is the full middlegame"),
    Field("terms", ("i8", (TERM_COUNT,)), "packed score of each weight, in the order of the terms"),
)
WEIGHTS = record(*WEIGHTS_FIELDS)

Table = dict[str, list[Score]]


class WeightsError(ValueError):
    """A file of weights that cannot be used; the message says why."""


def pack(score: Score) -> int:
    """A score of middlegame and endgame as kernels keep it: S(mg, eg) in one number."""
    return (score[1] << 32) + score[0]


def unpack(packed_score: int) -> Score:
    """The middlegame and endgame points of a packed score."""
    half = 1 << 31
    return (packed_score + half) % (1 << 32) - half, (packed_score + half) >> 32


def hand_table() -> Table:
    """The values by hand."""
    return {term.name: list(term.hand) for term in TERMS}


def plain_table() -> Table:
    """By hand, material and squares alone."""
    return {term.name: list(term.hand) if term.group in PLAIN_GROUPS else [(0, 0)] * len(term.hand) for term in TERMS}


def checked(score: Sequence[int]) -> Score:
    """A weight of a file; raises ValueError unless it is two whole numbers that kernels can sum without overflow."""
    middle, ending = score
    for weight in (middle, ending):
        if type(weight) is not int or abs(weight) > LARGEST_WEIGHT:
            raise ValueError(f"{weight!r} is no weight between -{LARGEST_WEIGHT} and {LARGEST_WEIGHT}")
    return middle, ending


def fitted_table(path: Path) -> Table:
    """The weights of a file a fit has written, by terms we have, each with as many weights as it has."""
    try:
        kept = read_json(read_text(path, LARGEST_FILE))["weights"]
        table = {name: [checked(score) for score in scores] for name, scores in kept.items()}
    except OSError as error:
        raise WeightsError(f"{path}: no file of weights: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise WeightsError(f"{path}: no file of weights: {error}") from None
    if not table:
        raise WeightsError(f"{path}: not a file of weights: it holds none")
    wanted = {term.name: len(term.hand) for term in TERMS}
    for name, scores in table.items():
        if name not in wanted:
            raise WeightsError(f"{path}: there is no term {shorten(name)}")
        if len(scores) != wanted[name]:
            raise WeightsError(f"{path}: {name} needs {wanted[name]} weights, has {len(scores)}")
    return table


def read_table(path: Path) -> Table:
    """A weight for every term: a file's, and by hand what was added to the terms after the file was written."""
    return hand_table() | fitted_table(path)


def unfitted(name: str) -> list[str]:
    """The terms missing in a fitted set, by name or file; their hand-made values are used."""
    if name in SETS and name != DEFAULT_SET:
        return []
    known = fitted_table(FITTED_FILE if name == DEFAULT_SET else Path(name))
    return [term.name for term in TERMS if term.name not in known]


def packed(table: Mapping[str, Sequence[Score]]) -> Any:
    """A table of weights as the record kernels read; Black's PSQT is White's, mirrored and negative."""
    filled = new(WEIGHTS)
    for name, offset in OFFSETS.items():
        filled.terms[offset : offset + len(table[name])] = [pack(score) for score in table[name]]
    for kind in range(KINDS):
        values = table["material"][kind] if kind < len(table["material"]) else (0, 0)
        for square, (middle, ending) in enumerate(table[f"{KIND_NAMES[kind]}_squares"]):
            score = pack((middle + values[0], ending + values[1]))
            filled.psqt[2 * kind, square] = score
            filled.psqt[2 * kind + 1, square ^ 56] = -score
        filled.phase[2 * kind : 2 * kind + 2] = PHASES[kind]
    return filled


@cache
def named_weights(name: str) -> Any:
    """A set of weights by its name."""
    if name == DEFAULT_SET:
        return packed(read_table(FITTED_FILE))
    return packed(hand_table() if name == "hand" else plain_table())


def weights(name: str = DEFAULT_SET) -> Any:
    """A set of weights by name, or by the path of a file, which is read each time."""
    return named_weights(name) if name in SETS else packed(read_table(Path(name)))
