"""What the client room never sends: what no JSON holds, what is not allowed, anything while DynamoDB is away."""

from typing import Any

import pytest
from botocore.exceptions import ClientError, EndpointConnectionError, ReadTimeoutError

from tests.functions.client.test_caller import Room, event, failing_first
from tests.hostile.mcp import mcp_server, text_result
from tests.hostile.server import serve

pytestmark = pytest.mark.anyio


def deep(levels: int) -> Any:
    """Return objects within objects."""
    value: Any = 1
    for _ in range(levels):
        value = {"a": value}
    return value


@pytest.mark.parametrize(
    "arguments",
    [{"text": "a\ud800"}, {"\udc00": 1}, {"n": float("nan")}, {"n": float("-inf")}, deep(400), {"n": 10**5000}],
    ids=["a lone surrogate", "one in a name", "NaN", "infinity", "too deep", "too many digits"],
)
async def test_arguments_that_cannot_be_sent_are_the_callers_error(connections_table: Any, arguments: Any) -> None:
    """Nothing is sent, and eight of them neither open the breaker for all, nor close one, nor take its probe."""
    async with serve(failing_first(5, 500)) as server:
        room = Room(connections_table, server)
        wrong = {**event("call_tool"), "arguments": arguments}
        for _ in range(8):
            error = (await room.answer(wrong))["error"]
            assert (error["code"], error["http_status"], error["retryable"]) == ("bad_request", None, False)
        assert server.connections == 0
        for _ in range(4):
            await room.answer(event("call_tool"))
        await room.answer(wrong)
        assert (await room.answer(event("call_tool")))["error"]["http_status"] == 500
        assert (await room.answer(event("call_tool")))["error"]["code"] == "circuit_open"
        room.now_s += 60
        assert (await room.answer(wrong))["error"]["code"] == "bad_request"
        assert "result" in await room.answer(event("call_tool"))


async def test_what_is_not_allowed_does_not_close_the_breaker(connections_table: Any) -> None:
    """Nothing was sent, so nothing is known of the server."""
    async with serve(failing_first(5, 500)) as server:
        room = Room(connections_table, server)
        for _ in range(5):
            await room.answer(event("call_tool"))
            error = (await room.answer({**event("read_resource"), "uri": "file:///etc/passwd"}))["error"]
            assert error["code"] == "permission"
        assert (await room.answer(event("call_tool")))["error"]["code"] == "circuit_open"


@pytest.mark.parametrize("levels", [200, *range(240, 262)])
async def test_the_depth_that_can_be_sent_is_known_before(connections_table: Any, levels: int) -> None:
    """The SDK's own limit would look like an answer that is not MCP."""
    async with serve(mcp_server({"tools/call": lambda _message: text_result("fine")})) as server:
        answer = await Room(connections_table, server).answer({**event("call_tool"), "arguments": deep(levels)})
    assert answer.get("result", {}).get("text") == "fine" or answer["error"]["code"] == "bad_request"
    assert "result" in answer or levels > 245


class Away:
    """A table that does not answer."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    def get_item(self, **_request: Any) -> Any:
        """Fail."""
        raise self._error


def refusal(code: str, status: int = 400) -> ClientError:
    """Return what boto3 raises for an answer of DynamoDB's."""
    said: Any = {"Error": {"Code": code, "Message": "canary"}, "ResponseMetadata": {"HTTPStatusCode": status}}
    return ClientError(said, "GetItem")


@pytest.mark.parametrize(
    ("error", "code", "retryable"),
    [
        (EndpointConnectionError(endpoint_url="https://canary"), "unavailable", True),
        (ReadTimeoutError(endpoint_url="https://canary"), "unavailable", True),
        (refusal("ProvisionedThroughputExceededException"), "unavailable", True),
        (refusal("ThrottlingException"), "unavailable", True),
        (refusal("InternalServerError", 500), "unavailable", True),
        (refusal("AccessDeniedException"), "configuration", False),
        (refusal("ResourceNotFoundException"), "configuration", False),
    ],
)
@pytest.mark.parametrize("away", ["connections", "catalogs", "breakers"])
async def test_a_table_that_does_not_answer_is_a_typed_error(
    connections_table: Any,
    error: Exception,
    code: str,
    retryable: bool,  # noqa: FBT001 -- a case
    away: str,
) -> None:
    """Whichever read it is; the callers of a function that raised would see a traceback, with the table's address."""
    async with serve(mcp_server()) as server:
        room = Room(connections_table, server, away={away: Away(error)})
        found = (await room.answer(event("call_tool")))["error"]
    assert (found["code"], found["retryable"], server.connections) == (code, retryable, 0)
    assert "canary" not in str(found)
