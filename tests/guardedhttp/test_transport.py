"""The guarded transport: what is sent, what of an answer is refused, and when it ends."""

import asyncio
import json
import logging
import ssl
from pathlib import Path
from typing import Any

import httpcore2
import httpx2
import pytest
from guardedhttp import (
    BodyTooLargeError,
    EncodedBodyError,
    GuardedTransport,
    GuardNotInstalledError,
    Limits,
    RedirectPolicy,
    RedirectRefusedError,
    TooManyRequestsError,
    client_of,
    guarded_client,
    next_url,
)
from guardedhttp import transport as transport_module

from tests.hostile.server import Request, always, respond, serve

pytestmark = pytest.mark.anyio
URL = "https://mcp.example.com/mcp"
CORPUS = Path(__file__).parent.parent / "corpus" / "ssrf_redirects.jsonl"
REDIRECTS = [json.loads(line) for line in CORPUS.read_text(encoding="utf-8").splitlines()]


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


@pytest.mark.parametrize("case", REDIRECTS, ids=lambda case: case["id"])
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


@pytest.mark.parametrize(
    "cookie",
    [
        "a=1",
        "a=1; Domain=github.io; Path=/; Secure",
        "a=1; Domain=a.github.io; Max-Age=900",
        "__Host-a=1; Path=/; Secure",
    ],
)
async def test_no_cookie_is_kept(cookie: str) -> None:
    """Neither MCP nor a page needs one, and there is no list of public suffixes: a neighbour would be sent it."""
    names = ("a.github.io", "b.github.io")
    async with (
        serve(always(200, set_cookie=cookie), names=names) as server,
        guarded_client(timeout_s=5, network=server.network()) as client,
    ):
        for name in ("a.github.io", "b.github.io", "a.github.io"):
            answer = await client.get(f"https://{name}/")
            assert answer.headers["set-cookie"] == cookie
    assert len(server.requests) == 3
    assert not any("cookie" in request.headers for request in server.requests)
    assert len(client.cookies) == 0


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


async def test_the_environment_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A proxy would receive every request, and resolve the names itself."""
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    async with serve(always(200)) as server, guarded_client(timeout_s=5, network=server.network()) as client:
        assert (await client.get(URL)).status_code == 200


async def test_no_url_and_no_header_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    """Both may hold what a tool was asked; on Lambda, in JSON, all is logged from INFO on."""
    for name in ("httpx2", "httpcore2"):
        logging.getLogger(name).setLevel(logging.NOTSET)
    caplog.set_level(logging.DEBUG)
    headers = {"X-Key": "canary"}
    async with (
        serve(always(200)) as server,
        guarded_client(timeout_s=5, network=server.network(), headers=headers) as client,
    ):
        await client.get(URL, params={"q": "canary"})
    assert [record for record in caplog.records if "canary" in str(record.__dict__)] == []
    assert {record.name for record in caplog.records} <= {"asyncio"}


async def test_another_release_of_httpx2_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail closed: whether the pool can still be replaced is not known."""
    monkeypatch.setattr(httpx2, "__version__", "99.0")
    with pytest.raises(GuardNotInstalledError):
        GuardedTransport()


@pytest.mark.parametrize("pool", [httpcore2.AsyncConnectionPool(), GuardedTransport()._pool], ids=["open", "guarded"])
async def test_a_pool_that_is_not_ours_is_refused(pool: httpcore2.AsyncConnectionPool) -> None:
    """Fail closed: whoever replaces the pool later gets nothing sent, even if the new one has a guard of its own."""
    async with serve(always(200)) as server:
        transport = GuardedTransport(network=server.network())
        transport._pool = pool
        async with client_of(transport, timeout_s=5) as client:
            with pytest.raises(GuardNotInstalledError):
                await client.get(URL)
    assert server.dialled == []
