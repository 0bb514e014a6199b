"""Secrets, read by name from Secrets Manager and kept for at most five minutes."""

import time
from collections.abc import Callable
from functools import cache
from threading import Lock
from typing import Any, Final, Protocol

from botocore.exceptions import BotoCoreError, ClientError

from mcpclient.errors import MCPClientConfigurationError

MAX_AGE_S: Final = 300.0
"""A rotated secret is used after this at the latest; after a 401 at once."""


class SecretsManager(Protocol):
    """The one call that is made of boto3's client."""

    def get_secret_value(self, *, SecretId: str) -> dict[str, Any]:  # noqa: N803 -- boto3's name
        """Return the secret, under `SecretString`."""


class SecretStore:
    """Reads secrets and remembers them, in memory only."""

    def __init__(self, client: Callable[[], SecretsManager], *, clock: Callable[[], float] = time.time) -> None:
        """Make a store.

        Args:
            client: makes boto3's client, at the first read.
            clock: Unix time. The monotonic clock of a frozen Lambda instance may stand still, and a rotation with it.
        """
        self._client = client
        self._clock = clock
        self._kept: dict[str, tuple[float, str]] = {}
        self._lock = Lock()

    def read(self, name: str, *, renew: bool = False) -> str:
        """Return the secret *name*.

        Args:
            name: its whole name.
            renew: do not take it from memory.

        Raises:
            MCPClientConfigurationError: there is none, or it may not be read; says its name, not why.
        """
        with self._lock:
            kept = self._kept.get(name)
            if kept is not None and not renew and 0 <= self._clock() - kept[0] < MAX_AGE_S:
                return kept[1]
            self._kept.pop(name, None)
            secret = self._fetch(name)
            self._kept[name] = (self._clock(), secret)
            return secret

    def _fetch(self, name: str) -> str:
        try:
            secret = self._client().get_secret_value(SecretId=name).get("SecretString")
        except (BotoCoreError, ClientError):
            secret = None
        if not isinstance(secret, str) or not secret:
            raise MCPClientConfigurationError(f"The secret {name} could not be read: create it, or allow it.")
        return secret


@cache
def shared_secret_store() -> SecretStore:
    """Return the store of this process, on the default AWS session."""
    return SecretStore(_default_client)


@cache
def _default_client() -> SecretsManager:
    import boto3  # noqa: PLC0415 -- 200 ms that a connection without credentials does not pay
    from botocore.config import Config  # noqa: PLC0415 -- as above

    config = Config(connect_timeout=1, read_timeout=3, retries={"mode": "standard", "total_max_attempts": 2})
    client: SecretsManager = boto3.client("secretsmanager", config=config)
    return client
