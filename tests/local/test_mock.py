"""MOCK integrations and CORS preflights: answered by API Gateway, no function called."""

import pytest

from tests.local.served import Server


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "PATCH"])
def test_a_method_beside_post_is_405_and_says_what_is_allowed(server: Server, method: str) -> None:
    """The template's any-method; RFC 9110, 15.5.6."""
    answer = server.call(method, "/echo")
    assert (answer.status, answer.headers["Allow"], answer.json()) == (405, "POST", {"path": "/echo"})


def test_accepting_an_event_stream_changes_nothing(server: Server) -> None:
    """HOSTS rule 7: hosts open their stream so."""
    assert server.call("GET", "/echo", headers={"Accept": "text/event-stream"}).status == 405


def test_a_media_type_without_template_is_415_where_nothing_passes_through(server: Server) -> None:
    """API Gateway, passthroughBehavior `never`; inherits DEFAULT_4XX and keeps its status."""
    answer = server.call("PUT", "/echo", b"<a/>", {"Content-Type": "text/xml"})
    assert (answer.status, answer.json()) == (415, {"default": 4})


def test_a_preflight_is_answered_for_every_path(server: Server) -> None:
    """SAM's Cors: a MOCK on OPTIONS."""
    for path in ("/echo", "/live/items/1", "/guarded"):
        answer = server.call("OPTIONS", path, headers={"Origin": "https://a.example"})
        assert answer.status == 200
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
        assert answer.headers["Access-Control-Allow-Headers"] == "X-Key"
