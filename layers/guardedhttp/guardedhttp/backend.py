"""The network backend: the one place that opens a socket, to an address that was checked a moment before.

Checking a name and then handing the name on would let a second DNS answer decide where the packet goes (rebinding).
Here the name is resolved once, all answers are checked, and one of these very addresses is dialled. TLS and the Host
header are above this and keep the name, so the certificate must still be the name's.
"""

from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from typing import Any, Final

import anyio
import httpcore2

from guardedhttp.addresses import Address
from guardedhttp.errors import BlockedURLError
from guardedhttp.loopback import LoopbackPorts
from guardedhttp.public_url import Resolver, check_addresses
from guardedhttp.url import PublicURL, read_public_url

type Connect = Callable[[Address, int, float | None], Awaitable[httpcore2.AsyncNetworkStream]]
"""Opens a TCP connection to an address and port, within so many seconds."""

MAX_ATTEMPTS: Final = 4
"""How many of a host's addresses are tried: each waits its share of the connect time-out."""


async def connect_tcp(address: Address, port: int, timeout_s: float | None) -> httpcore2.AsyncNetworkStream:
    """Open a TCP connection to *address*; there is no name here that could be looked up again."""
    return await httpcore2.AnyIOBackend().connect_tcp(str(address), port, timeout=timeout_s)


class GuardedBackend(httpcore2.AsyncNetworkBackend):
    """Connects only to addresses that it has checked itself, right before."""

    def __init__(self, *, resolver: Resolver, connect: Connect, loopback_ports: LoopbackPorts) -> None:
        self._resolver = resolver
        self._connect = connect
        self._loopback_ports = loopback_ports
        self._opened: list[httpcore2.AsyncNetworkStream] = []

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,  # noqa: ARG002 -- httpcore2's signature
        socket_options: Iterable[Any] | None = None,  # noqa: ARG002 -- httpcore2's signature
    ) -> httpcore2.AsyncNetworkStream:
        """Connect to *host*, as one of the addresses it has now.

        Raises:
            NotPublicURLError: the host, or one of its addresses, is not public.
            httpcore2.ConnectError: none of the addresses answers.
        """
        public = self._read(host, port)
        # A thread, as `getaddrinfo` blocks; abandoned when the deadline passes, as it cannot be stopped.
        check = partial(check_addresses, public, self._resolver)
        addresses = await anyio.to_thread.run_sync(check, abandon_on_cancel=True)
        stream = await self._dial(addresses[:MAX_ATTEMPTS], port, timeout)
        self._opened.append(stream)
        return stream

    async def connect_unix_socket(
        self,
        path: str,  # noqa: ARG002 -- httpcore2's signature
        timeout: float | None = None,  # noqa: ARG002 -- httpcore2's signature
        socket_options: Iterable[Any] | None = None,  # noqa: ARG002 -- httpcore2's signature
    ) -> httpcore2.AsyncNetworkStream:
        """Refuse: a socket of this machine is not public.

        Raises:
            BlockedURLError: always.
        """
        raise BlockedURLError

    async def sleep(self, seconds: float) -> None:
        """Wait, between httpcore2's connection attempts."""
        await anyio.sleep(seconds)

    async def aclose(self) -> None:
        """Close every socket that was opened: httpcore2 forgets one whose TLS handshake the deadline has ended."""
        with anyio.CancelScope(shield=True):
            for stream in self._opened:
                await stream.aclose()

    def _read(self, host: str, port: int) -> PublicURL:
        authority = f"[{host}]" if ":" in host else host
        public = read_public_url(f"https://{authority}:{port}/", loopback_ports=self._loopback_ports)
        if public.host != host:
            raise BlockedURLError
        return public

    async def _dial(
        self, addresses: tuple[Address, ...], port: int, timeout_s: float | None
    ) -> httpcore2.AsyncNetworkStream:
        share_s = None if timeout_s is None else timeout_s / len(addresses)
        for address in addresses[:-1]:
            try:
                return await self._connect(address, port, share_s)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout):
                continue
        return await self._connect(addresses[-1], port, share_s)
