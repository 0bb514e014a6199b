"""The word KEY in an event's headers: no event file can hold a key that opens."""

import re
from collections.abc import Mapping
from typing import Any, Final

PLACEHOLDER: Final = re.compile(r"(Bearer )?KEY")

_HEADERS: Final = ("headers", "multiValueHeaders")


def with_key(event: Any, key: str) -> Any:
    """Return *event* with *key* where a header says KEY; as it is where there is no key."""
    if not key or not isinstance(event, dict):
        return event
    return {name: _filled(value, key) if name in _HEADERS else value for name, value in event.items()}


def _filled(value: Any, key: str) -> Any:
    if isinstance(value, Mapping):
        return {name: _filled(inner, key) for name, inner in value.items()}
    if isinstance(value, list):
        return [_filled(inner, key) for inner in value]
    if isinstance(value, str) and (match := PLACEHOLDER.fullmatch(value)):
        return f"{match[1] or ''}{key}"
    return value
