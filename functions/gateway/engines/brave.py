"""Brave Search: the web, with a key. Not proved live; see the decision."""

from typing import TYPE_CHECKING, Any, Final

import anyio.to_thread
from pydantic import BaseModel, Field

from functions.gateway.engines.asking import ask, read_answer, read_items
from functions.gateway.engines.engine import EngineAnswer, only_found, web_result
from functions.gateway.engines.markup import without_tags
from functions.gateway.engines.secret_key import SecretKey

if TYPE_CHECKING:
    from guardedhttp import Network

URL: Final = "https://api.search.brave.com/res/v1/web/search"

MAX_COUNT: Final = 20
"""Source: Brave Search API, web search, `count`."""


class _Hit(BaseModel):
    title: str
    url: str
    description: str = ""


class _Web(BaseModel):
    results: list[Any] = Field(default_factory=list)


class _Answer(BaseModel):
    """Source: Brave Search API, `WebSearchApiResponse`; without `web` where nothing was found."""

    type: str
    web: _Web = Field(default_factory=_Web)


class Brave:
    """The web, from an index of its own."""

    name = "brave"

    def __init__(self, key: SecretKey, url: str = URL, *, network: "Network | None" = None) -> None:
        """Make it; *network* is what lies below the guard, for tests."""
        self._key = key
        self._url = url
        self._network = network

    async def search(self, query: str, limit: int) -> EngineAnswer:
        """Return the pages that fit best."""
        key = await anyio.to_thread.run_sync(self._key, abandon_on_cancel=True)
        text = await ask(
            "GET",
            self._url,
            params={"q": query, "count": min(limit, MAX_COUNT), "text_decorations": "false"},
            headers={"X-Subscription-Token": key},
            network=self._network,
        )
        hits = read_items(_Hit, read_answer(_Answer, text).web.results)
        found = (web_result(without_tags(hit.title), hit.url, without_tags(hit.description)) for hit in hits)
        return EngineAnswer(only_found(found, limit), text)
