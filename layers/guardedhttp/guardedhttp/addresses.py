"""Which IP addresses are public: tables of our own, because `ipaddress.is_global` is not made for this.

It is true of multicast, of NAT64, of IPv4-mapped addresses and of some reserved blocks, and its answer changes with
the release of Python. Here IPv4 is all but the special-purpose registry; IPv6 is only what IANA hands out, less the
blocks within it that stand for something else. `is_global` is asked last, as a second opinion.
"""

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from typing import Final

type Address = IPv4Address | IPv6Address

IPV4_SPECIAL: Final = tuple(
    IPv4Network(block)
    for block in (
        "0.0.0.0/8",  # this network: Linux connects 0.0.0.0 to itself (RFC 791)
        "10.0.0.0/8",  # private (RFC 1918)
        "100.64.0.0/10",  # carrier-grade NAT, and some clouds' metadata (RFC 6598)
        "127.0.0.0/8",  # loopback (RFC 1122)
        "169.254.0.0/16",  # link-local: instance metadata, task credentials (RFC 3927)
        "172.16.0.0/12",  # private (RFC 1918)
        "192.0.0.0/24",  # protocol assignments, one of them a cloud's metadata (RFC 6890)
        "192.0.2.0/24",  # documentation (RFC 5737)
        "192.88.99.0/24",  # 6to4 relays, deprecated (RFC 7526)
        "192.168.0.0/16",  # private (RFC 1918)
        "198.18.0.0/15",  # benchmarks (RFC 2544)
        "198.51.100.0/24",  # documentation (RFC 5737)
        "203.0.113.0/24",  # documentation (RFC 5737)
        "224.0.0.0/4",  # multicast (RFC 5771)
        "240.0.0.0/4",  # reserved, and broadcast (RFC 1112, RFC 8190)
    )
)
"""Source: IANA IPv4 Special-Purpose Address Registry, whole, and the multicast registry."""

IPV6_UNICAST: Final = IPv6Network("2000::/3")
"""All that IANA allocates from. Outside lie ::/8 with mapped and NAT64 addresses, fc00::/7, fe80::/10, ff00::/8, ...

Source: IANA IPv6 Address Space registry.
"""

IPV6_SPECIAL: Final = tuple(
    IPv6Network(block)
    for block in (
        "2001::/23",  # protocol assignments: Teredo, benchmarks, ORCHID (RFC 2928)
        "2001:db8::/32",  # documentation (RFC 3849)
        "2002::/16",  # 6to4: each address stands for an IPv4 one (RFC 3056)
        "3fff::/20",  # documentation (RFC 9637)
    )
)
"""Source: IANA IPv6 Special-Purpose Address Registry, the blocks within 2000::/3."""


def is_public(address: Address) -> bool:
    """Tell whether *address* is reachable on the public internet and stands for nothing but itself."""
    if isinstance(address, IPv4Address):
        return not any(address in block for block in IPV4_SPECIAL) and address.is_global
    # A zone (fe80::1%eth0) belongs to one machine's interfaces, whatever the address says.
    if address.scope_id is not None or address not in IPV6_UNICAST:
        return False
    return not any(address in block for block in IPV6_SPECIAL) and address.is_global
