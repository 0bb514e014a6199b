"""The release and the protocol versions that a server speaks."""

from typing import Final

from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, KNOWN_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS

SERVER_VERSION: Final = "0.1.0"
"""The release of samcp: the one place that says it (`pyproject.toml` is compared with it by a test)."""

HANDSHAKE_VERSIONS: Final = frozenset(HANDSHAKE_PROTOCOL_VERSIONS)
"""Versions whose clients start with `initialize`."""

MODERN_VERSIONS: Final = frozenset(MODERN_PROTOCOL_VERSIONS)
"""Versions whose every request carries its own `_meta` envelope."""

KNOWN_VERSIONS: Final = frozenset(KNOWN_PROTOCOL_VERSIONS)

VERSION_WITHOUT_HEADER: Final = "2025-03-26"
"""What a POST without `MCP-Protocol-Version` speaks. Source: MCP 2025-06-18, transports, protocol version header."""

BATCH_VERSIONS: Final = frozenset({"2024-11-05", "2025-03-26"})
"""Versions that have JSON-RPC batches. Source: MCP 2025-06-18 changelog (removed there)."""
