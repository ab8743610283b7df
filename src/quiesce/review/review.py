"""Shell. The review of a game."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from quiesce.review.accuracy import summary_of
from quiesce.review.openings import Opening
from quiesce.review.plan import GOOD, ReviewPlan, plan_from
from quiesce.review.verdict import Verdict, verdict_from

SCHEMA = 1
"""Version of the JSON values; raised if a field changes or goes, not if one is added."""


@dataclass(frozen=True, slots=True)
class Review:
    """A reviewed game: headers, one verdict per move, opening and plan. `pgn`, `facts` and `summary` export it."""

    headers: dict[str, str]
    verdicts: tuple[Verdict, ...]
    opening: Opening | None
    plan: ReviewPlan
    chess960: bool = False

    @property
    def marked(self) -> list[Verdict]:
        """Verdicts with a mark."""
        return [verdict for verdict in self.verdicts if verdict.mark and verdict.mark != GOOD]

    def facts(self) -> dict[str, Any]:
        """The review as JSON values: see docs/reference/review.md."""
        return {
            "schema": SCHEMA,
            "headers": self.headers,
            "chess960": self.chess960,
            "opening": None if self.opening is None else self.opening._asdict(),
            "plan": self.plan.facts(),
            "players": summary_of(self.verdicts),
            "moves": [verdict.facts() for verdict in self.verdicts],
        }


def review_from(facts: Mapping[str, Any]) -> Review:
    """The review of JSON values. Raises ValueError for another schema."""
    if facts.get("schema") != SCHEMA:
        raise ValueError(f"a review of schema {facts.get('schema')}; this version reads {SCHEMA}")
    opening = None if facts["opening"] is None else Opening(**facts["opening"])
    verdicts = tuple(verdict_from(fact, facts["chess960"]) for fact in facts["moves"])
    return Review(dict(facts["headers"]), verdicts, opening, plan_from(facts["plan"]), facts["chess960"])
