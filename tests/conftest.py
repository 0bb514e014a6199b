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


@pytest.fixture(scope="module")
def aws() -> Iterator[None]:
    """Embed AWS in this process, with credentials that open nothing. Once per file: making a client takes 0.2 s."""
    with pytest.MonkeyPatch.context() as environment:
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
            environment.setenv(name, "testing")
        environment.setenv("AWS_DEFAULT_REGION", "us-east-1")
        with mock_aws():
            yield


@pytest.fixture(scope="module")
def dynamodb(aws: None) -> Any:
    """Return boto3's DynamoDB."""
    return boto3.resource("dynamodb")


@pytest.fixture
def connections_table(dynamodb: Any) -> Iterator[Any]:
    """Give an empty table with the keys `pk` and `sk`."""
    table = dynamodb.create_table(
        TableName="connections",
        BillingMode="PAY_PER_REQUEST",
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
        AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk")],
    )
    yield table
    table.delete()
