"""What an engine is, and what it answers with."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, Protocol

from functions.gateway.canonical_url import canonical_url
from functions.gateway.plain_text import plain_line

MAX_RESULTS: Final = 50
"""Of one engine, and of one search."""

MAX_TITLE_CHARACTERS: Final = 120
MAX_SNIPPET_CHARACTERS: Final = 300
MAX_URL_CHARACTERS: Final = 500

_WEB_URL: Final = re.compile(r"https?://[^/?#\s]+[^\s<>\"'`\\]*", re.IGNORECASE)


class EngineError(Exception):
    """The engine did not answer, or not as documented. Never holds what it said."""


@dataclass(frozen=True, slots=True)
class Found:
    """One result: plain text on one line each, within the limits above."""

    title: str
    url: str
    snippet: str


@dataclass(frozen=True, slots=True)
class EngineAnswer:
    """What one engine found, best first."""

    results: list[Found] = field(default_factory=list)
    naive: str = ""
    """What a paste of the answer would have been."""


class Engine(Protocol):
    """Finds pages. `smart_search` asks several at once."""

    @property
    def name(self) -> str:
        """What results and lists of failures call it."""

    async def search(self, query: str, limit: int) -> EngineAnswer:
        """Return at most *limit* results.

        Raises:
            EngineError: there is no answer.
        """


def web_result(title: str, url: str, snippet: str) -> Found | None:
    """Return a stranger's result, made harmless; None where there is no page to go to."""
    # In full first: what is too long as sent is too long.
    if len(url) > MAX_URL_CHARACTERS or not _WEB_URL.fullmatch(url):
        return None
    url = canonical_url(url)
    if len(url) > MAX_URL_CHARACTERS:
        return None
    found_title = plain_line(title, MAX_TITLE_CHARACTERS)
    return Found(found_title or url, url, plain_line(snippet, MAX_SNIPPET_CHARACTERS))


def only_found(results: Iterable[Found | None], limit: int) -> list[Found]:
    """Return the results that are any, at most *limit*."""
    return [found for found in results if found is not None][:limit]
