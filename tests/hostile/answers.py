"""Answers that no honest server gives."""

import asyncio
import json
from typing import Any

import pytest
from mcpclient import MCPClientConnectionError

from tests.hostile.mcp import connection, mcp_server
from tests.hostile.server import Answer, Hostile, Request


async def refused(server: Hostile, **settings: Any) -> MCPClientConnectionError:
    """Call a tool, which must fail, and return the error."""
    with pytest.raises(MCPClientConnectionError) as caught:
        await connection(server, **settings).call_tool("add", {"a": 1})
    assert (caught.value.__cause__, caught.value.__context__) == (None, None)
    return caught.value


def stream(*events: str, end: bytes = b"") -> bytes:
    """Return the beginning of an event stream."""
    head = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n"
    return head + "".join(events).encode() + end


def event(message: dict[str, Any]) -> str:
    """Return *message* as one event."""
    return f"event: message\ndata: {json.dumps(message)}\n\n"


def once_called(answer: Answer, *, modern: bool = True) -> Answer:
    """Return an honest server that answers tools/call with *answer*."""
    honest = mcp_server(modern=modern)

    async def either(request: Request, writer: asyncio.StreamWriter) -> None:
        called = b'"tools/call"' in request.body or request.method == "GET"
        await (answer if called else honest)(request, writer)

    return either


def sending(data: bytes, *, close: bool = True) -> Answer:
    """Return a server that answers with *data*, then closes, or waits."""

    async def answer(_request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(data)
        if close:
            await writer.drain()
            writer.close()

    return answer
