"""A ready httpx2 client behind the guard."""

import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from http.cookiejar import CookieJar, DefaultCookiePolicy

import anyio
import httpx2

from guardedhttp.redirects import RedirectPolicy
from guardedhttp.transport import GuardedTransport, Limits, Network


@asynccontextmanager
async def guarded_client(
    *,
    timeout_s: float,
    headers: Mapping[str, str] | None = None,
    network: Network | None = None,
    limits: Limits | None = None,
    redirects: RedirectPolicy = RedirectPolicy.SAME_ORIGIN,
) -> AsyncIterator[httpx2.AsyncClient]:
    """Give a client that reaches only the public internet, for at most *timeout_s* seconds in all.

    It follows no redirect by itself, keeps no cookie, reads no proxy or certificate from the environment and takes no
    compressed body.

    Args:
        timeout_s: for everything inside the `async with`: a time-out per read never ends a body that drips.
        headers: sent with each request.
        network: what lies below the guard.
        limits: how much may be sent and read.
        redirects: a redirect beyond it is refused; one within it is the caller's to follow, see `next_url`.

    Raises:
        GuardError: a rule or a limit is broken.
        TimeoutError: the time is over.
    """
    transport = GuardedTransport(network=network, limits=limits, redirects=redirects)
    client = client_of(transport, timeout_s=timeout_s, headers=headers)
    with anyio.fail_after(timeout_s):
        async with client:
            yield client


def client_of(
    transport: httpx2.AsyncBaseTransport, *, timeout_s: float, headers: Mapping[str, str] | None = None
) -> httpx2.AsyncClient:
    """Return a client on *transport* with every setting that could lead around it switched off.

    The loggers of the libraries below are silent from then on: httpx2 writes each URL, with its query, at INFO, which
    is what Lambda's JSON format lets through; httpcore2 writes each header at DEBUG.
    """
    for name in ("httpx2", "httpcore2"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    return httpx2.AsyncClient(
        transport=transport,
        headers=dict(headers or {}),
        cookies=_no_cookies(),
        timeout=timeout_s,
        trust_env=False,
        follow_redirects=False,
    )


def _no_cookies() -> CookieJar:
    """Return a jar that takes nothing and gives nothing.

    httpx2's own knows no public suffixes: what one site of a shared domain sets would be sent to its neighbours.
    """
    return CookieJar(DefaultCookiePolicy(allowed_domains=()))
