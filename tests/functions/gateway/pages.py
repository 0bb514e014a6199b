"""Calls of the web tools through a server, and pages served on loopback."""

import json
from collections.abc import Callable, Sequence
from typing import Any

import anyio.to_thread

from functions.gateway.page_cache import CachedPage, PageCache
from functions.gateway.smart_fetch import SmartFetch
from mcpserver import MCPToolBase
from mcpserver.context import Principal, TransportContext
from tests.fixture_servers import serving
from tests.hostile.server import PUBLIC, Answer, Hostile, serve
from tests.mcpserver.posts import request

URL = "https://page.example.com/a"

NAMES = ("page.example.com", "other.example.com")


class MemoryPageCache:
    """Keeps pages in this process."""

    def __init__(self, *, now_s: Callable[[], float], max_pages: int = 128) -> None:
        """Make an empty one; *now_s* is Unix time."""
        self._now_s = now_s
        self._max_pages = max_pages
        self._pages: dict[tuple[str, str], tuple[float, CachedPage]] = {}

    def get(self, tenant: str, url: str) -> CachedPage | None:
        """Return the page, if it is still fresh."""
        expires_at, page = self._pages.get((tenant, url), (0.0, None))
        return page if self._now_s() < expires_at else None

    def put(self, tenant: str, url: str, page: CachedPage, *, ttl_s: int) -> None:
        """Keep *page*; the oldest goes where there are too many."""
        self._pages.pop((tenant, url), None)
        self._pages[tenant, url] = (self._now_s() + ttl_s, page)
        if len(self._pages) > self._max_pages:
            del self._pages[next(iter(self._pages))]


def call(tool: MCPToolBase[Any], arguments: dict[str, Any], *, team: str | None = "blue") -> dict[str, Any]:
    """Return the result of a call as *team*, None: nobody."""
    principal = None if team is None else Principal("key-1", attributes={"team": team})
    server = serving(tool)
    message = request("tools/call", {"name": tool.name, "arguments": arguments})
    answer: Any = server.exchange(message, TransportContext(principal=principal)).body
    result: dict[str, Any] = answer["result"]
    return result


def text_of(result: dict[str, Any]) -> str:
    """Return what a model reads."""
    text: str = result["content"][0]["text"]
    return text


async def fetch(
    answer: Answer,
    url: str = URL,
    *,
    cache: PageCache | None = None,
    team: str | None = "blue",
    addresses: Sequence[str] = (PUBLIC,),
    **arguments: Any,
) -> tuple[dict[str, Any], Hostile]:
    """Return what `smart_fetch` says of a page, and the server that had it."""
    async with serve(answer, names=NAMES) as server:
        tool = SmartFetch(cache or no_clock_cache(), network=server.network(addresses))
        result = await in_thread(tool, {"url": url, **arguments}, team)
    return result, server


async def in_thread(tool: MCPToolBase[Any], arguments: dict[str, Any], team: str | None = "blue") -> dict[str, Any]:
    """Call *tool* in a thread of its own, so that the page's server can answer in this one."""
    return await anyio.to_thread.run_sync(lambda: call(tool, arguments, team=team))


def no_clock_cache() -> MemoryPageCache:
    """Return an empty cache whose time stands still."""
    return MemoryPageCache(now_s=lambda: 0)


def page_of(result: dict[str, Any]) -> dict[str, Any]:
    """Return the page of a call that must have worked, once both of its forms were found alike."""
    assert result["isError"] is False, text_of(result)
    structured: dict[str, Any] = result["structuredContent"]
    assert json.loads(text_of(result)) == structured
    return structured
