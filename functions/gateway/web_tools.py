"""The two tools that reach the web, made from the settings."""

import time
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from functions.gateway.engines.brave import Brave
from functions.gateway.engines.engine import Engine
from functions.gateway.engines.mediawiki import MediaWiki
from functions.gateway.engines.project_index import ProjectIndex
from functions.gateway.engines.secret_key import secret_key
from functions.gateway.engines.tavily import Tavily
from functions.gateway.page_cache import NoPageCache, PageCache
from functions.gateway.page_cache_table import PageCacheTable, page_table
from functions.gateway.smart_fetch import SmartFetch
from functions.gateway.smart_search import SmartSearch
from functions.gateway.web_settings import WebSettings

if TYPE_CHECKING:
    from guardedhttp import Network


def smart_fetch_of(settings: WebSettings, *, network: "Network | None" = None) -> SmartFetch:
    """Return `smart_fetch` as *settings* say; *network* is what lies below the guard, in tests and development."""
    return SmartFetch(_pages_of(settings), ttl_s=settings.page_ttl_s, network=network)


def smart_search_of(settings: WebSettings, *, network: "Network | None" = None) -> SmartSearch:
    """Return `smart_search` with every engine that *settings* switch on."""
    engines: list[Engine] = []
    if settings.brave_secret:
        engines.append(Brave(secret_key(settings.brave_secret), network=network))
    if settings.tavily_secret:
        engines.append(Tavily(secret_key(settings.tavily_secret), network=network))
    if settings.wikipedia_url:
        engines.append(MediaWiki(settings.wikipedia_url, network=network))
    if settings.index_folder:
        engines.append(ProjectIndex(Path(settings.index_folder), base_url=settings.index_url))
    return SmartSearch(engines)


def _pages_of(settings: WebSettings) -> PageCache:
    if not settings.page_table or not settings.page_ttl_s:
        return NoPageCache()
    # The client is made when a page is first looked for, and once.
    return PageCacheTable(cache(partial(page_table, settings.page_table)), now_s=time.time)
