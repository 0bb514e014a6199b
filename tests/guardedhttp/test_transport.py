"""The guarded transport over real sockets and TLS: what is sent, where to, and what is refused."""

import asyncio
import json
import socket
import ssl
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import httpcore2
import httpx2
import pytest
from guardedhttp import (
    BlockedAddressError,
    BodyTooLargeError,
    EncodedBodyError,
    GuardedTransport,
    GuardNotInstalledError,
    Limits,
    Network,
    NotPublicURLError,
    RedirectPolicy,
    RedirectRefusedError,
    TooManyRequestsError,
    client_of,
    guarded_client,
    next_url,
    validate_public_url,
)
from guardedhttp import transport as transport_module
from guardedhttp.addresses import Address
from guardedhttp.public_url import Resolver

from tests.hostile.server import Request, always, respond, serve

pytestmark = pytest.mark.anyio
URL = "https://mcp.example.com/mcp"
CORPUS = Path(__file__).parent.parent / "corpus"


def corpus(name: str) -> list[dict[str, Any]]:
    """Return the cases of a corpus file."""
    return [json.loads(line) for line in (CORPUS / name).read_text(encoding="utf-8").splitlines()]


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


async def test_an_unknown_authority_is_refused() -> None:
    """The default context trusts the system's authorities and no variable."""
    async with (
        serve(always(200)) as server,
        guarded_client(timeout_s=5, network=server.network(trusted=False)) as client,
    ):
        with pytest.raises(httpx2.ConnectError):
            await client.get(URL)
    assert transport_module.Network().ssl_context().verify_mode is ssl.CERT_REQUIRED


async def test_the_host_header_cannot_be_chosen() -> None:
    """A front end would route by it, to a site that was not checked."""
    async with serve(always(200)) as server, guarded_client(timeout_s=5, network=server.network()) as client:
        await client.get("https://mcp.example.com./mcp", headers={"Host": "inside.example.com"})
    assert server.requests[0].headers["host"] == "mcp.example.com"


def answering(answers: Sequence[Address]) -> Resolver:
    """Return a resolver that knows one answer."""
    return lambda _host: answers


REFUSED = [case for case in corpus("ssrf.jsonl") if not case["allow"]]


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


@pytest.mark.parametrize("case", corpus("ssrf_redirects.jsonl"), ids=lambda case: case["id"])
async def test_redirects_of_the_corpus(case: dict[str, Any]) -> None:
    """A caller that follows what `next_url` says: does a second request go out, and only to the same host?"""
    location = case["location"].encode("utf-8").decode("latin-1")

    async def answer(request: Request, writer: asyncio.StreamWriter) -> None:
        first = len(server.requests) == 1
        writer.write(respond(case["status"], location=location) if first else respond(200))

    async with serve(answer) as server, guarded_client(timeout_s=5, network=server.network()) as client:
        try:
            response = await client.request(case["method"], case["from"])
        except RedirectRefusedError:
            target = None
        else:
            target = next_url(
                case["method"],
                case["from"],
                response.status_code,
                case["location"],
                policy=RedirectPolicy.SAME_ORIGIN,
            )
        if target is not None:
            await client.request(case["method"], target)
    assert case["second_request"] is None or len(server.requests) == (2 if case["second_request"] else 1), case["why"]
    assert {request.headers["host"] for request in server.requests} == {"mcp.example.com"}


async def test_an_endless_body_is_cut() -> None:
    """4 MiB per answer by default, here 1,000 bytes."""

    async def endless(_request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n")
        while True:
            writer.write(b"100\r\n" + b"x" * 256 + b"\r\n")
            await writer.drain()

    async with serve(endless) as server:
        limits = Limits(bytes_per_answer=1000)
        async with guarded_client(timeout_s=5, network=server.network(), limits=limits) as client:
            with pytest.raises(BodyTooLargeError):
                await client.get(URL)


async def test_all_answers_together_are_limited_too() -> None:
    """64 answers of 4 MiB would not fit a function."""
    async with serve(always(200, b"x" * 600)) as server:
        limits = Limits(bytes_in_all=1000)
        async with guarded_client(timeout_s=5, network=server.network(), limits=limits) as client:
            await client.get(URL)
            with pytest.raises(BodyTooLargeError):
                await client.get(URL)


@pytest.mark.parametrize("encoding", ["gzip", "br", "identity, deflate", "unknown"])
async def test_a_compressed_body_is_refused_unread(encoding: str) -> None:
    """1 kB of gzip can be 1 MB; nothing but identity was accepted."""
    async with (
        serve(always(200, b"x", content_encoding=encoding)) as server,
        guarded_client(timeout_s=5, network=server.network()) as client,
    ):
        with pytest.raises(EncodedBodyError):
            await client.get(URL)


async def test_requests_are_counted() -> None:
    """64 by default, here 2."""
    async with (
        serve(always(200)) as server,
        guarded_client(timeout_s=5, network=server.network(), limits=Limits(requests=2)) as client,
    ):
        await client.get(URL)
        await client.get(URL)
        with pytest.raises(TooManyRequestsError):
            await client.get(URL)
    assert len(server.requests) == 2


@pytest.mark.parametrize("part", [b"x-drip: 1\r\n", b": drip\n\n"], ids=["head", "body"])
async def test_a_dripping_answer_ends_with_the_deadline(part: bytes) -> None:
    """Each read is in time, so no time-out per read ever fires."""

    async def drip(_request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\n" + (b"\r\n" if part.startswith(b":") else b""))
        while True:
            writer.write(part)
            await writer.drain()
            await asyncio.sleep(0.01)

    async with serve(drip) as server:
        with pytest.raises(TimeoutError):
            async with guarded_client(timeout_s=0.2, network=server.network()) as client:
                await client.get(URL)


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


async def test_the_environment_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A proxy would receive every request, and resolve the names itself."""
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    async with serve(always(200)) as server, guarded_client(timeout_s=5, network=server.network()) as client:
        assert (await client.get(URL)).status_code == 200


async def test_another_release_of_httpx2_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail closed: whether the pool can still be replaced is not known."""
    monkeypatch.setattr(httpx2, "__version__", "99.0")
    with pytest.raises(GuardNotInstalledError):
        GuardedTransport()


async def test_a_pool_that_is_not_ours_is_refused() -> None:
    """Fail closed: whoever replaces the pool later gets nothing sent."""
    async with serve(always(200)) as server:
        transport = GuardedTransport(network=server.network())
        transport._pool = httpcore2.AsyncConnectionPool()
        async with client_of(transport, timeout_s=5) as client:
            with pytest.raises(GuardNotInstalledError):
                await client.get(URL)
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
