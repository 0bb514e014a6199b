"""The development setting, and that a deployment cannot have it."""

import pytest
from guardedhttp import NotPublicURLError, loopback_ports_of, validate_public_url


def test_an_opened_port_of_this_machine_may_be_reached() -> None:
    """For tests and `make run`."""
    checked = validate_public_url("http://localhost:8123/mcp", loopback_ports=frozenset({8123}))
    assert (str(checked.addresses[0]), checked.port) == ("127.0.0.1", 8123)


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:8124/",
        "http://127.0.0.2:8123/",
        "http://localhost.:8123/",
        "http://10.0.0.1:8123/",
        "http://user@127.0.0.1:8123/",
        "http://127.0.0.1:8123@10.0.0.1/",
        "http://127.0.0.1:08123/",
        "ftp://[::1]:8123/",
        "http://mcp.example.com:8123/",
        "http://127.0.0.1:8123.example.com/",
    ],
)
def test_nothing_else_is_opened_with_it(url: str) -> None:
    """The setting names ports of this machine, and no other way in."""
    with pytest.raises(NotPublicURLError):
        validate_public_url(url, resolver=lambda _host: (), loopback_ports=frozenset({8123}))


def test_the_setting_is_read_on_a_laptop_and_never_on_lambda() -> None:
    """`AWS_LAMBDA_RUNTIME_API` is reserved: neither a template nor a function can take it away."""
    assert loopback_ports_of({"SAMCP_LOOPBACK_PORTS": "8123, 8124,x,"}) == {8123, 8124}
    assert loopback_ports_of({"SAMCP_LOOPBACK_PORTS": "8123", "AWS_LAMBDA_RUNTIME_API": "127.0.0.1:9001"}) == set()
    assert loopback_ports_of({}) == set()
