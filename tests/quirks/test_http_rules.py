"""HOSTS.md's rules on HTTP, over a real socket: methods, paths, CORS, keys."""

import json
from typing import Any

import pytest

from tests.mcpserver.posts import request
from tests.quirks.app import ALLOWED_ORIGIN
from tests.quirks.replies import Endpoint

PING = json.dumps(request("ping"))


@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer wrong"}, {"Accept": "text/html"}, {"X-API-Key": ""}])
@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "PATCH", "HEAD"])
def test_7_other_methods_are_405_before_any_key_is_looked_at(
    method: str, headers: dict[str, str], gateway: Endpoint
) -> None:
    """Rule 7: Gemini CLI drops the server on 400, 401 or 406; 200 is a reconnect storm."""
    reply = gateway.send({"method": method, "path": "/mcp", "headers": headers})
    assert (reply.status, reply.headers["allow"]) == (405, "POST")
    assert "www-authenticate" not in reply.headers
    if method == "HEAD":
        assert reply.body == ""
    else:
        assert reply.json()["error"]["message"]


@pytest.mark.parametrize(
    "path",
    [
        "/.well-known/oauth-protected-resource",
        "/.well-known/oauth-protected-resource/mcp",
        "/mcp/.well-known/openid-configuration",
        "/register",
        "/authorize",
        "/token",
        "/favicon.ico",
    ],
)
@pytest.mark.parametrize("method", ["GET", "POST", "HEAD"])
def test_9_what_we_do_not_offer_is_404_with_json(method: str, path: str, gateway: Endpoint) -> None:
    """Rule 9: a page, a 200 or a 401 there sends a host into a sign-in that does not exist."""
    reply = gateway.send({"method": method, "path": path, "headers": {}})
    assert reply.status == 404
    assert "www-authenticate" not in reply.headers
    assert reply.headers["content-type"].startswith("application/json")
    if method != "HEAD":
        assert reply.json()["error"]["message"]


@pytest.mark.parametrize(
    ("status", "sends"),
    [
        (200, {"headers": {"Authorization": "Bearer sg_test_key"}}),
        (400, {"headers": {"Authorization": "Bearer sg_test_key"}, "body": "{"}),
        (401, {"headers": {}}),
        (401, {"headers": {"Authorization": "Bearer wrong"}}),
        (404, {"headers": {}, "path": "/nothing"}),
        (405, {"headers": {}, "method": "GET"}),
        (406, {"headers": {"Authorization": "Bearer sg_test_key", "Accept": "text/html"}}),
        (415, {"headers": {"Authorization": "Bearer sg_test_key", "Content-Type": "text/plain"}}),
    ],
)
def test_9_every_answer_has_the_cors_headers(status: int, sends: dict[str, Any], gateway: Endpoint) -> None:
    """Rule 9: without them a browser hides even a 401; WWW-Authenticate and Retry-After are exposed."""
    headers = {"Content-Type": "application/json", "Origin": ALLOWED_ORIGIN, **sends["headers"]}
    reply = gateway.send({"method": "POST", "path": "/mcp", "body": PING, **sends, "headers": headers})
    assert reply.status == status
    assert reply.headers["access-control-allow-origin"] == ALLOWED_ORIGIN
    exposed = reply.headers["access-control-expose-headers"].lower()
    assert "www-authenticate" in exposed
    assert "retry-after" in exposed


def test_9_a_preflight_allows_what_hosts_send(gateway: Endpoint) -> None:
    """Rule 9: a browser asks first, without a key; SPEC 2.3 names the headers."""
    headers = {
        "Origin": ALLOWED_ORIGIN,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization,content-type,mcp-protocol-version",
    }
    reply = gateway.send({"method": "OPTIONS", "path": "/mcp", "headers": headers})
    allowed = {name.strip().lower() for name in reply.headers["access-control-allow-headers"].split(",")}
    assert reply.status in (200, 204)
    assert {"authorization", "x-api-key", "mcp-protocol-version", "mcp-method", "mcp-name"} <= allowed


@pytest.mark.parametrize(
    "headers",
    [
        {"Authorization": "Bearer wrong"},
        {"Authorization": "sg_test_key"},
        {"Authorization": "Basic sg_test_key"},
        {"Authorization": "Bearer"},
        {"Authorization": "Bearer Bearer sg_test_key"},
        {"X-API-Key": "Bearer sg_test_key"},
        {"Cookie": "key=sg_test_key"},
    ],
)
def test_15_anything_else_is_401(headers: dict[str, str], gateway: Endpoint) -> None:
    """Rule 15: with a challenge, JSON, and no word of what was wrong."""
    sent = {"Content-Type": "application/json", **headers}
    reply = gateway.send({"method": "POST", "path": "/mcp", "headers": sent, "body": PING})
    assert (reply.status, reply.json()["error"]["code"]) == (401, -32001)
    assert "Bearer" in reply.headers["www-authenticate"]
