"""The key ring of `request_state.py`, from a secret.

To rotate: add the new key at the end, wait `MAX_AGE_S` (every instance then opens with it), move it to the front, wait
that long and a state's lifetime more, and drop the old one.
"""

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Final

from mcpserver.request_state import KeyRing

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.parameters import SecretsProvider

MAX_AGE_S: Final = 300
"""How long an instance keeps the ring, in seconds."""


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
