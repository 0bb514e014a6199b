"""What every function gets on this machine."""

import json

import pytest

from local.local_variables import LOCAL_VARIABLES
from mcpserver import http_handler
from tests.fixture_servers import AddingServer

PING = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"})


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("http://127.0.0.1:6274", 200),
        ("http://localhost:6274", 200),
        ("http://[::1]:6274", 200),
        ("http://192.168.0.2:6274", 403),
        ("https://evil.example", 403),
    ],
)
def test_web_pages_of_this_machine_may_call_and_no_other(
    monkeypatch: pytest.MonkeyPatch, origin: str, status: int
) -> None:
    """MCP basic/transports, security warning; a browser writes IPv6 loopback in brackets (RFC 3986, 3.2.2)."""
    for name, value in LOCAL_VARIABLES.items():
        monkeypatch.setenv(name, value)
    handler = http_handler(AddingServer(), default_receivers=False)
    headers = {"content-type": "application/json", "accept": "application/json", "host": "[::1]:3000", "origin": origin}
    event = {"httpMethod": "POST", "path": "/lab/mcp", "headers": headers, "body": PING, "isBase64Encoded": False}
    assert handler(event, None)["statusCode"] == status
