"""The report: two Markdown tables, and a line on every cell that is not green."""

from collections.abc import Iterable, Sequence
from typing import Final

from tests.interop.conformance import SuiteResult, read_expected_failures
from tests.interop.driving import ClientResult
from tests.interop.observations import STEPS, Verdict

_NOTE_CHARACTERS: Final = 300
_OPENING: Final = """# Which clients and hosts work with samcp

Written by `make test-interop ALL=1`; `make test-interop` runs the conformance suite and the first four clients.
Everything is installed from locks with hashes, and talks to the local gateway through a relay that copies bytes.
How and why: [decision 10](decisions/0010-interop.md).

- **protocol**: the version in which the calls were made, read from the wire.
- **connect, list**: the client reaches `/lab/mcp` and sees its four tools. A host is seen from its model's side.
- **call, error**: `calculator` says 1029 to `2 ** 10 + 5`; to `two plus two` it gives an error that the client or the
  model can tell from an answer.
- **progress**: `countdown` reports 1 and 2 to the client's callback. Of a host: it asks for progress, gets both
  notifications and still reads the answer. `n/a`: the client never asks for progress.
- **installed in**: seconds on two cores, when this table was written; `-` is the project's own environment.
- **known to fail**: scenarios that need a request from the server on an open stream, which a buffered answer cannot
  carry; named in `tests/conformance/expected-failures.yml`. **pending**: not yet required by the revision.
"""


def report(suites: Sequence[SuiteResult], clients: Sequence[ClientResult]) -> str:
    """Return the whole report."""
    parts = [_suite_table(suites), _client_table(clients), *_notes(suites, clients)]
    return "\n\n".join(parts) + "\n"


def document(suites: Sequence[SuiteResult], clients: Sequence[ClientResult]) -> str:
    """Return docs/interop.md."""
    return f"{_OPENING}\n{report(suites, clients)}"


def _suite_table(suites: Sequence[SuiteResult]) -> str:
    known = len(read_expected_failures())
    rows = [_suite_row(result, known) for result in suites]
    return _table(["conformance suite", "asked for", "installed in", "passed", "known to fail", "pending passed"], rows)


def _suite_row(result: SuiteResult, known: int) -> list[str]:
    suite, summary = result.suite, result.summary
    start = [suite.environment.version(), " ".join(suite.options).strip("-"), _seconds(result.install_s)]
    if summary is None:
        return [*start, "did not run", "", ""]
    scored = (summary.passed | summary.failed) - summary.unscored - summary.extensions
    passed = f"{len(scored & summary.passed)}/{len(scored)}"
    failed = f"{len(scored & summary.failed)} of {known}"
    pending = f"{len(summary.unscored & summary.passed)}/{len(summary.unscored)}" if summary.unscored else "-"
    return [*start, f"{passed} **WRONG**" if result.is_regression else passed, failed, pending]


def _client_table(clients: Sequence[ClientResult]) -> str:
    head = ["client", "package", "installed in", "protocol", *STEPS]
    return _table(head, [_client_row(result) for result in clients])


def _client_row(result: ClientResult) -> list[str]:
    start = [result.title, f"{result.package} {result.version}", _seconds(result.install_s)]
    if not result.cells:
        return [*start, "-", "did not run", *[""] * (len(STEPS) - 1)]
    verdicts = [result.cells[step].verdict for step in STEPS]
    shown = [f"**{verdict}**" if verdict is Verdict.WRONG else str(verdict) for verdict in verdicts]
    return [*start, result.protocol_version or "-", *shown]


def _notes(suites: Iterable[SuiteResult], clients: Iterable[ClientResult]) -> list[str]:
    lines = [
        f"- conformance {result.suite.environment.version()} {result.suite.options[1]}: {result.note}"
        for result in suites
        if result.note
    ]
    for result in clients:
        notes = [result.note, *(f"{step}: {cell.note}" for step, cell in result.cells.items() if cell.note)]
        lines += [f"- {result.title}: {note[:_NOTE_CHARACTERS]}" for note in notes if note]
    return ["\n".join(lines)] if lines else []


def _seconds(value: float | None) -> str:
    return "-" if value is None else f"{value:.0f} s"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
