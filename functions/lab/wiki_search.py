"""The `wiki_search` tool, over a small table that needs no network, and over Wikipedia where it is switched on."""

from collections.abc import Mapping
from typing import Any, Final

from pydantic import BaseModel, Field

from functions.lab.live_wiki import LiveWiki
from mcpserver import MCPToolBase

FACTS: Final[Mapping[str, str]] = {
    "boiling point of water": "100 °C at 1 atmosphere",
    "capital of france": "Paris",
    "capital of germany": "Berlin",
    "capital of japan": "Tokyo",
    "deepest ocean trench": "Mariana Trench",
    "height of mount everest": "8,849 m",
    "largest ocean": "Pacific Ocean",
    "largest planet": "Jupiter",
    "longest river": "Nile",
    "speed of light": "299,792,458 m/s",
    "tallest mountain": "Mount Everest",
}
"""What is asked, in lower case -> the answer."""

NO_MATCH: Final = "no match"


class Arguments(BaseModel):
    """What `wiki_search` takes."""

    query: str = Field(description="A short phrase, such as: capital of France.")


class WikiSearch(MCPToolBase[Arguments]):
    """A look-up by the whole phrase."""

    name = "wiki_search"
    title = "Wiki search"
    description = (
        "Look up a general fact (capital of a country, tallest mountain, speed of light). "
        "It knows a dozen facts offline, and answers `no match` for any other."
    )
    arguments_model = Arguments

    def __init__(self, live: LiveWiki | None = None) -> None:
        """Make the tool; *live* answers what the table does not know, None: nobody does."""
        self._live = live
        if live is not None:
            self.open_world = True
            self.description = (
                "Look up a general fact (capital of a country, tallest mountain, speed of light). "
                "It asks Wikipedia for what it does not know itself, and answers `no match` where there is no article."
            )

    def run(self, arguments: Arguments) -> Any:
        """Return the fact, or `no match`."""
        fact = FACTS.get(arguments.query.lower().strip())
        if fact is not None or self._live is None:
            return fact or NO_MATCH
        return self._ask(self._live, arguments.query)

    async def _ask(self, live: LiveWiki, query: str) -> str:
        return await live.search(query) or NO_MATCH
