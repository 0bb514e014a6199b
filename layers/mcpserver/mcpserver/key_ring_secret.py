"""The key ring of `request_state.py`, from a secret: rotate by putting a new key first and dropping the last later."""

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Final

from mcpserver.request_state import KeyRing

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.parameters import SecretsProvider

MAX_AGE_S: Final = 300
"""How long an instance keeps the ring: a new key seals everywhere within five minutes, and opens before that."""


def secret_key_ring(secret_name: str) -> Callable[[], KeyRing]:
    """Return what reads the ring from Secrets Manager, when a call first needs it and at most every `MAX_AGE_S`.

    The reader raises `KeyRingError` where the secret is no ring, and Powertools' `GetParameterError` where it cannot
    be read.
    """
    provider = cache(_secrets_provider)
    return lambda: KeyRing.from_json(str(provider().get(secret_name, max_age=MAX_AGE_S)))


def _secrets_provider() -> "SecretsProvider":
    # boto3 takes a quarter of a second to load: only a server that asks its client pays for it, at its first question.
    from aws_lambda_powertools.utilities.parameters import SecretsProvider  # noqa: PLC0415
    from botocore.config import Config  # noqa: PLC0415

    return SecretsProvider(boto_config=Config(connect_timeout=1, read_timeout=3, retries={"mode": "standard"}))
