"""Pages that were read a moment ago, kept for one team at a time."""

import re
from typing import Final, Protocol

from pydantic import BaseModel

_MAX_AGE: Final = re.compile(r"max-age\s*=\s*\"?(\d{1,9})")

_FORBIDDING: Final = re.compile(r"\b(?:no-store|private|no-cache)\b")


class CachedPage(BaseModel):
    """A page as it was read."""

    final_url: str
    status: int
    title: str
    markdown: str
    truncated: bool
    tokens_in: int


class PageCache(Protocol):
    """Keeps pages. It may forget any of them at any time, and it never fails."""

    def get(self, tenant: str, url: str) -> CachedPage | None:
        """Return the page at *url*, in its canonical form, that *tenant* has read, if it is still fresh."""

    def put(self, tenant: str, url: str, page: CachedPage, *, ttl_s: int) -> None:
        """Keep *page* for *tenant* and nobody else, at most *ttl_s* seconds."""


class NoPageCache:
    """Keeps nothing."""

    def get(self, tenant: str, url: str) -> CachedPage | None:  # noqa: ARG002 -- the protocol's
        """Return None."""
        return None

    def put(self, tenant: str, url: str, page: CachedPage, *, ttl_s: int) -> None:
        """Do nothing."""


def seconds_to_keep(cache_control: str, ttl_s: int) -> int:
    """Return how long a page may be kept, 0 where it says that it must not be.

    Args:
        cache_control: the page's header, "" where it has none.
        ttl_s: our own limit: a page that says nothing is kept for as long.

    Source: RFC 9111, section 5.2.2. Stricter than it: `private` would allow a cache of one user, and a team is many;
    `no-cache` would allow one that asks again each time, which this one cannot.
    """
    said = cache_control.lower()
    if _FORBIDDING.search(said):
        return 0
    ages = [int(age) for age in _MAX_AGE.findall(said)]
    return min([ttl_s, *ages])
