"""Two processes, fifty clients, one key, one table: counted exactly, over real sockets."""

import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from local.embedded_aws import EmbeddedAws
from local.local_variables import ACCOUNT_VARIABLES
from local.template import load_template
from tests.governance.conftest import ROOT
from tests.governance.hammer import BUDGET


@pytest.fixture
def served() -> Iterator[EmbeddedAws]:
    """The embedded AWS with the template's tables."""
    aws = EmbeddedAws()
    try:
        aws.seed(load_template(ROOT / "template.yaml"))
        yield aws
    finally:
        aws.close()


def hammer(aws: EmbeddedAws, what: str) -> int:
    """Return what two processes together were granted."""
    command = [sys.executable, "-m", "tests.governance.hammer", aws.url, "CountersTable", what]
    environment = {**ACCOUNT_VARIABLES, "PATH": "", "AWS_EC2_METADATA_DISABLED": "true"}
    processes = [
        subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) for _ in range(2)
    ]
    outputs = [process.communicate(timeout=120)[0] for process in processes]
    assert [process.returncode for process in processes] == [0, 0]
    return sum(json.loads(output) for output in outputs)


def month(aws: EmbeddedAws) -> dict[str, Any]:
    """Return the team's one item."""
    item: dict[str, Any] = aws.client("dynamodb").scan(TableName="CountersTable")["Items"][0]
    return item


def test_exactly_120_of_400_calls_pass(served: EmbeddedAws) -> None:
    """Issue: 50 concurrent clients on one key never let call 121 through and never refuse call 120."""
    assert hammer(served, "calls") == 120


def test_the_month_is_never_overspent_by_a_token(served: EmbeddedAws) -> None:
    """Issue: reserved before, settled after; what is booked is what was spent."""
    spent = hammer(served, "tokens")
    booked = int(month(served)["t:k1"]["N"])
    assert booked == spent <= BUDGET
