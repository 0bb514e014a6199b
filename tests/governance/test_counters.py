"""Counters in DynamoDB: four walls, one update, and never a reset."""

from typing import Any

import pytest
from botocore.exceptions import ClientError, ReadTimeoutError

from governance.counters import CounterTable
from governance.errors import StoreError, WallError
from governance.limits import Limits, Usage, Wall
from tests.governance.conftest import Clock, CountedTable


def throttled() -> ClientError:
    """What DynamoDB says when it is throttled."""
    return ClientError({"Error": {"Code": "ThrottlingException", "Message": ""}}, "UpdateItem")


def wall_of(table: CounterTable, limits: Limits, *, tokens: int | None = None, key: str = "k1") -> WallError:
    """Return the refusal of one call."""
    with pytest.raises(WallError) as refused:
        table.take("blue", key, limits, tokens=tokens)
    return refused.value


def test_call_120_passes_and_call_121_waits_for_the_next_minute(counters: CountedTable, clock: Clock) -> None:
    """GATEWAY.md: 120 requests in a UTC minute; the refusal says when to come again."""
    table, limits = CounterTable(counters, now_s=clock), Limits(key_calls=120)
    clock.now_s += 17
    for number in range(1, 121):
        assert table.take("blue", "k1", limits, tokens=None).usage.key_calls == number
    refused = wall_of(table, limits)
    assert (refused.wall, refused.retry_after_s) == (Wall.KEY_CALLS, 43)
    clock.now_s += 43
    assert table.take("blue", "k1", limits, tokens=None).usage.key_calls == 1


def test_each_wall_is_named_and_a_refused_call_counts_nowhere(counters: CountedTable, clock: Clock) -> None:
    """GATEWAY.md: a refusal names the wall. Calls come first, and the key before its team."""
    table = CounterTable(counters, now_s=clock)
    for key in ("k1", "k2"):
        table.take("blue", key, Limits(), tokens=40)
    assert wall_of(table, Limits(key_calls=1, team_calls=2, key_tokens=0)).wall is Wall.KEY_CALLS
    assert wall_of(table, Limits(team_calls=2, key_tokens=0)).wall is Wall.TEAM_CALLS
    assert wall_of(table, Limits(key_tokens=50, team_tokens=80), tokens=11).wall is Wall.KEY_TOKENS
    refused = wall_of(table, Limits(key_tokens=51, team_tokens=90), tokens=11)
    assert (refused.wall, refused.usage) == (Wall.TEAM_TOKENS, Usage(1, 2, 40, 80))
    assert table.take("blue", "k1", Limits(), tokens=10).usage == Usage(2, 3, 50, 90)


def test_a_call_that_is_larger_than_the_budget_never_fits(counters: CountedTable, clock: Clock) -> None:
    """Also the first of a month, whose counters are not there yet."""
    table = CounterTable(counters, now_s=clock)
    assert wall_of(table, Limits(key_tokens=100), tokens=101).wall is Wall.KEY_TOKENS
    assert table.take("blue", "k1", Limits(key_tokens=100), tokens=100).usage.key_tokens == 100
    assert wall_of(table, Limits(key_tokens=100), tokens=1).wall is Wall.KEY_TOKENS


def test_a_request_that_is_no_tool_call_passes_with_a_spent_budget(counters: CountedTable, clock: Clock) -> None:
    """A host must be able to list the tools and to read why they do not run."""
    table, limits = CounterTable(counters, now_s=clock), Limits(key_tokens=10)
    table.take("blue", "k1", limits, tokens=10)
    assert table.take("blue", "k1", limits, tokens=None).usage.key_calls == 2


def test_what_was_not_spent_is_given_back_to_the_month_it_came_from(counters: CountedTable, clock: Clock) -> None:
    """A call may begin in one month and end in the next."""
    table, limits = CounterTable(counters, now_s=clock), Limits(key_tokens=100)
    taken = table.take("blue", "k1", limits, tokens=90)
    clock.now_s += 40 * 24 * 3600
    assert table.settle(taken, spent=25) == Usage(1, 1, 25, 25)
    assert table.take("blue", "k1", limits, tokens=100).usage.key_tokens == 100


def test_nothing_is_given_back_to_a_month_that_is_gone(counters: CountedTable, clock: Clock) -> None:
    """Below zero it would hold more than its limit."""
    table = CounterTable(counters, now_s=clock)
    taken = table.take("blue", "k1", Limits(), tokens=100)
    [item] = counters.scan()["Items"]
    counters.delete_item(Key={"pk": item["pk"], "sk": item["sk"]})
    with pytest.raises(StoreError):
        table.settle(taken, spent=1)
    assert counters.scan()["Items"] == []


def test_teams_do_not_share_counters(counters: CountedTable, clock: Clock) -> None:
    """Nor do two keys of one team share what is the key's own."""
    table = CounterTable(counters, now_s=clock)
    table.take("blue", "k1", Limits(), tokens=5)
    assert table.take("red", "k1", Limits(), tokens=5).usage == Usage(1, 1, 5, 5)
    assert table.take("blue", "k2", Limits(), tokens=5).usage == Usage(1, 2, 5, 10)


def test_a_call_is_one_request_taken_or_refused(counters: CountedTable, clock: Clock) -> None:
    """Issue: at most two DynamoDB round trips on the path of a call, the audit row included."""
    table = CounterTable(counters, now_s=clock)
    table.take("blue", "k1", Limits(key_calls=1), tokens=1)
    wall_of(table, Limits(key_calls=1), tokens=1)
    assert counters.requests == ["update_item", "update_item"]


def test_counters_of_past_minutes_are_removed_along_with_a_later_call(
    counters: CountedTable, clock: Clock, dynamodb: Any
) -> None:
    """The item would grow by a counter a minute; the last minutes stay, for an instance whose clock is late."""
    table = CounterTable(counters, now_s=clock)
    for _ in range(30):
        table.take("blue", "k1", Limits(), tokens=1)
        clock.now_s += 60
    item = counters.scan()["Items"][0]
    minutes = {name for name in item if name.startswith("m")}
    assert len(minutes) <= 2 * 6
    assert item["t:k1"] == 30


def test_a_throttled_count_is_tried_once_more_and_then_given_up(counters: CountedTable, clock: Clock) -> None:
    """Source: our own choice; the caller is answered within 3 s."""
    table = CounterTable(counters, now_s=clock)
    counters.failures = [throttled()]
    table.take("blue", "k1", Limits(), tokens=1)
    counters.failures = [throttled(), throttled()]
    with pytest.raises(StoreError):
        table.take("blue", "k1", Limits(), tokens=1)
    assert len(counters.requests) == 4


def test_a_count_that_timed_out_is_not_tried_again(counters: CountedTable, clock: Clock) -> None:
    """It may have been made: twice would refuse call 120. And the caller has waited long enough."""
    counters.failures = [ReadTimeoutError(endpoint_url="https://dynamodb.example")]
    with pytest.raises(StoreError):
        CounterTable(counters, now_s=clock).take("blue", "k1", Limits(), tokens=1)
    assert counters.requests == ["update_item"]


def test_a_settlement_without_an_answer_is_never_repeated(counters: CountedTable, clock: Clock) -> None:
    """Twice would give tokens back that were spent."""
    table = CounterTable(counters, now_s=clock)
    taken = table.take("blue", "k1", Limits(), tokens=100)
    counters.failures = [ReadTimeoutError(endpoint_url="https://dynamodb.example")]
    with pytest.raises(StoreError):
        table.settle(taken, spent=1)
    assert counters.requests == ["update_item", "update_item"]


def test_a_refusal_by_permission_is_not_tried_again(counters: CountedTable, clock: Clock) -> None:
    """It will not be another one in a moment."""
    counters.failures = [ClientError({"Error": {"Code": "AccessDeniedException", "Message": ""}}, "UpdateItem")]
    with pytest.raises(StoreError):
        CounterTable(counters, now_s=clock).take("blue", "k1", Limits(), tokens=1)
    assert counters.requests == ["update_item"]
