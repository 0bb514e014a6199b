"""Which tools and resources of a connection may be used."""

from collections.abc import Iterable
from fnmatch import fnmatchcase
from urllib.parse import unquote


def matches_any(name: str, patterns: Iterable[str]) -> bool:
    """Tell whether *name* matches one of the glob *patterns*: `*`, `?`, `[abc]`; case matters."""
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def is_tool_allowed(tool_name: str, allowed_tools: Iterable[str]) -> bool:
    """Tell whether a tool may be called: any, if *allowed_tools* is empty."""
    patterns = tuple(allowed_tools)
    return not patterns or matches_any(tool_name, patterns)


def is_resource_allowed(uri: str, allowed_resources: Iterable[str]) -> bool:
    """Tell whether a resource may be read: none, if *allowed_resources* is empty.

    A `..` in the path is refused, escaped or not: `docs://public/*` would match `docs://public/../private`.
    """
    return ".." not in unquote(uri).replace("\\", "/").split("/") and matches_any(uri, allowed_resources)
