"""What every test may use: an event loop's name, and AWS embedded in this process."""

from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from moto import mock_aws


@pytest.fixture
def anyio_backend() -> str:
    """Tests marked `anyio` run on asyncio, as on Lambda."""
    return "asyncio"


@pytest.fixture
def aws(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Embed AWS in this process, with credentials that open nothing."""
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "testing")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    with mock_aws():
        yield


@pytest.fixture
def connections_table(aws: None) -> Any:
    """Return an empty table with the keys `pk` and `sk`."""
    return boto3.resource("dynamodb").create_table(
        TableName="connections",
        BillingMode="PAY_PER_REQUEST",
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
        AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk")],
    )
