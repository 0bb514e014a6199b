"""Which host names may stand in a public URL, before any look-up."""

import re
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from typing import Final

from guardedhttp.addresses import Address, is_public
from guardedhttp.errors import BlockedAddressError, BlockedURLError

SPECIAL_NAMES: Final = (
    "localhost",  # RFC 6761
    "local",  # mDNS, RFC 6762
    "internal",  # ICANN resolution 2024.07.29.06; clouds name their instances here
    "arpa",  # infrastructure, home.arpa too: RFC 3172, RFC 8375
    "onion",  # RFC 7686
    "test",  # RFC 6761
    "invalid",  # RFC 6761
    "example",  # RFC 6761
)
"""Last labels that never name a public server: refused before the resolver sees them."""

MAX_HOST_OCTETS: Final = 253
"""Source: RFC 1035, section 2.3.4: 255 on the wire, two of them for the root."""

_LABEL: Final = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
"""An underscore is no host name (RFC 952), yet found in the DNS and in front of wildcard certificates."""

_NUMBER: Final = re.compile(r"[0-9]+|0x[0-9a-f]*")
"""A last label that makes a WHATWG parser, or `getaddrinfo`, read the host as IPv4: 127.1, 0x7f.1, 2130706433."""


def read_literal(host: str, *, in_brackets: bool) -> Address | None:
    """Return the address that *host* spells canonically, None if it is a name.

    Args:
        host: lower case, as in the URL, without brackets.
        in_brackets: it stood in brackets, so it must be IPv6.

    Raises:
        BlockedURLError: it spells an address in a way that parsers read differently.
        BlockedAddressError: the address is not public.
    """
    try:
        if in_brackets:
            return _public(IPv6Address(host))
        if _NUMBER.fullmatch(host.rpartition(".")[2]):
            return _public(IPv4Address(host))
    except AddressValueError:
        raise BlockedURLError from None
    return None


def check_name(name: str) -> None:
    """Check that *name* can be a public server's.

    Args:
        name: ASCII, lower case, without the root's dot.

    Raises:
        BlockedURLError: it is no host name of two labels or more.
        BlockedAddressError: it is reserved for something that is not public.
    """
    labels = name.split(".")
    if len(name) > MAX_HOST_OCTETS or not all(_LABEL.fullmatch(label) for label in labels):
        raise BlockedURLError
    if labels[-1] in SPECIAL_NAMES:
        raise BlockedAddressError
    # The resolver's search list would decide what a single label means.
    if len(labels) < 2:
        raise BlockedURLError


def _public(address: Address) -> Address:
    if not is_public(address):
        raise BlockedAddressError
    return address
