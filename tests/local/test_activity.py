"""`make activity`: the audit rows as an operator sees them."""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from governance.audit import AuditRow
from governance.audit_table import AuditTable
from local.activity import COLUMNS, run
from local.errors import LocalError
from tests.governance.conftest import make_table, template
from tests.governance.test_audit_table import row

__all__ = ["template"]

ROWS = [
    row(1, tool="smart_fetch", tokens_in=900, tokens_out=100, tokens_saved=800, tokens_charged=100),
    row(2, tool="smart_dedup", outcome="refused", wall="key_calls_per_minute"),
    row(3, tool="smart_pipe", tokens_saved=50, tokens_charged=30, client_name='=HYPERLINK("x")'),
    row(4, tool="smart_fetch", parent_id="row3", tokens_saved=40),
    row(5, team="red", tool="smart_memory", normalisations=("tools/call null", "tools/call argument: a")),
]


@pytest.fixture
def table(dynamodb: Any, template: Any) -> Iterator[Any]:
    """Give a table with five rows."""
    made = make_table(dynamodb, template, "AuditTable")
    for found in ROWS:
        AuditTable(made, keep_days=1).write([found], now_s=0)
    yield made
    made.delete()


def test_calls_are_shown_the_newest_first(table: Any) -> None:
    """Who, what, how it ended, what it took."""
    lines = run([], table=table)
    assert len(lines) == 5
    assert lines[0].startswith("2026-11-30T12:05:00.000Z  red/k1  smart_memory  ok")
    assert "step" in lines[1]
    assert "refused (key_calls_per_minute)" in lines[3]


def test_filters_and_a_limit_narrow_them(table: Any) -> None:
    """GATEWAY.md: key, team, tool, outcome, time."""
    assert len(run(["--team", "red"], table=table)) == 1
    assert len(run(["--tool", "smart_fetch", "--limit", "1"], table=table)) == 1
    assert len(run(["--outcome", "refused"], table=table)) == 1
    assert len(run(["--since", "2026-11-30T12:02", "--until", "2026-11-30T12:04"], table=table)) == 2
    assert run(["--key", "nobody"], table=table) == ["There is no such call."]


def test_totals_count_a_pipeline_s_tokens_once(table: Any) -> None:
    """Its steps saved what the pipe saved."""
    lines = run(["--team", "blue", "--totals"], table=table)
    assert lines == [
        "Calls: 3 (2 ok, 0 tool_error, 0 rpc_error, 1 refused).",
        "Steps of pipelines: 1 (1 ok, 0 tool_error, 0 rpc_error, 0 refused); their tokens are the pipelines'.",
        "Tokens: 130 charged, 850 saved.",
    ]
    assert len(run(["--team", "red", "--totals"], table=table)) == 2


def test_the_export_has_every_column_of_every_row(table: Any, tmp_path: Path) -> None:
    """A client's name must not become a spreadsheet's formula."""
    file = tmp_path / "calls.csv"
    assert run(["--csv", str(file)], table=table) == [f"Wrote 5 rows to {file}."]
    with file.open(encoding="utf-8", newline="") as opened:
        rows = list(csv.DictReader(opened))
    assert tuple(rows[0]) == COLUMNS == tuple(AuditRow.model_fields)
    assert rows[0]["normalisations"] == "tools/call null; tools/call argument: a"
    assert rows[2]["client_name"] == '\'=HYPERLINK("x")'


@pytest.mark.parametrize(
    "words",
    [
        ["--since", "yesterday"],
        ["--tool", "nothing"],
        ["--outcome", "good"],
        ["--limit", "x"],
        ["--limit", "-1"],
        ["--limit", "0"],
        ["--totals", "--csv", "calls.csv"],
    ],
)
def test_what_is_no_filter_is_refused(table: Any, words: list[str]) -> None:
    """A wrong word would silently find nothing."""
    with pytest.raises(LocalError):
        run(words, table=table)


@pytest.mark.parametrize("name", ["nowhere/calls.csv", ""])
def test_a_file_that_cannot_be_written_is_a_sentence(table: Any, tmp_path: Path, name: str) -> None:
    """A folder that is not there, and a folder in the place of a file."""
    with pytest.raises(LocalError, match="--csv cannot be written"):
        run(["--csv", str(tmp_path / name)], table=table)
