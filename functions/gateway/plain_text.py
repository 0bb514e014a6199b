"""Text of strangers, made plain: what a person would not see is not shown to a model either.

Source: Unicode tag characters and zero-width characters as invisible prompts ("ASCII smuggling"); CVE-2021-42574
(Trojan Source); OWASP LLM01, prompt injection.
"""

import re
from typing import Final

_HIDDEN: Final = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"  # controls, escape sequences among them; not tab and line breaks
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f"
    "\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb"
    "\ufe00-\ufe0e"  # variation selectors, but not U+FE0F, which makes an emoji of a sign
    "\ue000-\uf8ff\U000e0000-\U000e0fff\U000f0000-\U0010ffff"  # tags, more selectors, private use
    "]"
)

_JOINER: Final = re.compile("(?<![^\x00-\u02ff\u200c\u200d])[\u200c\u200d]+|[\u200c\u200d]+(?![^\x00-\u02ff])")
"""Joiners at the edge of a word, or in a script that needs none. Persian, Hindi and emoji do need them."""

_SURROGATE: Final = re.compile("[\ud800-\udfff]")

_SPACE: Final = re.compile(r"\s+")


def plain(text: str) -> str:
    """Return *text* without hidden characters; a lone surrogate becomes U+FFFD."""
    text = _SURROGATE.sub("\ufffd", text.replace("\r\n", "\n").replace("\r", "\n"))
    return _JOINER.sub("", _HIDDEN.sub("", text))


def plain_line(text: str, max_characters: int) -> str:
    """Return the same on one line, with single spaces, and at most *max_characters* long."""
    # Cut first as well: no more work than the answer is worth.
    line = _SPACE.sub(" ", plain(text[: 16 * max_characters])).strip()
    return line if len(line) <= max_characters else line[: max_characters - 1].rstrip() + "…"
