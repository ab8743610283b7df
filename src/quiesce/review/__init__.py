"""Shell. Reviews of whole games: marks, certainty, accuracy, reasons, exercises.

The package can also be called: `quiesce.review(game)`.
"""

import sys
from types import ModuleType
from typing import Any


class ReviewPackage(ModuleType):
    """A package that can be called."""

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Review one game: see `quiesce.review.functions.review`."""
        from quiesce.review.functions import review  # noqa: PLC0415  (nothing is loaded before it is needed)

        return review(*arguments, **named)


sys.modules[__name__].__class__ = ReviewPackage
