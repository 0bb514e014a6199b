"""OAuth 2.1 client credentials: the issuer is pinned, the MCP server is never asked."""

import asyncio
import json
from contextlib import suppress
from typing import Any
from urllib.parse import parse_qs

import pytest
from mcpclient import MCPClientConnectionError, MCPServerConnection, SecretStore, TokenStore
from mcpclient.credentials import basic

from tests.hostile.mcp import URL, connection, mcp_server
from tests.hostile.server import Answer, Hostile, Request, respond, serve

pytestmark = pytest.mark.anyio
ISSUER = "https://id.example.com/tenant"
NAMES = ["mcp.example.com", "id.example.com"]
PAIR = '{"client_id": "me", "client_secret": "canary-secret"}'
METADATA = {"issuer": ISSUER, "token_endpoint": "https://id.example.com/token"}


class OneSecret:
    """Secrets Manager, with one secret."""

    def get_secret_value(self, *, SecretId: str) -> dict[str, Any]:  # noqa: N803, ARG002 -- boto3's name
        """Return it, whatever the name."""
        return {"SecretString": PAIR}


def both(metadata: dict[str, Any] | None = None, token: dict[str, Any] | None = None, *, accepts: str = "t1") -> Answer:
    """Return an issuer and an MCP server, told apart by the Host header, as on two machines."""
    honest = mcp_server()
    issued = 0

    async def answer(request: Request, writer: asyncio.StreamWriter) -> None:
        nonlocal issued
        if request.headers["host"] == "mcp.example.com":
            if request.headers.get("authorization") == f"Bearer {accepts}":
                await honest(request, writer)
            else:
                writer.write(respond(401, www_authenticate='Bearer resource_metadata="https://evil.example.com/"'))
        elif request.path == "/token":
            issued += 1
            body = token or {"access_token": f"t{issued}", "token_type": "Bearer", "expires_in": 3600}
            writer.write(respond(200, json.dumps(body).encode(), content_type="application/json"))
        elif request.path == "/.well-known/oauth-authorization-server/tenant":
            writer.write(respond(200, json.dumps(metadata or METADATA).encode(), content_type="application/json"))
        else:
            writer.write(respond(404))

    return answer


def remote_of(server: Hostile, **settings: Any) -> MCPServerConnection:
    """Return a connection that authenticates with the issuer."""
    auth = {"scheme": "oauth", "issuer": ISSUER, "scope": "mcp:tools"}
    return connection(server, auth=auth, secrets=SecretStore(OneSecret), **settings)


def asked_for_tokens(server: Hostile) -> list[Request]:
    """Return the requests to the token endpoint."""
    return [request for request in server.requests if request.path == "/token"]


async def test_a_token_is_fetched_from_the_pinned_issuer_and_kept() -> None:
    """Client id and secret go to the issuer only, the token to the MCP server only."""
    async with serve(both(), names=NAMES) as server:
        remote = remote_of(server)
        await remote.call_tool("add", {})
        await remote.call_tool("add", {})
    (asked,) = asked_for_tokens(server)
    form = {name: values[0] for name, values in parse_qs(asked.body.decode()).items()}
    assert form == {"grant_type": "client_credentials", "resource": URL, "scope": "mcp:tools"}
    assert asked.headers["authorization"] == "Basic bWU6Y2FuYXJ5LXNlY3JldA=="
    to_server = [request for request in server.requests if request.headers["host"] == "mcp.example.com"]
    assert {request.headers["authorization"] for request in to_server} == {"Bearer t1"}


async def test_the_secret_goes_into_the_form_where_the_issuer_takes_no_basic() -> None:
    """`client_secret_post`."""
    metadata = {**METADATA, "token_endpoint_auth_methods_supported": ["client_secret_post"]}
    async with serve(both(metadata), names=NAMES) as server:
        await remote_of(server).call_tool("add", {})
    (asked,) = asked_for_tokens(server)
    assert b"client_secret=canary-secret" in asked.body
    assert "authorization" not in asked.headers


async def test_a_refused_token_is_renewed_once() -> None:
    """Revoked before its time."""
    async with serve(both(accepts="t2"), names=NAMES) as server:
        assert (await remote_of(server).call_tool("add", {"a": 1})).text == "1"
    assert len(asked_for_tokens(server)) == 2
    assert "evil.example.com" not in {request.headers["host"] for request in server.requests}


async def test_a_token_is_kept_until_shortly_before_it_expires() -> None:
    """And for five minutes at most."""
    now_s = 0.0
    tokens = TokenStore(clock=lambda: now_s)
    async with serve(both({**METADATA}, {"access_token": "t1", "token_type": "bearer"}), names=NAMES) as server:
        remote = remote_of(server, tokens=tokens)
        await remote.call_tool("add", {})
        now_s = 29.0
        await remote.call_tool("add", {})
        assert len(asked_for_tokens(server)) == 1
        now_s = 31.0
        await remote.call_tool("add", {})
    assert len(asked_for_tokens(server)) == 2


@pytest.mark.parametrize(
    "metadata",
    [
        {**METADATA, "issuer": "https://evil.example.com"},
        {**METADATA, "issuer": f"{ISSUER}/"},
        {**METADATA, "token_endpoint": "https://127.0.0.1/token"},
        {**METADATA, "token_endpoint": "http://id.example.com/token"},
        {**METADATA, "token_endpoint": "https://169.254.169.254/latest/"},
        {**METADATA, "token_endpoint": "not a URL"},
        {"issuer": ISSUER},
    ],
    ids=range(7),
)
async def test_metadata_that_is_not_the_issuers_or_points_inside(metadata: dict[str, Any]) -> None:
    """RFC 8414, section 3.3; and the guard checks the token endpoint like any URL."""
    async with serve(both(metadata), names=NAMES) as server:
        with pytest.raises(MCPClientConnectionError) as caught:
            await remote_of(server).call_tool("add", {})
    assert asked_for_tokens(server) == []
    assert {request.headers["host"] for request in server.requests} == {"id.example.com"}
    assert set(server.dialled) == {"93.184.215.14:443"}
    assert "canary" not in str(caught.value)


@pytest.mark.parametrize(
    "token",
    [
        {"access_token": "t1", "token_type": "mac"},
        {"access_token": "", "token_type": "Bearer"},
        {"access_token": "t1\r\nX-A: 1", "token_type": "Bearer"},
        {"token_type": "Bearer"},
        {"error": "canary"},
    ],
    ids=range(5),
)
async def test_a_token_that_is_none(token: dict[str, Any]) -> None:
    """Nothing is sent to the MCP server."""
    async with serve(both(token=token), names=NAMES) as server:
        with pytest.raises(MCPClientConnectionError) as caught:
            await remote_of(server).call_tool("add", {})
    assert {request.headers["host"] for request in server.requests} == {"id.example.com"}
    assert "canary" not in str(caught.value)


async def test_a_token_belongs_to_its_scope() -> None:
    """Two connections to one server with one client: the one that may read must not get the other's token."""
    tokens = TokenStore()
    async with serve(both(accepts="t1"), names=NAMES) as server:
        for scope in ("mcp:write", "mcp:read"):
            auth = {"scheme": "oauth", "issuer": ISSUER, "scope": scope}
            remote = connection(server, auth=auth, secrets=SecretStore(OneSecret), tokens=tokens)
            with suppress(MCPClientConnectionError):
                await remote.call_tool("add", {})
    assert {scope for asked in asked_for_tokens(server) for scope in parse_qs(asked.body.decode())["scope"]} == {
        "mcp:write",
        "mcp:read",
    }


@pytest.mark.parametrize("status", [400, 401])
async def test_a_client_secret_that_was_rotated_is_read_anew(status: int) -> None:
    """The issuer refuses the old one, which is still kept for minutes."""
    secrets = ["old", "new"]

    class Rotated:
        def get_secret_value(self, *, SecretId: str) -> dict[str, Any]:  # noqa: N803, ARG002 -- boto3's name
            secret = secrets.pop(0) if len(secrets) > 1 else secrets[0]
            return {"SecretString": json.dumps({"client_id": "me", "client_secret": secret})}

    honest = both()

    async def answer(request: Request, writer: asyncio.StreamWriter) -> None:
        if request.path == "/token" and request.headers["authorization"] == basic("me", "old"):
            writer.write(respond(status, b'{"error": "invalid_client"}'))
        else:
            await honest(request, writer)

    store = SecretStore(Rotated)
    async with serve(answer, names=NAMES) as server:
        auth = {"scheme": "oauth", "issuer": ISSUER}
        assert (await connection(server, auth=auth, secrets=store).call_tool("add", {"a": 1})).text == "1"
    assert len(asked_for_tokens(server)) == 2


async def test_an_unchanged_client_secret_is_refused_once() -> None:
    """A second try with what was just refused could lock the client out."""
    honest = both()

    async def answer(request: Request, writer: asyncio.StreamWriter) -> None:
        if request.path == "/token":
            writer.write(respond(401))
        else:
            await honest(request, writer)

    async with serve(answer, names=NAMES) as server:
        with pytest.raises(MCPClientConnectionError):
            await remote_of(server).call_tool("add", {})
    assert len(asked_for_tokens(server)) == 1
