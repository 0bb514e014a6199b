"""The rounds: every contestant in a fresh process, one after the other, each round in another order."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from benchmarks.contestants import ROOT, Contestant
from benchmarks.environments import InstallError, provide, size_mb
from benchmarks.machine import describe_machine, load_average
from benchmarks.results import Results, Row

TIMEOUT_S: Final = 180
"""When a contestant's process is given up."""


def run(contestants: Sequence[Contestant], *, rounds: int, seconds_per_case: float) -> Results:
    """Measure *contestants* and return what came out; one that fails is a row that says so."""
    machine = describe_machine()
    load_before = load_average()
    rows = [Row(contestant.name, contestant.full_title(), contestant.serves) for contestant in contestants]
    pythons = [_prepare(contestant, row) for contestant, row in zip(contestants, rows, strict=True)]
    entries = list(zip(contestants, rows, pythons, strict=True))
    for number in range(rounds):
        say(f"round {number + 1} of {rounds}")
        for contestant, row, python in rotated(entries, number):
            if not row.problem:
                _note(row, measure(contestant, python, seconds_per_case))
    machine["load average before and after"] = f"{load_before}, {load_average()}"
    return Results(machine, rounds, seconds_per_case, rows)


def rotated[T](items: Sequence[T], number: int) -> list[T]:
    """Return *items* in the order of round *number*: each comes first, in turn."""
    start = number % len(items) if items else 0
    return [*items[start:], *items[:start]]


def _prepare(contestant: Contestant, row: Row) -> Path:
    """Install the contestant and run it once untimed, which also compiles its files and fills the page cache."""
    python = Path()
    say(f"preparing {row.title}")
    try:
        python = provide(contestant.environment, contestant.lock)
        row.size_mb = size_mb(contestant)
        row.problem = measure(contestant, python, 0).get("problem", "")
    except InstallError as error:
        row.problem = str(error)
    return python


def measure(contestant: Contestant, python: Path, seconds_per_case: float) -> dict[str, Any]:
    """Return the measures of one fresh process, or its `problem`."""
    command = [str(python), "-P", "-m", "benchmarks.measure", contestant.name, "events/lab", str(seconds_per_case)]
    try:
        done = subprocess.run(
            command,
            cwd=ROOT,
            env=environ_of(contestant),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=TIMEOUT_S,
            check=True,
        )
        result: dict[str, Any] = json.loads(done.stdout)
    except (subprocess.SubprocessError, OSError, ValueError) as error:
        return {"problem": f"it did not run ({type(error).__name__})"}
    return result


def environ_of(contestant: Contestant) -> dict[str, str]:
    """Return the environment variables of a contestant's process: those of a Lambda function, none of this shell's."""
    return {
        "PATH": os.defpath,
        "LANG": "C.UTF-8",
        "PYTHONPATH": os.pathsep.join(str(ROOT / folder) for folder in (".", *contestant.source)),
        "AWS_LAMBDA_FUNCTION_NAME": "benchmark",
        "AWS_REGION": "us-east-1",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_EC2_METADATA_DISABLED": "true",
        "POWERTOOLS_SERVICE_NAME": "lab",
        "POWERTOOLS_METRICS_NAMESPACE": "samcp",
    }


def _note(row: Row, result: dict[str, Any]) -> None:
    row.problem = result.pop("problem", "")
    for key, value in result.items():
        row.samples.setdefault(key, []).append(value)


def say(text: str) -> None:
    """Tell the person who waits; the table alone goes to stdout."""
    print(f"bench: {text}", file=sys.stderr, flush=True)
