"""`x-mcp-header`: arguments that a modern client repeats as `Mcp-Param-*` headers, so that a proxy can route on them.

Source: MCP 2026-07-28, streamable HTTP, custom headers from tool parameters.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

KEYWORD: Final = "x-mcp-header"
"""The schema keyword that names the header, without its `Mcp-Param-` prefix."""

_TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_TYPES = ("string", "integer", "boolean")


def declared_headers(schema: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Return lower-case header token -> path of its property.

    Raises:
        ValueError: a header that is no HTTP token, stands twice, is on a number, array or object, or stands where no
            chain of `properties` leads (in a list's items, in a branch): no client could find its value.
    """
    declared: dict[str, tuple[str, ...]] = {}
    if _count(schema) > sum(KEYWORD in part for _, part in _properties(schema, ())):
        raise ValueError(f"{KEYWORD} goes with a property that only `properties` lead to.")
    for path, part in _properties(schema, ()):
        token = part.get(KEYWORD)
        if token is None:
            continue
        if not isinstance(token, str) or not _TOKEN.fullmatch(token) or token.lower() in declared:
            raise ValueError(f"{'.'.join(path)}: {KEYWORD} must be an HTTP token of its own.")
        if part.get("type") not in _TYPES:
            raise ValueError(f"{'.'.join(path)}: {KEYWORD} goes with a string, an integer or a boolean.")
        declared[token.lower()] = path
    return declared


def _properties(
    schema: Mapping[str, Any], path: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], Mapping[str, Any]]]:
    for name, part in schema.get("properties", {}).items():
        yield (*path, name), part
        yield from _properties(part, (*path, name))


def _count(node: Any) -> int:
    """Return how often the keyword stands anywhere in a schema."""
    if isinstance(node, list):
        return sum(map(_count, node))
    if not isinstance(node, Mapping):
        return 0
    return (KEYWORD in node) + sum(map(_count, node.values()))
