"""The loggers of the libraries below, made quiet: they write URLs, headers, whole messages and a server's text."""

import logging
from functools import cache
from typing import Final

from mcp.client import session

_SILENT: Final = ("httpx2", "httpcore2", "mcp")
"""httpx2 logs each URL at INFO; httpcore2 each header at DEBUG; the SDK each message, and what it could not parse."""

_NO_DEBUG: Final = ("botocore", "boto3", "urllib3")
"""botocore logs the bodies of Secrets Manager's answers at DEBUG."""


@cache
def quiet_third_parties() -> None:
    """Silence them for the rest of the process; what matters is in our errors."""
    for name in _SILENT:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    for name in _NO_DEBUG:
        logger = logging.getLogger(name)
        logger.setLevel(max(logger.level, logging.INFO))
    # The SDK's session logs as "client", which may well be a room's own name: only its records are dropped.
    logging.getLogger("client").addFilter(lambda record: record.pathname != session.__file__)
