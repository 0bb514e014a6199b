"""What of the conformance suite's output decides."""

import json
import re
from pathlib import Path

import pytest

from tests.interop.conformance import read_expected_failures, read_summary
from tests.interop.environments import NPM

KNOWN = frozenset({"tools-call-sampling"})
OUTPUT = """
=== SUMMARY ===
✓ ping: 2 passed, 0 failed
✓ server-sse-polling: 0 passed, 0 failed
✗ tools-call-sampling: 1 passed, 1 failed
✗ tasks-lifecycle: 1 passed, 8 failed

Total: 4 passed, 9 failed

Not scored for 2026-07-28: 2 scenario(s) run, 1 failing. These do not affect conformance.
  ✗ tasks-lifecycle (extension)
  ✓ server-sse-polling (pending)
"""


def test_a_known_failure_and_an_extension_do_not_decide() -> None:
    summary = read_summary(OUTPUT)
    assert summary.problem(KNOWN) == ""
    assert summary.unscored == {"server-sse-polling"}
    assert summary.extensions == {"tasks-lifecycle"}


def test_another_failure_is_a_regression() -> None:
    assert "ping fails" in read_summary(OUTPUT.replace("✓ ping", "✗ ping")).problem(KNOWN)


def test_a_known_failure_that_passes_is_a_regression_of_the_list() -> None:
    assert "passes" in read_summary(OUTPUT.replace("✗ tools-call", "✓ tools-call")).problem(KNOWN)


def test_a_suite_that_ran_nothing_is_a_regression() -> None:
    assert read_summary("").problem(KNOWN)


def test_exactly_the_scenarios_that_need_a_request_to_the_client_may_fail() -> None:
    assert read_expected_failures() == {
        "tools-call-sampling",
        "tools-call-elicitation",
        "elicitation-sep1034-defaults",
        "elicitation-sep1330-enums",
    }


@pytest.mark.parametrize("lock", sorted(NPM.glob("*/package-lock.json")), ids=lambda lock: lock.parent.name)
def test_a_lock_of_npm_names_hashes_and_no_host(lock: Path) -> None:
    """Our own choice, as for the Python locks: they hold on every mirror."""
    text = lock.read_text("utf-8")
    packages = json.loads(text)["packages"]
    assert not re.search(r"\w+://", text)
    assert all("integrity" in entry for name, entry in packages.items() if name)
