"""The development setting: ports of this machine that a developer opens, for tests and `make run`.

Deployed, it cannot be set: `loopback_ports_of` reads nothing where a Lambda runtime is present, and neither a template
nor a function can take the runtime's own variable away.
"""

import re
from collections.abc import Mapping
from ipaddress import IPv4Address, IPv6Address
from typing import Final

from guardedhttp.addresses import Address

type LoopbackPorts = frozenset[int]

VARIABLE: Final = "SAMCP_LOOPBACK_PORTS"
"""Comma-separated port numbers."""

RUNTIME_VARIABLE: Final = "AWS_LAMBDA_RUNTIME_API"
"""Set by Lambda, and by its emulator, for every function; reserved, so that no template can change it."""

_URL: Final = re.compile(r"https?://(127\.0\.0\.1|localhost|\[::1\]):([1-9][0-9]{0,4})(?=[/?#]|$)")

_LITERALS: Final[Mapping[str, Address]] = {
    "127.0.0.1": IPv4Address("127.0.0.1"),
    "localhost": IPv4Address("127.0.0.1"),  # never looked up
    "[::1]": IPv6Address("::1"),
}


def loopback_ports_of(environment: Mapping[str, str]) -> LoopbackPorts:
    """Return the ports that *environment* opens; none at all on Lambda."""
    if RUNTIME_VARIABLE in environment:
        return frozenset()
    ports = environment.get(VARIABLE, "").split(",")
    return frozenset(int(port) for port in ports if port.strip().isdecimal())


def read_loopback(url: str, ports: LoopbackPorts) -> tuple[str, int, Address] | None:
    """Return host, port and address of *url* if it names an opened port of this machine, None for any other URL."""
    match = _URL.match(url) if ports else None
    if match is None or int(match[2]) not in ports:
        return None
    return match[1].strip("[]"), int(match[2]), _LITERALS[match[1]]
