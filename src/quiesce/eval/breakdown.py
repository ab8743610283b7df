"""Shell. The evaluation term by term: what counts for each side, and how it sums to the total."""

from dataclasses import dataclass
from typing import Any

from quiesce.board.tables import tables
from quiesce.eval.endings import FULL_SCALE
from quiesce.eval.evaluate import FULL_PHASE, explain_eval
from quiesce.eval.evaluator import EVAL_TRACE, new_evaluator
from quiesce.eval.kings import DANGER_ENDING, DANGER_SQUARED
from quiesce.eval.terms import DEFAULT_SET, OFFSETS, TERMS, Score, label_of
from quiesce.eval.weights import unpack
from quiesce.records import new

DANGER = "danger"


@dataclass(frozen=True, slots=True)
class Row:
    """A term or a group of terms: points in middlegame and endgame for each side."""

    name: str
    why: str
    white: Score
    black: Score

    @property
    def total(self) -> Score:
        """White's less Black's."""
        return self.white[0] - self.black[0], self.white[1] - self.black[1]


@dataclass(frozen=True, slots=True)
class Breakdown:
    """All rows, which sum to `total`; phase of FULL_PHASE and scale of FULL_SCALE make `value` of it, mover's side."""

    rows: list[Row]
    total: Score
    phase: int
    scale: int
    value: int
    black_moves: bool

    @property
    def formula(self) -> str:
        """How the value comes from the total, White's side."""
        (middle, ending), left = self.total, FULL_PHASE - self.phase
        return f"({middle} x {self.phase} + {ending} x {left} x {self.scale}/{FULL_SCALE}) / {FULL_PHASE}"


def plus(one: Score, other: Score) -> Score:
    """Sum of two scores."""
    return one[0] + other[0], one[1] + other[1]


def danger_score(units: int) -> Score:
    """What danger costs the side whose king is in it."""
    return -(units * units // DANGER_SQUARED), -(units // DANGER_ENDING)


def breakdown(position: Any, weights: str = DEFAULT_SET) -> Breakdown:
    """The evaluation of a position, one row a weight that counts; danger is one row, for it does not add up."""
    evaluator, trace = new_evaluator(weights), new(EVAL_TRACE)
    value = int(explain_eval(tables(), evaluator, position, trace))
    rows = []
    for term in TERMS:
        for index in range(len(term.hand)):
            place = OFFSETS[term.name] + index
            middle, ending = unpack(int(evaluator.weights.terms[place]))
            white, black = (int(trace.counts[side, place]) for side in (0, 1))
            if term.group != DANGER and (white or black):
                sides = [(count * middle, count * ending) for count in (white, black)]
                rows.append(Row(label_of(term, index), term.why, sides[0], sides[1]))
    danger = [danger_score(int(units)) for units in trace.danger]
    rows.append(Row(DANGER, "what attacks the king, squared", danger[0], danger[1]))
    total = unpack(int(trace.score))
    return Breakdown(rows, total, int(trace.phase), int(trace.scale), value, bool(position.turn))


def grouped(found: Breakdown) -> list[Row]:
    """The rows of a breakdown summed by group."""
    groups = {term.name: term.group for term in TERMS} | {DANGER: DANGER}
    sums: dict[str, Row] = {}
    for row in found.rows:
        group = groups[row.name.split("[")[0]]
        before = sums.get(group, Row(group, "", (0, 0), (0, 0)))
        sums[group] = Row(group, "", plus(before.white, row.white), plus(before.black, row.black))
    return list(sums.values())
