"""Which client is calling, in words that may stand in a log."""

from typing import Any

import pytest
from mcp_types import CLIENT_INFO_META_KEY

from mcpserver.client import describe_client

INFO = {"name": "claude-code", "version": "2.1.332"}


@pytest.mark.parametrize(
    ("params", "headers", "client"),
    [
        ({"_meta": {CLIENT_INFO_META_KEY: INFO}}, {}, ("claude-code", "2.1.332")),
        ({"clientInfo": INFO}, {"user-agent": "x/1"}, ("claude-code", "2.1.332")),
        ({}, {"user-agent": "claude-code/2.1.332 (sdk-cli)"}, ("claude-code", "2.1.332")),
        ({}, {"user-agent": "node"}, ("node", "")),
        ({}, {}, ("", "")),
        ({}, None, ("", "")),
        ({"_meta": 5, "clientInfo": "me"}, {}, ("", "")),
        ({"clientInfo": {"name": 5}}, {}, ("", "")),
        ({"clientInfo": {"name": "a\nb\x1b[0m", "version": '"}'}}, {}, ("ab0m", "")),
        ({"clientInfo": {"name": "x" * 200}}, {}, ("x" * 64, "")),
    ],
)
def test_a_client_is_named_by_its_envelope_its_initialize_or_its_user_agent(
    params: dict[str, Any], headers: dict[str, str] | None, client: tuple[str, str]
) -> None:
    """A handshake-era client names itself once, and the next POST may meet another instance."""
    assert describe_client(params, headers) == client
