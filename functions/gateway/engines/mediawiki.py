"""Wikipedia, or any other MediaWiki: a documented API that needs no key. Not proved live; see the decision."""

from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from pydantic import BaseModel

from functions.gateway.engines.asking import ask, read_answer, read_items
from functions.gateway.engines.engine import EngineAnswer, Found, only_found, web_result
from functions.gateway.engines.markup import without_tags

if TYPE_CHECKING:
    from guardedhttp import Network

_SCRIPT: Final = "/w/api.php"
_ARTICLES: Final = "/wiki/"


class _Hit(BaseModel):
    title: str
    pageid: int
    snippet: str = ""


class _Query(BaseModel):
    search: list[Any]


class _Answer(BaseModel):
    """Source: MediaWiki Action API, `list=search`, `formatversion=2`."""

    query: _Query


class MediaWiki:
    """Articles, by the wiki's own search."""

    def __init__(self, url: str, *, name: str = "wikipedia", network: "Network | None" = None) -> None:
        """Make it.

        Args:
            url: of `api.php`.
            name: what results call it.
            network: what lies below the guard, for tests.
        """
        self._url = url
        self._name = name
        self._network = network

    @property
    def name(self) -> str:
        """The engine's name."""
        return self._name

    async def search(self, query: str, limit: int) -> EngineAnswer:
        """Return the articles that fit best."""
        params: dict[str, str | int] = {
            "action": "query",
            "list": "search",
            "srsearch": query,
            "srlimit": limit,
            "srprop": "snippet",
            "format": "json",
            "formatversion": 2,
        }
        text = await ask("GET", self._url, params=params, network=self._network)
        hits = read_items(_Hit, read_answer(_Answer, text).query.search)
        return EngineAnswer(only_found((self._found(hit) for hit in hits), limit), text)

    def _found(self, hit: _Hit) -> Found | None:
        base = self._url.removesuffix(_SCRIPT)
        if base == self._url:
            page = f"{self._url.rpartition('/')[0]}/index.php?curid={hit.pageid}"
        else:
            page = base + _ARTICLES + quote(hit.title.replace(" ", "_"), errors="replace")
        return web_result(hit.title, page, without_tags(hit.snippet))
