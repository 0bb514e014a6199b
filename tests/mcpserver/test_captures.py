"""What 29 real clients sent, replayed through the lab server: each gets the answer that kept it working.

Source: `corpus/captures/*.jsonl`, recorded on the wire with the answers that a fixture server gave (HOSTS.md).
"""

import json
from pathlib import Path
from typing import Any

import pytest
from mcp_types import methods
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from functions.lab.app import server
from mcpserver import http_handler
from tests.mcpserver.posts import error_code, nulls_in, read, rest_event

type Capture = dict[str, Any]

CAPTURES = Path(__file__).parents[1] / "corpus" / "captures"

DIFFERENT = {
    "GET /mcp": (405, "a stream would bill until its time-out: HOSTS rule 7"),
    "subscriptions/listen": (404, "no list of ours ever changes: HOSTS rule 8, SPEC 2.5"),
}
"""Status where ours is not the recorded one, and why."""

NO_CONTENT_TYPE = "notifications/initialized"
"""Recorded with a Content-Type and no body: HOSTS rule 6 leaves it out."""

CONTENT_TYPES = {"text/plain; charset=utf-8": ("application/json", "a JSON body on 404s too: HOSTS rule 9")}
"""Content type where ours is not the recorded one, and why."""

FEWER_MEMBERS = {"structuredContent": "the lab's tools return text and advertise no outputSchema: HOSTS rule 3"}
"""Members of a recorded result that ours lacks, and why."""

FEWER_CAPABILITIES = {"prompts": "we have none", "resources": "we have none"}
"""What the recorded server advertised and ours does not: HOSTS rule 10, capabilities name only what there is."""

MODERN_ONLY = {"resultType", "ttlMs", "cacheScope"}


def captured() -> list[tuple[str, Capture]]:
    """Return every recorded request under a name of its own."""
    return [
        (f"{path.stem}-{capture['n']}", capture)
        for path in sorted(CAPTURES.glob("*.jsonl"))
        for capture in map(json.loads, filter(str.strip, path.read_text("utf-8").splitlines()))
    ]


ALL = captured()


def chosen(http_method: str, *rpc_methods: str) -> list[Any]:
    """Return the recorded requests of one HTTP method, and of some JSON-RPC methods, as test parameters."""
    return [
        pytest.param(capture, id=name)
        for name, capture in ALL
        if capture["method"] == http_method and (not rpc_methods or capture["json"]["method"] in rpc_methods)
    ]


POSTS, GETS = chosen("POST"), chosen("GET")


def mapped(message: Any) -> Any:
    """Return *message* with its tool call made to a tool of the lab; any other message as it is."""
    if not isinstance(message, dict) or message.get("method") != "tools/call":
        return message
    arguments = message["params"]["arguments"]
    if message["params"]["name"] == "echo":
        call = {"name": "wiki_search", "arguments": {"query": arguments["text"]}}
    else:
        call = {"name": "calculator", "arguments": {"expression": f"{arguments['a']} + {arguments['b']}"}}
    return message | {"params": message["params"] | call}


def replay(capture: Capture) -> dict[str, Any]:
    """Send what the client sent, with its own headers, and return the proxy answer."""
    message = mapped(capture["json"])
    headers = dict(capture["headers"])
    for name in headers:
        if name.lower() == "mcp-name":
            headers[name] = message["params"]["name"]
    # A message that needed no mapping goes out byte for byte.
    body = capture["body_raw"] if message is capture["json"] else json.dumps(message)
    handler = http_handler(server, default_receivers=False)
    event = rest_event(body or None, headers, httpMethod=capture["method"], path=capture["target"])
    return handler(event, None)


def recorded(capture: Capture) -> tuple[int, str, Any]:
    """Return the recorded answer's status, content type and JSON."""
    response = capture["response"]
    headers = {name.lower(): value for name, value in response["headers"]}
    body = response.get("body", "")
    is_json = headers["content-type"] == "application/json" and body
    return int(response["status"].split()[1]), headers["content-type"], json.loads(body) if is_json else None


def version_of(capture: Capture) -> str:
    """Return the protocol version that the client spoke in this request."""
    headers = {name.lower(): value for name, value in capture["headers"]}
    proposed = capture["json"].get("params", {}).get("protocolVersion", "2025-03-26")
    version: str = headers.get("mcp-protocol-version", proposed)
    return version


def test_there_are_captures_of_many_clients() -> None:
    """A glob that finds nothing would let every test below pass."""
    assert len({name.rpartition("-")[0] for name, _ in ALL}) >= 25
    assert len(POSTS) >= 100
    assert len(POSTS) + len(GETS) == len(ALL)


@pytest.mark.parametrize("capture", POSTS)
def test_a_recorded_post_gets_the_recorded_status_and_content_type(capture: Capture) -> None:
    """HOSTS rules 5 and 6: clients drop a server over a status that they do not expect."""
    status, content_type, _ = recorded(capture)
    method = capture["json"]["method"]
    response = replay(capture)
    assert response["statusCode"] == DIFFERENT.get(method, (status,))[0]
    if method == NO_CONTENT_TYPE:
        assert (response["body"], "Content-Type" in response["headers"]) == ("", False)
    elif method not in DIFFERENT:
        assert response["headers"]["Content-Type"] == content_type


@pytest.mark.parametrize("capture", POSTS)
def test_a_recorded_request_gets_the_recorded_members_and_its_id_and_no_nulls(capture: Capture) -> None:
    """HOSTS rule 2: one null member loses five hosts; rule 8: cache members on every modern list."""
    answer = read(replay(capture))
    _, _, was = recorded(capture)
    if was is None:
        assert answer is None or error_code(answer) == -32601
        return
    result, expected = answer["result"], was["result"]
    assert answer["id"] == capture["json"]["id"]
    assert type(answer["id"]) is type(capture["json"]["id"])
    assert expected.keys() - FEWER_MEMBERS.keys() <= result.keys()
    if version_of(capture) not in MODERN_PROTOCOL_VERSIONS:
        assert not MODERN_ONLY & result.keys()
    assert nulls_in(answer) == []


@pytest.mark.parametrize("capture", POSTS)
def test_the_answer_to_a_recorded_request_is_valid_in_its_version(capture: Capture) -> None:
    """The SDK's own models of that version are the oracle; nothing of ours is unknown to them."""
    message, version = mapped(capture["json"]), version_of(capture)
    answer = read(replay(capture))
    if answer is None or "error" in answer:
        return
    methods.validate_client_request(message["method"], version, message.get("params"))
    result = answer["result"]
    assert methods.serialize_server_result(message["method"], version, result) == result


@pytest.mark.parametrize("capture", chosen("POST", "initialize", "server/discover"))
def test_capabilities_name_what_the_recorded_server_had_and_we_have(capture: Capture) -> None:
    """HOSTS rules 8 and 10: no capability that is not there, and none whose list changes."""
    result = read(replay(capture))["result"]
    _, _, was = recorded(capture)
    expected = was["result"]["capabilities"].keys() - FEWER_CAPABILITIES.keys()
    assert result["capabilities"].keys() == expected
    assert result["capabilities"]["tools"] == {"listChanged": False}
    if capture["json"]["method"] == "initialize":
        assert result["protocolVersion"] == was["result"]["protocolVersion"]


@pytest.mark.parametrize("capture", chosen("POST", "tools/call"))
def test_a_recorded_call_reaches_the_lab_tool(capture: Capture) -> None:
    """Issue 2: each client's tool call, mapped to the lab, is a call that works."""
    result = read(replay(capture))["result"]
    wanted = "no match" if capture["json"]["params"]["name"] == "echo" else "5"
    assert (result["content"][0]["text"], result["isError"]) == (wanted, False)


@pytest.mark.parametrize("capture", GETS)
def test_a_recorded_get_is_answered_in_json_without_a_stream(capture: Capture) -> None:
    """HOSTS rules 7 and 9: 405 with Allow on the endpoint, 404 in JSON for OAuth metadata that we do not offer."""
    status, content_type, _ = recorded(capture)
    response = replay(capture)
    different = DIFFERENT.get(f"GET {capture['target']}")
    assert response["statusCode"] == (different[0] if different else status)
    assert response["headers"]["Content-Type"] == CONTENT_TYPES.get(content_type, ("application/json",))[0]
    assert read(response)["error"]["code"] == -32600
    if different:
        assert response["headers"]["Allow"] == "POST"
