"""The event that a function gets. Source: API Gateway Developer Guide, Lambda proxy input format."""

import base64

from tests.local.served import Server


def test_repeated_headers_and_parameters_come_last_and_all(server: Server) -> None:
    """Payload format 1.0: the single form holds the last value, the multi-value form all."""
    event = server.event("GET", "/items/1?a=1&a=2&empty=&b=%C3%A9", headers={"X-Two": "y"})
    assert event["queryStringParameters"] == {"a": "2", "empty": "", "b": "é"}
    assert event["multiValueQueryStringParameters"] == {"a": ["1", "2"], "empty": [""], "b": ["é"]}
    assert event["multiValueHeaders"]["x-two"] == ["y"]


def test_what_a_request_lacks_is_null(server: Server) -> None:
    """Payload format 1.0."""
    event = server.event("POST", "/echo")
    absent = ("body", "queryStringParameters", "multiValueQueryStringParameters", "pathParameters")
    assert [event[name] for name in absent] == [None] * 4
    assert event["isBase64Encoded"] is False


def test_a_body_is_text_even_when_it_is_not_utf8(server: Server) -> None:
    """API Gateway without a binary media type: bytes that are not UTF-8 arrive damaged."""
    event = server.event("POST", "/echo", b'"caf\xe9"', {"Content-Type": "application/json"})
    assert (event["body"], event["isBase64Encoded"]) == ('"caf\ufffd"', False)


def test_a_body_of_a_binary_media_type_is_base64(server: Server) -> None:
    """API Gateway, binary media types."""
    event = server.event("POST", "/echo", b"\x89PNG", {"Content-Type": "image/png; q=1"})
    assert (base64.b64decode(event["body"]), event["isBase64Encoded"]) == (b"\x89PNG", True)


def test_the_request_context_says_who_and_what(server: Server) -> None:
    """Payload format 1.0, requestContext."""
    event = server.event("GET", "/live/items/7", headers={"User-Agent": "probe"})
    context = event["requestContext"]
    assert (context["httpMethod"], context["resourcePath"], context["stage"]) == ("GET", "/items/{id}", "live")
    assert (context["identity"]["sourceIp"], context["identity"]["userAgent"]) == ("127.0.0.1", "probe")
    assert context["protocol"] == "HTTP/1.1"
    assert isinstance(context["requestTimeEpoch"], int)
    assert event["stageVariables"] == {"url": "https://example.com"}
    assert "authorizer" not in context


def test_headers_of_the_connection_stay_out_and_those_of_the_gateway_come_in(server: Server) -> None:
    """RFC 9110, 7.6.1; API Gateway adds where the caller was."""
    event = server.event("POST", "/echo", headers={"Connection": "keep-alive", "X-Forwarded-For": "10.0.0.1"})
    assert "connection" not in event["headers"]
    assert event["headers"]["X-Forwarded-For"] == "10.0.0.1, 127.0.0.1"
    assert event["headers"]["X-Forwarded-Port"] == str(server.port)
    assert event["headers"]["X-Amzn-Trace-Id"].startswith("Root=1-")
