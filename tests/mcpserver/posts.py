"""One POST as the event of each kind of front door, and what is read from its answer."""

import json
from collections.abc import Mapping
from typing import Any

from mcp_types import CLIENT_CAPABILITIES_META_KEY, PROTOCOL_VERSION_META_KEY

from mcpserver import MCPToolBase
from mcpserver.http_adapter import LambdaHandler
from tests.fixture_servers import serving

MODERN = "2026-07-28"
BOTH = "application/json, text/event-stream"
JSON_HEADERS: Mapping[str, str] = {"content-type": "application/json", "accept": BOTH}


def rest_event(body: str | None, headers: Mapping[str, str], **more: Any) -> dict[str, Any]:
    """Return the REST API (1.0) event of a POST to /mcp; *more* replaces members of it."""
    event: dict[str, Any] = {
        "resource": "/mcp",
        "path": "/mcp",
        "httpMethod": "POST",
        "headers": dict(headers),
        "multiValueHeaders": {name: [value] for name, value in headers.items()},
        "requestContext": {"stage": "prod", "path": "/prod/mcp"},
        "body": body,
        "isBase64Encoded": False,
    }
    return event | more


def http_event(body: str | None, headers: Mapping[str, str], *, method: str = "POST", **more: Any) -> dict[str, Any]:
    """Return the HTTP API (2.0) event of a POST to /mcp; *more* replaces members of it."""
    event: dict[str, Any] = {
        "version": "2.0",
        "routeKey": "$default",
        "rawPath": "/mcp",
        "rawQueryString": "",
        "headers": dict(headers),
        "requestContext": {"http": {"method": method, "path": "/mcp"}},
        "body": body,
        "isBase64Encoded": False,
    }
    return event | more


def request(method: str, params: Mapping[str, Any] | None = None, request_id: Any = 1) -> dict[str, Any]:
    """Return a handshake-era request."""
    message: dict[str, Any] = {"jsonrpc": "2.0", "id": request_id, "method": method}
    return message if params is None else message | {"params": dict(params)}


def modern_request(method: str, params: Mapping[str, Any] | None = None, **meta: Any) -> dict[str, Any]:
    """Return a request of 2026-07-28 with its envelope; *meta* adds to `_meta`."""
    envelope = {PROTOCOL_VERSION_META_KEY: MODERN, CLIENT_CAPABILITIES_META_KEY: {}}
    return request(method, {"_meta": envelope | meta, **(params or {})})


def modern_headers(message: Mapping[str, Any], **more: str) -> dict[str, str]:
    """Return the headers that go with a modern *message*; in *more*, `_` stands for `-`."""
    headers = {**JSON_HEADERS, "mcp-protocol-version": MODERN, "mcp-method": str(message["method"])}
    name = message.get("params", {}).get("name")
    if isinstance(name, str):
        headers["mcp-name"] = name
    return headers | {key.replace("_", "-"): value for key, value in more.items()}


def post(handler: LambdaHandler, message: Any, headers: Mapping[str, str] | None = None, **more: Any) -> dict[str, Any]:
    """Send *message* to *handler* as a REST event and return the proxy answer; *headers* add to the usual ones."""
    return handler(rest_event(json.dumps(message), {**JSON_HEADERS, **(headers or {})}, **more), None)


def post_modern(handler: LambdaHandler, message: Mapping[str, Any], **headers: str) -> dict[str, Any]:
    """Send a modern *message* with the headers that go with it."""
    return handler(rest_event(json.dumps(message), modern_headers(message, **headers)), None)


def read(response: Mapping[str, Any]) -> Any:
    """Return the JSON of an answer, the last event's where it is a stream; None where it is empty."""
    messages = read_all(response)
    return messages[-1] if messages else None


def read_all(response: Mapping[str, Any]) -> list[Any]:
    """Return every JSON message of an answer."""
    body = response["body"]
    if response["headers"].get("Content-Type") == "text/event-stream":
        return [json.loads(line.removeprefix("data: ")) for line in body.splitlines() if line.startswith("data: ")]
    return [json.loads(body)] if body else []


def error_code(answer: Any) -> int | None:
    """Return the code of a JSON-RPC error, None for anything else."""
    if not isinstance(answer, dict) or "error" not in answer:
        return None
    code: int = answer["error"]["code"]
    return code


def text_of(answer: Any) -> str:
    """Return the first text of a tool's result."""
    text: str = answer["result"]["content"][0]["text"]
    return text


def nulls_in(value: Any, path: str = "") -> list[str]:
    """Return the paths of the null members of *value*."""
    if isinstance(value, dict):
        return [found for key, item in value.items() for found in nulls_in(item, f"{path}.{key}")]
    if isinstance(value, list):
        return [found for index, item in enumerate(value) for found in nulls_in(item, f"{path}[{index}]")]
    return [path] if value is None else []


def call_tool(tool: MCPToolBase[Any], arguments: Any) -> Any:
    """Call *tool* through a server and return the result."""
    answer = serving(tool).handle(request("tools/call", {"name": tool.name, "arguments": arguments}))
    assert nulls_in(answer) == []
    return answer["result"]
