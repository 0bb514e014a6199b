"""The media types of a request: what its body is, and what its sender can read.

Source: RFC 9110, sections 8.3 and 12.5.1.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

JSON: Final = "application/json"
SSE: Final = "text/event-stream"

_JSON_RANGES: Final = frozenset({JSON, "application/*", "*/*"})
_SSE_RANGES: Final = frozenset({SSE, "text/*"})
_REFUSED_CHARSETS: Final = ("utf-16", "utf-32", "utf16", "utf32", "ucs-2", "ucs-4")


@dataclass(frozen=True, slots=True)
class Accepted:
    """Which of the two forms of an answer the client can read."""

    json: bool
    sse: bool


@lru_cache(maxsize=256)
def read_accept(accept: str) -> Accepted:
    """Return what *accept* takes; a missing header takes JSON, and so does a lone `*/*`."""
    if not accept.strip():
        return Accepted(json=True, sse=False)
    ranges = {name for name, quality in map(_media_range, accept.split(",")) if quality > 0}
    refused = {name for name, quality in map(_media_range, accept.split(",")) if quality == 0}
    json = not _JSON_RANGES.isdisjoint(ranges) and JSON not in refused
    # "*/*" takes a stream as well, but who wants one names it.
    sse = SSE not in refused and (not _SSE_RANGES.isdisjoint(ranges) or ("*/*" in ranges and not json))
    return Accepted(json=json, sse=sse)


def _media_range(text: str) -> tuple[str, float]:
    name, *parameters = (part.strip().lower() for part in text.split(";"))
    for parameter in parameters:
        if parameter.startswith("q="):
            try:
                return name, float(parameter[2:])
            except ValueError:
                return name, 0.0
    return name, 1.0


@lru_cache(maxsize=256)
def is_json(content_type: str) -> bool:
    """Tell whether *content_type* is JSON in a form that can be UTF-8.

    Browsers post three other types without asking first (CORS), so nothing but JSON is taken.
    """
    name, *parameters = (part.strip().lower() for part in content_type.split(";"))
    if name != JSON:
        return False
    for parameter in parameters:
        key, _, value = parameter.partition("=")
        if key.strip() == "charset" and value.strip().strip('"').startswith(_REFUSED_CHARSETS):
            return False
    return True
