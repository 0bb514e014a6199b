"""`python -m benchmarks.gateway`: what each of the gateway's tools costs to import and to call; `make bench` calls it.

Each tool is imported in a fresh process of its own, then called in one process: alone, and through the governed server
with tables that answer at once. So the difference is what keys, limits, budget and audit cost beside DynamoDB's time.
"""

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any, Final

from benchmarks.contestants import ROOT
from benchmarks.gateway_cases import CASES, PAGE, Case, governed, principal_transport
from benchmarks.machine import describe_machine, load_average
from functions.gateway.reading.process import read_html
from mcpserver.context import CallContext, enter_context, leave_context

DOCUMENT: Final = ROOT / "docs" / "benchmarks-gateway.md"

_IMPORT: Final = """
import json, sys, time
started = time.process_time()
__import__(sys.argv[1])
cpu_ms = (time.process_time() - started) * 1000
pages = int(open("/proc/self/statm").read().split()[1]) if sys.platform == "linux" else 0
print(json.dumps([cpu_ms, pages * 4096 / 1e6]))
"""

_OPENING: Final = """# The gateway's tools, measured

Written by `make bench` (`python -m benchmarks.gateway --write`); edit `benchmarks/`, not this file.

- **import**: CPU of `import functions.gateway.<tool>` in a fresh process, with all that it needs (the row `mcpserver`
  is what every server imports; boto3 is some 100 ms of the others); the median of the rounds. **RSS**: of that process.
- **alone**: `run` with validated arguments. **governed**: the whole message through `GatewayMCPServer`, counted,
  settled and recorded in tables that answer at once. **overhead** is the difference.
- **round trips**: requests to DynamoDB for the governance of one call; a tool's own (notes, page cache) come on top.
- Pages and engines of the internet are not measured: `smart_fetch` finds a page in its cache, or takes one of 100 KB
  apart; `smart_search` asks the project's own documentation.
- The machine is shared: compare the columns of one run, not the figures of two.
"""


def main() -> None:
    """Measure and report."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gateway", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--write", action="store_true", help="write docs/benchmarks-gateway.md")
    options = parser.parse_args()
    text = report(options.rounds)
    print(text)
    if options.write:
        DOCUMENT.write_text(f"{_OPENING}\n{text}\n", encoding="utf-8")


def report(rounds: int) -> str:
    """Return the tables, as Markdown."""
    lines = ["| | import, CPU ms | RSS MB |", "|---|---:|---:|"]
    modules = ["mcpserver", *dict.fromkeys(case.module for case in CASES)]
    imports: dict[str, list[list[float]]] = {module: [] for module in modules}
    for _ in range(rounds):
        for module in modules:
            imports[module].append(_import_cost(module))
    for module, figures in imports.items():
        cpu, rss = (statistics.median(column) for column in zip(*figures, strict=True))
        lines.append(f"| `{module.rpartition('.')[2]}` | {cpu:.0f} | {rss:.0f} |")
    lines += ["", "| call | alone µs | governed µs | overhead µs | round trips |", "|---|---:|---:|---:|---:|"]
    lines += [_row(case, rounds) for case in CASES]
    reading = statistics.median(_microseconds(lambda: read_html(PAGE, "https://example.com/")) for _ in range(rounds))
    lines.append(
        f"| a page of {len(PAGE) // 1000} KB into Markdown, in a process of its own | {reading:,.0f} | | | 0 |"
    )
    machine = ", ".join(f"{name} {value}" for name, value in describe_machine().items())
    return "\n".join([*lines, "", f"{machine}; load {load_average()}; {rounds} rounds."])


def _import_cost(module: str) -> list[float]:
    command = [sys.executable, "-c", _IMPORT, module]
    output = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    figures: list[float] = json.loads(output)
    return figures


def _row(case: Case, rounds: int) -> str:
    tool = case.make()
    arguments = tool.validate(case.arguments)
    server, tables = governed(tool)
    message = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": tool.name, "arguments": case.arguments},
    }

    def call() -> Any:
        return server.exchange(message, principal_transport())

    answer = call().body
    if answer.get("result", {}).get("isError", True):
        raise SystemExit(f"{case.name}: {answer}")
    tables.requests = 0
    call()
    trips = tables.requests
    entered = enter_context(CallContext(principal_transport()))
    alone, whole = [], []
    for _ in range(rounds):
        alone.append(_microseconds(lambda: case.run(tool, arguments)))
        whole.append(_microseconds(call))
    leave_context(entered)
    one, all_of_it = statistics.median(alone), statistics.median(whole)
    return f"| {case.name} | {one:,.0f} | {all_of_it:,.0f} | {all_of_it - one:,.0f} | {trips} |"


def _microseconds(action: Callable[[], Any], block_s: float = 0.3) -> float:
    """Return what one *action* takes, over a block of about *block_s*, three at least."""
    count, started_s = 0, time.perf_counter()
    while count < 3 or time.perf_counter() - started_s < block_s:
        action()
        count += 1
    return (time.perf_counter() - started_s) / count * 1e6


if __name__ == "__main__":
    main()
