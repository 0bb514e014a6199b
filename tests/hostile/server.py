"""A server on loopback, with TLS, whose every answer a test writes itself."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from ipaddress import IPv4Address, ip_address

import httpcore2
import trustme
from guardedhttp import Network
from guardedhttp.addresses import Address

PUBLIC = "93.184.215.14"
"""What the tests' resolver says; the sockets go to loopback, and the test sees which address was asked for."""

NAME = "mcp.example.com"


@cache
def authority() -> trustme.CA:
    """Return the certificate authority of this run."""
    return trustme.CA()


@cache
def server_context(*names: str) -> ssl.SSLContext:
    """Return a server's TLS context with a certificate for *names*."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority().issue_cert(*names).configure_cert(context)
    return context


def client_context() -> ssl.SSLContext:
    """Return a TLS context that trusts only this run's authority."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    authority().configure_trust(context)
    return context


@dataclass
class Request:
    """What a client sent."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


type Answer = Callable[[Request, asyncio.StreamWriter], Awaitable[None]]


@dataclass
class Hostile:
    """A running server: where it listens and what it has received."""

    port: int
    requests: list[Request] = field(default_factory=list)
    dialled: list[str] = field(default_factory=list)
    connections: int = 0

    def network(self, *answers: Sequence[str], loopback_ports: Iterable[int] = (), trusted: bool = True) -> Network:
        """Return a network whose look-ups give *answers* in turn, then the last, and whose sockets end here."""
        queue = [[ip_address(text) for text in answer] for answer in (answers or ([PUBLIC],))]

        def resolve(_host: str) -> Sequence[Address]:
            return queue.pop(0) if len(queue) > 1 else queue[0]

        async def connect(address: Address, port: int, timeout_s: float | None) -> httpcore2.AsyncNetworkStream:
            self.dialled.append(f"{address}:{port}")
            # Loopback is dialled as it is: it is allowed only where the test allows it.
            port = port if address == IPv4Address("127.0.0.1") else self.port
            return await httpcore2.AnyIOBackend().connect_tcp("127.0.0.1", port, timeout=timeout_s)

        return Network(
            resolver=resolve,
            connect=connect,
            ssl_context=client_context if trusted else ssl.create_default_context,
            loopback_ports=frozenset(loopback_ports),
        )


@asynccontextmanager
async def serve(answer: Answer, *, names: Sequence[str] = (NAME,), tls: bool = True) -> AsyncIterator[Hostile]:
    """Serve *answer* on a free port of 127.0.0.1 until the block ends."""
    tasks: set[asyncio.Task[None]] = set()

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        tasks.add(task)
        hostile.connections += 1
        with suppress(ConnectionError, asyncio.IncompleteReadError, ssl.SSLError, asyncio.CancelledError):
            while (request := await _read(reader)) is not None:
                hostile.requests.append(request)
                await answer(request, writer)
                await writer.drain()
        writer.transport.abort()
        tasks.discard(task)

    server = await asyncio.start_server(handle, "127.0.0.1", 0, ssl=server_context(*names) if tls else None)
    hostile = Hostile(server.sockets[0].getsockname()[1])
    try:
        yield hostile
    finally:
        server.close()
        for task in tuple(tasks):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _read(reader: asyncio.StreamReader) -> Request | None:
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    except asyncio.IncompleteReadError:
        return None
    method, path, _ = head[0].split(" ", 2)
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:] if line)}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Request(method, path, headers, body)


def respond(status: int, body: bytes = b"", **headers: str) -> bytes:
    """Return a whole HTTP answer; underscores in the names of *headers* are hyphens."""
    fields = {name.replace("_", "-"): value for name, value in headers.items()}
    lines = [f"HTTP/1.1 {status} Status", f"content-length: {len(body)}"]
    lines += [f"{name}: {value}" for name, value in fields.items()]
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body


def always(status: int, body: bytes = b"", **headers: str) -> Answer:
    """Return a server that answers everything alike."""

    async def answer(_request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(respond(status, body, **headers))

    return answer
