"""Each property's default and range, also in the words of its description.

Codex takes them out of the schema, so its model reads them here or nowhere. Source: HOSTS rule 12, case F17.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from pydantic_core import to_json

type Schema = dict[str, Any]

_RANGES: Final = (
    ("minimum", "maximum", ""),
    ("exclusiveMinimum", "exclusiveMaximum", " (exclusive)"),
    ("minLength", "maxLength", " characters"),
    ("minItems", "maxItems", " items"),
)
"""Keyword of the least, of the most, and what is counted."""


def say_limits(schema: Schema) -> Schema:
    """Return *schema* with what its properties' descriptions leave out added to them, nested ones too."""
    return {key: _said(key, value) for key, value in schema.items()}


def _said(key: str, value: Any) -> Any:
    if key == "properties":
        return {name: _describe(say_limits(part)) for name, part in value.items()}
    if key in ("items", "additionalProperties") and isinstance(value, dict):
        return say_limits(value)
    if key in ("anyOf", "oneOf", "allOf"):
        return [say_limits(part) for part in value]
    return value


def _describe(part: Schema) -> Schema:
    description = part.get("description", "")
    added = [text for figures, text in _limits(part) if not all(_says(description, figure) for figure in figures)]
    if not added:
        return part
    words = "; ".join(added)
    return part | {"description": f"{description} ({words})" if description else words}


def _says(description: str, figure: str) -> bool:
    """Tell whether *figure* stands in *description* by itself: 5 does not stand in "15 seconds"."""
    return re.search(rf"(?<![\w.]){re.escape(figure)}(?![\w])", description) is not None


def _limits(part: Mapping[str, Any]) -> Iterator[tuple[list[str], str]]:
    """Yield each limit: the figures that a description must hold to say it, and the words that do."""
    for least_key, most_key, unit in _RANGES:
        least, most = part.get(least_key), part.get(most_key)
        figures = [str(bound) for bound in (least, most) if bound is not None]
        if least is not None and most is not None:
            yield figures, f"from {least} to {most}{unit}"
        elif figures:
            yield figures, f"at {'most' if least is None else 'least'} {figures[0]}{unit}"
    default = part.get("default")
    if default not in (None, "", [], {}):
        text = default if isinstance(default, str) else to_json(default).decode()
        yield [text], f"default {text}"
