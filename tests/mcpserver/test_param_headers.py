"""`x-mcp-header`: arguments that a client repeats as headers, checked as the SDK checks them.

Source: MCP 2026-07-28, streamable HTTP, custom headers from tool parameters; `mcp.shared.inbound` is the oracle.
"""

import json
from typing import Annotated, Any

import pytest
from mcp.shared.inbound import encode_header_value, find_invalid_x_mcp_header, validate_mcp_param_headers
from pydantic import BaseModel, Field

from mcpserver import http_handler, tool
from tests.fixture_servers import SearchLogs, serving
from tests.mcpserver.posts import error_code, modern_headers, modern_request, post_modern, read, rest_event, text_of


class Where(BaseModel):
    """A nested object with a header of its own."""

    zone: str = Field("", json_schema_extra={"x-mcp-header": "Zone"})


class Routed(BaseModel):
    """Arguments that a proxy routes on."""

    region: str = Field(json_schema_extra={"x-mcp-header": "Region"})
    shard: int = Field(0, json_schema_extra={"x-mcp-header": "Shard"})
    is_dry: bool = Field(False, json_schema_extra={"x-mcp-header": "Dry"})  # noqa: FBT003 -- a field's default
    where: Where = Field(default_factory=Where)


class Route(SearchLogs):
    """A tool with `x-mcp-header` properties."""

    name = "route"
    arguments_model: type[BaseModel] = Routed

    def run(self, _arguments: Any) -> Any:
        """Return nothing much."""
        return "routed"


ROUTE = Route()
ROUTED = http_handler(serving(ROUTE), default_receivers=False)
HEADER_TEXTS = ["eu", "EU", "7", "7.0", "7e0", "1_0", "true", "True", "", "=?base64?ZXU=?=", "=?base64?Nw==?="]
BIG = 2**53
PARAM_CASES: list[tuple[dict[str, Any], dict[str, str]]] = [
    *[({"region": "eu"}, {"region": text}) for text in HEADER_TEXTS],
    *[({"region": "eu", "shard": 7}, {"region": "eu", "shard": text}) for text in HEADER_TEXTS],
    *[({"region": "eu", "shard": 10}, {"region": "eu", "shard": text}) for text in ("10", "1_0", "1e1")],
    *[({"region": "eu", "shard": BIG}, {"region": "eu", "shard": str(BIG + more)}) for more in (0, 1)],
    ({"region": "eu", "shard": 7.0}, {"region": "eu", "shard": "7"}),
    *[({"region": "eu", "is_dry": True}, {"region": "eu", "dry": text}) for text in HEADER_TEXTS],
    ({"region": "eu"}, {}),
    ({"region": "eu"}, {"region": "eu", "shard": "0"}),
    ({"region": "eu", "shard": None}, {"region": "eu"}),
    ({"region": "eu", "where": {"zone": "a"}}, {"region": "eu", "zone": "a"}),
    ({"region": "eu", "where": {"zone": "a"}}, {"region": "eu", "zone": "b"}),
    ({"region": "eu", "where": {"zone": "a"}}, {"region": "eu"}),
    ({"region": "eu", "where": "a"}, {"region": "eu"}),
    ({"region": "eu"}, {"region": "eu", "unknown": "x"}),
    ({"region": "straße"}, {"region": encode_header_value("straße")}),
]


@pytest.mark.parametrize(("arguments", "params"), PARAM_CASES)
def test_param_headers_agree_with_the_sdks_check(arguments: dict[str, Any], params: dict[str, str]) -> None:
    """SPEC 2.3: `Mcp-Param-*` disagree: -32020; the oracle is `validate_mcp_param_headers`."""
    headers = {f"mcp-param-{token}": value for token, value in params.items()}
    message = modern_request("tools/call", {"name": "route", "arguments": arguments})
    verdict = validate_mcp_param_headers(ROUTE.input_schema(), arguments, headers)
    found = error_code(read(ROUTED(rest_event(json.dumps(message), modern_headers(message) | headers), None)))
    assert found == (None if verdict is None else verdict.code)


def test_a_number_with_leading_zeros_is_no_repetition() -> None:
    """Our own choice, stricter than the SDK: a proxy that compares text sees another value."""
    message = modern_request("tools/call", {"name": "route", "arguments": {"region": "eu", "shard": 7}})
    response = post_modern(ROUTED, message, mcp_param_region="eu", mcp_param_shard="07")
    assert error_code(read(response)) == -32020


def test_param_headers_mean_nothing_in_the_handshake_era() -> None:
    """They came with 2026-07-28."""
    server = serving(ROUTE)
    message = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "route", "arguments": {"region": "eu"}},
    }
    assert text_of(server.handle(message)) == "routed"


BAD_HEADERS: list[Any] = ["a b", "", "é", 5, ["x"], "a:b"]


@pytest.mark.parametrize("token", BAD_HEADERS)
def test_a_header_name_that_is_no_token_is_refused_when_the_server_is_made(token: Any) -> None:
    """RFC 9110, 5.6.2; conforming clients drop the whole tool."""
    field = Field(json_schema_extra={"x-mcp-header": token})

    @tool
    def bad(region: Annotated[str, field]) -> str:
        """Bad."""
        return region

    assert find_invalid_x_mcp_header(bad.input_schema()) is not None
    with pytest.raises(ValueError, match="x-mcp-header"):
        serving(bad)


@pytest.mark.parametrize("kind", [float, list[str], dict[str, str], int | str])
def test_a_header_on_anything_but_text_integer_or_boolean_is_refused(kind: Any) -> None:
    """MCP 2026-07-28, custom headers: a number's text differs between languages."""

    @tool
    def bad(region: Annotated[kind, Field(json_schema_extra={"x-mcp-header": "Region"})]) -> str:
        """Bad."""
        return str(region)

    assert find_invalid_x_mcp_header(bad.input_schema()) is not None
    with pytest.raises(ValueError, match="x-mcp-header"):
        serving(bad)


def test_a_header_inside_a_list_is_refused() -> None:
    """MCP 2026-07-28: only properties reachable through `properties` alone; conforming clients drop the tool."""

    @tool
    def bad(places: list[Where]) -> str:
        """Bad."""
        return str(places)

    assert find_invalid_x_mcp_header(bad.input_schema()) is not None
    with pytest.raises(ValueError, match="x-mcp-header"):
        serving(bad)
