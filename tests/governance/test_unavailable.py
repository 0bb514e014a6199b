"""DynamoDB fails, or the time is over: silence where a call was not counted or recorded, and nothing done twice."""

import logging
import subprocess
import sys
import time

import pytest
from botocore.exceptions import ClientError, ReadTimeoutError

from governance.governed import RECORDING_S
from governance.store import REQUEST_S
from tests.governance.conftest import ROOT, Clock, CountedTable
from tests.governance.governed_server import BOUND, PING, SmallServer, call, principal, rows, send, transport

CANARY = "canary-of-a-value"


@pytest.fixture
def server(counters: CountedTable, audit: CountedTable, clock: Clock) -> SmallServer:
    """The server, on empty tables."""
    return SmallServer(counters, audit, clock)


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
    assert send(server, call("change")).body["error"]["data"] == {"retryable": False}
    audit.failures = [ReadTimeoutError(endpoint_url="https://dynamodb.example")]
    refused = send(server, call("change"), principal(scopes="small:spend"))
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


def test_a_process_that_dies_before_the_row_is_written_has_answered_nothing() -> None:
    """Issue: kill the function between tool and audit, and no unaudited answer ever leaves."""
    script = "from tests.governance.dying import main; main()"
    died = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (died.returncode, died.stdout) == (9, "the tool ran\n")


def test_time_is_kept_back_to_record_a_call(server: SmallServer) -> None:
    """A tool that takes all of the function's time would be killed before its row is written."""
    posted = transport(principal())
    posted.deadline_s = 1000.0
    server.exchange(PING, posted)
    assert posted.deadline_s <= 998.0
