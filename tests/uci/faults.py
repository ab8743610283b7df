"""Functions whose code is put in the place of others: they import what they need, as they run in any module."""

import threading


class BrokenError(Exception):
    """What a broken function raises."""


held = threading.Event()
"""Set to let go whatever hangs."""


def raising(*_args, **_kwargs):
    """Fails."""
    from tests.uci.faults import BrokenError

    raise BrokenError("broken by a test")


def hanging(*_args, **_kwargs):
    """Does not return while a test holds it."""
    from tests.uci.faults import BrokenError, held

    held.wait(60)
    raise BrokenError("let go")
