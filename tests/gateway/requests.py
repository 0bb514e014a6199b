"""Requests as an attacker writes them: bytes on a socket, with headers that no library would send."""

import http.client
import json
import socket
from collections.abc import Mapping, Sequence
from contextlib import closing
from typing import Final, NamedTuple

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}

_OF_THE_REQUEST = {"date", "x-amzn-requestid", "x-amz-apigw-id"}
"""Headers that differ from answer to answer."""


class Told(NamedTuple):
    """All that a caller learns from an answer."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes


HUNG_UP: Final = Told(0, (), b"")
"""The server closed the connection before all was sent: what it said may be lost on the way."""


def send(
    port: int,
    headers: Mapping[str, Sequence[str]],
    *,
    path: str = "/gateway/mcp",
    method: str = "POST",
    message: object = PING,
) -> Told:
    """Send one request with *headers* as they are, on a connection of its own."""
    body = json.dumps(message).encode()
    lines = [f"{method} {path} HTTP/1.1", "Host: x", "Content-Type: application/json", f"Content-Length: {len(body)}"]
    lines += [f"{name}: {value}" for name, values in headers.items() for value in values]
    sent = "\r\n".join([*lines, "", ""]).encode("utf-8", "surrogatepass") + body
    try:
        return _answer_to(port, sent, method)
    except ConnectionError:
        return HUNG_UP


def _answer_to(port: int, sent: bytes, method: str) -> Told:
    with (
        socket.create_connection(("127.0.0.1", port), timeout=20) as connection,
        closing(http.client.HTTPResponse(connection, method=method)) as response,
    ):
        connection.sendall(sent)
        response.begin()
        told = [(name.lower(), value) for name, value in response.getheaders() if name.lower() not in _OF_THE_REQUEST]
        return Told(response.status, tuple(sorted(told)), response.read())
