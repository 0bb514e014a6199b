"""The page cache: one team at a time, for a short time, and never a failure."""

from collections.abc import Iterator
from typing import Any

import pytest

from functions.gateway.page_cache import CachedPage, PageCache, seconds_to_keep
from functions.gateway.page_cache_table import MAX_ITEM_BYTES, PageCacheTable
from tests.functions.gateway.pages import URL, MemoryPageCache, fetch, page_of
from tests.hostile.server import always

PAGE = CachedPage(final_url=URL, status=200, title="t", markdown="m é", truncated=False, tokens_in=9)


class Clock:
    """A number for Unix time."""

    def __init__(self) -> None:
        self.now_s = 1_000_000.0

    def __call__(self) -> float:
        """Return it."""
        return self.now_s


@pytest.fixture
def clock() -> Clock:
    """Return a clock that a test moves."""
    return Clock()


@pytest.fixture(params=["memory", "dynamodb"])
def cache(request: pytest.FixtureRequest, clock: Clock) -> Iterator[PageCache]:
    """Give each kind of cache in turn."""
    if request.param == "memory":
        yield MemoryPageCache(now_s=clock)
    else:
        table = request.getfixturevalue("connections_table")
        yield PageCacheTable(lambda: table, now_s=clock)


def test_a_page_is_found_by_its_team_alone_until_it_expires(cache: PageCache, clock: Clock) -> None:
    """DynamoDB deletes what has expired hours later, so a read looks at the time itself."""
    cache.put("blue", URL, PAGE, ttl_s=300)
    assert cache.get("blue", URL) == PAGE
    assert cache.get("red", URL) is None
    assert cache.get("blue", URL + "?") is None
    clock.now_s += 299
    assert cache.get("blue", URL) == PAGE
    clock.now_s += 1
    assert cache.get("blue", URL) is None


@pytest.mark.anyio
async def test_no_team_ever_meets_another_teams_page(cache: PageCache) -> None:
    """The canary: two teams whose names, joined with a URL, could be taken for each other's, and nobody."""
    canary = always(200, b"CANARY of blue", content_type="text/plain")
    assert page_of((await fetch(canary, cache=cache, team="blue"))[0])["cache"] == "miss"
    for team in ("red", "blue#", "PAGE#blue", "BLUE", "blu", "", None):
        answer, server = await fetch(always(200, b"their own", content_type="text/plain"), cache=cache, team=team)
        page = page_of(answer)
        assert (page["cache"], page["markdown"], len(server.requests)) == ("miss", "their own", 1), team
    answer, server = await fetch(always(500), cache=cache, team="blue")
    page = page_of(answer)
    assert (page["cache"], page["markdown"], server.connections) == ("hit", "CANARY of blue", 0)
    assert page["tokens_in"] > 0


@pytest.mark.anyio
async def test_two_spellings_of_a_url_are_one_page() -> None:
    """Canonical URLs; without a principal nothing is kept."""
    cache = MemoryPageCache(now_s=lambda: 0)
    served = always(200, b"x", content_type="text/plain")
    await fetch(served, cache=cache)
    page = page_of((await fetch(served, "HTTPS://PAGE.example.com:443/b/../%61#part", cache=cache))[0])
    assert (page["url"], page["cache"]) == (URL, "hit")


@pytest.mark.anyio
@pytest.mark.parametrize("cache_control", ["no-store", "private, max-age=60", "No-Cache", "max-age=0"])
async def test_what_a_page_forbids_is_not_kept(cache_control: str) -> None:
    """Our own choice, by RFC 9111."""
    cache = MemoryPageCache(now_s=lambda: 0)
    served = always(200, b"x", content_type="text/plain", cache_control=cache_control)
    await fetch(served, cache=cache)
    assert page_of((await fetch(served, cache=cache))[0])["cache"] == "miss"


def test_a_page_may_shorten_its_time_and_not_lengthen_it() -> None:
    """The TTL is ours."""
    assert [seconds_to_keep(text, 300) for text in ("", "public, max-age=10", "max-age=99999", "x")] == [
        300,
        10,
        300,
        300,
    ]


class BrokenTable:
    """A table that fails, or holds what this code never wrote."""

    def __init__(self, item: Any = None) -> None:
        self._item = item

    def get_item(self, **_request: Any) -> Any:
        """Return the item, or fail."""
        if self._item is None:
            raise ConnectionError
        return {"Item": self._item}

    def put_item(self, **_request: Any) -> Any:
        """Fail."""
        raise ConnectionError


@pytest.mark.parametrize(
    "item", [None, {}, {"expires_at": "x"}, {"expires_at": 9e9}, {"expires_at": 9e9, "page": b"no zlib"}]
)
def test_a_cache_that_fails_misses(item: Any) -> None:
    """Whatever is wrong with it, a page can still be fetched."""
    cache = PageCacheTable(lambda: BrokenTable(item), now_s=lambda: 0)
    assert cache.get("blue", URL) is None
    cache.put("blue", URL, PAGE, ttl_s=300)


def test_what_is_too_large_for_an_item_is_not_kept(connections_table: Any) -> None:
    """DynamoDB's limit is 400 KB, of what compression leaves."""
    cache = PageCacheTable(lambda: connections_table, now_s=lambda: 0)
    random = "".join(chr(0x4E00 + (n * n * 7919 + n * 31) % 20_000) for n in range(MAX_ITEM_BYTES))
    cache.put("blue", URL, PAGE.model_copy(update={"markdown": random}), ttl_s=300)
    assert cache.get("blue", URL) is None
    cache.put("blue", URL, PAGE.model_copy(update={"markdown": "word " * 200_000}), ttl_s=300)
    assert cache.get("blue", URL) is not None
