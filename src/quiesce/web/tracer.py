"""Shell. Asks for trees without keeping the event loop waiting: one after the other, in the order they came."""

import asyncio
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from quiesce.trace.child import Child, TracerError

__all__ = ["Tracer", "TracerError"]

PATIENCE = 30.0
"""Seconds a tree may take once the process is ready."""


class Tracer:
    """A child process with the trace build, and the thread that waits for it; both live as long as the server."""

    def __init__(self) -> None:
        self.child = Child("quiesce.web.traced", PATIENCE)
        self._thread = ThreadPoolExecutor(1, "tracer")

    @property
    def is_ready(self) -> bool:
        """Is the trace build loaded?"""
        return self.child.is_ready

    def start(self) -> None:
        """Begin to load the trace build, so that it is ready when the first tree is wanted."""
        self._thread.submit(self.child.start)

    def close(self) -> None:
        """End the process and the thread that waits for it."""
        self.child.close()
        self._thread.shutdown(cancel_futures=True)

    async def tree(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """The tree of a position; raises TracerError. Being cancelled leaves the process unharmed."""
        answer = await asyncio.get_running_loop().run_in_executor(self._thread, self.child.ask, question)
        if "error" in answer:
            raise TracerError(f"{answer['kind']}: {answer['error']}")
        return answer
