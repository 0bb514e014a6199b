"""The `wiki_search` tool, over a small table that needs no network."""

from collections.abc import Mapping
from typing import Final

from pydantic import BaseModel, Field

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

    def run(self, arguments: Arguments) -> str:
        """Return the fact, or `no match`."""
        return FACTS.get(arguments.query.lower().strip(), NO_MATCH)
