"""Shell. A queue of quiescence trees, so that the event loop does not wait."""

import asyncio
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from quiesce.board.game import Game
from quiesce.trace.client import TraceClient

PATIENCE = 30.0
"""Most seconds per tree, once the process is ready."""
MOST_NODES = 500_000
"""Most nodes per tree."""


class TreeQueue:
    """The tracing process, and the thread that waits for it."""

    def __init__(self) -> None:
        self.client = TraceClient(PATIENCE)
        self._thread = ThreadPoolExecutor(1, "trees")

    @property
    def is_ready(self) -> bool:
        """Is the tracing process ready?"""
        return self.client.is_ready

    def start(self) -> None:
        """Start the tracing process before the first tree is wanted."""
        self._thread.submit(self.client.start)

    def close(self) -> None:
        """End the process and its thread."""
        self.client.close()
        self._thread.shutdown(cancel_futures=True)

    async def tree(self, game: Game, options: Mapping[str, int], path: Sequence[int] = ()) -> dict[str, Any]:
        """The tree at the end of a game, from the node that a path leads to; raises TracerError and LineError.

        Being cancelled leaves the process unharmed.
        """
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, self.client.facts, game, options, MOST_NODES, path)
