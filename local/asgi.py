"""The gateway as an ASGI application: sockets on one side, `Gateway.answer` on the other, one log line a request."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from local.event import Call
from local.gateway import MAX_REQUEST_BYTES, Gateway
from local.http_message import Request, Response

access_log = logging.getLogger("local.access")

type Message = MutableMapping[str, Any]
type Receive = Callable[[], Awaitable[Message]]
type Send = Callable[[Message], Awaitable[None]]
type Application = Callable[[MutableMapping[str, Any], Receive, Send], Awaitable[None]]

_BODILESS = {204, 205, 304}


class _DisconnectedError(Exception):
    """The caller left before its body was whole: half a body is no request."""


def application(gateway: Gateway) -> Application:
    """Return the ASGI application of *gateway*."""

    async def serve(scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        started_s = time.monotonic()
        call = Call()
        try:
            request = _request(scope, await _read(receive))
        except _DisconnectedError:
            return
        try:
            response = await gateway.answer(request, call)
        except asyncio.CancelledError:
            # The serving process ends, and waits no longer. The server below would say a bare 500.
            response = gateway.interrupted(request, call)
        # Never a header, a query or a body: keys travel in them.
        elapsed_ms = (time.monotonic() - started_s) * 1000
        access_log.info(
            "%s %s %d %.0f ms %s", request.method, request.path, response.status, elapsed_ms, call.request_id
        )
        # Last, so that the line of a request is there before its answer, and although the caller may have left.
        await _send(response, send)

    return serve


def _request(scope: MutableMapping[str, Any], body: bytes | None) -> Request:
    return Request(
        method=scope["method"],
        path=scope["raw_path"].decode("latin-1"),
        query=scope["query_string"].decode("latin-1"),
        headers=tuple((name.decode("latin-1"), value.decode("latin-1")) for name, value in scope["headers"]),
        body=body,
        client=scope["client"][0] if scope.get("client") else "127.0.0.1",
        http_version=scope.get("http_version", "1.1"),
    )


async def _read(receive: Receive) -> bytes | None:
    """Return the body, or None if it is too large.

    It is read to its end all the same: a caller that is cut off while it sends never sees the answer.
    """
    body = bytearray()
    is_too_large = False
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise _DisconnectedError
        if not is_too_large:
            body += message.get("body", b"")
            is_too_large = len(body) > MAX_REQUEST_BYTES
        if not message.get("more_body"):
            return None if is_too_large else bytes(body)


async def _send(response: Response, send: Send) -> None:
    body = b"" if response.status in _BODILESS else response.body
    headers = [
        (name.encode("latin-1", "replace"), value.encode("latin-1", "replace")) for name, value in response.headers
    ]
    if response.status not in _BODILESS:
        headers.append((b"Content-Length", str(len(body)).encode()))
    await send({"type": "http.response.start", "status": response.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
