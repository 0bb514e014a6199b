"""Which era a server speaks, remembered: asking costs more requests, and a wrong guess runs a tool in vain."""

from dataclasses import dataclass
from functools import cache
from typing import Final

from mcp import Client
from mcp_types import INTERNAL_ERROR, INVALID_PARAMS, DiscoverResult

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
    """Eras by URL. Only what was seen is remembered, and a failure makes it forgotten."""

    def __init__(self) -> None:
        self._eras: dict[str, Era] = {}

    def recall(self, url: str) -> Era:
        """Return what was seen at *url*, or that it must be asked."""
        return self._eras.get(url, Era())

    def remember(self, url: str, era: Era) -> None:
        """Keep what was seen at *url*."""
        self._eras[url] = era

    def forget(self, url: str) -> None:
        """Ask again next time: the server may have been upgraded, or put back."""
        self._eras.pop(url, None)


@cache
def shared_eras() -> EraMemory:
    """Return the memory of this process."""
    return EraMemory()
