"""What becomes of a function's answer. Source: API Gateway Developer Guide, Lambda proxy output format."""

from typing import Any

import pytest

from tests.local.served import Answer, Server


def answered(server: Server, answer: dict[str, Any], **headers: str) -> Answer:
    """Let the echo function answer *answer*."""
    return server.post("/echo", {"answer": answer}, headers)


def test_status_headers_and_body_leave_as_they_are(server: Server) -> None:
    """Numbers and truth in headers become text; a status may be text."""
    answer = answered(server, {"statusCode": "201", "headers": {"X-A": 1, "X-B": True, "X-C": None}, "body": "é"})
    assert (answer.status, answer.body.decode()) == (201, "é")
    assert (answer.headers["X-A"], answer.headers["X-B"], answer.headers["X-C"]) == ("1", "true", None)


def test_a_header_loses_the_spaces_around_it(server: Server) -> None:
    """RFC 9110, 5.5: they are no part of its value."""
    answer = answered(server, {"statusCode": 200, "headers": {"X-A": "  a b\t", "X-B": "", "X-C": " "}})
    assert (answer.headers["X-A"], answer.headers["X-B"], answer.headers["X-C"]) == ("a b", "", "")


def test_a_multi_value_header_replaces_the_single_one(server: Server) -> None:
    """If both forms name it, only the multi-value form is sent."""
    answer = answered(server, {"statusCode": 200, "headers": {"x-a": "0"}, "multiValueHeaders": {"X-A": ["1", "2"]}})
    assert answer.headers.get_all("X-A") == ["1", "2"]


def test_without_a_content_type_it_is_json(server: Server) -> None:
    """API Gateway adds it to a body; a bodiless 202 stays without, as MCP hosts want it (docs/operating.md)."""
    assert answered(server, {"statusCode": 200, "body": "{}"}).headers["Content-Type"] == "application/json"
    assert answered(server, {"statusCode": 202}).headers["Content-Type"] is None


def test_a_challenge_leaves_under_another_name(server: Server) -> None:
    """API Gateway, important notes: the reason why the 401 is a gateway response."""
    answer = answered(server, {"statusCode": 401, "headers": {"WWW-Authenticate": "Bearer"}})
    assert answer.headers["WWW-Authenticate"] is None
    assert answer.headers["x-amzn-remapped-www-authenticate"] == "Bearer"


def test_base64_is_decoded_only_for_a_caller_that_accepts_the_binary_type(server: Server) -> None:
    """API Gateway, binary media types: the first type of Accept decides."""
    answer = {"statusCode": 200, "body": "iVBORw==", "isBase64Encoded": True, "headers": {"Content-Type": "image/png"}}
    assert answered(server, answer, Accept="image/png, */*").body == b"\x89PNG"
    assert answered(server, answer, Accept="*/*").body == b"iVBORw=="


def test_a_204_has_no_body(server: Server) -> None:
    """RFC 9110, 15.3.5."""
    assert answered(server, {"statusCode": 204, "body": "x"}).body == b""


@pytest.mark.parametrize(
    "answer",
    [
        {"statusCode": "ok"},
        {"statusCode": 42},
        *({"statusCode": status} for status in (None, True, 200.5, "2_00", " 200", "٢٠٠", 1e400, 100, 99999, [200])),
        *({"statusCode": 200, "headers": {name: "a"}} for name in ("", "X A", "X:A", "X-É", "X-A\r\nX-B")),
        *({"statusCode": 200, "headers": {"X-A": value}} for value in ("a\x01", "a\x00", "\x7f", ["a"])),
        *({"statusCode": 200, "multiValueHeaders": {"X-A": values}} for values in ("ab", 5, None, {"a": 1}, [None])),
        {"statusCode": 200, "body": {"a": 1}},
        {"statusCode": 200, "headers": ["a"]},
        {"statusCode": 200, "headers": {"X-A": {"b": 1}}},
        {"statusCode": 200, "headers": {"X-A": "a\r\nX-B: b"}},
        {"statusCode": 200, "more": 1},
        {"statusCode": 200, "body": "%", "isBase64Encoded": True},
    ],
)
def test_what_is_not_a_proxy_response_is_502(server: Server, answer: dict[str, Any]) -> None:
    """API Gateway: malformed Lambda proxy response."""
    assert answered(server, answer, Accept="image/png").status == 502
