"""What a connection may look like."""

from typing import Any

import pytest
from mcpclient import ConnectionSettings, MCPClientConfigurationError
from mcpclient.settings import SECRET_PREFIX
from pydantic import ValidationError

GOOD: dict[str, Any] = {"name": "docs", "url": "https://mcp.example.com/mcp"}


def test_the_least_that_is_needed() -> None:
    """A name and a URL; the rest is careful."""
    settings = ConnectionSettings(**GOOD)
    assert (settings.transport, settings.auth.scheme, settings.timeout_s) == ("streamable-http", "none", 20)
    assert (settings.allowed_tools, settings.allowed_resources, settings.enabled) == ((), (), True)
    assert settings.limits.model_dump() == {
        "bytes_per_answer": 4_194_304,
        "values_per_answer": 50_000,
        "requests": 64,
        "pages": 20,
        "tools": 500,
        "result_characters": 20_000,
        "instructions_characters": 4_000,
    }


def test_settings_survive_storage() -> None:
    """The row in DynamoDB is the model as JSON."""
    settings = ConnectionSettings(
        **GOOD, auth={"scheme": "oauth", "issuer": "https://id.example.com"}, headers={"X-A": "b"}
    )
    assert ConnectionSettings.parse(settings.model_dump(mode="json")) == settings


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", "Docs"),
        ("name", "a__b"),
        ("name", "-a"),
        ("name", "a" * 33),
        ("name", "a\n"),
        ("name", "../a"),
        ("url", "http://mcp.example.com/mcp"),
        ("url", "https://10.0.0.1/mcp"),
        ("url", "http://127.0.0.1:8123/mcp"),
        ("url", "https://mcp.example.com/mcp?api_key=canary"),
        ("url", "https://mcp.example.com/mcp?a=1&access%5ftoken=canary"),
        ("transport", "stdio"),
        ("transport", "websocket"),
        ("auth", {"scheme": "magic"}),
        ("auth", {"scheme": "bearer", "token": "canary-secret"}),
        ("auth", {"scheme": "header", "header": "Host"}),
        ("auth", {"scheme": "header", "header": "Mcp-Session-Id"}),
        ("auth", {"scheme": "header", "header": "X-A\r\nX-B"}),
        ("auth", {"scheme": "oauth"}),
        ("auth", {"scheme": "oauth", "issuer": "https://169.254.169.254"}),
        ("auth", {"scheme": "oauth", "issuer": "https://id.example.com?x=1"}),
        ("headers", {"Authorization": "canary-secret"}),
        ("headers", {"X-Api-Key": "canary-secret"}),
        ("headers", {"Host": "inside"}),
        ("headers", {"X-A": "b\r\nX-C: d"}),
        ("headers", {"X-A": "\u00e9"}),
        ("timeout_s", 0),
        ("timeout_s", 10_000),
        ("limits", {"requests": 10_000}),
        ("secret_name", "samcp/connections/other"),
        ("command", "/bin/sh"),
    ],
)
def test_what_is_refused(field: str, value: Any) -> None:
    """On construction, with the field's name and never its value."""
    with pytest.raises(ValidationError):
        ConnectionSettings(**{**GOOD, field: value})
    with pytest.raises(MCPClientConfigurationError) as caught:
        ConnectionSettings.parse({**GOOD, field: value})
    assert field in caught.value.message
    assert "canary" not in caught.value.message


@pytest.mark.parametrize(
    "stored", ["[" * 100_000, '{"a":' * 100_000, "{", "[]", "null", "7", '{"url": ' + "9" * 5000 + "}"]
)
def test_what_is_no_json_object_is_refused(stored: str) -> None:
    """Of whatever depth and size: the same clear error, as a row may be written by somebody else."""
    with pytest.raises(MCPClientConfigurationError):
        ConnectionSettings.parse_json(stored)


def test_stdio_is_refused_with_a_reason() -> None:
    """It would run a command."""
    with pytest.raises(MCPClientConfigurationError, match="run a command"):
        ConnectionSettings.parse({**GOOD, "transport": "stdio"})


def test_a_developers_port_must_be_opened_explicitly() -> None:
    """For `make run`; construction alone never takes it."""
    stored = {**GOOD, "url": "http://127.0.0.1:8123/mcp"}
    assert ConnectionSettings.parse(stored, loopback_ports=frozenset({8123})).url == "http://127.0.0.1:8123/mcp"


def test_the_secret_is_the_connections_own() -> None:
    """Derived from the name: no connection can send another's secret to its own server."""
    assert ConnectionSettings(**GOOD).secret_name == SECRET_PREFIX + "docs"
