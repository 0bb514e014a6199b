"""HOSTS.md's fifteen rules, one by one, against the lab and the fixture gateway.

The corpus proves many of them case by case (`test_corpus.py`); here stands what it does not say, or says of one
method only. A test's name begins with the number of its rule; tables of variants are in the two files beside this one.
"""

import json
from typing import Any

import pytest
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, KNOWN_PROTOCOL_VERSIONS

from mcpserver import MCPServerToolError, http_handler, tool
from mcpserver.content import MAX_TEXT_CHARACTERS
from tests.mcpserver.posts import (
    JSON_HEADERS,
    call_tool,
    error_code,
    http_event,
    modern_request,
    nulls_in,
    post,
    post_modern,
    read,
    read_all,
    request,
    rest_event,
    text_of,
)
from tests.quirks.app import ALLOWED_ORIGIN, SmartGateway
from tests.quirks.asked import MODERN
from tests.quirks.every_answer import EVERY_METHOD, HANDLERS, SERVERS, Sent, ask, every_answer, tools_of
from tests.quirks.replies import Endpoint
from tests.quirks.schema_sentences import parts_of, schemas_of

PING = json.dumps(request("ping"))
ARGUMENT_REPAIRS = {"texts": '["a", "b"]', "threshold": "0.5", "wait_for_previous": True}


@pytest.fixture(scope="module")
def answers() -> list[Sent]:
    """Return every answer, asked for once."""
    return [*every_answer()]


def test_1_arguments_are_repaired_in_both_eras_and_envelopes_in_one() -> None:
    """Rule 1: models make the one kind, protocols the other."""
    gateway = HANDLERS["gateway"]
    call = {"name": "smart_dedup", "arguments": ARGUMENT_REPAIRS}
    assert read(post(gateway, request("tools/call", call)))["result"]["isError"] is False
    assert read(post_modern(gateway, modern_request("tools/call", call)))["result"]["isError"] is False
    assert error_code(read(post(gateway, request("tools/list", {"cursor": ""})))) is None
    assert error_code(read(post_modern(gateway, modern_request("tools/list", {"cursor": ""})))) == -32602


def test_2_no_answer_has_a_null_for_an_optional_member(answers: list[Sent]) -> None:
    """Rule 2: one null loses the connection, the list or the result; an error's id may be null, ours is never."""
    assert [(sent[:3], nulls_in(sent.answer)) for sent in answers if nulls_in(sent.answer)] == []


def test_2_an_answer_has_a_result_or_an_error(answers: list[Sent]) -> None:
    """Rule 2: `error: null` beside a result kills Codex too."""
    assert {frozenset(sent.answer) for sent in answers} == {
        frozenset({"jsonrpc", "id", "result"}),
        frozenset({"jsonrpc", "id", "error"}),
    }


def test_2_a_last_page_has_no_cursor(answers: list[Sent]) -> None:
    """Rule 2: an empty cursor made one client ask 22,259 times in 40 s."""
    assert not [sent[:3] for sent in answers if "nextCursor" in sent.answer.get("result", {})]


def test_3_a_tools_result_always_has_content_and_its_structure_where_it_said_so(answers: list[Sent]) -> None:
    """Rule 3: some hosts show the model the text, some the structure; an error has none."""
    results = [sent for sent in answers if sent.method == "tools/call" and "result" in sent.answer]
    assert len(results) > 50
    for sent in results:
        result = sent.answer["result"]
        text = result["content"][0]["text"]
        if result["isError"]:
            assert "structuredContent" not in result
        elif sent.server == "gateway":
            assert json.loads(text) == result["structuredContent"]
        else:
            # Without an outputSchema, only a text that Gemini CLI would take for JSON has one: docs/decisions/0016.
            assert result.get("structuredContent", {"result": text}) == {"result": text}


def test_3_a_stream_ends_with_the_whole_result() -> None:
    """Rule 3, for an answer with progress: the response is its last event."""
    params = {"name": "smart_dedup", "arguments": {"texts": ["a"]}, "_meta": {"progressToken": 1}}
    response = post(HANDLERS["gateway"], request("tools/call", params), {"accept": "text/event-stream"})
    assert read_all(response)[-1]["result"]["structuredContent"]["texts"] == ["a"]


def test_4_every_error_text_begins_with_error(answers: list[Sent]) -> None:
    """Rule 4: three hosts drop `isError`."""
    errors = [sent.answer["result"] for sent in answers if sent.answer.get("result", {}).get("isError")]
    assert len(errors) > 20
    assert [one for one in errors if not one["content"][0]["text"].startswith("Error")] == []


def test_4_a_tools_own_words_follow_the_word_error() -> None:
    """Rule 4: whatever the author wrote."""

    @tool
    def refuse() -> str:
        """Refuse."""
        raise MCPServerToolError("no.")

    assert call_tool(refuse, {}) == {"content": [{"type": "text", "text": "Error: no."}], "isError": True}


def test_5_handshake_errors_are_200_but_for_requests_that_are_none(answers: list[Sent]) -> None:
    """Rule 5: mcp 1.x and LangChain lose the text and the session on 4xx."""
    handshake = [sent for sent in answers if sent.version != MODERN]
    assert {sent.status for sent in handshake} == {200}
    assert {error_code(sent.answer) for sent in handshake} == {None, -32601, -32602, -32002}
    assert {sent.status for sent in answers if sent.version == MODERN and error_code(sent.answer)} <= {400, 404}


@pytest.mark.parametrize("version", KNOWN_PROTOCOL_VERSIONS)
@pytest.mark.parametrize(
    "method",
    ["initialized", "cancelled", "progress", "roots/list_changed", "message", "tasks/status", "nobody/knows"],
)
def test_6_a_notification_is_202_without_a_body(method: str, version: str) -> None:
    """Rule 6: 200 makes Codex give up."""
    name = f"notifications/{method}"
    body = json.dumps({"jsonrpc": "2.0", "method": name, "params": {}})
    headers = {**JSON_HEADERS, "mcp-protocol-version": version, "mcp-method": name}
    for event in (rest_event(body, headers), http_event(body, headers)):
        response = HANDLERS["gateway"](event, None)
        assert (response["statusCode"], response["body"]) == (202, "")
        assert "content-type" not in {key.lower() for key in response["headers"]}


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "PATCH", "HEAD"])
def test_7_a_function_alone_answers_the_same(method: str) -> None:
    """Rule 7: behind an HTTP API or a Function URL no gateway answers for it."""
    handler = http_handler(SmartGateway(), needs_principal=True, default_receivers=False)
    response = handler(http_event(None, {"accept": "text/event-stream"}, method=method), None)
    assert (response["statusCode"], response["headers"]["Allow"]) == (405, "POST")
    assert (response["body"] == "") is (method == "HEAD")


def test_8_discovery_and_every_modern_result_are_complete(answers: list[Sent]) -> None:
    """Rule 8: resultType on each; lists and discovery say how long they may be kept; no list ever changes."""
    results = {
        (sent.server, sent.method): sent.answer["result"]
        for sent in answers
        if sent.version == MODERN and "result" in sent.answer
    }
    assert all(result["resultType"] == "complete" for result in results.values())
    cacheable = [result for (_, method), result in results.items() if method.endswith(("list", "discover"))]
    assert len(cacheable) == 2 * 5
    assert all(result["ttlMs"] > 0 and result["cacheScope"] in ("public", "private") for result in cacheable)
    for server in HANDLERS:
        capabilities = results[server, "server/discover"]["capabilities"]
        assert not [name for name, value in capabilities.items() if value.get("listChanged") or value.get("subscribe")]


def test_8_no_handshake_result_has_a_modern_member(answers: list[Sent]) -> None:
    """Rule 8, the other way round: a strict client of an older version refuses what it does not know."""
    modern = {"resultType", "ttlMs", "cacheScope", "_meta"}
    assert not [
        sent[:3] for sent in answers if sent.version != MODERN and modern & sent.answer.get("result", {}).keys()
    ]


def test_9_a_rate_refusal_has_them_too() -> None:
    """Rule 9: 429, by the function itself."""
    server = SmartGateway()
    server.limiter.calls["key-free"] = 10_000
    handler = http_handler(server, allowed_origins=[ALLOWED_ORIGIN], default_receivers=False)
    event = rest_event(PING, {**JSON_HEADERS, "origin": ALLOWED_ORIGIN})
    event["requestContext"]["authorizer"] = {"principalId": "key-free", "plan": "free"}
    response = handler(event, None)
    assert response["statusCode"] == 429
    assert response["headers"]["Access-Control-Allow-Origin"] == ALLOWED_ORIGIN
    assert "Retry-After" in response["headers"]["Access-Control-Expose-Headers"]
    assert int(response["headers"]["Retry-After"]) > 0


@pytest.mark.parametrize("version", KNOWN_PROTOCOL_VERSIONS)
@pytest.mark.parametrize("server", HANDLERS)
def test_10_lists_are_empty_where_nothing_is_advertised(server: str, version: str) -> None:
    """Rule 10: a -32601 turns Cline red; capabilities name only what there is."""
    for method, member in (
        ("resources/list", "resources"),
        ("resources/templates/list", "resourceTemplates"),
        ("prompts/list", "prompts"),
    ):
        assert ask(server, version, method, {}).answer["result"][member] == []
    hello = ask(server, version, "server/discover" if version == MODERN else "initialize", EVERY_METHOD["initialize"])
    assert set(hello.answer["result"]["capabilities"]) == {"tools"}


@pytest.mark.parametrize("level", ["debug", "info", "emergency", "nonsense", 5, None])
@pytest.mark.parametrize("version", HANDSHAKE_PROTOCOL_VERSIONS)
def test_10_setting_a_log_level_is_answered(version: str, level: Any) -> None:
    """Rule 10: `{}`, where logging is not advertised too; whatever the level is, there is nothing to set."""
    assert ask("lab", version, "logging/setLevel", {"level": level}).answer["result"] == {}


@pytest.mark.parametrize("version", KNOWN_PROTOCOL_VERSIONS)
@pytest.mark.parametrize("arguments", [{}, {"threshold": 0.5}, {"texts": None}, {"texts": ""}, {"Texts": ["a"]}])
def test_11_a_required_member_that_is_missing_is_named(arguments: Any, version: str) -> None:
    """Rule 11: an `isError` result that names it; null and "" are no value of a required member."""
    answer = ask("gateway", version, "tools/call", {"name": "smart_dedup", "arguments": arguments}).answer
    assert answer["result"]["isError"] is True
    assert text_of(answer).startswith("Error: invalid arguments for smart_dedup: texts: ")


@pytest.mark.parametrize("server", HANDLERS)
def test_12_names_are_short_and_descriptions_say_the_limits(server: str) -> None:
    """Rule 12: 64 characters of one set, with a host's prefix; the figures of a schema in words (case F17)."""
    for one in tools_of(server):
        assert set(one["name"]) <= set("abcdefghijklmnopqrstuvwxyz_0123456789")
        assert len(f"mcp__{SERVERS[server].name}__{one['name']}") < 60
        assert len(one["description"].split()) > 10
        for name, part in one["inputSchema"]["properties"].items():
            figures = [part[key] for key in ("default", "minimum", "maximum", "maxLength", "maxItems") if key in part]
            assert part["description"], name
            assert [figure for figure in figures if str(figure) not in part["description"]] == []


@pytest.mark.parametrize("server", HANDLERS)
def test_13_schemas_are_plain(server: str) -> None:
    """Rule 13: no `$ref`, null, type array, `format` or `const`; properties always there; 53-bit integers."""
    for schema in schemas_of(tools_of(server)):
        assert schema["type"] == "object"
        assert isinstance(schema["properties"], dict)
        for part in parts_of(schema):
            assert not {"$ref", "$defs", "format", "const"} & part.keys()
            assert isinstance(part.get("type", ""), str)
            assert {"type": "null"} not in part.get("anyOf", [])
            integers = [value for value in part.values() if type(value) is int]
            assert [value for value in integers if abs(value) > 2**53 - 1] == []


def test_14_every_text_block_is_capped_and_says_so() -> None:
    """Rule 14: about 20,000 tokens; an error's text and each block of several, too."""
    long = "word " * 50_000

    @tool
    def say() -> str:
        """Say much."""
        return long

    @tool
    def say_twice() -> list[str]:
        """Say much, in two blocks."""
        return [long, long]

    @tool
    def refuse() -> str:
        """Refuse at length."""
        raise MCPServerToolError(long)

    blocks = [block for one in (say, say_twice, refuse) for block in call_tool(one, {})["content"]]
    assert len(blocks) == 4
    for block in blocks:
        assert len(block["text"]) <= MAX_TEXT_CHARACTERS
        assert "truncated" in block["text"][-100:]


@pytest.mark.parametrize("encoding", ["gzip", "br", "zstd", "deflate", "x-gzip", "GZIP", "identity, gzip"])
def test_14_a_compressed_body_is_415(encoding: str) -> None:
    """Rule 14, at the function: behind a Function URL no gateway looks."""
    assert post(HANDLERS["lab"], request("ping"), {"content-encoding": encoding})["statusCode"] == 415


def test_14_half_a_surrogate_pair_in_an_id_is_400() -> None:
    """Rule 14: an answer could not repeat it."""
    body = '{"jsonrpc":"2.0","id":"\\ud83d","method":"ping"}'
    response = HANDLERS["lab"](rest_event(body, JSON_HEADERS), None)
    assert (response["statusCode"], error_code(read(response))) == (400, -32700)


@pytest.mark.parametrize(
    "headers",
    [
        {"Authorization": "Bearer sg_test_key"},
        {"authorization": "bearer sg_test_key"},
        {"AUTHORIZATION": "BEARER sg_test_key"},
        {"Authorization": "Bearer   sg_test_key  "},
        {"X-API-Key": "sg_test_key"},
        {"x-api-key": "sg_test_key"},
        {"X-Api-Key": " sg_test_key "},
    ],
)
def test_15_a_key_comes_in_either_header_in_any_case(headers: dict[str, str], gateway: Endpoint) -> None:
    """Rule 15; RFC 9110, sections 5.1 and 11.1: names and schemes have no case."""
    sent = {"Content-Type": "application/json", **headers}
    assert gateway.send({"method": "POST", "path": "/mcp", "headers": sent, "body": PING}).status == 200
