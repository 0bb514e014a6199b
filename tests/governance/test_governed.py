"""A governed server: counted, paid for, recorded, in that order, and silent where it cannot be."""

import logging
import subprocess
import sys
import time
from typing import Any

import pytest
from botocore.exceptions import ClientError, ReadTimeoutError

from governance.audit import AuditRow
from governance.audit_table import AuditQuery
from governance.governed import RECORDING_S
from governance.store import REQUEST_S
from mcpserver import Principal
from mcpserver.exchange import Exchange
from tests.governance.conftest import ROOT, Clock, CountedTable
from tests.governance.governed_server import BOUND, SmallServer, call, principal, transport

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
CANARY = "canary-of-a-value"


@pytest.fixture
def server(counters: CountedTable, audit: CountedTable, clock: Clock) -> SmallServer:
    """The server, on empty tables."""
    return SmallServer(counters, audit, clock)


def send(server: SmallServer, payload: Any, caller: Principal | None = None) -> Exchange:
    """Send one POST's payload."""
    return server.exchange(payload, transport(caller or principal()))


def rows(server: SmallServer) -> list[AuditRow]:
    """Return all audit rows, the oldest first."""
    return [*server.rows.find(AuditQuery())][::-1]


def test_a_call_leaves_one_row_with_what_it_cost(server: SmallServer) -> None:
    """GATEWAY.md, "Audit": the columns, and no value of an argument."""
    answer = send(server, call("spend", tokens=30), principal(tokens_per_month="1000"))
    assert answer.body["result"]["structuredContent"]["tokens_out"] == 30
    [row] = rows(server)
    said = row.model_dump(exclude={"row_id", "argument_digest", "latency_ms"})
    assert said == {
        "time": "2026-12-01T00:00:00.000Z",
        "request_id": "r-1",
        "parent_id": "",
        "step": 0,
        "key_id": "k1",
        "team": "blue",
        "client_name": "example-client",
        "client_version": "1.0",
        "protocol_version": "2025-03-26",
        "tool": "spend",
        "argument_bytes": 13,
        "normalisations": (),
        "outcome": "ok",
        "wall": "",
        "tokens_in": 1000,
        "tokens_out": 30,
        "tokens_saved": 970,
        "tokens_charged": 30,
        "budget_left": 970,
        "cache": "hit",
        "http_status": 200,
    }


@pytest.mark.parametrize(
    ("payload", "outcome", "tool"),
    [
        (call("report"), "tool_error", "report"),
        (call("crash"), "rpc_error", "crash"),
        (call("no_such_tool"), "rpc_error", "unknown"),
        (call(5), "rpc_error", "unknown"),
        (call("spend", tokens="many"), "tool_error", "spend"),
    ],
)
def test_a_call_that_fails_leaves_one_row_and_costs_nothing(
    server: SmallServer, payload: Any, outcome: str, tool: str
) -> None:
    """GATEWAY.md: also for failures; an unknown name is the client's text, and is not kept."""
    send(server, payload, principal(tokens_per_month="1000"))
    [row] = rows(server)
    assert (row.outcome, row.tool, row.tokens_charged) == (outcome, tool, 0)
    assert send(server, call("spend", tokens=1), principal(tokens_per_month="1000")).status == 200
    assert {row.budget_left for row in rows(server)} >= {999}


def test_the_minute_s_wall_is_429_with_the_whole_error(server: SmallServer) -> None:
    """GATEWAY.md: HTTP 429, Retry-After, data {wall, limit, window_s, retry_after}; refused calls are recorded too."""
    caller = principal(calls_per_minute="1", tokens_per_month="1000")
    send(server, PING, caller)
    answer = send(server, call("spend"), caller)
    assert (answer.status, answer.headers["Retry-After"], answer.body["id"]) == (429, "60", 7)
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


def test_a_call_refused_for_its_tokens_takes_two_round_trips(
    server: SmallServer, counters: CountedTable, audit: CountedTable
) -> None:
    """Issue: two at most; the second is two requests side by side, the row and the call of its minute."""
    send(server, call("spend"), principal(tokens_per_month="1"))
    assert (counters.requests, audit.requests) == (["update_item", "update_item"], ["put_item"])


def test_a_refusal_stands_where_its_minute_cannot_be_counted(
    server: SmallServer, counters: CountedTable, caplog: pytest.LogCaptureFixture
) -> None:
    """Its row is written and says what the caller is told; the log says what is missing."""
    refused = ClientError({"Error": {"Code": "ConditionalCheckFailedException", "Message": ""}}, "UpdateItem")
    counters.failures = [refused, ReadTimeoutError(endpoint_url="https://dynamodb.example")]
    answer = send(server, call("spend"), principal(tokens_per_month="1"))
    assert answer.body["result"]["isError"] is True
    assert [row.outcome for row in rows(server)] == ["refused"]
    assert "not in its minute" in caplog.text


def test_a_repaired_call_s_row_says_what_was_repaired(server: SmallServer) -> None:
    """GATEWAY.md, "Audit": normalisations applied."""
    send(server, call("spend", tokens="7"))
    [row] = rows(server)
    assert (row.outcome, row.tokens_out) == ("ok", 7)
    assert any("tools/call" in change for change in row.normalisations)


def test_a_call_without_budget_is_a_call_of_its_minute(server: SmallServer) -> None:
    """GATEWAY.md: every JSON-RPC request counts."""
    caller = principal(tokens_per_month="1", calls_per_minute="2")
    statuses = [send(server, call("spend"), caller).status for _ in range(3)]
    assert statuses == [200, 200, 429]


def test_each_message_of_a_batch_counts(server: SmallServer) -> None:
    """GATEWAY.md: batch items too."""
    answer = send(server, [PING, PING, PING], principal(calls_per_minute="2"))
    assert [("error" in item) for item in answer.body] == [False, False, True]


@pytest.mark.parametrize("tokens", [0, 30, BOUND])
def test_a_call_takes_at_most_three_requests_and_two_where_nothing_is_settled(
    server: SmallServer, counters: CountedTable, audit: CountedTable, tokens: int
) -> None:
    """Issue: two round trips, the audit row included; three where tokens are settled."""
    send(server, call("spend", tokens=tokens))
    assert len(counters.requests + audit.requests) == (2 if tokens == BOUND else 3)


def test_a_refused_call_takes_two_requests(server: SmallServer, counters: CountedTable, audit: CountedTable) -> None:
    """Issue: at most two on the path of a refused call."""
    send(server, call("spend"), principal(calls_per_minute="0"))
    assert (counters.requests, audit.requests) == (["update_item"], ["put_item"])


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

    assert listed("small") == ["spend", "report", "crash"]
    assert listed("small:report other:spend") == ["report"]
    assert server.cache_scope == "private"


def test_nobody_is_nobody(server: SmallServer, counters: CountedTable) -> None:
    """SPEC 3: never an answer without a principal, whatever asked the server."""
    assert server.exchange(PING, transport(None)).status == 401
    assert counters.requests == []


def test_an_answer_that_cannot_be_recorded_does_not_leave(
    server: SmallServer, audit: CountedTable, caplog: pytest.LogCaptureFixture
) -> None:
    """GATEWAY.md: no unaudited call. The error says that trying again can help."""
    audit.failures = [ReadTimeoutError(endpoint_url=f"https://{CANARY}.example")]
    with caplog.at_level(logging.INFO):
        answer = send(server, call("spend", tokens=77))
    error = answer.body["error"]
    assert (error["code"], error["data"]["retryable"], answer.body["id"]) == (-32603, True, 7)
    assert "tokens_out" not in str(answer.body)
    assert CANARY not in str(answer.body) + caplog.text


def test_a_call_that_changes_something_and_is_not_recorded_is_not_called_retryable(
    server: SmallServer, audit: CountedTable
) -> None:
    """Repeated at once, a booking would be made twice."""
    audit.failures = [ReadTimeoutError(endpoint_url="https://dynamodb.example")]
    assert send(server, call("report")).body["error"]["data"] == {"retryable": False}
    audit.failures = [ReadTimeoutError(endpoint_url="https://dynamodb.example")]
    refused = send(server, call("report"), principal(scopes="small:spend"))
    assert refused.body["error"]["data"]["retryable"] is True


@pytest.mark.parametrize("place", [0, 1])
def test_an_answer_that_is_not_dynamodb_s_is_a_failure_like_any_other(
    server: SmallServer, counters: CountedTable, place: int
) -> None:
    """A proxy's page in its place: the count fails and says so, the settlement fails and the row is written."""
    counters.failures = [None, None]
    counters.failures[place] = KeyError("Attributes")
    answer = send(server, call("spend", tokens=1))
    assert answer.body["error"]["data"]["retryable"] if place == 0 else not answer.body["result"]["isError"]
    assert [row.tokens_charged for row in rows(server)] == [0 if place == 0 else BOUND]


def test_a_batch_that_has_no_time_left_counts_and_does_nothing_more(
    server: SmallServer, counters: CountedTable
) -> None:
    """Lambda would end the function in the middle, and nothing of the batch would be answered."""
    posted = transport(principal())
    posted.deadline_s = time.monotonic() + RECORDING_S + REQUEST_S / 2
    [answer] = server.exchange([call("spend")], posted).body
    assert (answer["id"], answer["error"]["data"]["retryable"]) == (7, True)
    assert counters.requests == []


def test_a_call_that_cannot_be_counted_does_not_run(server: SmallServer, counters: CountedTable) -> None:
    """Issue: a clean retryable error. It is recorded where that is possible."""
    counters.failures = [ClientError({"Error": {"Code": "AccessDeniedException", "Message": CANARY}}, "UpdateItem")]
    answer = send(server, call("spend"))
    assert (answer.status, answer.body["error"]["data"]["retryable"]) == (200, True)
    assert [(row.outcome, row.wall) for row in rows(server)] == [("refused", "store")]


def test_a_reservation_that_cannot_be_settled_stays(server: SmallServer, counters: CountedTable) -> None:
    """It can only be too much: the budget is never overspent, and the answer is the caller's."""
    send(server, call("spend", tokens=1))
    counters.failures = [None, ReadTimeoutError(endpoint_url="https://dynamodb.example")]
    answer = send(server, call("spend", tokens=1), principal(tokens_per_month="1000"))
    assert answer.body["result"]["isError"] is False
    assert sorted(row.tokens_charged for row in rows(server)) == [1, BOUND]


def test_no_value_and_no_exception_text_is_kept(
    server: SmallServer, audit: CountedTable, caplog: pytest.LogCaptureFixture
) -> None:
    """GATEWAY.md: a digest and a size. The same arguments in another order have the same digest."""
    with caplog.at_level(logging.DEBUG):
        send(server, call("crash", secret=CANARY, b=1))
        send(server, call("crash", b=1, secret=CANARY))
        private = call("spend")
        private["params"]["_meta"] = {"sessionId": CANARY, "x-turn-metadata": {"session_id": CANARY}}
        assert send(server, private).status == 200
    stored = str(audit.scan()["Items"])
    assert CANARY not in stored + caplog.text
    crashed = [row for row in rows(server) if row.tool == "crash"]
    assert len({row.argument_digest for row in crashed}) == 1
    assert len({row.row_id for row in crashed}) == 2


def test_time_is_kept_back_to_record_a_call(server: SmallServer) -> None:
    """A tool that takes all of the function's time would be killed before its row is written."""
    posted = transport(principal())
    posted.deadline_s = 1000.0
    server.exchange(PING, posted)
    assert posted.deadline_s <= 998.0


def test_a_process_that_dies_before_the_row_is_written_has_answered_nothing() -> None:
    """Issue: kill the function between tool and audit, and no unaudited answer ever leaves."""
    script = "from tests.governance.dying import main; main()"
    died = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (died.returncode, died.stdout) == (9, "the tool ran\n")
