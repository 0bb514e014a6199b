"""What a caller is told where DynamoDB has failed: that it may be tried again, or that an operator must look at it."""

from typing import Final

from botocore.exceptions import BotoCoreError, ClientError
from mcpclient import MCPClientConfigurationError, MCPClientConnectionError, MCPClientError

UNAVAILABLE: Final = "unavailable"
"""The code of an error that is DynamoDB's."""

_PASSING: Final = frozenset(
    {
        "InternalServerError",
        "LimitExceededException",
        "ProvisionedThroughputExceededException",
        "RequestLimitExceeded",
        "RequestTimeout",
        "ServiceUnavailable",
        "Throttling",
        "ThrottlingException",
        "TransactionInProgressException",
    }
)
"""Source: DynamoDB Developer Guide, "Error messages and codes"."""


def table_error(error: BotoCoreError | ClientError) -> MCPClientError:
    """Return what the caller gets for *error*: of our words only, AWS's name tables and accounts."""
    if isinstance(error, ClientError):
        status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
        if status < 500 and error.response.get("Error", {}).get("Code") not in _PASSING:
            return MCPClientConfigurationError("The connections' table cannot be used: an operator must look at it.")
    return MCPClientConnectionError("The connections' table does not answer.", code=UNAVAILABLE, retryable=True)
