"""Shell. Limits on open connections, so that unfinished requests cannot block the server.

uvicorn waits for a request without limit, and accepts connections until no file descriptor is left. Here a request must
arrive within seconds. If the server is full, the connection that has waited longest for a whole request is closed.
Connections of served browsers are kept.
"""

import asyncio
import errno
import logging
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

REQUEST_SECONDS = 10.0
"""Seconds for a whole request, from the connection or from its first byte."""
MOST_OPEN, LEAST_OPEN = 1_000, 8
"""Most connections, whatever the system allows."""
AT_ONCE = 16
"""Connections accepted at a time."""
SPARE_FILES = 6 * AT_ONCE
"""File descriptors reserved for new and closing connections, files that are sent, and the tracer's pipes."""
QUEUE = 1_024
"""Length of the system's queue of connections."""
COMPLAINT_SECONDS = 60.0
"""Seconds between two messages that no file descriptor is left."""
NO_ROOM = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)

log = logging.getLogger(__name__)

Peer = tuple[str, int] | None
"""Address of the other side."""


def room() -> int:
    """Number of connections allowed, by the file descriptors left to this process."""
    if resource is None:
        return MOST_OPEN
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if limit == resource.RLIM_INFINITY:
        return MOST_OPEN
    return max(LEAST_OPEN, min(MOST_OPEN, limit - open_files() - SPARE_FILES))


def open_files() -> int:
    """Number of open file descriptors; a guess if the system does not tell."""
    try:
        return sum(1 for _ in Path("/dev/fd").iterdir())
    except OSError:
        return SPARE_FILES


class Connections:
    """All open connections, ordered by how long they have had no request."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._open: dict[HttpConnection | SocketConnection, None] = {}
        self._served: set[Peer] = set()

    def enter(self, connection: "HttpConnection | SocketConnection") -> None:
        """Add a connection. If there are too many, close another, or this one if all others are being served."""
        self._open[connection] = None
        if len(self._open) > self._most:
            closed = self._first_to_close()
            self.leave(closed)
            closed.transport.abort()

    def _first_to_close(self) -> "HttpConnection | SocketConnection":
        """The connection that has waited longest for a request; else the oldest whose peer has no served browser."""
        waiting = (one for one in self._open if one.is_waiting)
        return next(waiting, None) or next(one for one in self._open if one.client not in self._served)

    def leave(self, connection: "HttpConnection | SocketConnection") -> None:
        """Remove a connection."""
        self._open.pop(connection, None)

    def wait_again(self, connection: "HttpConnection | SocketConnection") -> None:
        """A request was answered: the connection waits for the next."""
        if connection in self._open:
            del self._open[connection]
            self._open[connection] = None

    @contextmanager
    def served(self, peer: Peer) -> Iterator[None]:
        """While a browser is served its connection is not closed."""
        self._served.add(peer)
        try:
            yield
        finally:
            self._served.discard(peer)


class HttpConnection(H11Protocol):
    """uvicorn's HTTP connection, counted, and closed if its request does not arrive."""

    def __init__(self, connections: Connections, **told: Any) -> None:
        super().__init__(**told)
        self._all = connections
        self._deadline: asyncio.TimerHandle | None = None

    @property
    def is_waiting(self) -> bool:
        """Is no complete request waiting for its answer?"""
        return self.cycle is None or self.cycle.response_complete

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count it and wait for a request."""
        super().connection_made(transport)
        self._all.enter(self)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Remove it."""
        self._all.leave(self)
        self._unwatch()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read data and wait for the rest."""
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        """Wait for the next request, which uvicorn gives a few seconds to begin."""
        self._all.wait_again(self)
        super().on_response_complete()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Hand over to the WebSocket protocol, which counts itself."""
        self._all.leave(self)
        self._unwatch()
        super().handle_websocket_upgrade(event)

    def _watch(self) -> None:
        """Set the deadline of an incomplete request, once, so that slow bytes do not extend it."""
        if not self.is_waiting:
            self._unwatch()
        elif self._deadline is None and self.transport.get_protocol() is self:
            self._deadline = self.loop.call_later(REQUEST_SECONDS, self.transport.abort)

    def _unwatch(self) -> None:
        """Remove the deadline."""
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


class SocketConnection(WebSocketsSansIOProtocol):
    """uvicorn's WebSocket connection, counted."""

    is_waiting = False
    """It begins with a whole request."""

    def __init__(self, connections: Connections, **told: Any) -> None:
        super().__init__(**told)
        self._all = connections

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count it."""
        super().connection_made(transport)
        self._all.enter(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Remove it."""
        self._all.leave(self)
        super().connection_lost(exc)


class PatientServer(uvicorn.Server):
    """Accepts a few connections at a time and rarely repeats its messages."""

    _complained = -COMPLAINT_SECONDS

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen; asyncio takes one number for the queue and for what it accepts at once."""
        asyncio.get_running_loop().set_exception_handler(self._complain)
        await super().startup(sockets)
        for listener in sockets or ():
            listener.listen(QUEUE)

    def _complain(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Report rarely that nothing can be accepted; other errors as asyncio does."""
        error = context.get("exception")
        if not isinstance(error, OSError) or error.errno not in NO_ROOM:
            loop.default_exception_handler(context)
        elif time.monotonic() - self._complained >= COMPLAINT_SECONDS:
            self._complained = time.monotonic()
            log.error("no connection can be accepted for now: %s", error.strerror)
