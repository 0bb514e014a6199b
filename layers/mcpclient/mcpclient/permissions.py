"""Which tools and resources of a connection may be used."""

import re
import unicodedata
from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import Final
from urllib.parse import unquote

MAX_DECODINGS: Final = 5
"""What is escaped more often than this, nobody has escaped in good faith."""

_SEPARATORS: Final = re.compile(r"[/?#;:]")
"""What may end a segment of a path: a slash, a query, a fragment, parameters, a stream of NTFS."""

_FORBIDDEN: Final = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffd"
    r"\\\u2044\u2215\u2216\u2571\u2572\u27cb\u27cd\u29f5\u29f8\u29f9\u2afb\u2afd\ufe68\uff0f\uff3c]"
)
"""Controls (browsers and Node drop tabs and line breaks, and read `.<tab>./` as `../`), what was no UTF-8 (an overlong
dot is none), a backslash, and what some code page or reader makes a slash of."""

_OTHER_ESCAPE: Final = re.compile(r"%u([0-9a-fA-F]{4})")
"""What old servers of Microsoft's and JavaScript's `unescape` decode beside `%2e`."""

_IGNORABLE: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0000-\U000e0fff]"
)
"""`Default_Ignorable_Code_Point` whose general category does not say so. Source: Unicode, DerivedCoreProperties."""


def matches_any(name: str, patterns: Iterable[str]) -> bool:
    """Tell whether *name* matches one of the glob *patterns*: `*`, `?`, `[abc]`; case matters."""
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def is_tool_allowed(tool_name: str, allowed_tools: Iterable[str]) -> bool:
    """Tell whether a tool may be called: any, if *allowed_tools* is empty."""
    patterns = tuple(allowed_tools)
    return not patterns or matches_any(tool_name, patterns)


def is_resource_allowed(uri: str, allowed_resources: Iterable[str]) -> bool:
    """Tell whether a resource may be read: none, if *allowed_resources* is empty.

    A `.` or `..` in the path is refused, however it is written: `docs://public/*` would match
    `docs://public/../private`.
    """
    return not _may_climb(uri) and matches_any(uri, allowed_resources)


def _may_climb(uri: str) -> bool:
    """Tell whether any reader of *uri* could take a part of it for a step up, however often and in what it decodes."""
    for _ in range(MAX_DECODINGS + 1):
        decoded = unquote(_OTHER_ESCAPE.sub(lambda escape: chr(int(escape[1], 16)), uri))
        if _FORBIDDEN.search(decoded):
            return True
        # The slash of a fraction that was one character: it is in honest names.
        plain = unicodedata.normalize("NFKC", decoded).replace("\u2044", "/")
        if plain == uri:
            return any(_is_dots(segment) for segment in _SEPARATORS.split(plain))
        uri = plain
    return True


def _is_dots(segment: str) -> bool:
    """Tell whether *segment* is nothing but dots and what a reader may drop. Windows drops dots at the end, too."""
    return "." in segment and all(character == "." or _may_be_dropped(character) for character in segment)


def _may_be_dropped(character: str) -> bool:
    # C: controls, format, unassigned; Z: spaces.
    return unicodedata.category(character)[0] in "CZ" or _IGNORABLE.match(character) is not None
