"""The rounds: in each, a fresh process of every contestant, then many passes in which each times one short block.

A shared machine changes its speed for seconds at a time. Contestants that take turns within half a second share that,
so their ratio stands even where the figures themselves move.
"""

import statistics
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.answers import CASES
from benchmarks.contestants import Contestant
from benchmarks.environments import InstallError, provide, size_mb
from benchmarks.machine import describe_machine, load_average
from benchmarks.results import Results, Row
from benchmarks.session import ContestantError, Session

SLOW_US: Final = 100_000
"""A contestant that needs so long for one event is timed once a round, or the others would wait for it."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A contestant that is ready to be measured, and the row that takes its figures."""

    contestant: Contestant
    row: Row
    python: Path


def run(contestants: Sequence[Contestant], *, rounds: int, passes: int) -> Results:
    """Measure *contestants* and return what came out; one that fails is a row that says so."""
    machine = describe_machine()
    load_before = load_average()
    entries = [_prepare(contestant) for contestant in contestants]
    for number in range(rounds):
        say(f"round {number + 1} of {rounds}")
        _play(rotated([entry for entry in entries if not entry.row.problem], number), passes)
    machine["load average before and after"] = f"{load_before}, {load_average()}"
    return Results(machine, rounds, passes, [entry.row for entry in entries])


def rotated[T](items: Sequence[T], number: int) -> list[T]:
    """Return *items* in the order of round *number*: each comes first, in turn."""
    start = number % len(items) if items else 0
    return [*items[start:], *items[:start]]


def _prepare(contestant: Contestant) -> Entry:
    """Install the contestant and start it once unmeasured, which compiles its files and fills the page cache."""
    row = Row(contestant.name, contestant.full_title(), contestant.serves)
    python = Path()
    say(f"preparing {row.title}")
    try:
        python = provide(contestant.environment, contestant.lock)
        row.size_mb = size_mb(contestant)
        with ExitStack() as stack:
            _start(contestant, python, stack).started()
    except (InstallError, ContestantError) as error:
        row.problem = str(error)
    return Entry(contestant, row, python)


def _start(contestant: Contestant, python: Path, stack: ExitStack) -> Session:
    session = Session(contestant, python)
    stack.callback(session.close)
    return session


def _play(entries: Sequence[Entry], passes: int) -> None:
    """Play one round: every contestant starts by itself, then all take turns."""
    blocks: dict[str, dict[str, list[float]]] = {entry.contestant.name: {} for entry in entries}
    with ExitStack() as stack:
        sessions: list[tuple[Entry, Session]] = []
        for entry in entries:
            try:
                session = _start(entry.contestant, entry.python, stack)
                for key, value in session.started().items():
                    entry.row.samples.setdefault(key, []).append(value)
                sessions.append((entry, session))
            except ContestantError as error:
                entry.row.problem = str(error)
        for number in range(passes):
            for case in CASES:
                for entry, session in rotated(sessions, number):
                    _take_turn(entry.row, session, case, blocks[entry.contestant.name].setdefault(case, []))
    for entry in entries:
        for case, found in blocks[entry.contestant.name].items():
            if found:
                entry.row.samples.setdefault(f"{case}_us", []).append(statistics.median(found))


def _take_turn(row: Row, session: Session, case: str, found: list[float]) -> None:
    if row.problem or (found and found[0] > SLOW_US):
        return
    try:
        found.append(session.time_block(case))
    except ContestantError as error:
        row.problem = str(error)


def say(text: str) -> None:
    """Tell the person who waits; the table alone goes to stdout."""
    print(f"bench: {text}", file=sys.stderr, flush=True)
