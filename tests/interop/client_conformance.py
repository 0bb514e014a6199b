"""The official suite's client scenarios, run through `MCPServerConnection`; `make test-client-conformance` calls it.

What cannot pass stands in `tests/conformance/outbound_expected_failures.yml` with its reason. A scenario that fails
and is not there fails the run, and so does one that is there and passes.
"""

import os
import re
import shlex
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import yaml

from tests.interop.conformance import RELEASE_0_2
from tests.interop.environments import NODE, InstallError
from tests.interop.processes import ROOT, RUN_WITHIN_S, empty_home, quiet_environ, run

REQUIREMENTS: Final = ("2025-11-25", "2026-07-28")
EXPECTED_FAILURES: Final = ROOT / "tests" / "conformance" / "outbound_expected_failures.yml"
SCENARIO_WITHIN_MS: Final = 60_000

_SCENARIO: Final = re.compile(r"^([✓✗]) ([a-z0-9_/-]+): (\d+) passed, (\d+) failed$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Scenario:
    """What the suite says of one."""

    name: str
    is_passed: bool
    checks_passed: int


def read_scenarios(output: str) -> list[Scenario]:
    """Return what the suite printed at the end."""
    return [Scenario(name, mark == "✓", int(passed)) for mark, name, passed, _ in _SCENARIO.findall(output)]


def read_reasons() -> dict[str, str]:
    """Return scenario -> why it cannot pass."""
    reasons: dict[str, str] = yaml.safe_load(EXPECTED_FAILURES.read_text("utf-8"))
    return reasons


def problems_of(scenarios: list[Scenario], reasons: Mapping[str, str]) -> list[str]:
    """Return how the run differs from what is expected."""
    problems = [f"{one.name} fails" for one in scenarios if not one.is_passed and one.name not in reasons]
    problems += [
        f"{one.name} passes: take it off the list" for one in scenarios if one.is_passed and one.name in reasons
    ]
    return problems or ([] if any(one.is_passed for one in scenarios) else ["no scenario passed"])


def run_requirements(revision: str) -> list[Scenario]:
    """Run the client scenarios that *revision* requires.

    Raises:
        InstallError: the suite did not install.
    """
    NODE.provide()
    RELEASE_0_2.provide()
    client = f"{shlex.quote(sys.executable)} -m tests.conformance.outbound_client"
    command = [
        str(NODE.bin / "node"),
        str(RELEASE_0_2.program("dist", "index.js")),
        *("client", "--command", client, "--requirements", revision, "--timeout", str(SCENARIO_WITHIN_MS)),
    ]
    environ = {**quiet_environ(empty_home("client-conformance"), NODE.bin), "PYTHONPATH": str(ROOT)}
    # The suite writes its results into the folder it runs in.
    finished = run(command, cwd=RELEASE_0_2.folder, environ=environ, timeout_s=RUN_WITHIN_S)
    return read_scenarios(finished.output)


def main() -> int:
    """Run both requirement sets, print what they say, and return 1 if that is not what is expected."""
    reasons = read_reasons()
    code = 0
    for revision in REQUIREMENTS:
        try:
            scenarios = run_requirements(revision)
        except InstallError as error:
            print(f"{revision}: {error}")
            return 1
        problems = problems_of(scenarios, reasons)
        passed = [one for one in scenarios if one.is_passed]
        checks = sum(one.checks_passed for one in passed)
        print(f"{revision}: {len(passed)} of {len(scenarios)} scenarios pass ({checks} checks); the others:")
        for one in scenarios:
            if not one.is_passed:
                print(f"  {one.name}: {reasons.get(one.name, 'UNEXPECTED')}")
        print(*(f"  PROBLEM: {problem}" for problem in problems), sep="\n", end="\n" if problems else "")
        code |= bool(problems)
    return code


if __name__ == "__main__":
    os.chdir(ROOT)
    sys.exit(main())
