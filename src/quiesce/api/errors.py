"""Shell. Whatever is refused is an EngineError of python-chess too, for those who wrote for its engines."""

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
    """The class of errors that are of a kind, and EngineErrors."""
    named = {"__module__": kind.__module__, "__qualname__": kind.__qualname__, "__doc__": kind.__doc__}
    return type(kind.__name__, (kind, EngineError), named | {"__reduce__": lambda self: (again, (kind, self.args))})


def again(kind: type[BaseException], args: tuple[Any, ...]) -> BaseException:
    """An error of a kind that is an EngineError, with these arguments, as pickle and we make it."""
    made = both(kind)  # type: ignore[arg-type]  # classes are hashable, whatever their objects are
    return made.__new__(made, *args)


def refusing(call: Callable[Given, Result]) -> Callable[Given, Result]:
    """The same call, but what it refuses is an EngineError too; a TimeoutError stays as asyncio knows it."""

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
