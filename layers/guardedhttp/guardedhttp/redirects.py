"""Where a redirect may lead: a pure function, used by the transport for each answer.

httpx2's own following is off: it turns a POST into a GET, and it carries `X-Api-Key` to another host.
"""

import re
from enum import Enum
from typing import Final

import httpx2

from guardedhttp.errors import BlockedURLError, NotPublicURLError
from guardedhttp.loopback import LoopbackPorts
from guardedhttp.url import PublicURL, read_public_url

REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
"""Statuses whose `Location` is followed. 300, 304, 305 and 306 are not redirects. Source: RFC 9110, section 15.4."""

_KEEP_METHOD: Final = frozenset({307, 308})

_FORBIDDEN: Final = re.compile(r"[\x00-\x20\x7f-\x9f\\\ud800-\udfff]")
"""Looked for before the join, which would escape it, or fail on a lone surrogate."""


class RedirectPolicy(Enum):
    """How far a redirect may lead."""

    SAME_ORIGIN = "same origin"
    """For MCP connections: the credentials in the headers belong to one origin."""
    ANY_PUBLIC_HOST = "any public host"
    """For fetching pages without credentials: each hop is checked like the first."""


def next_url(  # noqa: PLR0913 -- the parts of one answer, and the rule
    method: str,
    url: str,
    status: int,
    location: str | None,
    *,
    policy: RedirectPolicy,
    loopback_ports: LoopbackPorts = frozenset(),
) -> str | None:
    """Return the URL that a redirect leads to, None where it must not be followed.

    Args:
        method: of the request that was answered.
        url: of that request.
        status: of the answer.
        location: its `Location`, as sent.
        policy: see `RedirectPolicy`.
        loopback_ports: see `guardedhttp.loopback`.
    """
    if status not in REDIRECTS or not location:
        return None
    # 301, 302 and 303 make a POST a GET, and the message is lost.
    if method not in {"GET", "HEAD"} and status not in _KEEP_METHOD:
        return None
    try:
        target = _resolve(url, location, loopback_ports)
        if policy is RedirectPolicy.SAME_ORIGIN and _origin(target) != _origin(
            read_public_url(url, loopback_ports=loopback_ports)
        ):
            return None
    except NotPublicURLError:
        return None
    return target.url


def _origin(target: PublicURL) -> tuple[str, str, int, bool]:
    return target.url.partition(":")[0], target.host, target.port, target.had_root_dot


def _resolve(url: str, location: str, loopback_ports: LoopbackPorts) -> PublicURL:
    """Return *location*, made absolute.

    What has a scheme is held against the strict form as it stands: `https:evil.example` and `https:///x` are read
    differently by every parser.
    """
    if ":" in location.partition("/")[0].partition("?")[0].partition("#")[0]:
        absolute = location
    elif location.startswith("//"):
        absolute = f"{url.partition(':')[0]}:{location}"
    elif _FORBIDDEN.search(location):
        raise BlockedURLError
    else:
        absolute = _join(url, location)
    return read_public_url(absolute, loopback_ports=loopback_ports)


def _join(url: str, location: str) -> str:
    try:
        return str(httpx2.URL(url).join(location))
    except httpx2.InvalidURL:
        return ""
