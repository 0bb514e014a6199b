"""The address table, at the edges of every block."""

from ipaddress import IPv4Network, IPv6Network, ip_address

import pytest
from guardedhttp import is_public
from guardedhttp.addresses import IPV4_SPECIAL, IPV6_SPECIAL


@pytest.mark.parametrize("block", [*IPV4_SPECIAL, *IPV6_SPECIAL], ids=str)
def test_first_and_last_address_of_each_special_block_are_not_public(block: IPv4Network | IPv6Network) -> None:
    """IANA special-purpose registries."""
    assert not is_public(block[0])
    assert not is_public(block[-1])


@pytest.mark.parametrize(
    "text",
    [
        "64:ff9b::808:808",
        "64:ff9b:1::1",
        "::808:808",
        "::ffff:8.8.8.8",
        "::ffff:0:808:808",
        "100:0:0:1::1",
        "5f00::1",
        "fec0::1",
        "ff0e::1",
        "fd00:ec2::254",
        "fe80::1",
        "::1",
        "::",
        "4000::1",
        "2606:4700:4700::1111%eth0",
    ],
)
def test_what_python_may_call_global_is_not_public(text: str) -> None:
    """`ipaddress.is_global` is, or was, true of most of these."""
    assert not is_public(ip_address(text))


@pytest.mark.parametrize("text", ["93.184.215.14", "1.1.1.1", "100.128.0.0", "2606:4700:4700::1111", "2001:200::1"])
def test_public_addresses_are_public(text: str) -> None:
    """The neighbours of the blocks, and two well-known resolvers."""
    assert is_public(ip_address(text))
