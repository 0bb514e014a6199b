"""How long a call waits for DynamoDB: 3 s in all, however slow each request is and whatever fails."""

from collections.abc import Iterator
from typing import Any, Final

from botocore.exceptions import ClientError, ConnectTimeoutError, ReadTimeoutError
from hypothesis import given
from hypothesis import strategies as st

from governance.audit_table import AuditTable
from governance.counters import CounterTable
from governance.governed import Governance
from governance.store import CONNECT_S, PAUSE_S, REQUEST_S, TOTAL_S, Patience
from tests.governance.conftest import Clock
from tests.governance.governed_server import SmallServer, call, principal, transport

SLOW_S = REQUEST_S - 0.01
URL = "https://dynamodb.example"

type Course = tuple[float, Exception | None]


def error(code: str) -> ClientError:
    """Return DynamoDB's error *code*."""
    return ClientError({"Error": {"Code": code, "Message": ""}}, "UpdateItem")


REFUSED: Final = error("ConditionalCheckFailedException")

ENDINGS: st.SearchStrategy[Course] = st.one_of(
    st.tuples(st.floats(0, SLOW_S), st.sampled_from([None, error("ThrottlingException"), error("AccessDenied")])),
    st.tuples(st.floats(0, SLOW_S), st.just(REFUSED)),
    st.just((REQUEST_S, ReadTimeoutError(endpoint_url=URL))),
    st.just((CONNECT_S, ConnectTimeoutError(endpoint_url=URL))),
)


class SlowTable:
    """Takes its time over each request, and then succeeds or fails as a test says."""

    name = "slow"

    def __init__(self, endings: Iterator[Course]) -> None:
        self._endings = endings
        self.waited_s = 0.0
        self.meta: Any = None

    def clock(self) -> float:
        """Return the seconds that were waited."""
        return self.waited_s

    def sleep(self, seconds: float) -> None:
        """Wait."""
        self.waited_s += seconds

    def update_item(self, **arguments: Any) -> Any:
        """Count something."""
        self._end(may_refuse="ConditionExpression" in arguments)
        names: dict[str, str] = arguments["ExpressionAttributeNames"]
        return {"Attributes": dict.fromkeys(names.values(), 1)}

    def put_item(self, **_arguments: Any) -> None:
        """Write something."""
        self._end()

    def _end(self, *, may_refuse: bool = False) -> None:
        duration_s, failure = next(self._endings)
        self.waited_s += duration_s
        if failure is not None and (may_refuse or failure is not REFUSED):
            raise failure


@given(st.lists(ENDINGS, min_size=6, max_size=6))
def test_a_call_waits_for_dynamodb_3_s_at_most(endings: list[Course]) -> None:
    """Issue: throttling or failure gives a clean retryable error within 3 s; slowness in any order is part of it."""
    table: Any = SlowTable(iter(endings))
    server = SmallServer(table, table, Clock())
    server.governance = Governance(
        CounterTable(table, now_s=Clock()),
        AuditTable(table, keep_days=1),
        Clock(),
        lambda: Patience(clock=table.clock, sleep=table.sleep),
    )
    answer = server.exchange(call("spend", tokens=1), transport(principal(calls_per_minute="5"))).body
    assert table.waited_s <= TOTAL_S + 1e-6
    if "error" in answer:
        assert answer["error"]["data"]["retry_after"] > 0


def test_a_try_is_repeated_only_with_time_left_for_what_must_follow() -> None:
    """The row is written even if the count took two tries."""
    patience = Patience()
    assert patience.allows(keep_s=2 * REQUEST_S)
    patience.limit(REQUEST_S + PAUSE_S)
    assert patience.allows(keep_s=PAUSE_S)
    assert not patience.allows(keep_s=REQUEST_S)
