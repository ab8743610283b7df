"""Host and Origin: only our own page may drive the server."""

import http.client

import pytest
from starlette.datastructures import Headers
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from quiesce.web.guard import Guard

from .conftest import status


async def nothing(*_):
    """An application that is never reached."""


@pytest.mark.parametrize(
    ("host", "origin", "is_socket", "is_let_in"),
    [
        ("localhost:8337", "http://localhost:8337", True, True),
        ("LOCALHOST", None, False, True),
        ("127.0.0.1:8337", "http://127.0.0.1:8337", True, True),
        ("[::1]:8337", "http://[::1]:8337", True, True),
        ("192.168.1.7:8337", "http://192.168.1.7:8337", True, True),
        ("chess.lan", "https://chess.lan", True, True),
        ("evil.example", None, False, False),
        ("evil.example", "http://evil.example", True, False),
        ("127.0.0.1.evil.example", None, False, False),
        ("localhost.evil.example:8337", "http://localhost.evil.example:8337", True, False),
        ("localhost:8337", "http://evil.example", True, False),
        ("localhost:8337", "http://localhost:9999", True, False),
        ("localhost:8337", "http://evil.localhost:8337", True, False),
        ("localhost:8337", "http://evillocalhost:8337", True, False),
        ("localhost:8337", "http://localhost:8337.evil.example", True, False),
        ("localhost:8337", "http://[", True, False),
        ("localhost:8337", "http://[::1", False, False),
        ("localhost:8337", "null", True, False),
        ("localhost:8337", "http://evil.example", False, False),
        ("localhost:8337", None, True, False),
        ("", None, False, False),
        ("[::1", None, False, False),
    ],
)
def test_who_is_let_in(host, origin, is_socket, is_let_in):
    """By address, by localhost, by an allowed name; never from another origin, and no socket without one."""
    headers = {"host": host} | ({"origin": origin} if origin is not None else {})
    refusal = Guard(nothing, ["chess.lan"]).refusal(Headers(headers), is_socket)
    assert (refusal == "") == is_let_in, refusal


def test_doubled_headers_are_refused():
    """Two Hosts are none, and two Origins are too many, even if the first is right or both are."""
    host, ours, foreign = (b"host", b"localhost"), (b"origin", b"http://localhost"), (b"origin", b"http://evil.example")
    assert not Guard(nothing).refusal(Headers(raw=[host, ours]), True)
    two_hosts = [host, (b"host", b"evil.example")]
    for doubled in (two_hosts, [host, ours, foreign], [host, foreign, ours], [host, ours, ours]):
        assert Guard(nothing).refusal(Headers(raw=doubled), False)


@pytest.mark.parametrize("origin", ["http://evil.example", None, "null"])
def test_a_foreign_page_opens_no_socket(address, origin):
    """The handshake is refused, and nobody is counted as connected."""
    with pytest.raises(InvalidStatus) as refused, connect(f"ws://{address}/socket", origin=origin):
        pass
    assert refused.value.response.status_code == 403
    assert status(address)["browsers"] == 0


@pytest.mark.parametrize("origin", ["http://[", "http://[::1", "//", ""])
def test_an_origin_that_is_none_is_refused(address, origin):
    """By 403, as any other foreign one; the server does not fail over it."""
    line = http.client.HTTPConnection(address, timeout=10)
    line.request("GET", "/status", headers={"Origin": origin})
    assert line.getresponse().status == 403
    line.close()


def test_a_foreign_name_is_refused_everywhere(address):
    """DNS rebinding: the page, its files and the status are not for names that are not ours."""
    for path in ("/", "/app.js", "/status", "/nonsense"):
        line = http.client.HTTPConnection(address, timeout=10)
        line.request("GET", path, headers={"Host": "evil.example"})
        assert line.getresponse().status == 403
        line.close()


def test_headers_keep_browsers_strict(address):
    """No foreign script, no frame, no guessing of types."""
    line = http.client.HTTPConnection(address, timeout=10)
    line.request("GET", "/")
    answer = line.getresponse()
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "script-src 'self';" in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    line.close()


@pytest.mark.parametrize(
    "path", ["/../pyproject.toml", "/..%2f..%2fserver.py", "/static/../../server.py", "//etc/passwd"]
)
def test_only_the_page_is_served(address, path):
    """No way out of the folder."""
    line = http.client.HTTPConnection(address, timeout=10)
    line.request("GET", path)
    assert line.getresponse().status in (400, 404)
    line.close()
