"""Shell. A reason: what it is made of; techniques bring theirs, and reasons.py lists all."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a node of quiescence ended or a move was left out: a word for people and counters, and what it means."""

    word: str
    meaning: str
    is_skip: bool = False


def skip(word: str, meaning: str) -> tuple[Reason, ...]:
    """The reason that a technique gives for a move that it leaves out of quiescence."""
    return (Reason(word, meaning, is_skip=True),)
