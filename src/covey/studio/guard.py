"""Whom does the guard let talk to the page?  Only a browser on this machine with the token.

Every path begins with a random token, so other programs and other web pages cannot guess an
address.  The host name is checked too: a page elsewhere may let its own name point to this
machine (DNS rebinding), but then the browser sends that name.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from typing import Any

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

REFUSAL = b"This page needs the whole address that `covey studio` printed in the terminal.\n"

POLICY = (
    "default-src 'none'; script-src 'self'{scripts}; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; font-src 'self'; connect-src 'self'; frame-src 'self'; "
    "form-action 'none'; base-uri 'none'; frame-ancestors 'self'"
)
"""Nothing may be loaded from elsewhere, whatever a column is called."""

HEADERS = (
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
    (b"cache-control", b"no-store"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)


def new_token() -> str:
    """Return a token that cannot be guessed: 256 random bits."""
    return secrets.token_urlsafe(32)


@dataclass(frozen=True, slots=True, kw_only=True)
class Guard:
    """An ASGI application that lets only requests with the token and a local host name through.

    Parameters
    ----------
    application : callable
        What answers the requests that pass; it sees paths without the token.
    token : str
        The first part of every path.
    port : int
        Where the page is served.
    scripts : tuple of str
        Hashes of scripts that may stand in the page itself.
    """

    application: Application
    token: str
    port: int
    scripts: tuple[str, ...] = ()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or refuse it."""
        if scope["type"] == "lifespan":
            await self.application(scope, receive, send)
        elif not self.admits(scope):
            await _refuse(scope, send)
        else:
            prefix = f"/{self.token}"
            inner = {**scope, "root_path": scope.get("root_path", "") + prefix}
            await self.application(inner, receive, _with_headers(send, self.policy))

    def admits(self, scope: Scope) -> bool:
        """Return whether a request is for this page and comes from this page."""
        headers = {name.lower(): value for name, value in scope["headers"]}
        host = headers.get(b"host", b"").decode("latin-1")
        origin = headers.get(b"origin", b"").decode("latin-1")
        first = scope["path"].split("/")[1] if scope["path"].startswith("/") else ""
        return (
            host in self.hosts
            and (not origin or origin.removeprefix("http://") in self.hosts)
            and secrets.compare_digest(first.encode(), self.token.encode())
        )

    @property
    def policy(self) -> bytes:
        """Return what the browser may load and run."""
        scripts = "".join(f" '{each}'" for each in self.scripts)
        return POLICY.format(scripts=scripts).encode()

    @property
    def hosts(self) -> tuple[str, str]:
        """Return the two names by which a browser may call this machine."""
        return (f"127.0.0.1:{self.port}", f"localhost:{self.port}")


async def _refuse(scope: Scope, send: Send) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008})
        return
    headers = [(b"content-type", b"text/plain; charset=utf-8"), *HEADERS]
    await send({"type": "http.response.start", "status": 403, "headers": headers})
    await send({"type": "http.response.body", "body": REFUSAL})


def _with_headers(send: Send, policy: bytes) -> Send:
    more = ((b"content-security-policy", policy), *HEADERS)

    async def sent(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message.get("headers", ()), *more]}
        await send(message)

    return sent
