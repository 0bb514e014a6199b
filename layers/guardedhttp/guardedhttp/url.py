"""The text of a URL: what may be sent to, and what the HTTP library makes of it.

Two parsers that disagree on where the host ends are the classic way around a guard. So the text is held against a
form in which nothing can be read in two ways, and then against httpx2's own reading of it.
"""

import re
from dataclasses import dataclass
from typing import Final

import httpx2

from guardedhttp.addresses import Address
from guardedhttp.errors import BlockedURLError
from guardedhttp.host import check_name, read_literal
from guardedhttp.loopback import LoopbackPorts, read_loopback

MAX_URL_CHARACTERS: Final = 2048

_FORBIDDEN: Final = re.compile(r"[\x00-\x20\x7f-\x9f\\\ud800-\udfff]")
"""Controls, spaces and lone surrogates are not URL text; some parsers turn a backslash into a slash."""

_HTTPS: Final = re.compile(r"https://([^/?#]*)", re.IGNORECASE)

_AUTHORITY: Final = re.compile(r"(?:\[(?P<literal>[0-9a-fA-F:.]+)\]|(?P<name>[^\[\]@:%]+))(?::(?:443)?)?")
"""No userinfo, no escapes, no zone, and only the standard port, in ASCII digits."""

_OTHER_DOTS: Final = re.compile("[\u3002\uff0e\uff61]")
"""IDNA 2003 reads these as dots; other parsers do not. Source: RFC 3490, section 3.1."""


@dataclass(frozen=True, slots=True)
class PublicURL:
    """A URL that may be sent to, as far as its text tells."""

    url: str
    """As httpx2 writes it, the host without a trailing dot."""
    host: str
    """ASCII, lower case; an IPv6 address without brackets."""
    port: int
    literal: Address | None = None
    """The address, if the host is one."""
    had_root_dot: bool = False
    """The text said `host.`: the same server, but another origin to most clients."""


def read_public_url(url: str, *, loopback_ports: LoopbackPorts = frozenset()) -> PublicURL:
    """Read *url*, which may come from anybody. Nothing is looked up.

    Args:
        url: the text, at most 2,048 characters.
        loopback_ports: ports of this machine that a developer has opened; none when deployed.

    Raises:
        BlockedURLError: it is not `https://`, or can be read in two ways.
        BlockedAddressError: its host is reserved or not public.

    Source: OWASP SSRF Prevention Cheat Sheet; RFC 3986; the corpus in tests/corpus/ssrf.jsonl.
    """
    if len(url) > MAX_URL_CHARACTERS or _FORBIDDEN.search(url):
        raise BlockedURLError
    if (loopback := read_loopback(url, loopback_ports)) is not None:
        host, port, literal = loopback
        return PublicURL(str(httpx2.URL(url)), host, port, literal)
    scheme = _HTTPS.match(url)
    authority = _AUTHORITY.fullmatch(scheme[1]) if scheme else None
    if authority is None:
        raise BlockedURLError
    parsed = _parse(url)
    if authority["literal"] is not None:
        address = read_literal(_same(parsed, authority["literal"].lower()), in_brackets=True)
        return PublicURL(str(parsed.copy_with(host=str(address))), str(address), 443, address)
    return _read_named(parsed, authority["name"])


def _read_named(parsed: httpx2.URL, name: str) -> PublicURL:
    if _OTHER_DOTS.search(name):
        raise BlockedURLError
    connected = _same(parsed, name.lower() if name.isascii() else None)
    if (literal := read_literal(connected, in_brackets=False)) is not None:
        return PublicURL(str(parsed), connected, 443, literal)
    # The root's dot makes the name absolute; certificates and the Host header do without it.
    host = connected.removesuffix(".")
    check_name(host)
    # Once more: `1.2.3.4.` is an address to `getaddrinfo`.
    if read_literal(host, in_brackets=False) is not None:
        raise BlockedURLError
    return PublicURL(str(parsed.copy_with(host=host)), host, 443, had_root_dot=host != connected)


def _parse(url: str) -> httpx2.URL:
    try:
        # httpx2 knows a scheme's default port only in lower case.
        parsed = httpx2.URL("https" + url[len("https") :])
    except httpx2.InvalidURL:
        raise BlockedURLError from None
    if parsed.scheme != "https" or parsed.port is not None or parsed.userinfo:
        raise BlockedURLError
    return parsed


def _same(parsed: httpx2.URL, host: str | None) -> str:
    """Return the host that httpx2 would connect to; it must be *host*, unless IDNA had to change that (None)."""
    connected = parsed.raw_host.decode("ascii").lower()
    if not connected or (host is not None and connected != host):
        raise BlockedURLError
    return connected
