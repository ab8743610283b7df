"""Quiesce: a chess engine in Python that searches until the position is quiet, and shows why.

>>> import chess, chess.engine, quiesce
>>> with quiesce.Engine() as engine:
...     result = engine.play(chess.Board("6k1/5ppp/8/8/8/8/8/4R2K w - - 0 1"), chess.engine.Limit(depth=3))
>>> result.move
Move.from_uci('e1e8')

Importing the package is fast: chess, the compiler and kernels are loaded by the first name that needs them.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from quiesce import batch as batch
    from quiesce.api.analysis import Analysis as Analysis
    from quiesce.api.asyncengine import AsyncAnalysis as AsyncAnalysis
    from quiesce.api.asyncengine import AsyncEngine as AsyncEngine
    from quiesce.api.asyncengine import popen_uci as popen_uci
    from quiesce.api.engine import Engine as Engine
    from quiesce.api.evaluation import Evaluation as Evaluation
    from quiesce.api.functions import evaluate as evaluate
    from quiesce.api.functions import explain as explain
    from quiesce.api.functions import perft as perft
    from quiesce.api.functions import qperft as qperft
    from quiesce.api.functions import see as see
    from quiesce.api.functions import warmup as warmup
    from quiesce.api.quiescence import Quiescence as Quiescence
    from quiesce.api.why import Why as Why
    from quiesce.engine import BusyError as BusyError
    from quiesce.review.functions import annotate as annotate
    from quiesce.review.functions import review as review
    from quiesce.trace.tree import Tree as Tree

__version__ = "0.1.0"

__all__ = [
    "Analysis",
    "AsyncAnalysis",
    "AsyncEngine",
    "BusyError",
    "Engine",
    "Evaluation",
    "Quiescence",
    "Tree",
    "Why",
    "__version__",
    "annotate",
    "batch",
    "evaluate",
    "explain",
    "perft",
    "popen_uci",
    "qperft",
    "review",
    "see",
    "warmup",
]

_HOMES = {
    "Analysis": "api.analysis",
    "AsyncAnalysis": "api.asyncengine",
    "AsyncEngine": "api.asyncengine",
    "BusyError": "engine",
    "Engine": "api.engine",
    "Evaluation": "api.evaluation",
    "Quiescence": "api.quiescence",
    "Tree": "trace.tree",
    "Why": "api.why",
    "annotate": "review.functions",
    "evaluate": "api.functions",
    "explain": "api.functions",
    "perft": "api.functions",
    "popen_uci": "api.asyncengine",
    "qperft": "api.functions",
    "see": "api.functions",
    "warmup": "api.functions",
}
"""Where each name lives; its module is loaded when it is first asked for."""
PACKAGES = ("batch", "review")
"""Names that are packages, one of which can be called too."""


def __getattr__(name: str) -> Any:
    """Load what is asked for."""
    from importlib import import_module  # noqa: PLC0415  (nothing at all is loaded before it is needed)

    if name in PACKAGES:
        return import_module(f"quiesce.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"quiesce.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    """All names, loaded or not."""
    return sorted({*globals(), *__all__})
