"""Shell. Which process something belongs to: threads do not survive a fork, so whatever needs them has one owner."""

import os

import chess.engine


def is_own(owner: int) -> bool:
    """Was something made in this process, given the number of the one it was made in?"""
    return os.getpid() == owner


def check_own(owner: int) -> None:
    """Raise EngineTerminatedError in a forked copy, which would wait for ever."""
    if not is_own(owner):
        raise chess.engine.EngineTerminatedError(
            "this engine was made in another process, and a fork does not copy its threads: make one in each process"
        )
