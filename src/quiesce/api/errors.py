"""Shell. Every error is a chess.engine.EngineError too, for programs written for python-chess."""

from collections.abc import Callable
from functools import cache, wraps
from typing import Any, ParamSpec, TypeVar

from chess.engine import EngineError

from quiesce.engine import BusyError

REFUSALS = (ValueError, MemoryError, OSError, BusyError)
"""What is raised for something that cannot be had."""

Given = ParamSpec("Given")
Result = TypeVar("Result")


@cache
def both(kind: type[BaseException]) -> type[BaseException]:
    """A class that is of this kind and an EngineError."""
    named = {"__module__": kind.__module__, "__qualname__": kind.__qualname__, "__doc__": kind.__doc__}
    return type(kind.__name__, (kind, EngineError), named | {"__reduce__": lambda self: (again, (kind, self.args))})


def again(kind: type[BaseException], args: tuple[Any, ...]) -> BaseException:
    """An error of a kind that is an EngineError, with these arguments; also used by pickle."""
    made = both(kind)  # type: ignore[arg-type]  # classes are hashable, whatever their objects are
    return made.__new__(made, *args)


def refusing(call: Callable[Given, Result]) -> Callable[Given, Result]:
    """Wrap a call so that its errors are EngineErrors too, except TimeoutError."""

    @wraps(call)
    def told(*args: Given.args, **named: Given.kwargs) -> Result:
        try:
            return call(*args, **named)
        except (EngineError, TimeoutError):
            raise
        except REFUSALS as error:
            refused = again(type(error), error.args)
            refused.__dict__.update(error.__dict__)
            raise refused.with_traceback(error.__traceback__) from error.__cause__

    return told
