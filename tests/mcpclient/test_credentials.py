"""Credentials: from Secrets Manager into one header, and nowhere else."""

import json
import logging
import threading
from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from mcpclient import EraMemory, MCPClientConfigurationError, MCPClientConnectionError, SecretStore
from mcpclient.credentials import repeats_secret
from mcpclient.quiet import quiet_third_parties
from mcpclient.secret_store import shared_secret_store

from tests.hostile.mcp import connection, mcp_server, text_result
from tests.hostile.server import Hostile, always, respond, serve

pytestmark = pytest.mark.anyio
CANARY = "canary-not-a-secret"
NAME = "samcp/connections/sample"


class Clock:
    """Seconds that a test moves on."""

    now_s = 1000.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now_s


@pytest.fixture(scope="module")
def secretsmanager(aws: None) -> Any:
    """Return Secrets Manager's client."""
    return boto3.client("secretsmanager")


@pytest.fixture
def manager(secretsmanager: Any) -> Iterator[Any]:
    """Give Secrets Manager's client, without secrets."""
    yield secretsmanager
    for secret in secretsmanager.list_secrets()["SecretList"]:
        secretsmanager.delete_secret(SecretId=secret["Name"], ForceDeleteWithoutRecovery=True)


@pytest.mark.parametrize(
    ("auth", "secret", "header", "value"),
    [
        ({"scheme": "bearer"}, CANARY, "authorization", f"Bearer {CANARY}"),
        ({"scheme": "header", "header": "X-Key"}, CANARY, "x-key", CANARY),
        ({"scheme": "basic"}, '{"username": "u", "password": "p"}', "authorization", "Basic dTpw"),
    ],
)
async def test_the_credential_is_sent_in_its_header(
    manager: Any, auth: dict[str, str], secret: str, header: str, value: str
) -> None:
    """With the connection's own headers."""
    manager.create_secret(Name=NAME, SecretString=secret)
    async with serve(mcp_server()) as server:
        remote = connection(server, auth=auth, headers={"X-Team": "docs"}, secrets=SecretStore(lambda: manager))
        await remote.call_tool("add", {})
    assert {request.headers[header] for request in server.requests} == {value}
    assert {request.headers["x-team"] for request in server.requests} == {"docs"}


def test_the_headers_are_the_connections_own_and_its_credential(manager: Any) -> None:
    """And without a scheme no secret is read at all."""
    manager.create_secret(Name=NAME, SecretString=CANARY)
    store = SecretStore(lambda: manager)
    remote = connection(Hostile(1), auth={"scheme": "bearer"}, headers={"X-Team": "docs"}, secrets=store)
    assert remote.credential() == {"Authorization": f"Bearer {CANARY}"}
    assert remote.request_headers() == {"X-Team": "docs", "Authorization": f"Bearer {CANARY}"}
    assert connection(Hostile(1)).credential() == {}


@pytest.mark.parametrize(
    ("scheme", "secret"),
    [
        ("bearer", "two\r\nX-Injected: 1"),
        ("bearer", " padded "),
        ("bearer", "\u00e9"),
        ("header", "x" * 10_000),
        ("basic", "user:password"),
        ("basic", '{"username": "u"}'),
        ("basic", '["u", "p"]'),
        ("basic", "[" * 60_000),
        ("basic", '{"username": ' * 5_000),
        ("basic", '{"username": "u", "password": "\\ud800"}'),
    ],
)
async def test_a_secret_of_the_wrong_form_is_not_sent(manager: Any, scheme: str, secret: str) -> None:
    """A line break would start another header. The error says what is needed, not what was there."""
    manager.create_secret(Name=NAME, SecretString=secret)
    async with serve(mcp_server()) as server:
        with pytest.raises(MCPClientConfigurationError) as caught:
            await connection(server, auth={"scheme": scheme}, secrets=SecretStore(lambda: manager)).call_tool("add")
    assert server.requests == []
    assert secret not in str(caught.value)


@pytest.mark.parametrize(
    "secret", ["[" * 60_000, '{"client_id": "\\udfff", "client_secret": "s"}'], ids=["deep", "no text"]
)
async def test_an_oauth_secret_of_the_wrong_form_is_not_sent(manager: Any, secret: str) -> None:
    """No recursion's end and no codec's: the operator is told what is needed."""
    manager.create_secret(Name=NAME, SecretString=secret)
    auth = {"scheme": "oauth", "issuer": "https://mcp.example.com"}
    async with serve(mcp_server()) as server:
        with pytest.raises(MCPClientConfigurationError, match="client_id and client_secret"):
            await connection(server, auth=auth, secrets=SecretStore(lambda: manager)).call_tool("add")
    assert server.requests == []


async def test_a_missing_secret_is_the_operators_to_create(manager: Any) -> None:
    """Named, so that it can be."""
    async with serve(mcp_server()) as server:
        with pytest.raises(MCPClientConfigurationError, match=NAME):
            await connection(server, auth={"scheme": "bearer"}, secrets=SecretStore(lambda: manager)).call_tool("add")
    assert server.requests == []


def test_a_secret_is_kept_for_five_minutes(manager: Any) -> None:
    """Powertools serves nothing stale but caches no longer either; this one is renewed on demand."""
    manager.create_secret(Name=NAME, SecretString="one")
    clock = Clock()
    store = SecretStore(lambda: manager, clock=clock)
    assert store.read(NAME) == "one"
    manager.put_secret_value(SecretId=NAME, SecretString="two")
    clock.now_s += 299
    assert store.read(NAME) == "one"
    clock.now_s += 1
    assert store.read(NAME) == "two"
    manager.put_secret_value(SecretId=NAME, SecretString="three")
    assert store.read(NAME, renew=True) == "three"


async def test_after_a_401_the_secret_is_read_once_more(manager: Any) -> None:
    """Rotated meanwhile: the call is made again with the new one, and only then."""
    manager.create_secret(Name=NAME, SecretString="old")
    store = SecretStore(lambda: manager)
    store.read(NAME)
    manager.put_secret_value(SecretId=NAME, SecretString="new")
    honest = mcp_server()

    async def answer(request: Any, writer: Any) -> None:
        if request.headers["authorization"] == "Bearer new":
            await honest(request, writer)
        else:
            writer.write(respond(401))

    async with serve(answer) as server:
        remote = connection(server, auth={"scheme": "bearer"}, secrets=store)
        assert (await remote.call_tool("add", {"a": 7})).text == "7"


async def test_a_401_with_an_unchanged_secret_is_final(manager: Any) -> None:
    """No second attempt with what was just refused."""
    manager.create_secret(Name=NAME, SecretString=CANARY)
    async with serve(always(401)) as server:
        with pytest.raises(MCPClientConnectionError) as caught:
            await connection(server, auth={"scheme": "bearer"}, secrets=SecretStore(lambda: manager)).call_tool("add")
        asked = len(server.requests)
    assert caught.value.http_status == 401
    # The SDK's look for the era: `server/discover`, then `initialize`.
    assert asked == 2


async def test_a_secret_that_does_not_come_ends_with_the_deadline() -> None:
    """Secrets Manager hangs: the call ends in time, its thread is left behind."""
    release = threading.Event()

    class Hanging:
        def get_secret_value(self, *, SecretId: str) -> dict[str, Any]:  # noqa: N803, ARG002 -- boto3's name
            release.wait(30)
            return {"SecretString": CANARY}

    remote = connection(Hostile(1), auth={"scheme": "bearer"}, secrets=SecretStore(Hanging), timeout_s=0.1)
    with pytest.raises(MCPClientConnectionError) as caught:
        await remote.call_tool("add")
    release.set()
    assert (caught.value.code, caught.value.retryable) == ("timeout", True)


@pytest.mark.parametrize("transport", ["streamable-http", "sse"])
async def test_no_secret_in_any_log_error_or_dict(
    manager: Any, caplog: pytest.LogCaptureFixture, transport: str
) -> None:
    """At DEBUG, with every library below talking, and a server that sends the credential back in all it says."""
    caplog.set_level(logging.DEBUG)
    for name in ("botocore", "urllib3", "httpx2", "httpcore2", "mcp", "client", "mcpclient"):
        logging.getLogger(name).setLevel(logging.NOTSET)
    manager.create_secret(Name=NAME, SecretString=CANARY)
    store = SecretStore(lambda: manager)
    reset_quiet()
    caplog.clear()
    echo = json.dumps({"jsonrpc": "2.0", "id": 1, "error": {"code": -32000, "message": CANARY}}).encode()
    url = "https://mcp.example.com/mcp?key=canary-in-url"
    for answer in (always(500, echo, content_type="application/json"), always(200, CANARY.encode(), x_echo=CANARY)):
        async with serve(answer) as server:
            remote = connection(
                server, url=url, auth={"scheme": "bearer"}, secrets=store, transport=transport, timeout_s=0.5
            )
            with pytest.raises(MCPClientConnectionError) as caught:
                await remote.call_tool("add", {"argument": "canary-argument"})
            assert "canary" not in repr(caught.value) + str(caught.value.to_dict()) + repr(remote)
    logged = [record for record in caplog.records if "canary" in str(record.__dict__)]
    assert logged == []


@pytest.mark.parametrize("where", ["instructions", "_meta", "capabilities"])
async def test_an_era_that_holds_the_credential_is_not_remembered(manager: Any, where: str) -> None:
    """What is remembered of a server is stored, for all instances: the echo would come into the table."""
    manager.create_secret(Name=NAME, SecretString=CANARY)
    echo: dict[str, Any] = {
        "instructions": CANARY,
        "_meta": {"x": CANARY},
        "capabilities": {"experimental": {CANARY: {}}},
    }
    discovered = {
        "supportedVersions": ["2026-07-28"],
        "capabilities": {},
        "resultType": "complete",
        "ttlMs": 0,
        "cacheScope": "private",
        where: echo[where],
    }
    eras = EraMemory()
    async with serve(mcp_server({"server/discover": lambda _message: discovered})) as server:
        remote = connection(server, auth={"scheme": "bearer"}, secrets=SecretStore(lambda: manager), eras=eras)
        assert (await remote.call_tool("add", {"a": 1})).text == "1"
    assert eras.export(remote.connection.url) is None


@pytest.mark.parametrize("value", [CANARY, f"Bearer {CANARY}", f"{CANARY} x", f"x {CANARY}"])
def test_an_echo_is_found_whatever_the_header_looks_like(value: str) -> None:
    """Also a secret with a space in it, which is no scheme and token."""
    assert repeats_secret({"text": f"you sent {value}"}, {"X-Key": value})
    assert not repeats_secret({"text": f"you sent {value}"}, {"X-Key": value}, but={"X-Key": value})


async def test_an_echo_is_found_in_a_header_that_the_connection_sets_too(manager: Any) -> None:
    """The credential takes the place of the connection's own value, and is no less a secret for its name."""
    manager.create_secret(Name=NAME, SecretString=CANARY)
    auth = {"scheme": "header", "header": "X-Team"}
    async with serve(mcp_server({"tools/call": lambda _message: text_result(CANARY)})) as server:
        remote = connection(server, auth=auth, headers={"X-Team": "docs"}, secrets=SecretStore(lambda: manager))
        with pytest.raises(MCPClientConnectionError) as caught:
            await remote.call_tool("add", {})
    assert caught.value.code == "refused"


def reset_quiet() -> None:
    """Make the libraries quiet again: the test has turned them up after the process did."""
    quiet_third_parties.cache_clear()
    quiet_third_parties()


def test_the_default_store_makes_its_client_when_it_is_needed(manager: Any) -> None:
    """A connection without credentials never imports boto3."""
    manager.create_secret(Name=NAME, SecretString=CANARY)
    assert shared_secret_store().read(NAME, renew=True) == CANARY
