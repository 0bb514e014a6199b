"""How the messages of one POST go through a server: notifications, responses, batches.

Source: SPEC 2.1; JSON-RPC 2.0, sections 4 to 6.
"""

from typing import Any

import pytest

from mcpserver import MAX_BATCH_SIZE
from tests.fixture_servers import AddingServer
from tests.mcpserver.posts import request

NOTIFICATION = {"jsonrpc": "2.0", "method": "notifications/initialized"}
SERVER = AddingServer()


def test_a_notification_gets_none() -> None:
    """SPEC 2.1: None when nothing needs an answer."""
    assert SERVER.handle(NOTIFICATION) is None
    assert SERVER.handle_message(NOTIFICATION) is None


def test_a_clients_response_gets_none() -> None:
    """SPEC 2.1: None for a response from the client: we asked nothing."""
    for response in ({"jsonrpc": "2.0", "id": 1, "result": {}}, {"jsonrpc": "2.0", "id": 1, "error": {"code": 1}}):
        assert SERVER.handle(response) is None
        assert SERVER.handle_message(response) is None


@pytest.mark.parametrize(
    "message", [{**NOTIFICATION, "params": 5}, {"jsonrpc": "2.0", "method": 5}, {"jsonrpc": "2.0"}]
)
def test_an_invalid_notification_is_dropped(message: Any) -> None:
    """SPEC 2.1: an invalid one is dropped, never answered."""
    assert SERVER.handle(message) is None


def test_a_batch_is_answered_in_order_without_its_notifications() -> None:
    """JSON-RPC 2.0, section 6."""
    answers = SERVER.handle([request("ping", request_id=3), NOTIFICATION, request("no/such", request_id="b"), 5])
    assert [answer["id"] for answer in answers] == [3, "b", None]
    assert ["error" in answer for answer in answers] == [False, True, True]


def test_a_batch_of_notifications_gets_none() -> None:
    """JSON-RPC 2.0, section 6: nothing at all, not an empty list."""
    assert SERVER.handle([NOTIFICATION] * 2) is None


@pytest.mark.parametrize(("size", "is_answered"), [(0, False), (1, True), (20, True), (21, False)])
def test_a_batch_holds_one_to_twenty(size: int, is_answered: bool) -> None:  # noqa: FBT001 -- a table's column
    """SPEC 2.1: an empty or larger batch is one INVALID_REQUEST, so one POST cannot run unbounded calls."""
    assert MAX_BATCH_SIZE == 20
    server = AddingServer()
    batch = [request("tools/call", {"name": "add", "arguments": {"a": 1, "b": 1}}, number) for number in range(size)]
    answer = server.handle(batch)
    if is_answered:
        assert [item["id"] for item in answer] == list(range(size))
    else:
        assert (answer["error"]["code"], answer["id"], server.calls) == (-32600, None, 0)
