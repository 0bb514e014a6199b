"""An engine's key, from Secrets Manager, when a search first needs it."""

import re
from collections.abc import Callable
from functools import cache
from typing import Final

from aws_lambda_powertools.utilities.parameters import GetParameterError, SecretsProvider
from botocore.config import Config

from functions.gateway.engines.engine import EngineError

type SecretKey = Callable[[], str]
"""Returns the key, or raises `EngineError`. It may block for some seconds."""

MAX_AGE_S: Final = 300
"""A rotated key is used after this at the latest."""

_PRINTABLE: Final = re.compile(r"[\x21-\x7e]{8,512}")
"""A line break would start another header."""


def secret_key(secret_name: str) -> SecretKey:
    """Return what reads the key, the whole text of secret *secret_name*."""

    def read() -> str:
        try:
            key = str(_provider().get(secret_name, max_age=MAX_AGE_S)).strip()
        except GetParameterError:
            raise EngineError from None
        return check_key(key)

    return read


def check_key(key: str) -> str:
    """Return *key* if a header can carry it.

    Raises:
        EngineError: it cannot.
    """
    if not _PRINTABLE.fullmatch(key):
        raise EngineError
    return key


@cache
def _provider() -> SecretsProvider:
    return SecretsProvider(boto_config=Config(connect_timeout=1, read_timeout=2, retries={"total_max_attempts": 2}))
