"""Shell. Accepts requests of our own page only, by Host and Origin, so that no foreign page can use the engine.

A foreign page can reach a local server under the server's address, which its Origin reveals, or under a name that
resolves to this machine, which its Host reveals.
"""

import ipaddress
from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY_VIOLATION = 1008
"""WebSocket code of a refusal."""
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
    """The name in a Host header, without port, in lower case; empty if there is none."""
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""


def origin_host(origin: str) -> str:
    """Host and port of an Origin header, in lower case; empty if there is none."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""


def is_address(name: str) -> bool:
    """Is this an IP address, which no foreign page can have as its name?"""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


class Guard:
    """Accepts requests of our own page and sets strict security headers."""

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
        """Why a request is refused; empty if it is accepted."""
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
    """Add our headers to each answer."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).update(HEADERS)
        await send(message)

    return sending
