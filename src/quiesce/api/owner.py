"""Shell. The process that owns an object: threads do not survive a fork."""

import os

import chess.engine


def is_own(owner: int) -> bool:
    """Was an object made in this process?"""
    return os.getpid() == owner


def check_own(owner: int) -> None:
    """Raise EngineTerminatedError in a forked process, where threads are missing."""
    if not is_own(owner):
        raise chess.engine.EngineTerminatedError(
            "this engine was made in another process, and a fork does not copy its threads: make one in each process"
        )
