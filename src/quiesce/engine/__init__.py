"""Shell. What runs a search: the engine, the table of all options, and a setup of both with a book and endgame tables.

Importing it loads nothing: the kernels come with the first name that needs them.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from quiesce.engine.engine import BusyError as BusyError
    from quiesce.engine.engine import Engine as Engine
    from quiesce.engine.engine import Limits as Limits
    from quiesce.engine.engine import Line as Line
    from quiesce.engine.engine import Progress as Progress
    from quiesce.engine.engine import Report as Report

__all__ = ["BusyError", "Engine", "Limits", "Line", "Progress", "Report"]


def __getattr__(name: str) -> Any:
    """Load what is asked for."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module("quiesce.engine.engine"), name)
