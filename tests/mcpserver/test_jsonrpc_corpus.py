"""Every case of `corpus/jsonrpc.jsonl`, as a REST (1.0) and as an HTTP API (2.0) event.

Source: PROTOCOL.md, "Bodies": what each member of a case means; SPEC 2.3 decides where a case takes several answers.
"""

import base64
import json
import re
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from mcpserver import http_handler
from tests.fixture_servers import HOST, ORIGIN, AddingServer
from tests.mcpserver.posts import BOTH, MODERN, error_code, http_event, read, rest_event

type Case = dict[str, Any]

CORPUS = Path(__file__).parents[1] / "corpus" / "jsonrpc.jsonl"
CASES: list[Case] = [json.loads(line) for line in CORPUS.read_text("utf-8").splitlines() if line]
BATCH_CASES = [case for case in CASES if "expect_if_batch" in case]

SECOND_CHOICE = {
    "body_1_mib": "SPEC 2.3: the default limit is 1 MiB",
    "duplicate_id": "PROTOCOL: the parser takes duplicate keys, the last one counts",
    "content_type_text": "SPEC 2.3: 415",
    "content_type_form": "SPEC 2.3: 415",
    "content_type_list": "SPEC 2.3: 415",
    "content_type_utf16": "SPEC 2.3: 415",
    "content_encoding_gzip": "SPEC 2.3: 415",
    "accept_missing": "SPEC 2.3: a missing Accept is JSON",
    "accept_q0": "SPEC 2.3: 406 only where neither form is taken",
    "authorization_twice": "this server needs no credentials",
    "token_in_query": "this server needs no credentials",
    "call_unknown_tool": "SPEC 2.3: -32602 is 400 in the modern era",
    "response_result": "SPEC 2.3: a posted response is 202",
    "response_error": "SPEC 2.3: a posted response is 202",
    "call_args_null": "the modern era is strict: null is no object",
    "event_empty": "no Host, where `allowed_hosts` is set",
}
"""Cases that accept several statuses where ours is not the first, and why."""

TRACES = ("Traceback", 'File "', ".py", "pydantic", "validation error", "errors.pydantic.dev")

OUR_WORDS = frozenset(
    {
        "_meta",
        "arguments",
        "echo",
        "io.modelcontextprotocol/clientCapabilities",
        "io.modelcontextprotocol/protocolVersion",
        "jsonrpc",
        "mcp-name",
        "method",
        "name",
        "params",
        MODERN,
    }
)
"""What an answer may say whether or not the input said it too."""


def body_of(case: Case) -> tuple[str, bool]:
    """Return the body of *case*, and whether it is base64."""
    if "body_b64" in case:
        return case["body_b64"], True
    if "body_repeat" in case:
        parts = case["body_repeat"]
        middle = parts.get("middle", "") + parts.get("suffix_unit", "") * parts.get("suffix_count", 0)
        return parts["prefix"] + parts["unit"] * parts["count"] + middle + parts["suffix"], False
    return case["body"], False


def event_of(case: Case, version: str, **changes: str | None) -> dict[str, Any]:
    """Return *case* as an event of the format *version*; *changes* replace headers, `_` for `-`, None removes."""
    headers: dict[str, str | None] = {
        "content-type": "application/json",
        "accept": BOTH,
        "mcp-protocol-version": MODERN,
        "mcp-method": "tools/list",
        "host": HOST,
    }
    headers |= case.get("headers", {}) | {name.replace("_", "-"): value for name, value in changes.items()}
    method, path = headers.pop(":method", None) or "POST", headers.pop(":path", None) or "/mcp"
    sent = {name: value for name, value in headers.items() if value is not None}
    body, is_base64 = body_of(case)
    override = dict(case.get("event", {}))
    if "__replace__" in override:
        return dict(override["__replace__"])
    if "headers" in override:
        sent = {"host": HOST} | override.pop("headers")
    if version == "1.0":
        return rest_event(body, sent, httpMethod=method, path=path.partition("?")[0]) | {
            "isBase64Encoded": is_base64,
            **override,
        }
    return http_event(body, sent, method=method, rawPath=path.partition("?")[0]) | {
        "isBase64Encoded": is_base64,
        **override,
    }


def words_of(text: str) -> set[str]:
    """Return the words of *text*: what stands between white space, quotes and JSON's own signs."""
    return set(re.findall(r"[^\s\"'\\,;:{}\[\]]{4,}", text[:20_000]))


def send(event: dict[str, Any]) -> tuple[dict[str, Any], AddingServer]:
    """Let a fresh fixture server answer *event*; what holds for every answer is checked here."""
    server = AddingServer()
    handler = http_handler(server, allowed_origins=[ORIGIN], allowed_hosts=[HOST], default_receivers=False)
    started_s = time.process_time()
    response = handler(event, None)
    assert time.process_time() - started_s < 1, "more than a second of CPU"
    assert response["statusCode"] < 500
    assert not [trace for trace in TRACES if trace.lower() in response["body"].lower()]
    return response, server


def check(expected: Case, response: dict[str, Any], answer: Any) -> None:
    """Compare *answer* with what the case expects."""
    assert response["statusCode"] in expected["status"] or None in expected["status"]
    is_error_result = isinstance(answer, dict) and answer.get("result", {}).get("isError") is True
    if "code" in expected and not (expected.get("or_is_error") and is_error_result):
        assert error_code(answer) in expected["code"]
    if "id" in expected:
        assert answer["id"] == expected["id"]
        assert type(answer["id"]) is type(expected["id"])
    if "id_in" in expected:
        assert answer.get("id") in expected["id_in"]
        assert type(answer.get("id")) is not bool
    if expected.get("result"):
        assert "result" in answer
    if "array" in expected:
        assert isinstance(answer, list)
        assert len(answer) == expected["array"]
    if expected.get("body") == "empty" and response["statusCode"] == 202:
        assert response["body"] == ""
        assert "Content-Type" not in response["headers"]
    if "allow" in expected:
        assert response["headers"]["Allow"] == expected["allow"]


@pytest.mark.parametrize("version", ["1.0", "2.0"])
@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_each_case_of_the_corpus_gets_its_answer(case: Case, version: str) -> None:
    """PROTOCOL.md: the corpus's own sentence is the case's `why`."""
    response, server = send(event_of(case, version))
    check(case["expect"], response, read(response))
    if case["expect"].get("no_side_effect"):
        assert server.calls == 0


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_the_first_status_of_a_case_is_ours_unless_the_table_says_why(case: Case) -> None:
    """PROTOCOL.md: the first status is the wanted one; SPEC 2.3's table decides where a case accepts several."""
    response, _ = send(event_of(case, "1.0"))
    is_first = response["statusCode"] == case["expect"]["status"][0]
    assert is_first != (case["name"] in SECOND_CHOICE)


@pytest.mark.parametrize("named", [None, "", "2025-03-26", "2024-11-05"])
@pytest.mark.parametrize("case", BATCH_CASES, ids=[case["name"] for case in BATCH_CASES])
def test_each_batch_is_answered_where_batches_exist(case: Case, named: str | None) -> None:
    """MCP 2025-03-26, basic: batches; SPEC 2.3: an empty header is absent, and absent means 2025-03-26."""
    response, _ = send(event_of(case, "1.0", mcp_protocol_version=named, mcp_method=None))
    check(case["expect_if_batch"], response, read(response))


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_an_error_never_repeats_the_input_beyond_the_id(case: Case) -> None:
    """Our own choice: an answer that quotes its input carries an attacker's text into a log or a page."""
    event = event_of(case, "1.0")
    response, _ = send(event)
    answer = read(response)
    error = answer.get("error") if isinstance(answer, dict) else None
    if error is None:
        return
    data = dict(error.get("data") or {})
    data.pop("requested", None)  # -32022 names what was asked for: MCP 2026-07-28, error codes
    said = error["message"] + json.dumps(data)
    text = event.get("body") or ""
    if event.get("isBase64Encoded"):
        with suppress(ValueError):
            text = base64.b64decode(text).decode("utf-8", "replace")
    assert not (words_of(text) & words_of(said)) - OUR_WORDS
