"""One process of the concurrency tests: 25 clients that call as fast as they can, on a table that others use too.

Usage: python -m tests.governance.hammer ENDPOINT TABLE calls|tokens; prints what it was granted, as JSON.
"""

import json
import os
import random
import sys
from concurrent.futures import ThreadPoolExecutor

import boto3
from botocore.config import Config

from governance.counters import CounterTable
from governance.errors import WallError
from governance.limits import Limits

CLIENTS = 25
CALLS = 8
BUDGET = 10_000
NOW_S = 1_796_083_200.0


def main() -> None:
    """Hammer, and print."""
    endpoint, table_name, what = sys.argv[1:]
    os.environ["AWS_ENDPOINT_URL"] = endpoint
    # Patient: how many a slow machine serves in a second is not what is tested.
    config = Config(read_timeout=60, max_pool_connections=CLIENTS, retries={"total_max_attempts": 1})
    table = CounterTable(boto3.resource("dynamodb", config=config).Table(table_name), now_s=lambda: NOW_S)
    work = count_calls if what == "calls" else spend_tokens
    with ThreadPoolExecutor(CLIENTS) as pool:
        granted = [*pool.map(lambda seed: work(table, random.Random(seed)), range(CLIENTS))]  # noqa: S311 -- a seed, no secret
    sys.stdout.write(json.dumps(sum(granted)))


def count_calls(table: CounterTable, _random: random.Random) -> int:
    """Return how many of one client's calls passed a limit of 120 a minute."""
    passed = 0
    for _ in range(CALLS):
        try:
            table.take("blue", "k1", Limits(key_calls=120), tokens=None)
        except WallError:
            continue
        passed += 1
    return passed


def spend_tokens(table: CounterTable, chance: random.Random) -> int:
    """Return what one client's calls spent of a budget."""
    spent = 0
    for _ in range(CALLS):
        reserved = chance.randint(1, 400)
        try:
            taken = table.take("blue", "k1", Limits(key_tokens=BUDGET), tokens=reserved)
        except WallError:
            continue
        if taken.usage.key_tokens > BUDGET:
            raise AssertionError("More was reserved than there is.")
        used = chance.randint(0, reserved)
        table.settle(taken, spent=used)
        spent += used
    return spent


if __name__ == "__main__":
    main()
