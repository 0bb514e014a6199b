"""One release, one place that says it. Source: SPEC 2.1, SERVER_VERSION."""

import tomllib
from pathlib import Path

from mcp_types.version import KNOWN_PROTOCOL_VERSIONS

from functions.lab.app import server
from mcpserver import SERVER_VERSION
from mcpserver.version import (
    BATCH_VERSIONS,
    HANDSHAKE_VERSIONS,
    KNOWN_VERSIONS,
    MODERN_VERSIONS,
    VERSION_WITHOUT_HEADER,
)

ROOT = Path(__file__).parents[2]


def test_the_release_is_the_projects() -> None:
    """pyproject.toml cannot import it: this test compares them."""
    assert tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"] == SERVER_VERSION


def test_a_server_says_its_release() -> None:
    """SPEC 2.1, server_info."""
    assert server.identity["version"] == SERVER_VERSION


def test_the_versions_are_the_sdks() -> None:
    """PROTOCOL: `mcp_types.version` is the source."""
    assert set(KNOWN_PROTOCOL_VERSIONS) == KNOWN_VERSIONS == HANDSHAKE_VERSIONS | MODERN_VERSIONS
    assert not HANDSHAKE_VERSIONS & MODERN_VERSIONS
    assert VERSION_WITHOUT_HEADER in HANDSHAKE_VERSIONS
    assert BATCH_VERSIONS < HANDSHAKE_VERSIONS
