"""How the governance tables are reached: short time-outs, and a second try where that can do no harm.

Whatever DynamoDB does, a call waits at most 3 s in all to be counted, settled and recorded: see `Patience`. botocore's
own retries would wait up to a second in between.
"""

import logging
import time
from collections.abc import Callable
from functools import cache
from typing import Any, Final, Protocol

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError, ReadTimeoutError

from governance.errors import StoreError

CONNECT_S: Final = 0.3
READ_S: Final = 0.7
REQUEST_S: Final = CONNECT_S + READ_S
"""The longest that one request can take."""

TOTAL_S: Final = 3 * REQUEST_S
"""Of waiting for DynamoDB in one call: counted, settled and recorded. Source: issue, "within 3 s"."""

PAUSE_S: Final = 0.05
"""Between the two tries."""

_WORTH_A_SECOND_TRY: Final = frozenset(
    {
        "InternalServerError",
        "ProvisionedThroughputExceededException",
        "RequestLimitExceeded",
        "ServiceUnavailable",
        "ThrottlingError",
        "ThrottlingException",
        "TransactionConflict",
        "TransactionInProgressException",
    }
)
"""DynamoDB's errors and reasons of a cancelled transaction that may be gone in a moment.

Source: DynamoDB Developer Guide, "Error handling"; API Reference, `TransactWriteItems`.
"""


class Patience:
    """How long one call may still wait for DynamoDB; the time between its requests is not counted."""

    def __init__(
        self, *, clock: Callable[[], float] = time.monotonic, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        """Make one for a new call.

        Args:
            clock: seconds that only grow.
            sleep: waits so many of them.
        """
        self._clock = clock
        self._sleep = sleep
        self.left_s: float = TOTAL_S

    def allows(self, *, keep_s: float = 0.0) -> bool:
        """Tell whether one more request can be made, with *keep_s* left for those that must follow."""
        return self.left_s >= REQUEST_S + keep_s

    def limit(self, most_s: float) -> None:
        """Wait *most_s* from here on, where that is less than what is left."""
        self.left_s = min(self.left_s, most_s)

    def pause(self) -> None:
        """Wait between two tries."""
        self.during(lambda: self._sleep(PAUSE_S))

    def during[T](self, operation: Callable[[], T]) -> T:
        """Return what *operation* returns; its time is waited."""
        started_s = self._clock()
        try:
            return operation()
        finally:
            self.left_s -= self._clock() - started_s


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


def try_once[T](operation: Callable[[], T], patience: Patience | None = None) -> T:
    """Return what *operation* returns: one request, and what is read from its answer.

    Raises:
        StoreError: DynamoDB did not answer, or not with a yes or no.
        ClientError: a condition failed.
    """
    try:
        return (patience or Patience()).during(operation)
    except ClientError as error:
        if is_condition_failed(error):
            raise
        raise StoreError(_code(error)) from error
    except StoreError:
        raise
    except Exception as error:
        # botocore's own, and whatever an answer broke that DynamoDB would not give: a proxy's page, half of one.
        raise StoreError(type(error).__name__) from error


def try_twice[T](operation: Callable[[], T], patience: Patience, *, keep_s: float = 0.0) -> T:
    """Return what *operation* returns, tried once more where DynamoDB was throttled or failed, and there is time.

    Only for what may be done twice: the same row again, or a count that is then too high and never too low. What was
    sent and not answered in time has most likely been done: it is not tried again.

    Args:
        operation: one request.
        patience: how long the call may still wait.
        keep_s: what must be left of that for the requests that follow.

    Raises:
        StoreError: neither try was answered.
        ClientError: a condition failed.
    """
    try:
        return try_once(operation, patience)
    except StoreError as error:
        if not (_may_be_gone(error.__cause__) and patience.allows(keep_s=PAUSE_S + keep_s)):
            raise
    patience.pause()
    return try_once(operation, patience)


def _may_be_gone(cause: BaseException | None) -> bool:
    """Tell whether what failed may be gone in a moment."""
    if isinstance(cause, ClientError):
        return not _WORTH_A_SECOND_TRY.isdisjoint((_code(cause), *cancellation_codes(cause)))
    # None: an answer that says itself that it is not whole.
    return cause is None or (isinstance(cause, BotoCoreError) and not isinstance(cause, ReadTimeoutError))


def cancellation_codes(error: BaseException | None) -> list[str]:
    """Return why a transaction was cancelled, a code for each of its actions; empty: *error* is no such thing."""
    response: Any = error.response if isinstance(error, ClientError) else {}
    return [str(reason.get("Code")) for reason in response.get("CancellationReasons", [])]


def is_condition_failed(error: ClientError) -> bool:
    """Tell whether a write was refused by its own condition."""
    return _code(error) == "ConditionalCheckFailedException"


def _code(error: ClientError) -> str:
    return str(error.response.get("Error", {}).get("Code", ""))
