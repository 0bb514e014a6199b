"""The invariants bite: each forged answer breaks the one that it is meant to.

Source: our own choice: a check that nothing can fail checks nothing.
"""

import json
from typing import Any

import pytest

from tests.fuzz.events import http_event
from tests.fuzz.invariants import BrokenError, check, check_answer
from tests.fuzz.values import CANARY
from tests.mcpserver.posts import JSON_HEADERS, request

CALL = {"name": "calculator", "arguments": {"expression": "1+1"}}
RESULT = {"content": [{"type": "text", "text": "2"}], "isError": False}


def event_of(payload: Any) -> dict[str, Any]:
    """Return the event that carries *payload*."""
    return http_event(json.dumps(payload), [*JSON_HEADERS.items()], "POST", "/mcp")


def response_of(body: Any, status: int = 200, **headers: Any) -> dict[str, Any]:
    """Return a proxy answer; a body that is no text goes as JSON."""
    return {
        "statusCode": status,
        "headers": {"Content-Type": "application/json", **headers},
        "body": body if isinstance(body, str) else json.dumps(body),
        "isBase64Encoded": False,
    }


def answer(result: Any = RESULT, request_id: Any = 1, **members: Any) -> dict[str, Any]:
    """Return an answer with a result."""
    return {"jsonrpc": "2.0", "id": request_id, "result": result, **members}


def error(code: int, message: str = "No.", request_id: Any = 1, **members: Any) -> dict[str, Any]:
    """Return an answer with an error."""
    return {"jsonrpc": "2.0", "id": request_id, "error": {"code": code, "message": message, **members}}


def test_a_right_answer_holds() -> None:
    """The other tests of this file change one thing of it."""
    check_answer(event_of(request("tools/call", CALL)), response_of(answer()))


FORGED: dict[str, dict[str, Any]] = {
    "a 500": response_of(answer(), 500),
    "a crash": response_of(error(-32603)),
    "an unknown code": response_of(error(-1)),
    "no message": response_of(error(-32602, "")),
    "NaN": response_of('{"jsonrpc":"2.0","id":1,"result":{"content":[],"x":NaN}}'),
    "half a pair": response_of('{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"\ud83d"}]}}'),
    "a null": response_of(answer(RESULT | {"structuredContent": None})),
    "error null": response_of(answer(error=None)),
    "another id": response_of(answer(request_id=2)),
    "an id of another type": response_of(answer(request_id="1")),
    "no id": response_of(answer(request_id=None)),
    "nothing": response_of("", 202),
    "two answers": response_of([answer(), answer()]),
    "a modern member": response_of(answer(RESULT | {"resultType": "complete"})),
    "no content": response_of(answer({"isError": False})),
    "an error that does not say so": response_of(answer(RESULT | {"isError": True})),
    "an echo in an error": response_of(error(-32602, f"No {CANARY}.")),
    "an echo in data": response_of(error(-32602, data={"name": CANARY})),
    "an echo in a tool's error": response_of(
        answer({"content": [{"type": "text", "text": f"Error: {CANARY}"}], "isError": True})
    ),
    "an echo in a header": response_of(answer(), Vary=CANARY),
    "a line break in a header": response_of(answer(), Vary="a\r\nb"),
    "a header that is a number": response_of(answer(), Age=1),
    "base64": response_of(answer()) | {"isBase64Encoded": True},
}


@pytest.mark.parametrize("response", FORGED.values(), ids=FORGED.keys())
def test_a_forged_answer_breaks_an_invariant(response: dict[str, Any]) -> None:
    """Issue 3, item 5: the invariants."""
    with pytest.raises((BrokenError, UnicodeError)):
        check_answer(event_of(request("tools/call", CALL)), response)


@pytest.mark.parametrize(
    "answers",
    [
        [answer({}, 1)],
        [answer({}, 2), answer({}, 1)],
        [answer({}, 1), answer({}, 2), answer({}, 3)],
        [answer({}, 1), answer({}, 1)],
    ],
)
def test_a_batch_that_is_not_whole_or_in_order_breaks_one(answers: list[Any]) -> None:
    """JSON-RPC 2.0, section 6; in order: SPEC 2.1."""
    batch = [request("ping"), {"jsonrpc": "2.0", "method": "notifications/x"}, request("ping", request_id=2)]
    check_answer(event_of(batch), response_of([answer({}, 1), answer({}, 2)]))
    with pytest.raises(BrokenError):
        check_answer(event_of(batch), response_of(answers))


@pytest.mark.parametrize("server", ["conformance", "lab"])
def test_the_servers_hold_for_an_honest_call(server: str) -> None:
    """What is fuzzed works."""
    check(server, event_of(request("tools/call", CALL)), times=False)
