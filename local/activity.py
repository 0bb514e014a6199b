"""`make activity ARGS="..."`: the operator's view of the gateway's audit rows.

    [--team T] [--key ID] [--tool smart_fetch] [--outcome ok|tool_error|rpc_error|refused]
    [--since 2026-11-30] [--until 2026-11-30T12:00] [--limit 50] [--totals | --csv FILE]

It reads a deployed stack's table (--stack or --table), or the embedded one of a running `make run`.
"""

import argparse
import csv
import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from botocore.exceptions import BotoCoreError, ClientError

from functions.gateway.smart_tool import FACTS
from governance.audit import OUTCOMES, UNKNOWN_TOOL, AuditRow, check_time
from governance.audit_table import AuditQuery, AuditTable
from governance.errors import StoreError
from local.operator_table import OperatorError, OperatorParser, add_table_options, operator_table, unusable
from local.running import AUDIT_TABLE

COLUMNS: Final = tuple(AuditRow.model_fields)

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet takes for the beginning of a formula. Source: OWASP, "CSV Injection"."""


def run(words: Sequence[str], *, table: Any = None) -> list[str]:
    """Do what *words* say and return the lines to print.

    Args:
        words: the command line.
        table: the audit table; None: the one that the options name.

    Raises:
        OperatorError: it could not be done.
    """
    options = _parser().parse_args(list(words))
    rows = AuditTable(table or operator_table(options, AUDIT_TABLE), keep_days=1, tools=[*FACTS, UNKNOWN_TOOL])
    try:
        found = rows.find(_query(options))
        if options.csv:
            return [f"Wrote {_write_csv(Path(options.csv), found)} rows to {options.csv}."]
        return [*_totals(found)] if options.totals else [*_lines(itertools.islice(found, options.limit))]
    except (StoreError, BotoCoreError, ClientError) as error:
        raise unusable(error) from error


def _query(options: argparse.Namespace) -> AuditQuery:
    try:
        since, until = (check_time(text) if text else "" for text in (options.since, options.until))
    except ValueError as error:
        raise OperatorError(str(error)) from error
    return AuditQuery(options.team, options.key, options.tool, options.outcome, since, until)


def _lines(rows: Iterable[AuditRow]) -> Iterator[str]:
    is_empty = True
    for row in rows:
        is_empty = False
        step = "  step" if row.parent_id else ""
        how = f"{row.outcome} ({row.wall})" if row.wall else row.outcome
        tokens = f"{row.tokens_in} in, {row.tokens_out} out, {row.tokens_saved} saved, {row.tokens_charged} charged"
        client = f"{row.client_name} {row.client_version}".strip() or "-"
        who = f"{row.team}/{row.key_id}"
        yield f"{row.time}{step}  {who}  {row.tool}  {how}  {row.latency_ms:.0f} ms  {tokens}  {client}"
    if is_empty:
        yield "There is no such call."


def _totals(rows: Iterable[AuditRow]) -> Iterator[str]:
    calls: Counter[str] = Counter()
    steps: Counter[str] = Counter()
    tokens: Counter[str] = Counter()
    for row in rows:
        if row.parent_id:
            steps[row.outcome] += 1
        else:
            calls[row.outcome] += 1
            tokens.update({"charged": row.tokens_charged, "saved": row.tokens_saved})
    yield f"Calls: {_counted(calls)}."
    if steps:
        yield f"Steps of pipelines: {_counted(steps)}; their tokens are the pipelines'."
    yield f"Tokens: {tokens['charged']} charged, {tokens['saved']} saved."


def _counted(outcomes: Counter[str]) -> str:
    return f"{outcomes.total()} ({', '.join(f'{outcomes[outcome]} {outcome}' for outcome in OUTCOMES)})"


def _write_csv(path: Path, rows: Iterable[AuditRow]) -> int:
    """Write *rows* and return how many there were.

    Raises:
        OperatorError: the file cannot be written.
    """
    try:
        return _write_rows(path, rows)
    except OSError as error:
        raise OperatorError(f"The file of --csv cannot be written: {error.strerror}.") from error


def _write_rows(path: Path, rows: Iterable[AuditRow]) -> int:
    count = 0
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        for row in rows:
            writer.writerow([_cell(getattr(row, name)) for name in COLUMNS])
            count += 1
    return count


def _cell(value: Any) -> Any:
    """Return *value* for a spreadsheet: a client chooses its own name, and must not choose a formula."""
    text = "; ".join(value) if isinstance(value, tuple) else value
    return f"'{text}" if isinstance(text, str) and text.startswith(_FORMULA) else text


def _row_count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) > 0):
        raise argparse.ArgumentTypeError("rows to show are a whole number from 1")
    return int(text)


def _parser() -> argparse.ArgumentParser:
    parser = OperatorParser(prog="make activity", description="Read the gateway's audit rows, newest first.")
    parser.add_argument("--team", default="", help="one team's calls")
    parser.add_argument("--key", default="", help="one key's calls, by its id")
    parser.add_argument("--tool", default="", choices=["", *FACTS, UNKNOWN_TOOL], help="one tool's calls")
    parser.add_argument("--outcome", default="", choices=OUTCOMES, help="how they ended")
    parser.add_argument("--since", default="", help="first moment, UTC: 2026-11-30 or 2026-11-30T23:10")
    parser.add_argument("--until", default="", help="the moment after the last, UTC")
    parser.add_argument("--limit", type=_row_count, default=50, help="rows to show (50)")
    shape = parser.add_mutually_exclusive_group()
    shape.add_argument("--totals", action="store_true", help="calls, tokens and savings instead of rows")
    shape.add_argument("--csv", default="", metavar="FILE", help="write all of the rows to FILE")
    add_table_options(parser)
    return parser
