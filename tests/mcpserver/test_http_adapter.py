"""The HTTP door: every row of SPEC 2.3's table, and the order of the checks."""

import json
from typing import Any

import pytest

from mcpserver import http_handler, tool
from mcpserver.http_adapter import MAX_BODY_BYTES
from tests.fixture_servers import HOST, ORIGIN, AddingServer, serving
from tests.mcpserver.posts import (
    JSON_HEADERS,
    error_code,
    modern_headers,
    modern_request,
    post,
    post_modern,
    read,
    request,
    rest_event,
)

HANDLER = http_handler(AddingServer(), default_receivers=False)
GUARDED = http_handler(
    AddingServer(),
    allowed_origins=[ORIGIN, "http://127.0.0.1:*"],
    allowed_hosts=[HOST, "::1"],
    needs_principal=True,
    resource_metadata_url="https://mcp.example.com/.well-known/oauth-protected-resource",
    default_receivers=False,
)
KEY = {"requestContext": {"authorizer": {"principalId": "key-1"}}}


@pytest.mark.parametrize(
    "message",
    [
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "method": "no/such"},
        {"jsonrpc": "2.0", "id": 1, "result": {}},
        {"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": "m"}},
        [{"jsonrpc": "2.0", "method": "notifications/initialized"}, {"jsonrpc": "2.0", "id": 1, "result": {}}],
    ],
)
@pytest.mark.parametrize("accept", ["application/json, text/event-stream", "text/event-stream"])
def test_notifications_and_responses_get_202_and_nothing(message: Any, accept: str) -> None:
    """SPEC 2.3; HOSTS rule 6: 200 makes Codex give up."""
    response = post(HANDLER, message, {"accept": accept})
    assert (response["statusCode"], response["body"]) == (202, "")
    assert "Content-Type" not in response["headers"]


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "PATCH", "HEAD", "get", "TRACE"])
def test_other_methods_are_405_before_authentication(method: str) -> None:
    """SPEC 2.3; HOSTS rule 7: Gemini CLI drops the server on 400, 401 or 406."""
    response = GUARDED(rest_event(None, {"host": HOST, "accept": "text/event-stream"}, httpMethod=method), None)
    assert (response["statusCode"], response["headers"]["Allow"]) == (405, "POST")
    assert (response["body"] == "") is (method == "HEAD")
    if method != "HEAD":
        assert read(response)["error"]["code"] == -32600


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        (None, 200),
        (ORIGIN, 200),
        ("http://127.0.0.1:5173", 200),
        ("http://127.0.0.1", 200),
        ("https://127.0.0.1:5173", 403),
        ("http://127.0.0.1.evil.example:80", 403),
        ("https://mcp.example.com.evil.example", 403),
        ("https://mcp.example.com:8443", 403),
        ("http://mcp.example.com", 403),
        ("null", 403),
        ("", 403),
        ("*", 403),
        ("https://evil.example", 403),
    ],
)
def test_an_origin_that_is_not_allowed_is_403(origin: str | None, status: int) -> None:
    """MCP basic/transports, security warning: servers MUST validate the Origin header; an absent one is fine."""
    headers = {"host": HOST} | ({} if origin is None else {"origin": origin})
    response = post(GUARDED, request("ping"), headers, **KEY)
    assert response["statusCode"] == status
    # A page that may not call may not read the refusal either.
    assert ("Access-Control-Allow-Origin" in response["headers"]) is (status == 200 and origin is not None)


@pytest.mark.parametrize(
    ("host", "status"),
    [
        (HOST, 200),
        (f"{HOST}:443", 200),
        (HOST.upper(), 200),
        ("[::1]:3000", 200),
        ("evil.example", 421),
        (f"{HOST}.evil.example", 421),
        (f"evil@{HOST}", 421),
        ("", 421),
        ("[::1", 421),
        ("127.0.0.1", 421),
    ],
)
def test_a_host_that_is_not_ours_is_421(host: str, status: int) -> None:
    """DNS rebinding: the browser's name for us is the attacker's. RFC 9110, 15.5.20."""
    assert post(GUARDED, request("ping"), {"host": host}, **KEY)["statusCode"] == status


def test_origin_and_host_are_not_checked_where_they_are_not_set() -> None:
    """SPEC 2.3: off by default."""
    assert post(HANDLER, request("ping"), {"host": "x.example", "origin": "https://y.example"})["statusCode"] == 200


def test_the_environment_sets_origins_and_hosts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The template and the local gateway set them: comma-separated."""
    monkeypatch.setenv("SAMCP_ALLOWED_ORIGINS", f"{ORIGIN}, https://b.example")
    monkeypatch.setenv("SAMCP_ALLOWED_HOSTS", f" {HOST} ")
    handler = http_handler(AddingServer(), default_receivers=False)
    assert post(handler, request("ping"), {"host": HOST, "origin": "https://b.example"})["statusCode"] == 200
    assert post(handler, request("ping"), {"host": HOST, "origin": "https://c.example"})["statusCode"] == 403
    assert post(handler, request("ping"), {"host": "c.example"})["statusCode"] == 421


def test_a_body_of_the_limit_is_read_and_one_byte_more_is_413() -> None:
    """SPEC 2.3: 1 MiB by default, -32600; counted in bytes, not characters."""
    ping = json.dumps(request("ping"))
    exact = ping + " " * (MAX_BODY_BYTES - len(ping))
    assert HANDLER(rest_event(exact, JSON_HEADERS), None)["statusCode"] == 200
    response = HANDLER(rest_event(exact + " ", JSON_HEADERS), None)
    assert (response["statusCode"], read(response)["error"]["code"]) == (413, -32600)
    small = http_handler(AddingServer(), max_body_bytes=60, default_receivers=False)
    assert small(rest_event(f'"{"é" * 30}"', JSON_HEADERS), None)["statusCode"] == 413


@pytest.mark.parametrize(
    "body", ["", " ", "{", "nul", "NaN", '{"a": Infinity}', "[1,]", "{'a': 1}", "\ufeff\ufeff{}", "1 2"]
)
def test_what_is_no_json_is_a_parse_error_without_an_id(body: str) -> None:
    """JSON-RPC 2.0, section 5: the id is null where it could not be read."""
    for headers in (JSON_HEADERS, {**JSON_HEADERS, "mcp-protocol-version": "2026-07-28"}):
        response = HANDLER(rest_event(body, headers), None)
        answer = read(response)
        assert (response["statusCode"], answer["error"]["code"], answer["id"]) == (400, -32700, None)


@pytest.mark.parametrize("message", [5, "text", True, None, 1.5])
def test_json_that_is_no_object_is_an_invalid_request(message: Any) -> None:
    """SPEC 2.3: 400, -32600."""
    response = post(HANDLER, message)
    assert (response["statusCode"], error_code(read(response)), read(response)["id"]) == (400, -32600, None)


@pytest.mark.parametrize(
    ("version", "status", "code"),
    [
        ("2099-01-01", 400, -32600),
        ("latest", 400, -32600),
        ("2025-11-25, 2025-11-25", 400, -32600),
        ("2025-11-25", 200, None),
        ("2024-11-05", 200, None),
        ("", 200, None),
    ],
)
def test_an_unknown_version_header_is_400(version: str, status: int, code: int | None) -> None:
    """MCP 2025-06-18, transports: an invalid or unsupported version MUST be 400; an empty header is absent."""
    for message in (request("ping"), request("tools/call", {"name": "add", "arguments": {"a": 1, "b": 1}})):
        response = post(HANDLER, message, {"mcp-protocol-version": version})
        assert (response["statusCode"], error_code(read(response))) == (status, code)


def test_initialize_ignores_an_unknown_version_header() -> None:
    """SPEC 2.3: the version is what `initialize` is about to agree on."""
    response = post(HANDLER, request("initialize", {}), {"mcp-protocol-version": "2099-01-01"})
    assert (response["statusCode"], read(response)["result"]["protocolVersion"]) == (200, "2025-11-25")


def test_an_unknown_modern_version_says_which_are_supported() -> None:
    """MCP 2026-07-28: -32022 with `supported` and `requested`; modern versions only."""
    message = modern_request("tools/list")
    message["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = "2099-01-01"
    response = post_modern(HANDLER, message, mcp_protocol_version="2099-01-01")
    assert response["statusCode"] == 400
    assert read(response)["error"]["code"] == -32022
    assert read(response)["error"]["data"] == {"supported": ["2026-07-28"], "requested": "2099-01-01"}


@tool
def crash() -> str:
    """Crash."""
    raise RuntimeError("CANARY")


MISTAKES = [
    ("no/such", {}, -32601, 404),
    ("tools/call", {"name": "nope", "arguments": {}}, -32602, 400),
    ("tools/list", {"cursor": "more"}, -32602, 400),
    ("tools/call", {"name": "crash", "arguments": {}}, -32603, 200),
]


@pytest.mark.parametrize(("method", "params", "code", "modern_status"), MISTAKES)
def test_an_error_in_a_valid_envelope_is_200_in_the_handshake_era(
    method: str, params: dict[str, Any], code: int, modern_status: int
) -> None:
    """HOSTS rule 5: real clients throw away the text of a 4xx."""
    response = post(http_handler(serving(crash), default_receivers=False), request(method, params))
    assert (response["statusCode"], error_code(read(response)), read(response)["id"]) == (200, code, 1)


@pytest.mark.parametrize(("method", "params", "code", "modern_status"), MISTAKES)
def test_an_error_has_its_status_in_the_modern_era(
    method: str, params: dict[str, Any], code: int, modern_status: int
) -> None:
    """MCP 2026-07-28, streamable HTTP: -32602 is 400, -32601 is 404, -32603 is 200."""
    handler = http_handler(serving(crash), default_receivers=False)
    response = post_modern(handler, modern_request(method, params))
    assert (response["statusCode"], error_code(read(response)), read(response)["id"]) == (modern_status, code, 1)


def test_a_tools_own_error_is_200_in_both_eras() -> None:
    """SPEC 2.3: tool errors -> 200: the model reads them."""
    call = {"name": "add", "arguments": {}}
    for response in (
        post(HANDLER, request("tools/call", call)),
        post_modern(HANDLER, modern_request("tools/call", call)),
    ):
        assert (response["statusCode"], read(response)["result"]["isError"]) == (200, True)


def test_without_credentials_it_is_401_with_a_challenge() -> None:
    """MCP authorization; RFC 9728, 5.1: where the metadata is; HOSTS rule 9: CORS headers on a 401 too."""
    response = post(GUARDED, request("ping"), {"host": HOST, "origin": ORIGIN})
    assert (response["statusCode"], read(response)["error"]["code"]) == (401, -32001)
    challenge = 'Bearer resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource"'
    assert response["headers"]["WWW-Authenticate"] == challenge
    assert response["headers"]["Access-Control-Allow-Origin"] == ORIGIN


@pytest.mark.parametrize(
    "path", ["/.well-known/oauth-protected-resource", "/lab/mcp/.well-known/openid-configuration", "/register"]
)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_oauth_paths_that_we_do_not_offer_are_404_in_json(path: str, method: str) -> None:
    """HOSTS rule 9."""
    event = rest_event(None, {"host": HOST}, path=path, httpMethod=method)
    response = GUARDED(event, None)
    assert (response["statusCode"], response["headers"]["Content-Type"]) == (404, "application/json")
    assert "error" in read(response)


STEPS: list[tuple[int, dict[str, Any]]] = [
    (403, {"headers": {"origin": "https://evil.example"}}),
    (421, {"headers": {"host": "evil.example"}}),
    (405, {"httpMethod": "PUT"}),
    (401, {"requestContext": {}}),
    (415, {"headers": {"content-encoding": "gzip"}}),
    (415, {"headers": {"content-type": "text/plain"}}),
    (406, {"headers": {"accept": "text/html"}}),
    (413, {"body": " " * (MAX_BODY_BYTES + 1)}),
    (400, {"body": "{"}),
]
"""The checks in their order: each with what makes it fail."""


@pytest.mark.parametrize("first", range(len(STEPS)))
@pytest.mark.parametrize("second", range(len(STEPS)))
def test_of_two_failing_checks_the_earlier_one_answers(first: int, second: int) -> None:
    """SPEC 2.3: one order, so that a refusal never tells more than its sender may know."""
    headers = {**JSON_HEADERS, "host": HOST, "origin": ORIGIN}
    event: dict[str, Any] = {"body": json.dumps(request("ping")), **KEY}
    for _, broken in (STEPS[max(first, second)], STEPS[min(first, second)]):
        headers |= broken.get("headers", {})
        event |= {name: value for name, value in broken.items() if name != "headers"}
    body = event.pop("body")
    assert GUARDED(rest_event(body, headers, **event), None)["statusCode"] == STEPS[min(first, second)][0]


@pytest.mark.parametrize("place", ["method", "jsonrpc", "name", "arguments", "cursor", "_meta", "header", "version"])
def test_no_error_repeats_what_was_sent(place: str) -> None:
    """Our own choice: an attacker's text must not come back in a log or a page; the id alone is echoed."""
    for message in (request("tools/call", {"name": "add"}), modern_request("tools/call", {"name": "add"})):
        headers = modern_headers(message) if "_meta" in message["params"] else dict(JSON_HEADERS)
        if place in ("method", "jsonrpc"):
            message[place] = "CANARY"
        elif place == "header":
            headers["mcp-name"] = "CANARY"
        elif place == "version":
            headers["mcp-protocol-version"] = "CANARY"
        else:
            message["params"][place] = "CANARY"
        if place == "cursor":
            message["method"] = headers["mcp-method"] = "tools/list"
        assert "CANARY" not in HANDLER(rest_event(json.dumps(message), headers), None)["body"]
