"""What real hosts send and the specification does not allow: each quirk on, off, and never more than that.

Source: SPEC 2.4, HOSTS rules 1, 11 and 14. The corpus of single cases is driven elsewhere.
"""

import copy
import json
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcpserver import CallContext, MCPServerBase, Quirk, http_handler, mcpserver_called
from mcpserver.quirks import normalise
from tests.fixture_servers import AddingServer
from tests.mcpserver.posts import (
    JSON_HEADERS,
    error_code,
    modern_request,
    post_modern,
    read,
    request,
    rest_event,
    text_of,
)

ADD = {"name": "add", "arguments": {"a": 1, "b": 2}}
BOM = "\ufeff"


class Case(NamedTuple):
    """One quirk, a message that shows it, and the code where it is switched off (None: a result or no answer)."""

    quirk: Quirk
    body: str
    code_off: int | None


def case(quirk: Quirk, message: dict[str, Any], code_off: int | None) -> Any:
    """Return a case whose body is *message*."""
    return pytest.param(Case(quirk, json.dumps(message), code_off), id=f"{quirk}-{message.get('method')}")


CASES = [
    case(Quirk.MISSING_JSONRPC, {"id": 1, "method": "ping"}, -32600),
    case(Quirk.FLOAT_ID, request("ping", request_id=7.0), -32600),
    case(Quirk.MISSING_PARAMS, {**request("tools/list"), "params": None}, -32600),
    case(Quirk.LIST_PARAMS, {**request("tools/list"), "params": []}, -32600),
    case(Quirk.EMPTY_CURSOR, request("tools/list", {"cursor": ""}), -32602),
    case(Quirk.EMPTY_CURSOR, request("resources/list", {"cursor": ""}), -32602),
    case(Quirk.BAD_OFFER, request("initialize", {"protocolVersion": 5, "capabilities": [], "clientInfo": "x"}), -32602),
    case(Quirk.TOOL_AS_METHOD, request("add", {"a": 1, "b": 2}), -32601),
    case(Quirk.LIST_ARGUMENTS, request("tools/call", {"name": "add", "arguments": [1, 2]}), -32602),
    case(Quirk.NULL_ARGUMENTS, request("tools/call", {"name": "add", "arguments": None}), -32602),
    case(Quirk.TEXT_ARGUMENTS, request("tools/call", {"name": "add", "arguments": '{"a": 1, "b": 2}'}), -32602),
    case(Quirk.ARGUMENT, request("tools/call", {"name": "add", "arguments": {"a": "1", "b": 2, "zzz": 3}}), None),
    pytest.param(Case(Quirk.BYTE_ORDER_MARK, BOM + json.dumps(request("ping")), -32700), id="byte_order_mark"),
    pytest.param(
        Case(
            Quirk.LONE_SURROGATE,
            json.dumps(request("tools/call", {"name": "echo", "arguments": {"text": "cut \ud83d"}})),
            -32700,
        ),
        id="lone_surrogate",
    ),
]


class Tolerant(AddingServer):
    """The fixture server with some quirks switched off."""

    def __init__(self, *disabled: Quirk) -> None:
        super().__init__()
        self.disabled_quirks = frozenset(disabled)


def answer(server: MCPServerBase, body: str) -> tuple[Any, list[str]]:
    """Return the answer to *body*, and the kinds of change that the signal names."""
    kinds: list[str] = []

    def note(_server: object, *, context: CallContext, **_rest: Any) -> None:
        kinds.extend(kind for _, kind in context.all_changes())

    handler = http_handler(server, default_receivers=False)
    with mcpserver_called.connected_to(note, sender=server):
        response = handler(rest_event(body, JSON_HEADERS), None)
    return read(response), kinds


@pytest.mark.parametrize("case", CASES)
def test_a_quirk_is_put_right_and_named(case: Case) -> None:
    """SPEC 2.4: normalised once, and said what was changed."""
    found, kinds = answer(Tolerant(), case.body)
    assert "result" in found
    assert kinds
    assert {kind.partition(":")[0] for kind in kinds} == {case.quirk}


@pytest.mark.parametrize("case", CASES)
def test_a_quirk_can_be_switched_off(case: Case) -> None:
    """SPEC 2.4: each quirk can be switched off; then the message is what it is, and nothing is claimed."""
    found, kinds = answer(Tolerant(case.quirk), case.body)
    assert error_code(found) == case.code_off
    assert case.quirk not in {kind.partition(":")[0] for kind in kinds}


@pytest.mark.parametrize("case", CASES)
def test_a_quirk_needs_no_other_one(case: Case) -> None:
    """Independence: with all others off, it still does its own work."""
    found, kinds = answer(Tolerant(*(quirk for quirk in Quirk if quirk != case.quirk)), case.body)
    assert "result" in found
    assert {kind.partition(":")[0] for kind in kinds} == {case.quirk}


def test_every_quirk_has_a_case() -> None:
    """A quirk that nobody tests is a quirk that nobody can switch off."""
    assert {param.values[0].quirk for param in CASES} == set(Quirk)


@pytest.mark.parametrize("case", CASES)
def test_a_strict_server_with_all_quirks_off_claims_no_change(case: Case) -> None:
    """What is not done is not logged."""
    assert answer(Tolerant(*Quirk), case.body)[1] == []


@pytest.mark.parametrize(
    ("method", "params", "text"),
    [
        ("add", {"a": 1, "b": 2}, "3"),
        ("add", {"arguments": {"a": 1, "b": 2}}, "3"),
        ("add", {"name": "echo", "arguments": {"text": "a"}}, "a"),
        ("add", {"name": "echo", "text": "a"}, "a"),
        ("echo", {"text": "b", "_meta": {"progressToken": 1}}, "b"),
        ("add", {"name": 5, "a": 1, "b": 2}, "3"),
        ("add", {"arguments": "no object", "a": 1, "b": 2}, "3"),
    ],
)
def test_a_tools_name_as_the_method_is_a_call(method: str, params: dict[str, Any], text: str) -> None:
    """SPEC 2.4: a string `params.name` wins, a dict `params.arguments` is used whole, else the inline keys are."""
    found, kinds = answer(Tolerant(), json.dumps(request(method, params)))
    assert (text_of(found), kinds) == (text, [Quirk.TOOL_AS_METHOD])


@pytest.mark.parametrize("disabled", [(), (Quirk.MISSING_PARAMS,)])
def test_a_tools_name_as_the_method_without_params_is_a_call_without_arguments(disabled: tuple[Quirk, ...]) -> None:
    """What is claimed is done: the tool says which argument is missing."""
    found, kinds = answer(Tolerant(*disabled), json.dumps(request("add")))
    assert found["result"]["isError"] is True
    assert kinds == [Quirk.TOOL_AS_METHOD]


def test_the_meta_of_a_call_by_name_is_kept() -> None:
    """SPEC 2.4: `_meta` is kept: the progress token is in it."""
    fixed, _ = normalise(request("add", {"a": 1, "_meta": {"progressToken": 1}}), ["add"])
    assert fixed["params"] == {"name": "add", "arguments": {"a": 1}, "_meta": {"progressToken": 1}}


def test_a_tools_name_as_a_notification_runs_nothing() -> None:
    """JSON-RPC 2.0: a notification has no answer, and a call without one is an accident."""
    server = Tolerant()
    assert answer(server, json.dumps({"jsonrpc": "2.0", "method": "add", "params": {"a": 1, "b": 2}}))[0] is None
    assert server.calls == 0


@pytest.mark.parametrize("request_id", [0.5, float("inf"), None, True, [], {}])
def test_an_id_that_is_no_integer_stays_an_error(request_id: Any) -> None:
    """SPEC 2.4: an *integral* float id, nothing else."""
    body = json.dumps(request("ping", request_id=request_id)).replace("Infinity", "1e999")
    assert error_code(answer(Tolerant(), body)[0]) == -32600


def test_an_integral_float_id_is_answered_as_an_integer() -> None:
    """SPEC 2.4: JSON has one kind of number; an id is echoed as an integer."""
    assert answer(Tolerant(), '{"jsonrpc":"2.0","id":7.0,"method":"ping"}')[0] == {
        "jsonrpc": "2.0",
        "id": 7,
        "result": {},
    }


def test_one_byte_order_mark_is_dropped_and_two_are_not() -> None:
    """RFC 8259, 8.1: a parser MAY ignore one."""
    assert error_code(answer(Tolerant(), BOM * 2 + json.dumps(request("ping")))[0]) == -32700


def test_half_a_surrogate_pair_in_an_argument_is_the_replacement_character() -> None:
    """HOSTS rule 14: a cut emoji must not lose the call."""
    body = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"a\\ud83d"}}}'
    assert text_of(answer(Tolerant(), body)[0]) == "a\ufffd"


@pytest.mark.parametrize(
    "body",
    [
        '{"jsonrpc":"2.0","id":"\\ud83d","method":"ping","params":{}}',
        '{"jsonrpc":"2.0","id":1,"method":"\\ud83d","params":{}}',
        '["\\ud83d"]',
        '"\\ud83d"',
        '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":NaN,"b":"\\ud83d"}}',
        '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"\\ud83d"',
    ],
)
def test_half_a_surrogate_pair_anywhere_else_stays_an_error(body: str) -> None:
    """HOSTS rule 14: in an id 400: the answer could not repeat it."""
    assert error_code(answer(Tolerant(), body)[0]) == -32700


@pytest.mark.parametrize("depth", [250, 900, 3_000, 20_000, 100_000])
def test_half_a_surrogate_pair_is_no_way_around_the_depth_limit(depth: int) -> None:
    """SPEC 2.3: deep nesting is 400, -32700; the second, lenient parser must not be laxer."""
    nested = "[" * depth + "]" * depth
    body = '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"\\ud83d","b":' + nested + "}}"
    assert error_code(answer(Tolerant(), body)[0]) == -32700


@pytest.mark.parametrize(
    ("method", "params", "code"),
    [
        ("tools/list", {"cursor": ""}, -32602),
        ("tools/call", {"name": "add", "arguments": [1, 2]}, -32602),
        ("tools/call", {"name": "add", "arguments": '{"a": 1, "b": 2}'}, -32602),
        ("add", {"a": 1, "b": 2}, -32601),
    ],
)
def test_the_modern_era_puts_nothing_right(method: str, params: dict[str, Any], code: int) -> None:
    """HOSTS rule 1: the modern era is strict."""
    message = modern_request(method, params)
    handler = http_handler(Tolerant(), default_receivers=False)
    assert error_code(read(post_modern(handler, message))) == code


def test_the_modern_era_mends_arguments_all_the_same() -> None:
    """HOSTS rule 1: models make those mistakes, not protocols."""
    message = modern_request("tools/call", {"name": "add", "arguments": {"a": "1", "b": 2.0, "zzz": None}})
    handler = http_handler(Tolerant(), default_receivers=False)
    assert text_of(read(post_modern(handler, message))) == "3"


NAMES = ["add", "echo"]
MEMBERS = ["name", "arguments", "cursor", "_meta"]
JSON_VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-99, 99), st.text(max_size=5)),
    lambda inner: st.one_of(st.lists(inner, max_size=2), st.dictionaries(st.text(max_size=5), inner, max_size=2)),
    max_leaves=5,
)
OBJECTS = st.dictionaries(st.text(max_size=6), JSON_VALUES, max_size=3)
CORRECT = st.one_of(
    st.builds(lambda i, a: request("tools/call", {"name": "add", "arguments": a}, i), st.integers(), OBJECTS),
    st.builds(lambda i: request("tools/call", {"name": "add"}, i), st.text(max_size=5)),
    st.builds(lambda c: request("tools/list", {"cursor": c}), st.text(min_size=1, max_size=5)),
    st.builds(lambda p: request("ping", p), OBJECTS.filter(lambda params: "cursor" not in params)),
    st.builds(
        lambda c: request(
            "initialize", {"protocolVersion": "2025-11-25", "capabilities": c, "clientInfo": {"name": "x"}}
        ),
        OBJECTS,
    ),
    st.just({"jsonrpc": "2.0", "method": "notifications/initialized"}),
    st.builds(lambda r: {"jsonrpc": "2.0", "id": 1, "result": r}, OBJECTS),
)


@settings(max_examples=100, deadline=None)
@given(CORRECT)
def test_a_correct_message_is_never_changed(message: dict[str, Any]) -> None:
    """Our own first rule: a correct host must not pay for the others."""
    before = copy.deepcopy(message)
    fixed, kinds = normalise(message, NAMES)
    assert kinds == []
    assert fixed in (before, before | {"params": before.get("params", {})})


@settings(max_examples=120, deadline=None)
@given(
    st.fixed_dictionaries(
        {},
        optional={
            "jsonrpc": st.sampled_from(["2.0", "1.0", 2.0, None]),
            "id": st.one_of(JSON_VALUES, st.floats()),
            "method": st.one_of(st.sampled_from(["tools/call", "tools/list", "initialize", *NAMES]), JSON_VALUES),
            "params": st.one_of(
                JSON_VALUES,
                st.fixed_dictionaries(
                    {}, optional=dict.fromkeys(("name", "arguments", "cursor", "_meta"), JSON_VALUES)
                ),
            ),
        },
    )
)
def test_normalising_is_pure_total_and_done_in_one_go(message: dict[str, Any]) -> None:
    """SPEC 2.4: a pure function: the same answer twice, nothing changed in place, no exception, nothing left to do."""
    before = copy.deepcopy(message)
    first = normalise(message, NAMES)
    assert repr(message) == repr(before)
    assert repr(normalise(message, NAMES)) == repr(first)
    again, kinds = normalise(first[0], NAMES)
    assert repr(again) == repr(first[0])
    # An offer that is missing is named each time: there is nothing to write in its place.
    assert {kind for _, kind in kinds} <= {Quirk.BAD_OFFER}
