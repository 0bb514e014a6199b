"""Breakers in DynamoDB: shared by instances that do not know each other."""

from typing import Any

import pytest
from botocore.exceptions import ClientError
from mcpclient.breaker import CircuitOpenError
from mcpclient.breaker_table import BreakerTable


class Clock:
    """Unix time that a test moves on."""

    now_s = 1000.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now_s


class CountingTable:
    """Counts what goes to DynamoDB, and lets a test act between a read and a write."""

    def __init__(self, table: Any) -> None:
        self._table = table
        self.reads = 0
        self.writes = 0
        self.before_write: list[Any] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._table, name)

    def get_item(self, **request: Any) -> Any:
        """Count, and read."""
        self.reads += 1
        return self._table.get_item(**request)

    def put_item(self, **request: Any) -> Any:
        """Count, act, and write."""
        self.writes += 1
        if self.before_write:
            self.before_write.pop()()
        return self._table.put_item(**request)


def test_it_opens_for_all_instances_and_closes_after_one_probe(connections_table: Any) -> None:
    """Five failures, seen by whoever they were."""
    clock = Clock()
    one, two = BreakerTable(connections_table, now_s=clock), BreakerTable(connections_table, now_s=clock)
    for breakers in (one, two, one, two, one):
        breakers.enter("docs")
        breakers.fail("docs")
    for breakers in (one, two):
        with pytest.raises(CircuitOpenError):
            breakers.enter("docs")
        breakers.enter("other")
    clock.now_s += 60
    one.enter("docs")
    with pytest.raises(CircuitOpenError):
        two.enter("docs")
    one.succeed("docs")
    two.enter("docs")


def test_two_probes_at_the_same_moment(connections_table: Any) -> None:
    """Both have read the same state; the conditional write lets one through."""
    clock = Clock()
    one = BreakerTable(connections_table, now_s=clock)
    for _ in range(5):
        one.fail("docs")
    clock.now_s += 60
    counting = CountingTable(connections_table)
    counting.before_write.append(lambda: one.enter("docs"))
    with pytest.raises(CircuitOpenError):
        BreakerTable(counting, now_s=clock).enter("docs")


def test_no_failure_is_lost_between_two_instances(connections_table: Any) -> None:
    """The loser of a write reads again."""
    one = BreakerTable(connections_table, now_s=Clock())
    counting = CountingTable(connections_table)
    counting.before_write.append(lambda: one.fail("docs"))
    BreakerTable(counting, now_s=Clock()).fail("docs")
    assert connections_table.get_item(Key={"pk": "CONNECTION#docs", "sk": "BREAKER"})["Item"]["failures"] == 2


def test_a_healthy_call_reads_twice_and_writes_nothing(connections_table: Any) -> None:
    """What each call costs."""
    counting = CountingTable(connections_table)
    breakers = BreakerTable(counting, now_s=Clock())
    breakers.enter("docs")
    breakers.succeed("docs")
    assert (counting.reads, counting.writes) == (2, 0)


def test_a_probe_that_fails_doubles_the_pause_for_all_and_a_late_call_does_not(connections_table: Any) -> None:
    """That a probe is under way is kept in the row: whoever makes it may be any instance."""
    clock = Clock()
    one, two = BreakerTable(connections_table, now_s=clock), BreakerTable(connections_table, now_s=clock)
    for _ in range(10):
        one.fail("docs")
    clock.now_s += 60
    two.enter("docs")
    two.fail("docs")
    one.fail("docs")
    row = connections_table.get_item(Key={"pk": "CONNECTION#docs", "sk": "BREAKER"})["Item"]
    assert (row["open_until_s"], row["openings"]) == (1060 + 120, 2)


def test_a_table_that_takes_no_write_costs_no_result() -> None:
    """The tool has run: a throttled write after it would have its caller run it again."""

    class Throttled:
        def get_item(self, **_request: Any) -> dict[str, Any]:
            return {"Item": {"failures": 3, "version": 1}}

        def put_item(self, **_request: Any) -> dict[str, Any]:
            raise ClientError({"Error": {"Code": "ProvisionedThroughputExceededException"}}, "PutItem")

    table: Any = Throttled()
    breakers = BreakerTable(table, now_s=Clock())
    breakers.enter("docs")
    breakers.succeed("docs")
    breakers.fail("docs")
