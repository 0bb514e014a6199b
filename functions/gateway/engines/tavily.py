"""Tavily: the web, searched for models, with a key. Not proved live; see the decision."""

from typing import TYPE_CHECKING, Any, Final

import anyio.to_thread
from pydantic import BaseModel

from functions.gateway.engines.asking import ask, read_answer, read_items
from functions.gateway.engines.engine import EngineAnswer, only_found, web_result
from functions.gateway.engines.secret_key import SecretKey

if TYPE_CHECKING:
    from guardedhttp import Network

URL: Final = "https://api.tavily.com/search"

MAX_COUNT: Final = 20
"""Source: Tavily API, search, `max_results`."""


class _Hit(BaseModel):
    title: str
    url: str
    content: str = ""


class _Answer(BaseModel):
    """Source: Tavily API, search, 200."""

    results: list[Any]


class Tavily:
    """The web, with an excerpt of each page."""

    name = "tavily"

    def __init__(self, key: SecretKey, url: str = URL, *, network: "Network | None" = None) -> None:
        """Make it; *network* is what lies below the guard, for tests."""
        self._key = key
        self._url = url
        self._network = network

    async def search(self, query: str, limit: int) -> EngineAnswer:
        """Return the pages that fit best."""
        key = await anyio.to_thread.run_sync(self._key, abandon_on_cancel=True)
        text = await ask(
            "POST",
            self._url,
            json_body={"query": query, "max_results": min(limit, MAX_COUNT), "search_depth": "basic"},
            headers={"Authorization": f"Bearer {key}"},
            network=self._network,
        )
        hits = read_items(_Hit, read_answer(_Answer, text).results)
        return EngineAnswer(only_found((web_result(hit.title, hit.url, hit.content) for hit in hits), limit), text)
