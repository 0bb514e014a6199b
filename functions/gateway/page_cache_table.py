"""The page cache in DynamoDB: one compressed item per team and page. Whatever fails there is a miss."""

import hashlib
import logging
import zlib
from collections.abc import Callable
from typing import Any, Final, Protocol

import boto3
from botocore.config import Config
from pydantic import BaseModel

from functions.gateway.page_cache import CachedPage

MAX_ITEM_BYTES: Final = 380_000
"""An item holds 400 KB, its attributes' names too. Source: Amazon DynamoDB, quotas."""

MAX_PAGE_BYTES: Final = 4_000_000
"""What an item may grow to: nobody else writes there, yet nothing is decompressed without a limit."""

logger = logging.getLogger(__name__)


class Table(Protocol):
    """The two calls that are made of boto3's table."""

    def get_item(self, **request: Any) -> Any:
        """Return the item under `Item`, if there is one."""

    def put_item(self, **request: Any) -> Any:
        """Store an item."""


class _Kept(BaseModel):
    url: str
    page: CachedPage


class PageCacheTable:
    """The pages of all teams; the team is the partition key, so no read can meet another team's page."""

    def __init__(self, table: Callable[[], Table], *, now_s: Callable[[], float]) -> None:
        """Make it.

        Args:
            table: makes boto3's, at the first use; with the keys `pk` and `sk`, and the time to live `expires_at`.
            now_s: Unix time.
        """
        self._table = table
        self._now_s = now_s

    def get(self, tenant: str, url: str) -> CachedPage | None:
        """Return the page, if it is still fresh: DynamoDB deletes what has expired hours later."""
        try:
            item = self._table().get_item(Key=_key(tenant, url)).get("Item") or {}
            if int(item.get("expires_at", 0)) <= self._now_s():
                return None
            kept = _Kept.model_validate_json(_decompress(bytes(item["page"])))
        except Exception as error:  # noqa: BLE001 -- a cache that fails is a cache that misses, however it fails
            logger.warning("page cache not read", extra={"reason": type(error).__name__})
            return None
        return kept.page if kept.url == url else None

    def put(self, tenant: str, url: str, page: CachedPage, *, ttl_s: int) -> None:
        """Keep *page*, unless it is too large for an item."""
        packed = zlib.compress(_Kept(url=url, page=page).model_dump_json().encode())
        if len(packed) > MAX_ITEM_BYTES:
            return
        try:
            self._table().put_item(Item={**_key(tenant, url), "page": packed, "expires_at": int(self._now_s()) + ttl_s})
        except Exception as error:  # noqa: BLE001 -- as above
            logger.warning("page cache not written", extra={"reason": type(error).__name__})


def page_table(name: str) -> Table:
    """Return boto3's table *name*, which answers within a second or not at all."""
    config = Config(connect_timeout=0.5, read_timeout=0.5, retries={"mode": "standard", "total_max_attempts": 1})
    table: Table = boto3.resource("dynamodb", config=config).Table(name)
    return table


def _key(tenant: str, url: str) -> dict[str, str]:
    # A sort key holds 1,024 bytes, a URL more: so its digest, and the URL itself in the item.
    return {"pk": f"PAGE#{tenant}", "sk": hashlib.sha256(url.encode()).hexdigest()}


def _decompress(packed: bytes) -> bytes:
    unpacking = zlib.decompressobj()
    page = unpacking.decompress(packed, MAX_PAGE_BYTES)
    if not unpacking.eof:
        raise ValueError
    return page
