"""Every method and tool of the lab and the fixture gateway, asked for in every version."""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from mcp_types.version import KNOWN_PROTOCOL_VERSIONS

from functions.lab.app import server as lab
from mcpserver import MCPServerBase, http_handler
from mcpserver.http_adapter import LambdaHandler
from tests.mcpserver.posts import JSON_HEADERS, modern_headers, modern_request, read, request, rest_event
from tests.quirks.app import SmartGateway
from tests.quirks.asked import MODERN

SERVERS: dict[str, MCPServerBase] = {"lab": lab, "gateway": SmartGateway()}
HANDLERS: dict[str, LambdaHandler] = {
    name: http_handler(server, default_receivers=False) for name, server in SERVERS.items()
}

OFFER = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}

EVERY_METHOD: dict[str, dict[str, Any]] = {
    "initialize": OFFER,
    "server/discover": {},
    "ping": {},
    "tools/list": {},
    "resources/list": {},
    "resources/templates/list": {},
    "prompts/list": {},
    "resources/read": {"uri": "a://b"},
    "resources/subscribe": {"uri": "a://b"},
    "prompts/get": {"name": "none"},
    "completion/complete": {"ref": {"type": "ref/prompt", "name": "a"}, "argument": {"name": "a", "value": ""}},
    "logging/setLevel": {"level": "info"},
    "subscriptions/listen": {},
    "tasks/list": {},
    "tools/unknown": {},
}

CALLS: dict[str, list[tuple[str, dict[str, Any]]]] = {
    "lab": [
        ("calculator", {"expression": "1+1"}),
        ("calculator", {"expression": "1/0"}),
        ("wiki_search", {"query": "capital of france"}),
        ("get_current_time", {}),
        ("get_current_time", {"timezone": "Nowhere/None"}),
        ("countdown", {}),
        ("no_such_tool", {}),
    ],
    "gateway": [
        ("smart_fetch", {"url": "https://example.com/"}),
        ("smart_search", {"query": "a"}),
        ("smart_context_gate", {"text": "a. b", "purpose": None}),
        ("smart_dedup", {"texts": ["a", "a"]}),
        *[("smart_budget_guard", {"action": action}) for action in ("check", "count", "record", "nope")],
        *[("smart_memory", {"action": action}) for action in ("add", "search", "list", "delete")],
        ("smart_pipe", {"steps": [{"tool": "fetch"}, {"tool": "none"}]}),
        ("smart_pipe", {}),
    ],
}


class Sent(NamedTuple):
    """One request to one server in one version, and its answer."""

    server: str
    version: str
    method: str
    status: int
    answer: Any


def ask(server: str, version: str, method: str, params: dict[str, Any]) -> Sent:
    """Send a request as a client of *version* does."""
    handler = HANDLERS[server]
    if version == MODERN:
        message = modern_request(method, params)
        headers = modern_headers(message)
        if method == "resources/read":
            headers["mcp-name"] = params["uri"]
    else:
        message, headers = request(method, params), {**JSON_HEADERS, "mcp-protocol-version": version}
    response = handler(rest_event(json.dumps(message), headers), None)
    return Sent(server, version, method, response["statusCode"], read(response))


def every_answer() -> Iterator[Sent]:
    """Yield the answer to each method and each tool, in each version, of both servers."""
    for server in HANDLERS:
        for version in KNOWN_PROTOCOL_VERSIONS:
            for method, params in EVERY_METHOD.items():
                yield ask(server, version, method, params)
            for name, arguments in CALLS[server]:
                yield ask(server, version, "tools/call", {"name": name, "arguments": arguments})


def tools_of(server: str) -> list[dict[str, Any]]:
    """Return what tools/list says."""
    found: list[dict[str, Any]] = ask(server, "2025-11-25", "tools/list", {}).answer["result"]["tools"]
    return found
