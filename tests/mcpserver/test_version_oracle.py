"""`mcp_types.methods` as the oracle: for each version, what we accept and what we send is what the SDK's models say.

Source: PROTOCOL.md: KeyError stands for -32601, ValidationError for -32602.
"""

import json
from collections.abc import Mapping
from typing import Any

import pytest
from mcp_types import methods
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, KNOWN_PROTOCOL_VERSIONS
from pydantic import ValidationError

from functions.lab.app import server
from mcpserver import CallContext, http_handler, mcpserver_called
from tests.mcpserver.posts import JSON_HEADERS, error_code, modern_headers, modern_request, read, request, rest_event

MODERN = "2026-07-28"
OK = 0
"""A result; any other outcome is a JSON-RPC code."""

HANDLER = http_handler(server, default_receivers=False)

METHODS = sorted({method for method, _ in methods.CLIENT_REQUESTS} | {"tools/fly", "notifications/x", "resources"})

OFFER = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}

PARAMS: Mapping[str, Any] = {
    "initialize": OFFER,
    "tools/call": {"name": "calculator", "arguments": {"expression": "1+1"}},
    "logging/setLevel": {"level": "info"},
    "completion/complete": {"ref": {"type": "ref/prompt", "name": "p"}, "argument": {"name": "a", "value": "b"}},
    "prompts/get": {"name": "p"},
    "resources/read": {"uri": "lab://x"},
    "resources/subscribe": {"uri": "lab://x"},
    "resources/unsubscribe": {"uri": "lab://x"},
    "subscriptions/listen": {"notifications": {}},
}
"""Params that are right for the method, where it needs some."""

NOT_OFFERED: Mapping[str, set[int]] = {
    "completion/complete": {-32601, -32602},
    "prompts/get": {-32601, -32602},
    "resources/read": {-32601, -32602, -32002},
    "resources/subscribe": {-32601, -32602, -32002},
    "resources/unsubscribe": {-32601, -32602, -32002},
    "subscriptions/listen": {-32601},
}
"""What the lab has none of: no such method, or no such prompt or resource. `subscriptions/listen`: SPEC 2.5."""

ANSWERED_EVERYWHERE = {"notifications/x": "SPEC 2.3: an id on a notifications/* method is answered {}"}

BAD_PARAMS: Mapping[str, list[Any]] = {
    "initialize": [{}, {"protocolVersion": 5}, OFFER | {"capabilities": []}, OFFER | {"clientInfo": "me"}],
    "tools/list": [{"cursor": 5}, {"cursor": {}}],
    "prompts/list": [{"cursor": 5}],
    "tools/call": [{}, {"name": 5}, {"name": None}, {"name": "calculator", "arguments": 5}],
    "resources/list": [{"cursor": []}],
    "resources/templates/list": [{"cursor": 1.5}],
}
"""Params that no version's model takes."""

REPAIRED = [
    ("tools/call", {"name": "calculator", "arguments": ["1+1"]}, "list_arguments"),
    ("tools/call", {"name": "calculator", "arguments": '{"expression": "1+1"}'}, "text_arguments"),
    *[("initialize", params, "bad_offer") for params in BAD_PARAMS["initialize"]],
]
"""What the models refuse and the handshake era puts right, by the quirk's name: HOSTS rule 1."""

NULLS = [
    ("tools/list", {"cursor": None}, OK),
    ("tools/call", {"name": "calculator", "arguments": None}, -32602),
]
"""Nulls for an optional member, and what the modern era answers."""


def outcome(method: str, version: str, params: Mapping[str, Any] | None) -> tuple[int, Any]:
    """Return the code, or `OK`, and the result that *version*'s client gets."""
    if version == MODERN:
        message = modern_request(method, params)
        headers = modern_headers(message)
        named_by = {"prompts/get": "name", "resources/read": "uri", "tools/call": "name"}.get(method)
        if named_by is not None and params and named_by in params:
            headers["mcp-name"] = str(params[named_by])
    else:
        message, headers = request(method, params), {**JSON_HEADERS, "mcp-protocol-version": version}
    answer = read(HANDLER(rest_event(json.dumps(message), headers), None))
    return error_code(answer) or OK, answer.get("result")


def oracle(method: str, version: str, params: Mapping[str, Any] | None) -> int:
    """Return the code that the SDK's models of *version* stand for."""
    if version == MODERN:
        params = modern_request(method, params)["params"]
    try:
        methods.validate_client_request(method, version, params)
    except KeyError:
        return -32601
    except ValidationError:
        return -32602
    return OK


@pytest.mark.parametrize("version", KNOWN_PROTOCOL_VERSIONS)
@pytest.mark.parametrize("method", METHODS)
def test_a_method_exists_for_us_where_it_exists_for_the_sdk(method: str, version: str) -> None:
    """A method that the version does not have is -32601, and so is one that this server does not offer."""
    expected = oracle(method, version, PARAMS.get(method))
    assert expected != -32602, "the table's params are wrong"
    code, _ = outcome(method, version, PARAMS.get(method))
    if expected == OK and method in NOT_OFFERED:
        assert code in NOT_OFFERED[method]
    else:
        assert code == (OK if method in ANSWERED_EVERYWHERE else expected)


@pytest.mark.parametrize("version", KNOWN_PROTOCOL_VERSIONS)
@pytest.mark.parametrize("method", METHODS)
def test_every_result_is_one_of_its_versions_models_and_holds_nothing_else(method: str, version: str) -> None:
    """The serializer drops what the version does not know: what we send passes through it unchanged."""
    _, result = outcome(method, version, PARAMS.get(method))
    if result is None or method in ANSWERED_EVERYWHERE:
        return
    methods.validate_server_result(method, version, result)
    assert methods.serialize_server_result(method, version, result) == result


@pytest.mark.parametrize("version", KNOWN_PROTOCOL_VERSIONS)
@pytest.mark.parametrize(("method", "params"), [(method, bad) for method in BAD_PARAMS for bad in BAD_PARAMS[method]])
def test_params_that_the_models_refuse_are_invalid_params_or_a_repair_by_name(
    method: str, params: Any, version: str
) -> None:
    """HOSTS rule 1: the handshake era repairs what `REPAIRED` lists, the modern era nothing."""
    expected = oracle(method, version, params)
    assert expected != OK, "the table's params are right"
    if version in HANDSHAKE_PROTOCOL_VERSIONS and any((method, params) == repair[:2] for repair in REPAIRED):
        expected = OK
    code, _ = outcome(method, version, params)
    assert code in (expected, -32020), "a name that is no string cannot agree with its header either"
    assert code == expected or version == MODERN


@pytest.mark.parametrize("version", HANDSHAKE_PROTOCOL_VERSIONS)
@pytest.mark.parametrize(("method", "params", "quirk"), REPAIRED)
def test_a_repair_is_made_in_the_handshake_era_and_named(method: str, params: Any, quirk: str, version: str) -> None:
    """SPEC 2.4: the answer is a result, of a tool that may still refuse its arguments; the log names the quirk."""
    changes: list[tuple[str, str]] = []

    def note(_server: object, *, context: CallContext, **_rest: Any) -> None:
        changes.extend(context.changes)

    assert oracle(method, version, params) == -32602
    with mcpserver_called.connected_to(note, sender=server):
        assert outcome(method, version, params)[0] == OK
    assert changes == [(method, quirk)]


@pytest.mark.parametrize(("method", "params", "quirk"), REPAIRED)
def test_a_repair_is_not_made_in_the_modern_era(method: str, params: Any, quirk: str) -> None:
    """HOSTS rule 1: the modern era is strict."""
    assert outcome(method, MODERN, params)[0] == oracle(method, MODERN, params) != OK


@pytest.mark.parametrize("version", KNOWN_PROTOCOL_VERSIONS)
@pytest.mark.parametrize(("method", "params", "modern"), NULLS)
def test_a_null_in_an_optional_member_is_absent_in_the_handshake_era(
    method: str, params: Any, modern: int, version: str
) -> None:
    """The SDK's models take null for absent in every version; the specification's schema in none."""
    assert oracle(method, version, params) == OK
    assert outcome(method, version, params)[0] == (modern if version == MODERN else OK)


@pytest.mark.parametrize(("method", "version"), sorted(methods.CLIENT_NOTIFICATIONS))
def test_every_notification_of_a_version_is_taken_without_an_answer(method: str, version: str) -> None:
    """HOSTS rule 6: 202, empty, whatever the notification is."""
    headers = {**JSON_HEADERS, "mcp-protocol-version": version, "mcp-method": method}
    params = {"requestId": 1, "progressToken": 1, "progress": 1}
    methods.validate_client_notification(method, version, params)
    body = json.dumps({"jsonrpc": "2.0", "method": method, "params": params})
    response = HANDLER(rest_event(body, headers), None)
    assert (response["statusCode"], response["body"]) == (202, "")
