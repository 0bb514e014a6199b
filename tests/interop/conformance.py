"""The official conformance suite against the fixture server of `tests/conformance/`.

The suite's own `--expected-failures` counts a scenario that only warns as failed: it warns that the server gave no
session id, which ours never does. So the summary is compared with the same file here, by the same rule.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import yaml

from tests.interop.environments import NODE, InstallError, NodeEnvironment
from tests.interop.gateway import GatewayError, serving
from tests.interop.processes import ROOT, RUN_WITHIN_S, empty_home, quiet_environ, run

FIXTURE: Final = ROOT / "tests" / "conformance" / "template.yaml"
EXPECTED_FAILURES: Final = ROOT / "tests" / "conformance" / "expected-failures.yml"

_SCENARIO: Final = re.compile(r"^([✓✗]) ([a-z0-9-]+): \d+ passed, \d+ failed$", re.MULTILINE)
_UNSCORED: Final = re.compile(r"^  [✓✗] ([a-z0-9-]+) \(([a-z-]+)\)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Suite:
    """One release of the suite, and which scenarios to ask it for."""

    environment: NodeEnvironment
    options: tuple[str, str]


_PACKAGE: Final = "@modelcontextprotocol/conformance"
_RELEASE_0_1: Final = NodeEnvironment("conformance-0.1", _PACKAGE)
RELEASE_0_2: Final = NodeEnvironment("conformance-0.2", _PACKAGE)
SUITES: Final = (
    Suite(_RELEASE_0_1, ("--suite", "all")),
    Suite(RELEASE_0_2, ("--requirements", "2025-11-25")),
    Suite(RELEASE_0_2, ("--requirements", "2026-07-28")),
)


@dataclass(frozen=True, slots=True)
class Summary:
    """What a run of the suite says of each scenario."""

    passed: frozenset[str]
    failed: frozenset[str]
    unscored: frozenset[str]
    """Run, but not required by the revision: added later, or pending."""
    extensions: frozenset[str]
    """Run, but of an extension: they never decide."""

    def problem(self, expected_failures: frozenset[str]) -> str:
        """Return how the run differs from what is expected, "" where it does not."""
        unexpected = self.failed - self.extensions - expected_failures
        stale = self.passed & expected_failures
        problems = [f"{name} fails" for name in sorted(unexpected)]
        problems += [f"{name} passes: take it off {EXPECTED_FAILURES.name}" for name in sorted(stale)]
        if not self.passed:
            problems.append("no scenario passed")
        return "; ".join(problems)


@dataclass(frozen=True, slots=True)
class SuiteResult:
    """One row of the table."""

    suite: Suite
    install_s: float | None = None
    summary: Summary | None = None
    note: str = ""
    is_regression: bool = False


def read_summary(output: str) -> Summary:
    """Return what the suite printed at the end."""
    scenarios = {name: mark == "✓" for mark, name in _SCENARIO.findall(output)}
    unscored = dict(_UNSCORED.findall(output))
    return Summary(
        passed=frozenset(name for name, is_passed in scenarios.items() if is_passed),
        failed=frozenset(name for name, is_passed in scenarios.items() if not is_passed),
        unscored=frozenset(name for name, why in unscored.items() if why != "extension"),
        extensions=frozenset(name for name, why in unscored.items() if why == "extension"),
    )


def read_expected_failures() -> frozenset[str]:
    """Return the scenarios that are known to fail."""
    return frozenset(yaml.safe_load(EXPECTED_FAILURES.read_text("utf-8"))["server"])


def run_suites(suites: Sequence[Suite] = SUITES) -> list[SuiteResult]:
    """Run every suite against one fixture server; what could not run is a row that says so."""
    try:
        with serving(FIXTURE) as address:
            return [_run_suite(suite, f"{address}/mcp") for suite in suites]
    except GatewayError as error:
        return [SuiteResult(suite, note=str(error), is_regression=True) for suite in suites]


def _run_suite(suite: Suite, url: str) -> SuiteResult:
    try:
        NODE.provide()
        install_s = suite.environment.provide()
        result = _ask_suite(suite, url, install_s)
        if result.is_regression:  # A slow machine does not decide: once more before a scenario counts as failed.
            result = _ask_suite(suite, url, install_s)
    except InstallError as error:
        return SuiteResult(suite, note=str(error))
    except OSError as error:
        return SuiteResult(suite, note=f"it did not start: {error.strerror}")
    return result


def _ask_suite(suite: Suite, url: str, install_s: float | None) -> SuiteResult:
    program = suite.environment.program("dist", "index.js")
    command = [str(NODE.bin / "node"), str(program), "server", "--url", url, *suite.options]
    home = empty_home(suite.environment.name)
    # The suite writes its results into the folder it runs in.
    finished = run(command, cwd=home, environ=quiet_environ(home, NODE.bin), timeout_s=RUN_WITHIN_S)
    if finished.code is None:
        return SuiteResult(suite, install_s, note=f"it did not end within {RUN_WITHIN_S} s")
    summary = read_summary(finished.output)
    problem = summary.problem(read_expected_failures())
    return SuiteResult(suite, install_s, summary, problem, is_regression=bool(problem))
