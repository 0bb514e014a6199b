"""A governed server: counted, paid for, recorded, in that order."""

import logging
from typing import Any

import pytest

from tests.governance.conftest import Clock, CountedTable
from tests.governance.governed_server import BOUND, SmallServer, call, principal, rows, send

CANARY = "canary-of-a-value"


@pytest.fixture
def server(counters: CountedTable, audit: CountedTable, clock: Clock) -> SmallServer:
    """The server, on empty tables."""
    return SmallServer(counters, audit, clock)


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


def test_a_repaired_call_s_row_says_what_was_repaired(server: SmallServer) -> None:
    """GATEWAY.md, "Audit": normalisations applied."""
    send(server, call("spend", tokens="7"))
    [row] = rows(server)
    assert (row.outcome, row.tokens_out) == ("ok", 7)
    assert any("tools/call" in change for change in row.normalisations)


@pytest.mark.parametrize("tokens", [0, 30, BOUND])
def test_a_call_takes_at_most_three_requests_and_two_where_nothing_is_settled(
    server: SmallServer, counters: CountedTable, audit: CountedTable, tokens: int
) -> None:
    """Issue: two round trips, the audit row included; three where tokens are settled."""
    send(server, call("spend", tokens=tokens))
    assert len(counters.requests + audit.requests) == (2 if tokens == BOUND else 3)


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
