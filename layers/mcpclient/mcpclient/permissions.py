"""Which tools and resources of a connection may be used."""

import re
from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import Final
from urllib.parse import unquote

_SEPARATORS: Final = re.compile(r"[/\\?#;]")
"""What may end a segment of a path: a slash, a backslash, a query, a fragment, parameters."""

_CONTROLS: Final = re.compile(r"[\x00-\x1f\x7f]")


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
    return not _may_climb(uri) and matches_any(uri, allowed_resources)


def _may_climb(uri: str) -> bool:
    plain = unquote(unquote(uri))
    # Controls: the URL parser of browsers and Node drops tabs and line breaks, and reads `.<tab>./` as `../`.
    return ".." in _SEPARATORS.split(plain) or _CONTROLS.search(plain) is not None
