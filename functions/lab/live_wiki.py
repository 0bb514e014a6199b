"""Wikipedia, through the guard: for `wiki_search`, where an operator has switched it on. Not proved live; see docs."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from mcpserver import SERVER_VERSION, MCPServerToolError

if TYPE_CHECKING:
    from guardedhttp import Network

URL: Final = "https://en.wikipedia.org/w/api.php"

TIMEOUT_S: Final = 6.0

MAX_CHARACTERS: Final = 600

_HEADERS: Final = {"User-Agent": f"samcp-lab/{SERVER_VERSION}", "Accept": "application/json"}
"""Source: Wikimedia Foundation User-Agent Policy: an anonymous client is refused."""


class _Page(BaseModel):
    title: str
    extract: str = ""


class _Query(BaseModel):
    pages: list[_Page] = Field(default_factory=list)


class _Answer(BaseModel):
    """Source: MediaWiki Action API, `generator=search`, `prop=extracts`, `formatversion=2`."""

    query: _Query = Field(default_factory=_Query)


class Settings(BaseModel):
    """What the lab reads from its environment. `template.yaml` sets it."""

    model_config = ConfigDict(frozen=True)

    live_wiki: bool = Field(default=False, alias="SAMCP_LIVE_WIKI")


class LiveWiki:
    """The beginning of the article that fits a phrase best."""

    def __init__(self, url: str = URL, *, network: "Network | None" = None) -> None:
        """Make it; *network* is what lies below the guard, for tests."""
        self._url = url
        self._network = network

    async def search(self, query: str) -> str | None:
        """Return the article's first sentences and its title, None if there is none.

        Raises:
            MCPServerToolError: Wikipedia did not answer, or not as documented.
        """
        # The layer is attached only where this is on, and 200 ms of import are paid at the first search only.
        import httpx2  # noqa: PLC0415
        from guardedhttp import GuardError, guarded_client  # noqa: PLC0415

        parameters: dict[str, Any] = {
            "action": "query",
            "generator": "search",
            "gsrsearch": query,
            "gsrlimit": 1,
            "prop": "extracts",
            "exintro": 1,
            "explaintext": 1,
            "exsentences": 2,
            "format": "json",
            "formatversion": 2,
        }
        try:
            async with guarded_client(timeout_s=TIMEOUT_S, headers=_HEADERS, network=self._network) as client:
                response = await client.get(self._url, params=parameters)
                response.raise_for_status()
                pages = _Answer.model_validate_json(response.content).query.pages
        except (GuardError, httpx2.HTTPError, TimeoutError, ValidationError):
            raise MCPServerToolError("wiki_search: Wikipedia did not answer. Try again later.") from None
        if not pages or not pages[0].extract:
            return None
        return f"{pages[0].extract[:MAX_CHARACTERS]}\n\nSource: Wikipedia, {pages[0].title[:200]}"


def live_wiki_of(environment: Mapping[str, str]) -> LiveWiki | None:
    """Return what *environment* asks for; None: the offline table only."""
    return LiveWiki() if Settings.model_validate(dict(environment)).live_wiki else None
