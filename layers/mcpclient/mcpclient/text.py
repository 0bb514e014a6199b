"""Remote text, made fit to hand on, and stored text that somebody else may have written."""

import json
import re
from typing import Any, Final

CUT_MARK: Final = "\u2026 [truncated]"

MAX_NAME_CHARACTERS: Final = 256

_CONTROLS: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ud800-\udfff\ufeff]")
"""Line breaks, terminal escapes, invisible and reordering characters. Source: CVE-2021-42574 (Trojan Source)."""


def truncate(text: str, max_characters: int) -> str:
    """Return *text*, cut where it is longer than *max_characters*; the mark at the cut counts too."""
    if len(text) <= max_characters:
        return text
    return text[: max(0, max_characters - len(CUT_MARK))] + CUT_MARK[-max_characters:] if max_characters > 0 else ""


def plain_name(text: str) -> str:
    """Return what a server calls itself, fit for one line of a log or a page."""
    return truncate(_CONTROLS.sub("", text), MAX_NAME_CHARACTERS)


def is_plain_name(text: str) -> bool:
    """Tell whether a tool's name can be shown and typed as it stands."""
    return 0 < len(text) <= MAX_NAME_CHARACTERS and not _CONTROLS.search(text)


def read_object(text: Any) -> dict[str, Any] | None:
    """Return the JSON object that *text* is; None if it is none, or so deep that Python gives up on it."""
    try:
        members = json.loads(text) if isinstance(text, str) else None
    except (RecursionError, ValueError):
        members = None
    return members if isinstance(members, dict) else None
