"""Media types: what a body is, and what its sender can read. Source: RFC 9110, sections 8.3 and 12.5.1; SPEC 2.3."""

import pytest

from mcpserver import http_handler
from mcpserver.media import is_json, read_accept
from tests.fixture_servers import AddingServer
from tests.mcpserver.posts import post, read, request

HANDLER = http_handler(AddingServer(), default_receivers=False)


@pytest.mark.parametrize(
    ("accept", "json", "sse"),
    [
        ("", True, False),
        ("  ", True, False),
        ("*/*", True, False),
        ("application/json", True, False),
        ("application/*", True, False),
        ("APPLICATION/JSON", True, False),
        ("text/event-stream", False, True),
        ("text/*", False, True),
        ("application/json, text/event-stream", True, True),
        ("text/event-stream, application/json", True, True),
        ("application/json;q=0.5, text/event-stream;q=1", True, True),
        ("application/json;q=0, text/event-stream", False, True),
        ("*/*, application/json;q=0", False, True),
        ("*/*;q=0.1, text/event-stream;q=0", True, False),
        ("application/json;q=high", False, False),
        ("application/json;profile=x", True, False),
        ("text/html", False, False),
        ("text/html, */*;q=0.8", True, False),
        ("application/jsonx", False, False),
        (",,", False, False),
        ("application/json,,", True, False),
    ],
)
def test_an_accept_takes_json_or_a_stream_or_neither(accept: str, json: bool, sse: bool) -> None:  # noqa: FBT001
    """RFC 9110, 12.5.1: ranges, weights, and q=0 refuses."""
    found = read_accept(accept)
    assert (found.json, found.sse) == (json, sse)


@pytest.mark.parametrize(
    ("accept", "status", "content_type"),
    [
        ("", 200, "application/json"),
        ("*/*", 200, "application/json"),
        ("application/json", 200, "application/json"),
        ("application/json, text/event-stream", 200, "application/json"),
        ("text/event-stream, application/json", 200, "application/json"),
        ("text/event-stream", 200, "text/event-stream"),
        ("text/html", 406, "application/json"),
    ],
)
def test_the_answer_has_the_form_that_the_accept_takes(accept: str, status: int, content_type: str) -> None:
    """SPEC 2.3: always JSON, an event stream where nothing else is taken, 406 where neither is."""
    response = post(HANDLER, request("ping"), {"accept": accept})
    assert (response["statusCode"], response["headers"]["Content-Type"]) == (status, content_type)
    assert read(response)["jsonrpc"] == "2.0"


@pytest.mark.parametrize(
    ("content_type", "taken"),
    [
        ("application/json", True),
        ("Application/JSON", True),
        ("application/json; charset=utf-8", True),
        ("application/json;charset=UTF-8", True),
        ('application/json; charset="utf-8"', True),
        ("application/json; charset=us-ascii", True),
        ("application/json; charset=utf-16", False),
        ("application/json; charset=UTF-16LE", False),
        ('application/json; charset="utf-32"', False),
        ("application/json; charset = utf-16", False),
        ("application/json; profile=x; charset=utf16", False),
        ("", False),
        ("text/plain", False),
        ("text/json", False),
        ("application/x-www-form-urlencoded", False),
        ("multipart/form-data", False),
        ("application/json-rpc", False),
        ("application/vnd.api+json", False),
        ("application/json, text/plain", False),
    ],
)
def test_only_json_that_can_be_utf_8_is_taken(content_type: str, taken: bool) -> None:  # noqa: FBT001 -- a table's column
    """SPEC 2.3: any case, any charset but utf-16/32; the Fetch standard's simple types would need no preflight."""
    assert is_json(content_type) is taken
    response = post(HANDLER, request("ping"), {"content-type": content_type})
    assert response["statusCode"] == (200 if taken else 415)


@pytest.mark.parametrize(
    ("coding", "status"), [("gzip", 415), ("br", 415), ("zstd", 415), ("identity", 200), ("Identity", 200), ("", 200)]
)
def test_a_compressed_body_is_refused(coding: str, status: int) -> None:
    """HOSTS rule 14: a compressed request body is 415. RFC 9110, 8.4.1: codings are case-insensitive."""
    assert post(HANDLER, request("ping"), {"content-encoding": coding})["statusCode"] == status
