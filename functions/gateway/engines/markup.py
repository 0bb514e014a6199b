"""Snippets that engines send as HTML, as text."""

import re
from html import unescape
from typing import Final

MAX_CHARACTERS: Final = 10_000

_TAG: Final = re.compile(r"</?[a-zA-Z][^<>]*>")


def without_tags(html: str) -> str:
    """Return the text of *html*: engines mark the words that were found, and escape everything else."""
    return unescape(_TAG.sub("", html[:MAX_CHARACTERS]))
