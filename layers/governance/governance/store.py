"""How the governance tables are reached: short time-outs, and a second try where that can do no harm.

Whatever DynamoDB does, a call waits at most 2 s to be counted and 3 s to be settled and recorded. botocore's own
retries would wait up to a second in between.
"""

import logging
import time
from collections.abc import Callable
from functools import cache
from typing import Any, Final, Protocol

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError, ConnectTimeoutError, ReadTimeoutError

CONNECT_S: Final = 0.3
READ_S: Final = 1.2
PAUSE_S: Final = 0.05
"""Between the two tries."""

_WORTH_A_SECOND_TRY: Final = frozenset(
    {
        "InternalServerError",
        "ProvisionedThroughputExceededException",
        "RequestLimitExceeded",
        "ServiceUnavailable",
        "ThrottlingException",
        "TransactionInProgressException",
    }
)
"""DynamoDB's errors that may be gone in a moment. Source: DynamoDB Developer Guide, "Error handling"."""


_TIMED_OUT: Final = (ConnectTimeoutError, ReadTimeoutError)


class StoreError(Exception):
    """A governance table could not be used: nobody knows whether the write was made."""


class Table(Protocol):
    """What the governance needs of boto3's DynamoDB table."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def meta(self) -> Any:
        """Its client."""

    def get_item(self, **arguments: Any) -> Any:
        """Read one item."""

    def update_item(self, **arguments: Any) -> Any:
        """Change one item."""

    def put_item(self, **arguments: Any) -> Any:
        """Write one item."""

    def query(self, **arguments: Any) -> Any:
        """Read items of one partition."""

    def scan(self, **arguments: Any) -> Any:
        """Read every item."""

    def delete_item(self, **arguments: Any) -> Any:
        """Remove one item."""


def governance_table(name: str) -> Table:
    """Return the DynamoDB table *name*, through a client that gives up soon."""
    _quiet_boto()
    config = Config(connect_timeout=CONNECT_S, read_timeout=READ_S, retries={"total_max_attempts": 1})
    table: Table = boto3.resource("dynamodb", config=config).Table(name)
    return table


@cache
def _quiet_boto() -> None:
    # At DEBUG it logs whole requests and answers: a key's hash, a note of smart_memory.
    for name in ("boto3", "botocore", "urllib3"):
        logger = logging.getLogger(name)
        logger.setLevel(max(logger.level, logging.WARNING))


def try_once[T](operation: Callable[[], T]) -> T:
    """Return what *operation* returns.

    Raises:
        StoreError: DynamoDB did not answer, or not with a yes or no.
        ClientError: a condition failed.
    """
    try:
        return operation()
    except ClientError as error:
        if is_condition_failed(error):
            raise
        raise StoreError(_code(error)) from error
    except BotoCoreError as error:
        raise StoreError(type(error).__name__) from error


def try_twice[T](operation: Callable[[], T]) -> T:
    """Return what *operation* returns, tried once more where DynamoDB was throttled or failed at once.

    Only for what may be done twice: the same row again, or a count that is then too high and never too low. What timed
    out may have been done: it is not tried again.

    Raises:
        StoreError: neither try was answered.
        ClientError: a condition failed.
    """
    try:
        return try_once(operation)
    except StoreError as error:
        cause = error.__cause__
        if isinstance(cause, _TIMED_OUT) or (
            isinstance(cause, ClientError) and _code(cause) not in _WORTH_A_SECOND_TRY
        ):
            raise
    time.sleep(PAUSE_S)
    return try_once(operation)


def is_condition_failed(error: ClientError) -> bool:
    """Tell whether a write was refused by its own condition."""
    return _code(error) == "ConditionalCheckFailedException"


def _code(error: ClientError) -> str:
    return str(error.response.get("Error", {}).get("Code", ""))
