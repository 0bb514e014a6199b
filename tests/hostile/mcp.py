"""An MCP server on loopback, small and honest, of which a test makes single answers hostile."""

import asyncio
import json
from collections.abc import Callable, Mapping
from typing import Any

from mcpclient import ConnectionSettings, EraMemory, MCPServerConnection, SecretStore, TokenStore

from tests.hostile.server import Answer, Hostile, Request, respond

URL = "https://mcp.example.com/mcp"

TOOL: dict[str, Any] = {"name": "add", "description": "Add.", "inputSchema": {"type": "object"}}

type Message = dict[str, Any]
type Handler = Callable[[Message], dict[str, Any] | bytes]
"""Takes a request; returns its result, or a whole HTTP answer."""


def mcp_server(handlers: Mapping[str, Handler] | None = None, *, modern: bool = True, session: str = "") -> Answer:
    """Return a server of one era that has the tool `add`, and *handlers* instead of its own methods."""
    methods: dict[str, Handler] = {**(_MODERN if modern else _HANDSHAKE), **(handlers or {})}

    async def answer(request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(_answer(request, methods, session))

    return answer


def methods_of(server: Hostile) -> list[str]:
    """Return what was asked, in order: JSON-RPC methods, or HTTP's where there was no message."""
    return [
        json.loads(request.body).get("method", "response") if request.body else request.method
        for request in server.requests
    ]


def connection(server: Hostile, **settings: Any) -> MCPServerConnection:
    """Return a connection to *server*, with nothing remembered."""
    network = settings.pop("network", None) or server.network()
    parts: dict[str, Any] = {"eras": EraMemory(), "tokens": TokenStore(), "secrets": no_secrets()}
    parts |= {name: settings.pop(name) for name in tuple(settings) if name in parts}
    settings = {"name": "sample", "url": URL, "timeout_s": 5, **settings}
    return MCPServerConnection(ConnectionSettings(**settings), network=network, **parts)


def no_secrets() -> SecretStore:
    """Return a store that fails the test if it is asked."""

    def fail() -> Any:
        raise AssertionError("no secret is needed here")

    return SecretStore(fail)


def result_of(message: Message, result: Any) -> bytes:
    """Return *result* as the HTTP answer to *message*."""
    body = json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}).encode()
    return respond(200, body, content_type="application/json")


def error_of(message: Message, code: int, text: str, status: int = 200) -> bytes:
    """Return a JSON-RPC error as the HTTP answer to *message*."""
    body = json.dumps({"jsonrpc": "2.0", "id": message["id"], "error": {"code": code, "message": text}}).encode()
    return respond(status, body, content_type="application/json")


def text_result(text: str) -> dict[str, Any]:
    """Return a tool's result with one block of text."""
    return {"content": [{"type": "text", "text": text}], "resultType": "complete"}


def _answer(request: Request, methods: Mapping[str, Handler], session: str) -> bytes:
    if request.method != "POST":
        return respond(405)
    message: Message = json.loads(request.body)
    if "id" not in message or "method" not in message:
        return respond(202)
    handler = methods.get(message["method"])
    if handler is None:
        return error_of(message, -32601, "Method not found", 404)
    answer = handler(message)
    if isinstance(answer, bytes):
        return answer
    whole = result_of(message, answer)
    if message["method"] == "initialize" and session:
        whole = whole.replace(b"\r\n", f"\r\nMcp-Session-Id: {session}\r\n".encode(), 1)
    return whole


def _initialize(message: Message) -> dict[str, Any]:
    return {
        "protocolVersion": message["params"]["protocolVersion"],
        "capabilities": {"tools": {}, "resources": {}},
        "serverInfo": {"name": "sample", "version": "1.0"},
        "instructions": "Adds.",
    }


def _discover(_message: Message) -> dict[str, Any]:
    return {
        "supportedVersions": ["2026-07-28"],
        "capabilities": {"tools": {}, "resources": {}},
        "instructions": "Adds.",
        "resultType": "complete",
        "ttlMs": 0,
        "cacheScope": "private",
        "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "sample", "version": "1.0"}},
    }


def _list_tools(_message: Message) -> dict[str, Any]:
    return {"tools": [TOOL], "resultType": "complete", "ttlMs": 0, "cacheScope": "private"}


def _call_tool(message: Message) -> dict[str, Any]:
    return text_result(str(sum(message["params"].get("arguments", {}).values())))


def _read_resource(message: Message) -> dict[str, Any]:
    contents = [
        {"uri": message["params"]["uri"], "text": "a text"},
        {"uri": "docs://b", "blob": "aGk=", "mimeType": "image/png"},
    ]
    return {"contents": contents, "resultType": "complete", "ttlMs": 0, "cacheScope": "private"}


_COMMON: dict[str, Handler] = {"tools/list": _list_tools, "tools/call": _call_tool, "resources/read": _read_resource}
_MODERN: dict[str, Handler] = {"server/discover": _discover, **_COMMON}
_HANDSHAKE: dict[str, Handler] = {"initialize": _initialize, **_COMMON}
