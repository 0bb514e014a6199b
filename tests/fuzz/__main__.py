"""The long run: `python -m tests.fuzz --examples 50000`, all strategies or one, with a random seed that it prints.

A finding is shrunk, printed as JSON (`server`, `event`) and makes the exit status 1.
"""

import argparse
import json
import secrets
import sys
import time
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings

from tests.fuzz import invariants
from tests.fuzz.strategies import STRATEGIES, Example


def main() -> int:
    """Run the strategies and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--examples", type=int, default=50_000, help="examples of each strategy")
    parser.add_argument("--strategy", choices=STRATEGIES, action="append", help="only this one; may be repeated")
    parser.add_argument("--seed", type=int, default=secrets.randbits(32), help="to repeat a run")
    options = parser.parse_args()
    say(f"seed {options.seed}")
    found = [not is_clean(name, options.examples, options.seed) for name in options.strategy or STRATEGIES]
    return int(any(found))


def is_clean(name: str, examples: int, seed_number: int) -> bool:
    """Run one strategy, print how it went, and tell whether every invariant held."""
    last: list[Example] = []
    count = 0

    @seed(seed_number)
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        phases=[Phase.generate, Phase.shrink],
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )
    @given(STRATEGIES[name])
    def examine(example: Example) -> None:
        nonlocal count
        count += 1
        last[:] = [example]
        invariants.check(*example, times=True)

    started_s = time.monotonic()
    failure: Exception | None = None
    try:
        examine()
    except Exception as error:  # noqa: BLE001 -- whatever the handler raises is the finding
        failure = error
    say(f"{name}: {count} examples in {time.monotonic() - started_s:.0f} s")
    if failure is None:
        return True
    # Hypothesis ends with the smallest example that fails.
    say(f"{name}: {type(failure).__name__}: {failure}\n{_as_json(last[0])}")
    return False


def say(text: str) -> None:
    """Print a line at once: a long run is watched."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def _as_json(example: Example) -> str:
    server, event = example
    found: dict[str, Any] = {"server": server, "event": event}
    return json.dumps(found)


if __name__ == "__main__":
    sys.exit(main())
