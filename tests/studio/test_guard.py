"""Only a browser that was given the whole address gets an answer."""

from __future__ import annotations

import pytest

from covey.studio.guard import Guard, new_token
from tests.studio.loops import finish

TOKEN = "secret"  # noqa: S105 — known to all readers


async def answered(scope, receive, send) -> None:
    del receive
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": scope["root_path"].encode()})


def ask(path: str, host: str = "127.0.0.1:8000", kind: str = "http", **headers: str) -> list:
    guard = Guard(application=answered, token=TOKEN, port=8000)
    sent: list = []
    named = {"host": host, **headers}
    scope = {
        "type": kind,
        "path": path,
        "headers": [(name.encode(), value.encode()) for name, value in named.items()],
    }

    async def send(message) -> None:
        sent.append(message)

    finish(guard(scope, None, send))
    return sent


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost:8000"])
@pytest.mark.parametrize("path", ["/secret/", "/secret/studio.css", "/secret"])
def test_the_whole_address_is_answered(path, host) -> None:
    start, body = ask(path, host)

    assert start["status"] == 200
    assert body["body"] == b"/secret"


@pytest.mark.parametrize(
    "path", ["/", "", "/favicon.ico", "/Secret/", "/secre/", "//secret/", "/x/secret/"]
)
def test_a_request_without_the_token_is_refused(path) -> None:
    assert ask(path)[0]["status"] == 403


@pytest.mark.parametrize(
    "host", ["evil.example:8000", "127.0.0.1:8001", "127.0.0.1", "", "[::1]:8000"]
)
def test_a_request_for_another_host_name_is_refused(host) -> None:
    assert ask("/secret/", host)[0]["status"] == 403


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1:8000"])
def test_a_request_from_another_page_is_refused(origin) -> None:
    assert ask("/secret/", origin=origin)[0]["status"] == 403


def test_a_request_from_the_page_itself_is_answered() -> None:
    assert ask("/secret/", origin="http://127.0.0.1:8000")[0]["status"] == 200


def test_a_connection_without_the_token_is_closed() -> None:
    assert ask("/websocket/", kind="websocket") == [{"type": "websocket.close", "code": 1008}]


def test_nothing_may_be_loaded_from_elsewhere() -> None:
    headers = dict(ask("/secret/")[0]["headers"])

    policy = headers[b"content-security-policy"].decode()
    assert "default-src 'none'" in policy
    assert "http:" not in policy
    assert "https:" not in policy
    assert "unsafe-eval" not in policy


def test_two_tokens_are_never_the_same() -> None:
    assert len({new_token() for _ in range(100)}) == 100
    assert len(new_token()) > 40
