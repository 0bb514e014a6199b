"""The modern ladder, rung by rung, with the SDK's own ladder as the oracle.

Source: MCP 2026-07-28, basic/index and streamable HTTP; `mcp.shared.inbound`.
"""

import base64
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mcp.shared.inbound import (
    InboundLadderRejection,
    classify_inbound_request,
    decode_header_value,
    encode_header_value,
)
from mcp_types import CLIENT_CAPABILITIES_META_KEY, PROTOCOL_VERSION_META_KEY

from mcpserver import http_handler
from mcpserver.envelope import decode_header, is_modern_message
from tests.fixture_servers import AddingServer
from tests.mcpserver.posts import error_code, modern_headers, modern_request, post_modern, read, rest_event, text_of

HANDLER = http_handler(AddingServer(), default_receivers=False)
CALL = {"name": "add", "arguments": {"a": 1, "b": 2}}

RUNGS: list[tuple[str, int, str, Any]] = [
    ("meta", -32602, "message", None),
    ("version_key", -32602, "meta", PROTOCOL_VERSION_META_KEY),
    ("capabilities_key", -32602, "meta", CLIENT_CAPABILITIES_META_KEY),
    ("version_header", -32020, "header", ("mcp-protocol-version", "2025-11-25")),
    ("method_header", -32020, "header", ("mcp-method", "tools/list")),
    ("name_header", -32020, "header", ("mcp-name", "echo")),
    ("version", -32022, "version", "2099-01-01"),
    ("params", -32602, "arguments", [1, 2]),
]
"""Each rung in its order: its name, its code, and how to fail it."""


def broken(*rungs: str) -> tuple[dict[str, Any], dict[str, str]]:
    """Return a call that fails each of *rungs*, and its headers."""
    message = modern_request("tools/call", CALL)
    headers = modern_headers(message)
    for name, _, kind, what in reversed(RUNGS):
        if name not in rungs:
            continue
        if kind == "message":
            del message["params"]["_meta"]
        elif kind == "meta":
            message["params"]["_meta"].pop(what, None)
        elif kind == "header":
            headers[what[0]] = what[1]
        elif kind == "version":
            message["params"]["_meta"][PROTOCOL_VERSION_META_KEY] = what
            headers["mcp-protocol-version"] = what
        else:
            message["params"]["arguments"] = what
    return message, headers


def code_of(message: dict[str, Any], headers: dict[str, str]) -> int | None:
    """Return the code that *message* is answered with."""
    return error_code(read(HANDLER(rest_event(json.dumps(message), headers), None)))


@pytest.mark.parametrize("first", range(len(RUNGS)))
@pytest.mark.parametrize("second", range(len(RUNGS)))
def test_of_two_failing_rungs_the_earlier_one_answers(first: int, second: int) -> None:
    """PROTOCOL: `_meta` keys, version header, Mcp-Method, Mcp-Name, version supported, method, params."""
    names = RUNGS[first][0], RUNGS[second][0]
    message, headers = broken(*names)
    if is_modern_message(message, headers["mcp-protocol-version"]):
        assert code_of(message, headers) == RUNGS[min(first, second)][1]


@pytest.mark.parametrize("first", range(len(RUNGS) - 1))
@pytest.mark.parametrize("second", range(len(RUNGS) - 1))
def test_the_ladder_agrees_with_the_sdks(first: int, second: int) -> None:
    """The oracle of issue 2: `mcp.shared.inbound.classify_inbound_request`."""
    message, headers = broken(RUNGS[first][0], RUNGS[second][0])
    if not is_modern_message(message, headers["mcp-protocol-version"]):
        return
    verdict = classify_inbound_request(message, headers=headers)
    assert isinstance(verdict, InboundLadderRejection)
    assert code_of(message, headers) == verdict.code


@pytest.mark.parametrize("header", ["mcp-protocol-version", "mcp-method", "mcp-name"])
def test_a_required_header_that_is_missing_is_a_mismatch(header: str) -> None:
    """SPEC 2.3: -32020; without the version header it is `_meta` that makes the message modern."""
    message, headers = broken()
    del headers[header]
    assert code_of(message, headers) == -32020


@pytest.mark.parametrize("value", [None, 5, [], {}, ""])
@pytest.mark.parametrize("key", [PROTOCOL_VERSION_META_KEY, CLIENT_CAPABILITIES_META_KEY])
def test_an_ill_typed_envelope_member_is_invalid_params(key: str, value: Any) -> None:
    """SPEC 2.3: `_meta` without protocolVersion or clientCapabilities."""
    if (key, value) == (CLIENT_CAPABILITIES_META_KEY, {}):
        return
    message, headers = broken()
    message["params"]["_meta"][key] = value
    assert code_of(message, headers) == (-32020 if value == "" and key == PROTOCOL_VERSION_META_KEY else -32602)


@pytest.mark.parametrize(
    ("header", "meta", "is_modern"),
    [
        ("2026-07-28", None, True),
        ("", "2026-07-28", True),
        ("2025-11-25", "2026-07-28", True),
        ("", "2099-01-01", True),
        ("", 5, True),
        ("", "2025-11-25", False),
        ("2025-11-25", None, False),
        ("", None, False),
        ("2099-01-01", None, False),
    ],
)
def test_the_header_or_the_meta_makes_a_message_modern(header: str, meta: Any, is_modern: bool) -> None:  # noqa: FBT001
    """SPEC 2.3: the header names a modern version, or `_meta`'s version is not a handshake version."""
    message = modern_request("ping")
    message["params"]["_meta"] = {} if meta is None else {PROTOCOL_VERSION_META_KEY: meta}
    assert is_modern_message(message, header) is is_modern


def sentinel(payload: str) -> str:
    """Return the base64 form of a header value."""
    return f"=?base64?{payload}?="


@pytest.mark.parametrize(
    "value",
    [
        "add",
        sentinel("YWRk"),
        sentinel("YWRl"),
        sentinel(""),
        sentinel("!!!"),
        sentinel("YWR"),
        sentinel("YWRkCg=="),
        sentinel("YWRkCh=="),
        sentinel("/w=="),
        sentinel("Y WRk"),
        "=?BASE64?YWRk?=",
        "=?base64?YWRk",
        "",
        "=?base64??=",
    ],
)
def test_a_header_value_is_decoded_as_the_sdk_does(value: str) -> None:
    """MCP 2026-07-28, header value encoding: canonical base64 of UTF-8, or the value itself."""
    assert decode_header(value) == decode_header_value(value)


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=20))
def test_every_name_that_the_sdk_encodes_is_read_back(name: str) -> None:
    """A tool's or a resource's name may have any character; half a pair has no UTF-8."""
    if not any("\ud800" <= character <= "\udfff" for character in name):
        assert decode_header(encode_header_value(name)) == name


def test_the_base64_form_of_a_name_reaches_the_tool() -> None:
    """SPEC 2.3: base64 form decoded."""
    name = sentinel(base64.b64encode(b"add").decode())
    assert text_of(read(post_modern(HANDLER, modern_request("tools/call", CALL), mcp_name=name))) == "3"
