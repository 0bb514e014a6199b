"""The guarded backend over real sockets and TLS: where the packets go, and that none goes elsewhere."""

import asyncio
import json
import socket
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import anyio
import httpcore2
import httpx2
import pytest
from guardedhttp import (
    BlockedAddressError,
    GuardedTransport,
    Network,
    NotPublicURLError,
    RedirectRefusedError,
    guarded_client,
    validate_public_url,
)
from guardedhttp.addresses import Address
from guardedhttp.public_url import Resolver

from tests.hostile.server import always, serve

pytestmark = pytest.mark.anyio
URL = "https://mcp.example.com/mcp"


async def test_the_socket_goes_to_the_checked_address_and_tls_and_host_keep_the_name() -> None:
    """The certificate is for the name, so a wrong SNI or a rewritten URL would fail."""
    async with serve(always(200, b"hello")) as server, guarded_client(timeout_s=5, network=server.network()) as client:
        response = await client.get(URL)
    assert response.text == "hello"
    assert server.dialled == ["93.184.215.14:443"]
    assert server.requests[0].headers["host"] == "mcp.example.com"
    assert server.requests[0].headers["accept-encoding"] == "identity"


async def test_a_second_dns_answer_does_not_matter() -> None:
    """Rebinding: a public answer for the check, an inside one for the connection. There is only one look-up."""
    async with serve(always(200)) as server:
        network = server.network(["93.184.215.14"], ["10.0.0.1"])
        async with guarded_client(timeout_s=5, network=network) as client:
            await client.get(URL)
            await client.get(URL)
    assert server.dialled == ["93.184.215.14:443"]


async def test_a_new_connection_is_checked_anew() -> None:
    """The first connection is closed by the server; the name has moved inside since."""
    async with serve(always(200, connection="close")) as server:
        network = server.network(["93.184.215.14"], ["10.0.0.1"])
        async with guarded_client(timeout_s=5, network=network) as client:
            await client.get(URL)
            with pytest.raises(BlockedAddressError):
                await client.get(URL)
    assert server.dialled == ["93.184.215.14:443"]


async def test_mixed_answers_are_not_dialled() -> None:
    """One inside address among public ones."""
    async with serve(always(200)) as server:
        network = server.network(["93.184.215.14", "169.254.169.254"])
        async with guarded_client(timeout_s=5, network=network) as client:
            with pytest.raises(BlockedAddressError):
                await client.get(URL)
    assert server.dialled == []


async def test_the_next_address_is_tried_when_one_does_not_answer() -> None:
    """A host with IPv6 addresses, called from a function without IPv6."""
    async with serve(always(200)) as server:
        network = server.network(["2606:4700:4700::1111", "93.184.215.14"])

        async def connect(address: Any, port: int, timeout_s: float | None) -> httpcore2.AsyncNetworkStream:
            if address.version == 6:
                raise httpcore2.ConnectError
            return await network.connect(address, port, timeout_s)

        async with guarded_client(timeout_s=5, network=replace(network, connect=connect)) as client:
            assert (await client.get(URL)).status_code == 200
    assert server.dialled == ["93.184.215.14:443"]


async def test_another_names_certificate_is_refused() -> None:
    """A checked address is no proof of who listens there."""
    async with (
        serve(always(200), names=["other.example.com"]) as server,
        guarded_client(timeout_s=5, network=server.network()) as client,
    ):
        with pytest.raises(httpx2.ConnectError):
            await client.get(URL)
        with pytest.raises(httpx2.ConnectError):
            await client.get(URL, extensions={"sni_hostname": "other.example.com"})
    assert server.requests == []


async def test_a_handshake_that_the_deadline_ends_leaves_no_socket() -> None:
    """httpcore2 forgets a connection whose TLS handshake is cancelled; a server that is silent would cost one each."""
    opened: list[Silent] = []

    async def connect(_address: Any, _port: int, _timeout_s: float | None) -> httpcore2.AsyncNetworkStream:
        opened.append(Silent())
        return opened[-1]

    network = Network(resolver=answering([ip_address("93.184.215.14")]), connect=connect)
    with pytest.raises(TimeoutError):
        async with guarded_client(timeout_s=0.05, network=network) as client:
            await client.get(URL)
    assert [stream.is_closed for stream in opened] == [True]


class Silent(httpcore2.AsyncNetworkStream):
    """A connection whose other end never says anything."""

    is_closed = False

    async def start_tls(self, *_args: Any, **_kwargs: Any) -> httpcore2.AsyncNetworkStream:
        """Wait for ever."""
        await anyio.sleep_forever()
        raise AssertionError

    async def aclose(self) -> None:
        """Note it."""
        self.is_closed = True


def answering(answers: Sequence[Address]) -> Resolver:
    """Return a resolver that knows one answer."""
    return lambda _host: answers


CORPUS = Path(__file__).parent.parent / "corpus" / "ssrf.jsonl"
CASES = [json.loads(line) for line in CORPUS.read_text(encoding="utf-8").splitlines()]
REFUSED = [case for case in CASES if not case["allow"]]


async def test_no_packet_goes_to_a_refused_address(trap: list[Any]) -> None:
    """The whole corpus with the real sockets below: an audit hook sees every connect of this process."""
    for case in REFUSED:
        answers = [ip_address(text) for text in case["resolves_to"] or ()]
        network = Network(resolver=answering(answers))
        async with guarded_client(timeout_s=5, network=network) as client:
            with pytest.raises(NotPublicURLError):
                await client.get(validate_public_url(case["url"], resolver=network.resolver).url)
    assert trap == []


async def test_a_text_that_httpx2_mends_still_reaches_nothing_inside() -> None:
    """Without the check of the text, httpx2 reads `:4_43` as 443: the request is public then, or refused."""
    async with serve(always(200)) as server:
        for case in REFUSED:
            async with guarded_client(timeout_s=5, network=server.network(case["resolves_to"] or [])) as client:
                with suppress(NotPublicURLError, httpx2.HTTPError, httpx2.InvalidURL):
                    await client.get(case["url"])
    assert {dialled.rpartition(":")[0] for dialled in server.dialled} <= {"93.184.215.14"}


async def test_a_trap_on_this_machine_is_never_reached() -> None:
    """One port is open to the developer, the trap is not: by URL, and by redirect."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0.05)
        port = listener.getsockname()[1]
        location = f"http://127.0.0.1:{port}/"
        async with serve(always(307, location=location), tls=False) as server:
            network = replace(server.network(loopback_ports=[server.port]), connect=Network().connect)
            async with guarded_client(timeout_s=5, network=network) as client:
                with pytest.raises(RedirectRefusedError):
                    await client.get(f"http://127.0.0.1:{server.port}/")
                with pytest.raises(NotPublicURLError):
                    await client.get(location)
        with pytest.raises(TimeoutError):
            listener.accept()
    assert len(server.requests) == 1


async def test_a_resolver_that_hangs_ends_with_the_deadline() -> None:
    """`getaddrinfo` cannot be interrupted: its thread is left behind."""
    release = asyncio.Event()
    loop = asyncio.get_running_loop()

    def resolve(_host: str) -> Any:
        asyncio.run_coroutine_threadsafe(release.wait(), loop).result()
        return ()

    with pytest.raises(TimeoutError):
        async with guarded_client(timeout_s=0.1, network=Network(resolver=resolve)) as client:
            await client.get(URL)
    release.set()


@pytest.mark.parametrize("host", ["MCP.example.com", "mcp.example.com.", "mcp.example.com/x", "127.0.0.1", "fe80::1"])
async def test_a_host_that_is_not_as_checked_is_refused(host: str) -> None:
    """The backend trusts nobody above it: it reads the host again."""
    async with serve(always(200)) as server:
        transport = GuardedTransport(network=server.network())
        with pytest.raises(NotPublicURLError):
            await transport._guarded_pool._network_backend.connect_tcp(host, 443)
    assert server.dialled == []


async def test_unix_sockets_are_refused() -> None:
    """Docker's socket is not public."""
    backend = GuardedTransport()._guarded_pool._network_backend
    with pytest.raises(NotPublicURLError):
        await backend.connect_unix_socket("/var/run/docker.sock")


@cache
def _recorder() -> list[Any]:
    """Record every connect of this process from now on; an audit hook cannot be taken off again."""
    seen: list[Any] = []
    sys.addaudithook(lambda event, args: seen.append(args[1]) if event == "socket.connect" else None)
    return seen


@pytest.fixture
def trap() -> list[Any]:
    """Every address that a socket of this test was connected to."""
    seen = _recorder()
    seen.clear()
    return seen
