"""Which era a server speaks, remembered: asking costs more requests, and a wrong guess runs a tool in vain."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from mcp import Client
from mcp_types import INTERNAL_ERROR, INVALID_PARAMS, DiscoverResult
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError

from mcpclient.errors import MCPClientError

UNKNOWN_MODE: Final = "auto"
"""The SDK asks: `server/discover` first, then `initialize`."""

HANDSHAKE_MODE: Final = "legacy"
"""The SDK starts with `initialize`, and asks nothing."""


@dataclass(frozen=True, slots=True)
class Era:
    """How to start with a server."""

    mode: str = UNKNOWN_MODE
    discovered: DiscoverResult | None = None

    @classmethod
    def seen_by(cls, client: Client) -> "Era":
        """Return the era that *client* has found its server to speak."""
        discovered = client.session.discover_result
        if discovered is None:
            return cls(HANDSHAKE_MODE)
        return cls(client.protocol_version, discovered)


def suggests_another_era(failure: MCPClientError) -> bool:
    """Tell whether *failure* may come from speaking the wrong era: not if the server is away, or minds the caller."""
    if failure.retryable or failure.http_status in {401, 403}:
        return False
    return failure.rpc_code not in {INVALID_PARAMS, INTERNAL_ERROR}


class EraMemory:
    """What was seen of servers, by URL. Only that is remembered, and a failure makes the era forgotten."""

    def __init__(self) -> None:
        self._eras: dict[str, Era] = {}
        self._header_tools: dict[str, frozenset[str]] = {}

    def recall(self, url: str) -> Era:
        """Return what was seen at *url*, or that it must be asked."""
        return self._eras.get(url, Era())

    def remember(self, url: str, era: Era) -> None:
        """Keep what was seen at *url*."""
        self._eras[url] = era

    def remember_header_tools(self, url: str, tool_names: Iterable[str]) -> None:
        """Keep which of the tools at *url* take arguments as headers too."""
        self._header_tools[url] = frozenset(tool_names)

    def is_header_tool(self, url: str, tool_name: str) -> bool:
        """Tell whether the SDK must have listed the tool before it is called, to know its headers."""
        return tool_name in self._header_tools.get(url, frozenset())

    def forget(self, url: str) -> None:
        """Ask again next time: the server may have been upgraded, or put back."""
        self._eras.pop(url, None)

    def export(self, url: str) -> dict[str, Any] | None:
        """Return what is known of *url* as JSON, for a table that all instances share; None: nothing."""
        era = self._eras.get(url)
        if era is None:
            return None
        discovered = era.discovered
        return {
            "url": url,
            "mode": era.mode,
            "discovered": discovered and discovered.model_dump(mode="json", by_alias=True, exclude_none=True),
            "header_tools": sorted(self._header_tools.get(url, ())),
        }

    def prime(self, url: str, stored: Mapping[str, Any]) -> None:
        """Take what `export` has given, unless more is known already; what is not valid any more is left."""
        if url in self._eras or stored.get("url") != url:
            return
        discovered = stored.get("discovered")
        try:
            result = DiscoverResult.model_validate(discovered) if discovered else None
        except ValidationError:
            return
        mode = stored.get("mode")
        # A mode pins what was seen: a modern one goes with the discovery that it was seen in.
        if (mode in MODERN_PROTOCOL_VERSIONS and result is not None) or (mode == HANDSHAKE_MODE and result is None):
            self._eras[url] = Era(mode, result)
            self._header_tools.setdefault(url, frozenset(map(str, stored.get("header_tools", ()))))


@cache
def shared_eras() -> EraMemory:
    """Return the memory of this process."""
    return EraMemory()
