"""Who is refused, by which wall, what is said and what is written down."""

import pytest

from tests.governance.conftest import Clock, CountedTable
from tests.governance.governed_server import BOUND, PING, SmallServer, call, principal, rows, send, transport

CANARY = "canary-of-a-value"


@pytest.fixture
def server(counters: CountedTable, audit: CountedTable, clock: Clock) -> SmallServer:
    """The server, on empty tables."""
    return SmallServer(counters, audit, clock)


def test_the_minute_s_wall_is_429_with_the_whole_error(server: SmallServer) -> None:
    """GATEWAY.md: HTTP 429, Retry-After, data {wall, limit, window_s, retry_after}; refused calls are recorded too."""
    caller = principal(calls_per_minute="1", tokens_per_month="1000")
    send(server, PING, caller)
    answer = send(server, call("spend"), caller)
    assert (answer.status, answer.headers["Retry-After"], answer.body["id"]) == (429, "60", 7)
    assert "try again in 60 s" in answer.body["error"]["message"]
    wall = {"wall": "key_calls_per_minute", "limit": 1, "window_s": 60, "retry_after": 60}
    assert answer.body["error"]["data"] == wall
    [row] = rows(server)
    assert (row.outcome, row.wall, row.http_status) == ("refused", "key_calls_per_minute", 429)
    assert row.budget_left == 1000


def test_a_spent_month_is_told_to_the_model(server: SmallServer) -> None:
    """GATEWAY.md: HTTP 200 and isError, saying the limit, the use and when it resets."""
    caller = principal(tokens_per_month=str(BOUND + 20))
    send(server, call("spend", tokens=60), caller)
    answer = send(server, call("spend", tokens=1), caller)
    text = answer.body["result"]["content"][0]["text"]
    assert (answer.status, answer.body["result"]["isError"]) == (200, True)
    words = ("Error:", "key_tokens_per_month", "60 of 120", "2027-01-01", f"sets aside {BOUND} tokens")
    assert all(word in text for word in words)
    assert "structuredContent" not in answer.body["result"]
    assert {(row.outcome, row.wall, row.budget_left) for row in rows(server)} == {
        ("ok", "", 60),
        ("refused", "key_tokens_per_month", 60),
    }


@pytest.mark.parametrize(
    ("limit", "status", "wall"),
    [("team_calls_per_minute", 429, "team_calls_per_minute"), ("team_tokens_per_month", 200, "team_tokens_per_month")],
)
def test_a_team_s_wall_stops_each_of_its_keys(server: SmallServer, limit: str, status: int, wall: str) -> None:
    """GATEWAY.md: a ceiling per team; the refusal names it."""
    send(server, call("spend", tokens=1), principal(**{limit: "1"} if status == 429 else {}))
    answer = send(server, call("spend", tokens=1), principal(**{limit: "1"}))
    said = answer.body["error"]["data"]["wall"] if status == 429 else answer.body["result"]["content"][0]["text"]
    assert answer.status == status
    assert wall in said
    assert wall in {row.wall for row in rows(server)}


def test_a_call_without_budget_is_a_call_of_its_minute(server: SmallServer) -> None:
    """GATEWAY.md: every JSON-RPC request counts."""
    caller = principal(tokens_per_month="1", calls_per_minute="2")
    statuses = [send(server, call("spend"), caller).status for _ in range(3)]
    assert statuses == [200, 200, 429]


def test_each_message_of_a_batch_counts(server: SmallServer) -> None:
    """GATEWAY.md: batch items too."""
    answer = send(server, [PING, PING, PING], principal(calls_per_minute="2"))
    assert [("error" in item) for item in answer.body] == [False, False, True]


def test_a_refused_call_takes_two_requests(server: SmallServer, counters: CountedTable, audit: CountedTable) -> None:
    """Issue: at most two on the path of a refused call."""
    send(server, call("spend"), principal(calls_per_minute="0"))
    assert (counters.requests, audit.requests) == (["update_item"], ["put_item"])


def test_a_call_refused_for_its_tokens_takes_two_round_trips(
    server: SmallServer, counters: CountedTable, audit: CountedTable
) -> None:
    """Issue: two at most; the second is two requests side by side, the row and the call of its minute."""
    send(server, call("spend"), principal(tokens_per_month="1"))
    assert (counters.requests, audit.requests) == (["update_item", "update_item"], ["put_item"])


def test_a_tool_without_its_scope_is_refused_and_recorded(server: SmallServer) -> None:
    """SPEC 2.3: a tool's scope missing is an isError result that names it."""
    caller = principal(scopes="small:report other:spend")
    answer = send(server, call("spend"), caller)
    assert "small:spend" in answer.body["result"]["content"][0]["text"]
    assert [(row.outcome, row.wall) for row in rows(server)] == [("refused", "scope")]
    assert send(server, call("report"), caller).body["result"]["isError"]
    assert send(server, PING, principal(scopes="other")).status == 403


def test_a_key_is_shown_the_tools_that_it_may_call(server: SmallServer) -> None:
    """A list that depends on the key is not for others: 2026-07-28, `cacheScope`."""

    def listed(scopes: str) -> list[str]:
        body = send(server, {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, principal(scopes=scopes)).body
        return [tool["name"] for tool in body["result"]["tools"]]

    assert listed("small") == ["spend", "report", "crash", "change"]
    assert listed("small:report other:spend") == ["report"]
    assert server.cache_scope == "private"


def test_nobody_is_nobody(server: SmallServer, counters: CountedTable) -> None:
    """SPEC 3: never an answer without a principal, whatever asked the server."""
    assert server.exchange(PING, transport(None)).status == 401
    assert counters.requests == []
