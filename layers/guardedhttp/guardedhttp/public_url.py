"""`validate_public_url`: the text of a URL and every address that its host has."""

import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Final

from guardedhttp.addresses import Address, is_public
from guardedhttp.errors import BlockedAddressError, UnresolvedHostError
from guardedhttp.loopback import LoopbackPorts
from guardedhttp.url import PublicURL, read_public_url

type Resolver = Callable[[str], Sequence[Address]]
"""Returns every address of a host name, none if it has none."""

MAX_ADDRESSES: Final = 64
"""More answers than any honest name has: checking them all must stay cheap."""


@dataclass(frozen=True, slots=True)
class CheckedURL:
    """A public URL and the addresses that were checked: a connection goes to one of these and to no other."""

    url: str
    host: str
    port: int
    addresses: tuple[Address, ...]


def system_resolver(host: str) -> Sequence[Address]:
    """Return what the system's resolver says of *host*, in its order of preference."""
    try:
        answers = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return ()
    return tuple(dict.fromkeys(ip_address(str(answer[4][0])) for answer in answers))


def validate_public_url(
    url: str, *, resolver: Resolver = system_resolver, loopback_ports: LoopbackPorts = frozenset()
) -> CheckedURL:
    """Check that *url* is public: its text, its host and each of the host's addresses.

    Args:
        url: the text, from anybody.
        resolver: looks the host up, once.
        loopback_ports: see `guardedhttp.loopback`.

    Raises:
        BlockedURLError: the text is not that of a public HTTPS URL.
        BlockedAddressError: the host is reserved, or one of its addresses is not public.
        UnresolvedHostError: the host has no address.

    Source: our own choice, stricter than OWASP: one address that is not public refuses all, as either could be dialled.
    """
    public = read_public_url(url, loopback_ports=loopback_ports)
    return CheckedURL(public.url, public.host, public.port, check_addresses(public, resolver))


def check_addresses(public: PublicURL, resolver: Resolver) -> tuple[Address, ...]:
    """Return the addresses of *public*'s host, each of them checked.

    Raises:
        BlockedAddressError: one is not public.
        UnresolvedHostError: there is none.
    """
    if public.literal is not None:
        return (public.literal,)
    addresses = tuple(resolver(public.host))
    if not addresses:
        raise UnresolvedHostError
    if len(addresses) > MAX_ADDRESSES or not all(is_public(address) for address in addresses):
        raise BlockedAddressError
    return addresses
