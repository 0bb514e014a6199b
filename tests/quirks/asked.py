"""What a sentence of the corpus is checked with: the case, its answer, and the gateway to ask more."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from mcp_types import CLIENT_CAPABILITIES_META_KEY, PROTOCOL_VERSION_META_KEY

from tests.quirks.replies import Endpoint, Reply

MODERN = "2026-07-28"


@dataclass(frozen=True, slots=True)
class Asked:
    """One case of the corpus, sent."""

    case: Mapping[str, Any]
    reply: Reply
    gateway: Endpoint

    @property
    def sent(self) -> Any:
        """The case's own message."""
        return json.loads(self.case["sends"]["body"])

    @property
    def answer(self) -> Any:
        """The answer's JSON."""
        return self.reply.json()

    @property
    def result(self) -> Any:
        """The answer's result."""
        return self.answer["result"]

    def result_of(self, arguments: Mapping[str, Any]) -> Any:
        """Return the result of the case's tool with other *arguments*."""
        return self.gateway.call(self.sent["params"]["name"], arguments)

    def without(self, *names: str) -> Any:
        """Return the result of the case's tool without some of its arguments."""
        arguments = self.sent["params"]["arguments"]
        return self.result_of({name: value for name, value in arguments.items() if name not in names})

    def again(self, **headers: str | None) -> Reply:
        """Send the case's message with other headers, `_` for `-`, None removes."""
        return self.gateway.post(self.sent, **headers)

    def ask(self, method: str, params: Mapping[str, Any] | None = None) -> Any:
        """Send one more handshake-era request and return the answer."""
        message: dict[str, Any] = {"jsonrpc": "2.0", "id": 1, "method": method, "params": dict(params or {})}
        return self.gateway.post(message).json()

    def ask_modern(self, method: str, params: Mapping[str, Any] | None = None) -> Reply:
        """Send one more request, of 2026-07-28."""
        meta = {PROTOCOL_VERSION_META_KEY: MODERN, CLIENT_CAPABILITIES_META_KEY: {}}
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**(params or {}), "_meta": meta}}
        name = (params or {}).get("name")
        return self.gateway.post(message, mcp_protocol_version=MODERN, mcp_method=method, mcp_name=name)

    def tools(self) -> list[dict[str, Any]]:
        """Return what tools/list says."""
        found: list[dict[str, Any]] = self.ask("tools/list")["result"]["tools"]
        return found


type Check = Callable[[Asked], None]
"""A sentence of the corpus as code: it asserts."""
