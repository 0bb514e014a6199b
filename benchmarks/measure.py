"""Measure one contestant: a program that runs alone in a fresh process of the contestant's environment.

    python -P -m benchmarks.measure CONTESTANT EVENTS_FOLDER SECONDS_PER_CASE

With no seconds it only starts and checks the answers.
It prints one line of JSON. It imports as little as it can: what is loaded here is free for the contestant's import,
for each of them alike.
"""

import gc
import importlib
import itertools
import json
import os
import resource
import sys
import time
from collections.abc import Callable
from typing import Any, Final

from benchmarks.answers import CASES, problem_of

type Handler = Callable[[Any, Any], Any]

BLOCK_S: Final = 0.01
"""How long one block of calls is: short, so that a disturbance by a neighbour spoils few blocks."""


class Context:
    """What a handler reads of Lambda's context object."""

    aws_request_id = "00000000-0000-0000-0000-000000000001"
    function_name = "benchmark"
    function_version = "1"
    invoked_function_arn = "arn:aws:lambda:us-east-1:123456789012:function:benchmark"
    memory_limit_in_mb = "512"

    def get_remaining_time_in_millis(self) -> int:
        """Return a time that never runs out."""
        return 10_000


def main() -> None:
    """Measure the contestant that the command line names."""
    contestant, folder, seconds = sys.argv[1:]
    pin_to_one_core()
    answer_stream = take_stdout()
    events = {case: read_event(f"{folder}/{case}.json") for case in CASES}
    try:
        result = measure(contestant, events, float(seconds))
    except Exception as error:  # noqa: BLE001 -- a peer may fail in any way: its row says how
        result = {"problem": f"{type(error).__name__}: {error}"[:200]}
    os.write(answer_stream, json.dumps(result).encode() + b"\n")
    # A peer's event loop or threads must not delay the end.
    os._exit(0)


def pin_to_one_core() -> None:
    """Stay on the last core, where the platform can do that."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def take_stdout() -> int:
    """Return the stream that the parent reads, and send everything that is printed from now on to /dev/null."""
    stream = os.dup(1)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    return stream


def read_event(path: str) -> Any:
    """Return the event in the file *path*."""
    with open(path, encoding="utf-8") as file:  # noqa: PTH123 -- pathlib would be loaded for the contestant
        return json.load(file)


def measure(contestant: str, events: dict[str, Any], seconds: float) -> dict[str, Any]:
    """Return each measure of *contestant*, or its `problem`."""
    context = Context()
    cpu_s, wall_s = cpu_time_s(), time.perf_counter()
    handler: Handler = importlib.import_module(f"benchmarks.peers.{contestant}").lambda_handler
    import_cpu_s, import_wall_s = cpu_time_s() - cpu_s, time.perf_counter() - wall_s
    answers = {CASES[0]: handler(events[CASES[0]], context)}
    first_cpu_s, first_wall_s = cpu_time_s() - cpu_s, time.perf_counter() - wall_s
    answers |= {case: handler(events[case], context) for case in CASES[1:]}
    result: dict[str, Any] = {
        "import_cpu_ms": import_cpu_s * 1e3,
        "import_wall_ms": import_wall_s * 1e3,
        "first_cpu_ms": first_cpu_s * 1e3,
        "first_wall_ms": first_wall_s * 1e3,
        "rss_mb": rss_bytes() / 1e6,
    }
    for case, answer in answers.items():
        problem = problem_of(case, answer)
        if problem:
            return {"problem": f"{case}: {problem}"}
    if not seconds:
        return result
    warm_up(handler, events, context, seconds / 2)
    for case in CASES:
        result[f"{case}_us"] = microseconds_per_call(handler, events[case], context, seconds)
    return result


def cpu_time_s() -> float:
    """Return the CPU time of this process and of the children that it has waited for."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def rss_bytes() -> int:
    """Return the memory that this process holds now; its peak, where the platform does not say."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123 -- see read_event
            return int(file.read().split()[1]) * resource.getpagesize()
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def warm_up(handler: Handler, events: dict[str, Any], context: Context, seconds: float) -> None:
    """Call each event in turn until *seconds* are over."""
    end_s = time.perf_counter() + seconds
    for case in itertools.cycle(events):
        handler(events[case], context)
        if time.perf_counter() >= end_s:
            return


def microseconds_per_call(handler: Handler, event: Any, context: Context, seconds: float) -> float:
    """Return the median over blocks of calls; the collector stays on, as on Lambda, and begins with nothing to do."""
    gc.collect()
    blocks = [seconds_per_call(handler, event, context, 1)]
    if blocks[0] < seconds:
        calls = max(1, int(BLOCK_S / blocks.pop()))
        end_s = time.perf_counter() + seconds
        while not blocks or time.perf_counter() < end_s:
            blocks.append(seconds_per_call(handler, event, context, calls))
    return sorted(blocks)[len(blocks) // 2] * 1e6


def seconds_per_call(handler: Handler, event: Any, context: Context, calls: int) -> float:
    """Return the wall time of one of *calls* calls."""
    start_s = time.perf_counter()
    for _ in range(calls):
        handler(event, context)
    return (time.perf_counter() - start_s) / calls


if __name__ == "__main__":
    main()
