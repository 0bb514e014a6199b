"""Each quirk on and off: what is put right, what the log and the metrics say of it, and the strict answer without it.

Source: SPEC 2.4 ("each quirk can be switched off"; "logged: method, kind"); HOSTS rules 1 and 11.
"""

import json
from typing import Any, NamedTuple

import pytest
from mcp_types import CLIENT_CAPABILITIES_META_KEY, PROTOCOL_VERSION_META_KEY

from mcpserver import Quirk
from tests.mcpserver.posts import JSON_HEADERS, error_code
from tests.quirks.asked import MODERN
from tests.quirks.in_process import Handled, handle
from tests.quirks.test_corpus import CASES

BUDGET = "smart_budget_guard"
COUNT = {"action": "count", "text": "hello world"}
BOM = "\ufeff"


class Switch(NamedTuple):
    """One quirk: a message that shows it, and how a server without it answers: status and code."""

    body: str
    strict: tuple[int, int | None]
    """A code of None is a tool's error result."""


def message(method: str, params: Any = None, **members: Any) -> dict[str, Any]:
    """Return a request; without *params* it has none."""
    request: dict[str, Any] = {"jsonrpc": "2.0", "id": 1, "method": method, **members}
    return request if params is None else request | {"params": params}


def call(arguments: Any) -> dict[str, Any]:
    """Return a call of the budget guard."""
    return message("tools/call", {"name": BUDGET, "arguments": arguments})


SWITCHES: dict[Quirk, Switch] = {
    Quirk.MISSING_JSONRPC: Switch(json.dumps({"id": 1, "method": "tools/list", "params": {}}), (400, -32600)),
    Quirk.FLOAT_ID: Switch(json.dumps(message("tools/list", {}, id=1.0)), (400, -32600)),
    Quirk.MISSING_PARAMS: Switch(json.dumps(message("tools/list") | {"params": None}), (400, -32600)),
    Quirk.LIST_PARAMS: Switch(json.dumps(message("tools/list", [])), (400, -32600)),
    Quirk.EMPTY_CURSOR: Switch(json.dumps(message("tools/list", {"cursor": ""})), (200, -32602)),
    Quirk.BAD_OFFER: Switch(
        json.dumps(message("initialize", {"protocolVersion": 5, "capabilities": []})), (200, -32602)
    ),
    Quirk.TOOL_AS_METHOD: Switch(json.dumps(message(BUDGET, COUNT)), (200, -32601)),
    Quirk.LIST_ARGUMENTS: Switch(
        json.dumps(message("tools/call", {"name": "smart_search", "arguments": ["a"]})), (200, -32602)
    ),
    Quirk.NULL_ARGUMENTS: Switch(json.dumps(call(None)), (200, -32602)),
    Quirk.TEXT_ARGUMENTS: Switch(json.dumps(call(json.dumps(COUNT))), (200, -32602)),
    Quirk.BYTE_ORDER_MARK: Switch(BOM + json.dumps(message("tools/list", {})), (400, -32700)),
    Quirk.LONE_SURROGATE: Switch(json.dumps(call(COUNT | {"text": "x\ud83d"})), (400, -32700)),
    Quirk.ARGUMENT: Switch(
        json.dumps(message("tools/call", {"name": "smart_dedup", "arguments": {"texts": '["a"]', "x": 1}})), (200, None)
    ),
}

NULL_CURSOR = "A27"
"""The one case whose message the modern era takes as it is: the SDK's models read a null cursor as none."""

IN_BOTH_ERAS = {Quirk.ARGUMENT, Quirk.LONE_SURROGATE}
"""What models get wrong, not protocols: HOSTS rules 1 and 14."""


def test_every_quirk_has_a_switch() -> None:
    """A quirk without a test is one that nobody can switch off."""
    assert SWITCHES.keys() == set(Quirk)


@pytest.mark.parametrize("quirk", Quirk)
def test_a_quirk_is_put_right_logged_and_counted(quirk: Quirk) -> None:
    """Issue 3, item 1: each applied rule is logged and counted, and nothing else is."""
    handled = handle(SWITCHES[quirk].body)
    assert handled.status == 200
    assert "result" in handled.answer
    assert handled.quirks_logged == {quirk}
    assert handled.counted == {quirk: len(handled.logged)}


@pytest.mark.parametrize("quirk", Quirk)
def test_a_quirk_that_is_switched_off_is_refused_and_not_claimed(quirk: Quirk) -> None:
    """SPEC 2.4: each quirk can be switched off; then the answer is the strict one."""
    handled = handle(SWITCHES[quirk].body, disabled=(quirk,))
    status, code = SWITCHES[quirk].strict
    assert (handled.status, error_code(handled.answer)) == (status, code)
    if code is None:
        assert handled.answer["result"]["isError"] is True
    assert handled.quirks_logged == set()
    assert handled.counted == {}


@pytest.mark.parametrize("quirk", Quirk)
def test_the_modern_era_repairs_no_envelope(quirk: Quirk) -> None:
    """HOSTS rule 1: the modern era is strict; only what models make is put right there too."""
    handled = handle(*in_the_modern_era(SWITCHES[quirk].body))
    if quirk in IN_BOTH_ERAS:
        assert handled.answer["result"]["isError"] is False
        assert handled.quirks_logged == {quirk}
    else:
        assert handled.status in (400, 404)
        assert error_code(handled.answer) is not None
        assert handled.quirks_logged == set()


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_what_a_case_needs_put_right_is_refused_in_the_modern_era(case: dict[str, Any]) -> None:
    """HOSTS rule 1, over the whole corpus: the same message with the modern envelope is an error."""
    body = case["sends"].get("body", "")
    if not envelope_repairs(handle(body)):
        return
    handled = handle(*in_the_modern_era(body))
    if case["id"] == NULL_CURSOR:
        assert handled.quirks_logged == set()
        return
    assert handled.status in (400, 404)
    assert error_code(handled.answer) is not None


def test_a_call_by_name_is_logged_with_its_method_and_tool() -> None:
    """SPEC 2.4: the original method and the tool are logged."""
    handled = handle(SWITCHES[Quirk.TOOL_AS_METHOD].body)
    assert handled.logged == [f"{BUDGET} {Quirk.TOOL_AS_METHOD}"]
    assert f'"tool":"{BUDGET}"' in handled.stdout


def test_the_log_names_what_changed_and_never_a_value() -> None:
    """STYLE, Logs: ids, counts and durations, never arguments; an unknown argument's name is the caller's text."""
    arguments = {"texts": '["s3cret-one"]', "s3cret-two": "s3cret-three", "threshold": "0.97"}
    handled = handle(json.dumps(message("tools/call", {"name": "smart_dedup", "arguments": arguments})))
    assert sorted(handled.logged) == [f"tools/call argument: {name}" for name in ("texts", "threshold", "unknown")]
    assert "s3cret" not in handled.stdout
    assert "0.97" not in handled.stdout


def test_the_log_names_no_method_but_ours() -> None:
    """The same: an unknown method is the caller's text, whatever was put right about its message."""
    handled = handle(json.dumps({"id": 1.0, "method": "s3cret", "params": []}))
    assert handled.quirks_logged == {Quirk.MISSING_JSONRPC, Quirk.FLOAT_ID, Quirk.LIST_PARAMS}
    assert "s3cret" not in handled.stdout


def envelope_repairs(handled: Handled) -> set[str]:
    """Return what was put right that is no model's doing."""
    return handled.quirks_logged - IN_BOTH_ERAS


def in_the_modern_era(body: str) -> tuple[str, dict[str, str]]:
    """Return *body* with the modern envelope where it has a place for one, and the headers that go with it."""
    mark = BOM if body.startswith(BOM) else ""
    request = json.loads(body.removeprefix(BOM))
    params = request.get("params", {})
    headers = {**JSON_HEADERS, "mcp-protocol-version": MODERN, "mcp-method": request["method"]}
    if isinstance(params, dict):
        meta = {PROTOCOL_VERSION_META_KEY: MODERN, CLIENT_CAPABILITIES_META_KEY: {}}
        request["params"] = params | {"_meta": meta}
        if isinstance(params.get("name"), str):
            headers["mcp-name"] = params["name"]
    return mark + json.dumps(request), headers
