"""Measure one contestant: a program that runs in a fresh process of the contestant's environment.

    python -P -m benchmarks.measure CONTESTANT EVENTS_FOLDER

It starts the contestant, checks its answers and prints one line of JSON: what the start cost, or the `problem`. Then,
for each line on stdin that names a case, it times a short block of calls and prints the microseconds of one.
It imports as little as it can: what is loaded here is free for the contestant's import, for each of them alike.
"""

import gc
import importlib
import json
import os
import resource
import sys
import time
from collections.abc import Callable
from typing import Any, Final

from benchmarks.answers import CASES, problem_of

type Handler = Callable[[Any, Any], Any]

BLOCK_S: Final = 0.015
"""How long a block of calls is: short, so that all contestants have theirs before the machine changes its mind."""
WARM_UP_S: Final = 0.3


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
    """Serve the parent with figures of the contestant that the command line names."""
    contestant, folder = sys.argv[1:]
    pin_to_one_core()
    stream = take_stdout()
    events = {case: read_event(f"{folder}/{case}.json") for case in CASES}
    try:
        result, handler = start(contestant, events)
        say(stream, result)
        if "problem" not in result:
            time_blocks(handler, events, stream)
    except Exception as error:  # noqa: BLE001 -- a peer may fail in any way: its row says how
        say(stream, {"problem": f"{type(error).__name__}: {error}"[:200]})
    # A peer's event loop or threads must not delay the end.
    os._exit(0)


def say(stream: int, answer: Any) -> None:
    """Answer the parent."""
    os.write(stream, json.dumps(answer).encode() + b"\n")


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


def start(contestant: str, events: dict[str, Any]) -> tuple[dict[str, Any], Handler]:
    """Return what the start of *contestant* cost, or its `problem`, and its handler."""
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
    problems = {case: problem_of(case, answer) for case, answer in answers.items()}
    wrong = [f"{case}: {problem}" for case, problem in problems.items() if problem]
    return {"problem": "; ".join(wrong)} if wrong else result, handler


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


def time_blocks(handler: Handler, events: dict[str, Any], stream: int) -> None:
    """Warm up at the first request, then time one block for each; the collector stays on, as on Lambda."""
    context = Context()
    calls: dict[str, int] = {}
    """How many make a block; none where one call is longer, and then the warm-up's is the figure."""
    once_s = 0.0
    for line in sys.stdin:
        case = line.strip()
        if case not in calls:
            once_s = warm_up(handler, events[case], context, WARM_UP_S / len(events))
            calls[case] = int(BLOCK_S / once_s)
            gc.collect()
        if calls[case]:
            # The first call after the others' turns finds cold caches.
            handler(events[case], context)
            once_s = seconds_per_call(handler, events[case], context, calls[case])
        say(stream, {"us": once_s * 1e6})


def warm_up(handler: Handler, event: Any, context: Context, seconds: float) -> float:
    """Call until *seconds* are over and return how long the last call took."""
    end_s = time.perf_counter() + seconds
    while True:
        last_s = seconds_per_call(handler, event, context, 1)
        if time.perf_counter() >= end_s:
            return last_s


def seconds_per_call(handler: Handler, event: Any, context: Context, calls: int) -> float:
    """Return the CPU time of one of *calls* calls: a neighbour on the same core is not counted."""
    start_s = cpu_time_s()
    for _ in range(calls):
        handler(event, context)
    return (cpu_time_s() - start_s) / calls


if __name__ == "__main__":
    main()
