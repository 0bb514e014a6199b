"""Breakers in DynamoDB: one row per connection, written only when something changes, and only on what was read."""

import logging
from collections.abc import Callable
from dataclasses import asdict
from typing import Any, Final

from boto3.dynamodb.conditions import Attr
from botocore.exceptions import BotoCoreError, ClientError

from mcpclient.breaker import PROBE_S, Breaker, CircuitOpenError, enter, fail, succeed
from mcpclient.connections import Table, is_condition_failed

logger = logging.getLogger(__name__)

KEEP_S: Final = 24 * 3600
"""A breaker that nobody has touched for a day is gone: DynamoDB's time to live, attribute `expires_at`."""

_ATTEMPTS: Final = 4
"""Of a write that others got in before."""


class BreakerTable:
    """The breakers of this deployment's connections. A healthy call reads once and writes nothing."""

    def __init__(self, table: Table, *, now_s: Callable[[], float]) -> None:
        """Make a table.

        Args:
            table: boto3's, with the keys `pk` and `sk`.
            now_s: Unix time.
        """
        self._table = table
        self._now_s = now_s

    def enter(self, name: str) -> None:
        """Let a call of connection *name* begin.

        Raises:
            CircuitOpenError: the breaker is open, or another instance is making the probe.
        """
        version, breaker = self._read(name)
        entered = enter(breaker, now_s=self._now())
        if entered != breaker and not self._write(name, version, entered):
            raise CircuitOpenError(PROBE_S)

    def succeed(self, name: str) -> None:
        """Note that a call of connection *name* was answered."""
        self._change(name, lambda _breaker: succeed())

    def fail(self, name: str) -> None:
        """Note that a call of connection *name* failed."""
        self._change(name, lambda breaker: fail(breaker, now_s=self._now()))

    def _change(self, name: str, change: Callable[[Breaker], Breaker]) -> None:
        """Store what *change* makes of the state; best effort: the call is over, and its result must not be lost."""
        try:
            for _ in range(_ATTEMPTS):
                version, breaker = self._read(name)
                changed = change(breaker)
                if changed == breaker or self._write(name, version, changed):
                    return
        except (BotoCoreError, ClientError):
            logger.warning("a breaker could not be stored", extra={"connection": name})

    def _read(self, name: str) -> tuple[int, Breaker]:
        row: dict[str, Any] = self._table.get_item(Key=_key(name), ConsistentRead=True).get("Item") or {}
        failures, openings, until_s = (int(row.get(name, 0)) for name in ("failures", "openings", "open_until_s"))
        return int(row.get("version", 0)), Breaker(failures, openings, until_s, is_probed=bool(row.get("is_probed")))

    def _write(self, name: str, version: int, breaker: Breaker) -> bool:
        """Store *breaker* if the row is still at *version*, and tell whether it was."""
        row = {**_key(name), **asdict(breaker), "version": version + 1, "expires_at": self._now() + KEEP_S}
        unchanged = Attr("version").eq(version) if version else Attr("pk").not_exists()
        try:
            self._table.put_item(Item=row, ConditionExpression=unchanged)
        except ClientError as error:
            if not is_condition_failed(error):
                raise
            return False
        return True

    def _now(self) -> int:
        return int(self._now_s())


def _key(name: str) -> dict[str, str]:
    return {"pk": f"CONNECTION#{name}", "sk": "BREAKER"}
