"""JSON-RPC as bytes and as messages. Source: JSON-RPC 2.0, RFC 8259, RFC 3629; the corpus holds the attacks."""

import json
from contextlib import suppress
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcpserver.errors import InvalidRequestError, ParseError
from mcpserver.jsonrpc import (
    check_request,
    is_response,
    is_valid_id,
    is_valid_notification,
    parse_body,
    parse_body_with_lone_surrogates,
    readable_id,
    to_wire,
)

JSON_VALUES = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(allow_nan=False, allow_infinity=False),
        st.text(st.characters(exclude_categories=["Cs"]), max_size=8),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.text(st.characters(exclude_categories=["Cs"]), max_size=6), inner, max_size=3),
    ),
    max_leaves=8,
)


@settings(max_examples=100, deadline=None)
@given(JSON_VALUES)
def test_what_is_written_is_read_back(value: Any) -> None:
    """RFC 8259: one value, whatever it is."""
    assert parse_body(to_wire(value).encode()) == value
    assert json.loads(to_wire(value)) == value


@settings(max_examples=100, deadline=None)
@given(st.one_of(st.binary(max_size=30), st.text(max_size=20).map(lambda text: text.encode("utf-8", "surrogatepass"))))
def test_any_bytes_are_a_value_or_a_parse_error(body: bytes) -> None:
    """SPEC 2.3: never a 5xx for a bad body."""
    for parse in (parse_body, partial(parse_body_with_lone_surrogates, is_modern=False)):
        with suppress(ParseError):
            parse(body)


@pytest.mark.parametrize(
    "word", ["NaN", "Infinity", "-Infinity", '{"a":NaN}', '{"a":1}x', "{}{}", "'a'", "// x\n{}", "01"]
)
def test_only_json_is_json(word: str) -> None:
    """RFC 8259: no NaN, no comments, one value, no leading zeros."""
    with pytest.raises(ParseError):
        parse_body(word.encode())


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32", "latin-1"])
def test_only_utf_8_is_read(encoding: str) -> None:
    """MCP basic/transports: JSON-RPC messages MUST be UTF-8 encoded."""
    with pytest.raises(ParseError):
        parse_body('{"a":"é"}'.encode(encoding))


def test_nesting_has_an_end() -> None:
    """A parser without one overflows its stack."""
    assert parse_body(b"[" * 100 + b"]" * 100) != 0
    for depth in (1_000, 100_000):
        with pytest.raises(ParseError):
            parse_body(b"[" * depth + b"]" * depth)


@pytest.mark.parametrize(
    ("sent", "text"),
    [
        (r"\ud83d", "\ufffd"),
        (r"\ude00", "\ufffd"),
        (r"\ud83d\ud83d\ude00", "\ufffd\U0001f600"),
        (r"\ud83d\ude00\ude00", "\U0001f600\ufffd"),
        (r"\\ud83d\ud83d", "\\ud83d\ufffd"),
        (r"\ud83d \uDE00", "\ufffd \ufffd"),
        (r"\\\ud83d", "\\\ufffd"),
    ],
)
def test_half_a_pair_is_replaced_and_a_whole_one_is_not(sent: str, text: str) -> None:
    """Unicode 16, 3.9: U+FFFD substitution; an escaped backslash begins no escape."""
    body = '{"jsonrpc":"2.0","id":1,"method":"m","params":{"%s":["%s"]}}' % (sent, sent)  # noqa: UP031 -- braces
    assert parse_body_with_lone_surrogates(body.encode(), is_modern=False)["params"] == {text: [text]}


def test_in_the_modern_era_half_a_pair_is_replaced_in_the_arguments_alone() -> None:
    """HOSTS rule 1: arguments are a model's, the envelope is strict."""
    parts = '{"jsonrpc":"2.0","id":1,"method":"m","params":{"%s":{"a":"\\ud83d"}}}'
    found = parse_body_with_lone_surrogates((parts % "arguments").encode(), is_modern=True)
    assert found["params"]["arguments"] == {"a": "\ufffd"}
    with pytest.raises(ParseError):
        parse_body_with_lone_surrogates((parts % "_meta").encode(), is_modern=True)


def test_an_answer_never_holds_what_no_client_can_read() -> None:
    """RFC 8259 and RFC 3629: no Infinity, no half of a pair."""
    text = to_wire({"a": float("inf"), "b": "x\ud800", "c\udfff": 1})
    assert json.loads(text) == {"a": None, "b": "x\ufffd", "c\ufffd": 1}
    text.encode("utf-8")


IDS: list[Any] = [0, -1, 2**70, "", "a"]
NO_IDS: list[Any] = [None, True, False, 1.0, [], {}, b"a"]


@pytest.mark.parametrize(("value", "is_id"), [*[(value, True) for value in IDS], *[(value, False) for value in NO_IDS]])
def test_an_id_is_a_string_or_an_integer(value: Any, is_id: bool) -> None:  # noqa: FBT001 -- a table's column
    """MCP basic/index: ids are strings or integers, never null; `True` is an int to Python only."""
    assert is_valid_id(value) is is_id
    assert readable_id({"id": value}) == (value if is_id else None)


@pytest.mark.parametrize("message", [None, 5, [], "x", {}, [{"id": 1}]])
def test_what_has_no_id_echoes_none(message: Any) -> None:
    """JSON-RPC 2.0, section 5: null where the id could not be detected."""
    assert readable_id(message) is None


@pytest.mark.parametrize(
    "change",
    [
        {"id": None},
        {"id": True},
        {"id": 1.5},
        {"jsonrpc": "1.0"},
        {"jsonrpc": 2.0},
        {"jsonrpc": None},
        {"method": None},
        {"method": 5},
        {"params": 5},
        {"params": "x"},
        {"params": None},
        {"params": [1]},
        {"params": False},
    ],
)
def test_a_request_with_a_bad_member_is_refused(change: dict[str, Any]) -> None:
    """JSON-RPC 2.0, section 4; MCP has no positional params."""
    with pytest.raises(InvalidRequestError):
        check_request({"jsonrpc": "2.0", "id": 1, "method": "ping"} | change)


@pytest.mark.parametrize("change", [{}, {"params": {}}, {"id": "a"}, {"extra": 1}])
def test_a_request_is_taken(change: dict[str, Any]) -> None:
    """Unknown members are nobody's business; null params are put right or refused before."""
    check_request({"jsonrpc": "2.0", "id": 1, "method": "ping"} | change)


def test_notifications_and_responses_are_told_apart() -> None:
    """JSON-RPC 2.0, sections 4.1 and 5."""
    assert is_valid_notification({"jsonrpc": "2.0", "method": "n"})
    assert not is_valid_notification({"jsonrpc": "2.0", "method": "n", "params": [1]})
    assert not is_valid_notification({"method": "n"})
    assert is_response({"jsonrpc": "2.0", "id": 1, "result": {}})
    assert is_response({"jsonrpc": "2.0", "id": 1, "error": {}})
    assert not is_response({"jsonrpc": "2.0", "id": 1, "method": "m", "result": {}})
