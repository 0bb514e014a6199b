"""The proxy answer: CORS, event streams, and the 6 MB that Lambda can carry."""

import json
from typing import Any

import pytest
from mcp_types import SERVER_INFO_META_KEY

from mcpserver import http_handler, image, tool
from mcpserver.http_response import MAX_RESPONSE_BYTES, event_stream, is_too_large, preflight_headers
from tests.fixture_servers import AddingServer, serving
from tests.mcpserver.posts import JSON_HEADERS, modern_request, post, post_modern, read, request, rest_event, text_of

ORIGIN = "https://app.example.com"


@tool
def picture(kilobytes: int) -> Any:
    """Return an image of some size."""
    return image(b"\0" * 750 * kilobytes)


HANDLER = http_handler(serving(picture), default_receivers=False)


def test_any_origin_may_read_where_none_is_named() -> None:
    """No answer depends on a cookie, so `*` gives nothing away. HOSTS rule 9: CORS headers on every answer."""
    for message in (request("ping"), {}, {"jsonrpc": "2.0", "method": "notifications/initialized"}):
        headers = post(HANDLER, message, {"origin": ORIGIN})["headers"]
        assert headers["Access-Control-Allow-Origin"] == "*"
        for exposed in ("WWW-Authenticate", "Retry-After"):
            assert exposed in headers["Access-Control-Expose-Headers"]


def test_a_named_origin_is_repeated_and_the_answer_varies_by_it() -> None:
    """Fetch standard, CORS protocol and HTTP caches."""
    handler = http_handler(AddingServer(), allowed_origins=[ORIGIN], default_receivers=False)
    headers = post(handler, request("ping"), {"origin": ORIGIN})["headers"]
    assert (headers["Access-Control-Allow-Origin"], headers["Vary"]) == (ORIGIN, "Origin")
    without = post(handler, request("ping"))["headers"]
    assert ("Access-Control-Allow-Origin" in without, without["Vary"]) == (False, "Origin")


def test_credentials_are_never_allowed_by_cors() -> None:
    """With a repeated origin, `Allow-Credentials` would let a page use the browser's cookies."""
    handler = http_handler(AddingServer(), allowed_origins=[ORIGIN], default_receivers=False)
    for response in (post(handler, request("ping"), {"origin": ORIGIN}), _preflight(ORIGIN)):
        assert "Access-Control-Allow-Credentials" not in response["headers"]


def _preflight(origin: str, asked: str = "") -> dict[str, Any]:
    handler = http_handler(AddingServer(), allowed_origins=[ORIGIN], default_receivers=False)
    headers = {"origin": origin, "access-control-request-headers": asked}
    return handler(rest_event(None, headers, httpMethod="OPTIONS"), None)


def test_a_preflight_names_every_header_that_a_client_sends() -> None:
    """SPEC 2.3, the OPTIONS row."""
    response = _preflight(ORIGIN)
    assert (response["statusCode"], response["body"]) == (204, "")
    assert "Content-Type" not in response["headers"]
    allowed = response["headers"]["Access-Control-Allow-Headers"].lower().split(", ")
    for name in (
        "content-type",
        "accept",
        "authorization",
        "x-api-key",
        "mcp-protocol-version",
        "mcp-method",
        "mcp-name",
        "mcp-session-id",
        "last-event-id",
    ):
        assert name in allowed
    assert "POST" in response["headers"]["Access-Control-Allow-Methods"]


def test_a_preflight_allows_the_param_headers_that_it_asks_for_and_nothing_else() -> None:
    """SPEC 2.3: `Mcp-Param-*`; a name that is none could split the header."""
    asked = {"access-control-request-headers": "Mcp-Param-Region, x-evil, mcp-param-a\r\nb, mcp-param-é, mcp-param-x_y"}
    allowed = preflight_headers(asked)["Access-Control-Allow-Headers"]
    assert "Mcp-Param-Region" in allowed
    assert "mcp-param-x_y" in allowed
    assert "evil" not in allowed
    assert "\n" not in allowed
    assert "é" not in allowed


def test_a_preflight_from_an_origin_that_is_not_allowed_is_403() -> None:
    """SPEC 2.3: an allow-list of origins."""
    assert _preflight("https://evil.example")["statusCode"] == 403


def test_an_event_stream_is_one_event_for_each_message() -> None:
    """WHATWG HTML, server-sent events: data lines, a blank line after each event, no other field."""
    text = event_stream([{"a": "x\ny"}, {"b": 1}])
    assert text == 'event: message\ndata: {"a":"x\\ny"}\n\nevent: message\ndata: {"b":1}\n\n'


@pytest.mark.parametrize("character", ["\n", "\r", "\u2028", "\u0085"])
def test_no_text_can_break_out_of_its_event(character: str) -> None:
    """JSON escapes line breaks; U+2028 and U+0085 are no line ends to a reader of server-sent events."""
    handler = http_handler(AddingServer(), default_receivers=False)
    message = request("tools/call", {"name": "echo", "arguments": {"text": f"a{character}data: b"}})
    response = post(handler, message, {"accept": "text/event-stream"})
    lines = response["body"].replace("\r\n", "\n").replace("\r", "\n").split("\n")
    assert [line.partition(":")[0] for line in lines if line] == ["event", "data"]
    assert json.loads(lines[1].removeprefix("data: "))["result"]["content"][0]["text"] == f"a{character}data: b"


@pytest.mark.parametrize("accept", ["application/json", "text/event-stream"])
@pytest.mark.parametrize("is_modern", [False, True])
def test_an_answer_larger_than_lambda_carries_is_an_error_for_the_model(accept: str, is_modern: bool) -> None:  # noqa: FBT001
    """SPEC 2.3: a tool result with isError that says so, never a 502."""
    call = {"name": "picture", "arguments": {"kilobytes": 6_100}}
    if is_modern:
        response = post_modern(HANDLER, modern_request("tools/call", call), accept=accept)
    else:
        response = post(HANDLER, request("tools/call", call), {"accept": accept})
    answer = read(response)
    assert (response["statusCode"], answer["id"], answer["result"]["isError"]) == (200, 1, True)
    assert "6 MB" in text_of(answer)
    assert ("resultType" in answer["result"]) is is_modern
    assert (SERVER_INFO_META_KEY in answer["result"].get("_meta", {})) is is_modern


def test_an_answer_that_just_fits_is_sent() -> None:
    """Lambda quotas: 6 MB; the guard must not cost what fits."""
    response = post(HANDLER, request("tools/call", {"name": "picture", "arguments": {"kilobytes": 5_900}}))
    assert read(response)["result"]["isError"] is False


def test_a_batch_larger_than_lambda_carries_keeps_its_small_answers() -> None:
    """One POST, one answer of at most 6 MB: each large result says so by itself."""
    sizes = [3_500, 1, 3_500]
    batch = [request("tools/call", {"name": "picture", "arguments": {"kilobytes": size}}, size) for size in sizes]
    answers = read(post(HANDLER, batch))
    assert [answer["id"] for answer in answers] == sizes
    assert [answer["result"]["isError"] for answer in answers] == [True, False, True]


@pytest.mark.parametrize("text", ['"', "\\", "é", "\u20ac", "\U0001f600", "\x01"])
def test_the_size_is_that_of_the_json_which_carries_the_body(text: str) -> None:
    """Lambda writes the body as one JSON string: a quote takes two bytes, a control character six."""
    carried = len(json.dumps(text, ensure_ascii=False).encode()) - 2
    fits = (MAX_RESPONSE_BYTES - 2) // carried
    assert is_too_large(text * fits) is False
    assert is_too_large(text * (fits + 1)) is True


def test_a_load_balancer_gets_multi_value_headers() -> None:
    """Lambda with ALB: with multi-value headers enabled, only such headers are read."""
    event = rest_event(json.dumps(request("ping")), JSON_HEADERS, requestContext={"elb": {}})
    response = HANDLER(event, None)
    assert response["multiValueHeaders"]["Content-Type"] == ["application/json"]
    assert "multiValueHeaders" not in post(HANDLER, request("ping"))


@pytest.mark.parametrize("headers", [{}, {"mcp-session-id": "abc"}])
def test_no_answer_ever_names_a_session(headers: dict[str, str]) -> None:
    """SPEC 2.3: never `Mcp-Session-Id`: any instance can answer any request."""
    for message in (request("initialize", {}), request("ping"), {}):
        response = post(HANDLER, message, headers)
        assert "mcp-session-id" not in {name.lower() for name in response["headers"]}
