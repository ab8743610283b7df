"""Shell. Who may talk to the server: pages of our own only, by Host and Origin, so that no foreign page drives it.

A foreign page reaches a local server either under the server's own address, and then its Origin tells, or under a name
of its own that resolves to this machine, and then its Host does.
"""

import ipaddress
from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY_VIOLATION = 1008
"""WebSocket's code for those who are refused."""
HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; "
        "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-cache",
}


def host_name(host: str) -> str:
    """The name in a Host header, without port and in small letters; empty if it is none."""
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""


def origin_host(origin: str) -> str:
    """Host and port of an Origin header, in small letters; empty if it is none."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""


def is_address(name: str) -> bool:
    """Is it an address of the network, which no foreign page can claim as its name?"""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


class Guard:
    """Lets through what comes from our own page, and sets the headers that keep browsers strict."""

    def __init__(self, app: ASGIApp, names: Iterable[str] = ()) -> None:
        self._app = app
        self._names = {"localhost", *(name.lower() for name in names)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or refuse it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        reason = self.refusal(Headers(scope=scope), scope["type"] == "websocket")
        if not reason:
            await self._app(scope, receive, with_headers(send))
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": POLICY_VIOLATION, "reason": reason})
        else:
            await PlainTextResponse(f"refused: {reason}\n", 403)(scope, receive, send)

    def refusal(self, headers: Headers, is_socket: bool) -> str:
        """Why a request is refused; empty if it is not."""
        hosts, origins = headers.getlist("host"), headers.getlist("origin")
        if len(hosts) != 1 or len(origins) > 1:
            return "one Host and at most one Origin are expected"
        name = host_name(hosts[0])
        if not (name in self._names or is_address(name)):
            return "this name is not served here (--allow-host adds one)"
        if not origins:
            return "a WebSocket needs an Origin" if is_socket else ""
        if origin_host(origins[0]) != hosts[0].lower():
            return "the page is not from here"
        return ""


def with_headers(send: Send) -> Send:
    """The same way out, with our headers added to each answer."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).update(HEADERS)
        await send(message)

    return sending
