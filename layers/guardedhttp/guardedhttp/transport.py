"""The guarded transport: every request of an httpx2 client passes here, and is checked before and after."""

import ssl
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, Final

import httpcore2
import httpx2

from guardedhttp.backend import Connect, GuardedBackend, connect_tcp
from guardedhttp.body import CountedStream
from guardedhttp.errors import (
    BodyTooLargeError,
    EncodedBodyError,
    GuardError,
    GuardNotInstalledError,
    RedirectRefusedError,
    ResponseRefusedError,
    TooManyRequestsError,
)
from guardedhttp.loopback import LoopbackPorts
from guardedhttp.public_url import Resolver, system_resolver
from guardedhttp.redirects import REDIRECTS, RedirectPolicy, next_url
from guardedhttp.url import read_public_url

HTTPX2_VERSION: Final = "2.16.2"
"""The release whose connection pool is replaced below. Another one is refused until its source was read."""

MAX_CONNECTIONS: Final = 8


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one client may send and read."""

    requests: int = 64
    bytes_per_answer: int = 4 * 1024 * 1024
    bytes_in_all: int = 16 * 1024 * 1024


@cache
def default_ssl_context() -> ssl.SSLContext:
    """Return the TLS context that trusts the system's authorities; no variable can add one."""
    return httpx2.create_ssl_context(trust_env=False)


@dataclass(frozen=True, slots=True)
class Network:
    """What lies below the guard: the resolver, the sockets, the trusted certificates. Tests bring their own."""

    resolver: Resolver = system_resolver
    connect: Connect = connect_tcp
    ssl_context: Callable[[], ssl.SSLContext] = default_ssl_context
    loopback_ports: LoopbackPorts = frozenset()
    """See `guardedhttp.loopback`; empty when deployed."""


class GuardedTransport(httpx2.AsyncHTTPTransport):
    """Sends only what is public, within the limits, and hands on only answers that keep the rules."""

    def __init__(
        self,
        *,
        network: Network | None = None,
        limits: Limits | None = None,
        redirects: RedirectPolicy = RedirectPolicy.SAME_ORIGIN,
        on_refusal: Callable[[GuardError], None] | None = None,
    ) -> None:
        """Make a transport.

        Args:
            network: what lies below the guard.
            limits: how much may be sent and read.
            redirects: a redirect beyond it is refused.
            on_refusal: is told of each refusal, for callers whose HTTP client swallows exceptions.

        Raises:
            GuardNotInstalledError: the installed httpx2 is not the one that this was written for.
        """
        network = network or Network()
        context = network.ssl_context()
        super().__init__(verify=context, trust_env=False)
        self._network = network
        self._limits = limits or Limits()
        self._redirects = redirects
        self._on_refusal = on_refusal
        self._requests = 0
        self._bytes = 0
        self._backend = GuardedBackend(
            resolver=network.resolver, connect=network.connect, loopback_ports=network.loopback_ports
        )
        self._pool = self._guarded_pool = httpcore2.AsyncConnectionPool(
            ssl_context=context, max_connections=MAX_CONNECTIONS, network_backend=self._backend
        )
        self._check_installed()

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Check *request*, send it, check the answer's head, and count its body while it is read.

        Raises:
            GuardError: a rule or a limit is broken; nothing was sent, or nothing more is read.
        """
        try:
            self._check_installed()
            self._check_request(request)
            response = await super().handle_async_request(request)
        except GuardError as error:
            raise self._refusal(error) from None
        try:
            self._check_response(request, response)
        except ResponseRefusedError as error:
            error.http_status = response.status_code
            await response.aclose()
            raise self._refusal(error) from None
        return response

    async def __aexit__(self, *exc: Any) -> None:
        """Close the connections."""
        await self.aclose()

    async def aclose(self) -> None:
        """Close the connections, also one that is not established yet."""
        try:
            await super().aclose()
        finally:
            await self._backend.aclose()

    def _check_installed(self) -> None:
        pool = getattr(self, "_pool", None)
        backend = getattr(pool, "_network_backend", None)
        if httpx2.__version__ != HTTPX2_VERSION or pool is not self._guarded_pool:
            raise GuardNotInstalledError
        if not isinstance(backend, GuardedBackend):
            raise GuardNotInstalledError

    def _check_request(self, request: httpx2.Request) -> None:
        self._requests += 1
        if self._requests > self._limits.requests:
            raise TooManyRequestsError(self._limits.requests)
        public = read_public_url(str(request.url), loopback_ports=self._network.loopback_ports)
        request.url = httpx2.URL(public.url)
        request.headers["Host"] = request.url.netloc.decode("ascii")
        request.headers["Accept-Encoding"] = "identity"
        # `sni_hostname` would have another name's certificate accepted, `target` another path sent.
        request.extensions = {name: value for name, value in request.extensions.items() if name == "timeout"}

    def _check_response(self, request: httpx2.Request, response: httpx2.Response) -> None:
        if "content-encoding" in response.headers:
            raise EncodedBodyError
        location = response.headers.get("location")
        follow = partial(next_url, request.method, str(request.url), response.status_code, location)
        if response.status_code in REDIRECTS and not follow(
            policy=self._redirects, loopback_ports=self._network.loopback_ports
        ):
            raise RedirectRefusedError
        left = [self._limits.bytes_per_answer]
        if isinstance(response.stream, httpx2.AsyncByteStream):
            response.stream = CountedStream(response.stream, partial(self._count, left))

    def _count(self, left: list[int], part: bytes) -> None:
        left[0] -= len(part)
        self._bytes += len(part)
        if left[0] < 0:
            raise self._refusal(BodyTooLargeError(self._limits.bytes_per_answer))
        if self._bytes > self._limits.bytes_in_all:
            raise self._refusal(BodyTooLargeError(self._limits.bytes_in_all))

    def _refusal(self, error: GuardError) -> GuardError:
        if self._on_refusal is not None:
            self._on_refusal(error)
        return error
