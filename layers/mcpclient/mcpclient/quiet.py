"""The loggers of the libraries below, made quiet: they write whole messages, secrets and a server's text.

Those of httpx2 and httpcore2 are silent as soon as `guardedhttp` has made a client.
"""

import logging
from functools import cache
from typing import Final

from mcp.client import session

_SILENT: Final = "mcp"
"""The SDK logs each message, and what it could not parse."""

_NO_DEBUG: Final = ("botocore", "boto3", "urllib3")
"""botocore logs the bodies of Secrets Manager's answers at DEBUG."""


@cache
def quiet_third_parties() -> None:
    """Silence them for the rest of the process; what matters is in our errors."""
    logging.getLogger(_SILENT).setLevel(logging.CRITICAL + 1)
    for name in _NO_DEBUG:
        logger = logging.getLogger(name)
        logger.setLevel(max(logger.level, logging.WARNING))
    # The SDK's session logs as "client", which may well be a room's own name: only its records are dropped.
    logging.getLogger("client").addFilter(lambda record: record.pathname != session.__file__)
