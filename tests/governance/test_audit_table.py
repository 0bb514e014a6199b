"""Finding audit rows: by team, key, tool, outcome and time, each from the index that says most."""

from typing import Any

import pytest

from governance.audit import AuditRow, check_time, digest_of
from governance.audit_table import AuditQuery, AuditTable
from tests.governance.conftest import Clock, CountedTable

TOOLS = ("smart_fetch", "smart_dedup")


def row(number: int, **values: Any) -> AuditRow:
    """Return a row of minute *number*."""
    stored = {
        "row_id": f"row{number}",
        "time": f"2026-11-30T12:{number:02}:00.000Z",
        "request_id": "r",
        "key_id": "k1",
        "team": "blue",
        "tool": "smart_fetch",
        "argument_digest": "0",
        "argument_bytes": 2,
        "outcome": "ok",
        "latency_ms": 1.5,
        "http_status": 200,
    }
    return AuditRow.model_validate({**stored, **values})


@pytest.fixture
def table(audit: CountedTable, clock: Clock) -> AuditTable:
    """Five rows of two teams."""
    table = AuditTable(audit, keep_days=1, tools=TOOLS)
    rows = [
        row(1),
        row(2, key_id="k2", outcome="refused", wall="key_calls_per_minute"),
        row(3, tool="smart_dedup", outcome="tool_error"),
        row(4, team="red", key_id="k3", tool="smart_dedup", budget_left=0),
        row(5, team="red", key_id="k3", outcome="refused"),
    ]
    for found in rows:
        table.write([found], now_s=clock())
    return table


@pytest.mark.parametrize(
    ("query", "found"),
    [
        (AuditQuery(), [5, 4, 3, 2, 1]),
        (AuditQuery(team="blue"), [3, 2, 1]),
        (AuditQuery(key_id="k3"), [5, 4]),
        (AuditQuery(tool="smart_dedup"), [4, 3]),
        (AuditQuery(outcome="refused"), [5, 2]),
        (AuditQuery(outcome="ok"), [4, 1]),
        (AuditQuery(team="red", outcome="refused"), [5]),
        (AuditQuery(key_id="k1", tool="smart_dedup"), [3]),
        (AuditQuery(team="blue", key_id="k3"), []),
        (AuditQuery(since="2026-11-30T12:02", until="2026-11-30T12:04"), [3, 2]),
        (AuditQuery(team="red", since="2026-12-01"), []),
    ],
)
def test_rows_are_found_the_newest_first(table: AuditTable, query: AuditQuery, found: list[int]) -> None:
    """GATEWAY.md, "activity log": filter by key, team, tool, outcome, time."""
    assert [row.row_id for row in table.find(query)] == [f"row{number}" for number in found]


def test_a_question_reads_one_index_and_never_scans(table: AuditTable, audit: CountedTable) -> None:
    """Issue: a cheap query."""
    audit.requests.clear()
    list(table.find(AuditQuery(key_id="k1", tool="smart_dedup", outcome="tool_error")))
    assert audit.requests == ["query"]


def test_what_is_read_is_what_was_written(audit: CountedTable, clock: Clock) -> None:
    """Every column survives, zero and none apart."""
    table = AuditTable(audit, keep_days=1, tools=TOOLS)
    written = row(1, budget_left=0, normalisations=("tools/call null",), cache="hit", tokens_in=5, parent_id="p")
    table.write([written], now_s=clock())
    assert [*table.find(AuditQuery(team="blue"))] == [written]
    assert audit.scan()["Items"][0]["expires_at"] == int(clock()) + 24 * 3600


def test_a_pipeline_s_rows_are_written_all_or_none(audit: CountedTable, clock: Clock) -> None:
    """One request for nine rows."""
    table = AuditTable(audit, keep_days=1, tools=TOOLS)
    table.write([row(number, row_id=f"step{number}") for number in range(9)], now_s=clock())
    assert len([*table.find(AuditQuery(team="blue"))]) == 9
    assert audit.requests == ["transact_write_items", "query"]


@pytest.mark.parametrize("text", ["2026-11-30", "2026-11-30T23", "2026-11-30T23:10:09.123Z"])
def test_a_time_is_the_beginning_of_a_row_s(text: str) -> None:
    """Rows are sorted by their time as text."""
    assert check_time(text) == text.removesuffix("Z")


@pytest.mark.parametrize("text", ["yesterday", "30.11.2026", "2026-11-30 23:10", ""])
def test_any_other_time_is_refused_with_an_example(text: str) -> None:
    """It would silently find nothing."""
    with pytest.raises(ValueError, match="2026-11-30T23:10"):
        check_time(text)


def test_a_digest_depends_on_values_and_not_on_their_order() -> None:
    """Canonical JSON: sorted keys. NaN and what is no JSON do not break it."""
    assert digest_of({"a": 1, "b": [1, {"d": 2, "c": 3}]}) == digest_of({"b": [1, {"c": 3, "d": 2}], "a": 1})
    assert digest_of({"a": 1}) != digest_of({"a": 2})
    assert digest_of({"a": float("nan")})[1] == len('{"a":NaN}')
