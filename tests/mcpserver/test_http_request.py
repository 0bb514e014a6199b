"""Events of each front door, read as one HTTP request; whatever is malformed reads as empty.

Source: AWS Lambda developer guide, the proxy event formats; `events/lab` holds one file of each kind.
"""

import base64
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcpserver import http_handler
from mcpserver.http_request import HttpRequest, read_event
from tests.fixture_servers import AddingServer
from tests.mcpserver.posts import JSON_HEADERS, http_event, read, request, rest_event

EVENTS = Path(__file__).parents[2] / "events" / "lab"
HANDLER = http_handler(AddingServer(), default_receivers=False)
PING = json.dumps(request("ping"))


def event_file(name: str) -> HttpRequest:
    """Return what is read of one file of events/lab."""
    return read_event(json.loads((EVENTS / f"{name}.json").read_text("utf-8")))


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("tools_call", "/lab/mcp"),
        ("v2_tools_call", "/lab/mcp"),
        ("v2_base64_tools_call", "/lab/mcp"),
        ("function_url_tools_call", "/"),
        ("alb_tools_call", "/lab/mcp"),
    ],
)
def test_every_front_door_reads_as_the_same_request(name: str, path: str) -> None:
    """SPEC 2.3: API Gateway REST (v1), HTTP API (v2), Function URL and ALB events."""
    found = event_file(name)
    assert (found.method, found.path) == ("POST", path)
    assert found.headers["content-type"] == "application/json"
    assert found.body is not None
    assert json.loads(found.body)["params"]["name"] == "calculator"
    assert found.principal is None


@pytest.mark.parametrize("name", ["Content-Type", "CONTENT-TYPE", "content-type", "cOnTeNt-TyPe"])
@pytest.mark.parametrize("event_of", [rest_event, http_event])
def test_header_names_are_read_in_any_case(name: str, event_of: Any) -> None:
    """RFC 9110, 5.1: names are case-insensitive; a REST API keeps the client's case."""
    assert read(HANDLER(event_of(PING, {name: "application/json"}), None))["result"] == {}


def test_several_values_of_a_header_are_joined() -> None:
    """The single-value form holds only the last: a header sent twice must not pass for one."""
    event = rest_event(
        PING, JSON_HEADERS, multiValueHeaders={"Accept": ["application/json", "text/plain"], "Empty": []}
    )
    assert read_event(event).headers == {"accept": "application/json, text/plain"}


def test_a_header_sent_twice_in_a_rest_event_never_passes_the_modern_ladder() -> None:
    """A proxy that read the first and a server that read the last would disagree."""
    event = json.loads((EVENTS / "modern_tools_call.json").read_text("utf-8"))
    event["multiValueHeaders"]["Mcp-Name"] = ["wiki_search", "calculator"]
    assert read(HANDLER(event, None))["error"]["code"] == -32020


def test_single_value_headers_are_enough() -> None:
    """A test event, a Function URL or a load balancer without multi-value headers has no others."""
    nothing: list[Any] = [None, {}, []]
    for multi_value in nothing:
        event = rest_event(PING, JSON_HEADERS, multiValueHeaders=multi_value)
        assert read(HANDLER(event, None))["result"] == {}


def test_white_space_around_a_value_is_not_part_of_it() -> None:
    """RFC 9110, 5.5: optional white space."""
    assert read_event(rest_event("", {"accept": " text/html "})).headers["accept"] == "text/html"


@pytest.mark.parametrize("event_of", [rest_event, http_event])
def test_a_base64_body_is_decoded(event_of: Any) -> None:
    """Binary media types turn every body into base64."""
    body = base64.b64encode(PING.encode()).decode()
    assert read(HANDLER(event_of(body, JSON_HEADERS, isBase64Encoded=True), None))["result"] == {}


@pytest.mark.parametrize("body", ["{}", "e30", "e30=\n", "=e30", "é", "e30=e30="])
def test_a_body_that_is_no_base64_is_a_parse_error(body: str) -> None:
    """SPEC 2.3: never a 5xx for a bad body."""
    response = HANDLER(rest_event(body, JSON_HEADERS, isBase64Encoded=True), None)
    assert (response["statusCode"], read(response)["error"]["code"]) == (400, -32700)


@pytest.mark.parametrize("flag", [False, None, "true", 1, 0])
def test_only_true_says_base64(flag: Any) -> None:
    """The event format: a boolean."""
    assert read(HANDLER(rest_event(PING, JSON_HEADERS, isBase64Encoded=flag), None))["result"] == {}


@pytest.mark.parametrize("path", ["/mcp/", "/prod/lab/mcp", "/", "", "/lab/mcp?x=1"])
@pytest.mark.parametrize("event_of", [rest_event, http_event])
def test_a_stage_prefix_or_a_trailing_slash_does_not_matter(path: str, event_of: Any) -> None:
    """SPEC 2.3: the route is API Gateway's business."""
    member = "path" if event_of is rest_event else "rawPath"
    assert read(HANDLER(event_of(PING, JSON_HEADERS, **{member: path}), None))["result"] == {}


@pytest.mark.parametrize(
    ("authorizer", "principal"),
    [
        (
            {"principalId": "key-1", "scopes": "a b", "team": "blue", "integrationLatency": 5},
            ("key-1", {"a", "b"}, "blue"),
        ),
        ({"lambda": {"principalId": "key-2", "team": "red"}}, ("key-2", set(), "red")),
        ({"principalId": ""}, None),
        ({"principalId": 5}, None),
        ({"lambda": {}}, None),
        ({}, None),
        ([], None),
        (None, None),
    ],
)
def test_the_principal_is_the_authorizers(authorizer: Any, principal: Any) -> None:
    """The authorizer's context is flat in a REST event, under `lambda` in format 2.0."""
    found = read_event(rest_event("", {}, requestContext={"authorizer": authorizer})).principal
    if principal is None:
        assert found is None
        return
    assert found is not None
    assert (found.principal_id, set(found.scopes), found.attributes.get("team")) == principal
    assert "principalId" not in found.attributes


@pytest.mark.parametrize("event", [None, [], "text", 5, {}, {"requestContext": None}, {"headers": "x", "body": 5}])
def test_a_malformed_event_is_a_parse_error(event: Any) -> None:
    """SPEC 2.3: never a 5xx for a bad body; a console test sends anything."""
    response = HANDLER(event, None)
    assert (response["statusCode"], read(response)["error"]["code"]) == (400, -32700)


def test_only_a_load_balancer_with_multi_value_headers_wants_them_back() -> None:
    """Lambda with ALB: with multi-value headers enabled, the answer's `headers` are ignored."""
    assert event_file("alb_tools_call").wants_multi_value is True
    assert event_file("tools_call").wants_multi_value is False
    assert event_file("v2_tools_call").wants_multi_value is False


VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=6)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=6), inner, max_size=3)),
    max_leaves=6,
)
MEMBERS = ["httpMethod", "path", "headers", "multiValueHeaders", "requestContext", "body", "isBase64Encoded", "rawPath"]


@settings(max_examples=100, deadline=None)
@given(st.dictionaries(st.sampled_from(MEMBERS), VALUES))
def test_no_event_at_all_crashes_the_handler(event: dict[str, Any]) -> None:
    """SPEC 2.3: every event gets an answer, and never a 5xx."""
    response = HANDLER(event, None)
    assert response["statusCode"] < 500
    assert isinstance(response["body"], str)
