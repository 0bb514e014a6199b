"""Where a request carries its key: `Authorization: Bearer`, or `X-API-Key`. Never the query: URLs end in logs.

Source: HOSTS rule 15; RFC 9110, section 11.1 (a scheme is case-insensitive); RFC 6750, section 2.
"""

from collections.abc import Mapping
from typing import Any, Final

MAX_CHARACTERS: Final = 200
"""Of a key: a longer text is none, and is not hashed."""

_BLANKS: Final = " \t"
"""Source: RFC 9110, section 5.6.3."""


def key_in(event: Mapping[str, Any]) -> str:
    """Return the key that the event's headers carry; "" where there is none, or no single one.

    Two different keys in one request are none: nobody could say which was meant. `Bearer Bearer ...`, which hosts make
    of a key that was pasted with the word, is none either, and the answer says so. An empty header and another scheme
    carry nothing: hosts send an `Authorization` whose variable is not set beside a good X-API-Key.
    """
    found = {key for name, value in _headers(event) if (key := _key_of(name, value))}
    key = found.pop() if len(found) == 1 else ""
    return key if len(key) <= MAX_CHARACTERS else ""


def _headers(event: Mapping[str, Any]) -> list[tuple[str, str]]:
    several = event.get("multiValueHeaders") or {}
    single = event.get("headers") or {}
    pairs = [(name, value) for name, values in several.items() for value in values or ()]
    return [(str(name).lower(), str(value)) for name, value in (pairs or single.items())]


def _key_of(name: str, value: str) -> str:
    if name == "x-api-key":
        return value.strip(_BLANKS)
    scheme, _, rest = value.strip(_BLANKS).replace("\t", " ").partition(" ")
    return rest.strip(_BLANKS) if name == "authorization" and scheme.lower() == "bearer" else ""
