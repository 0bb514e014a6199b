"""One spelling for each URL, so that a cache and a list of results know when two are the same.

Only what RFC 3986 calls equivalent is put right. The query keeps its order and all of its members: what looks like a
tracking parameter on one site chooses the page on another, and a cache that guesses wrong serves the wrong page.
"""

import re
from typing import Final
from urllib.parse import quote, urlsplit, urlunsplit

_DEFAULT_PORTS: Final = {"https": 443, "http": 80}

_ESCAPE: Final = re.compile("%([0-9a-fA-F]{2})")

_UNRESERVED: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")


def canonical_url(url: str) -> str:
    """Return *url* in its normal form, without a fragment; what is no URL comes back as it is.

    Source: RFC 3986, section 6.2.2 (case, percent-encoding, dot segments) and 6.2.3 (default port, empty path).
    """
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").removesuffix("."), parts.port
    except ValueError:
        return url
    if not parts.scheme or not host:
        return url
    netloc = f"[{host}]" if ":" in host else host
    if port not in (None, _DEFAULT_PORTS.get(parts.scheme)):
        netloc = f"{netloc}:{port}"
    path = _without_dots(_normal(parts.path)) or "/"
    normal = urlunsplit((parts.scheme, netloc, path, _normal(parts.query), ""))
    # `/x?` and `/x` are two resources.
    return normal + "?" if not parts.query and "?" in url.partition("#")[0] else normal


def _normal(text: str) -> str:
    """Return *text* with every escape that is needed, in capitals, and no other."""
    escaped = quote(text, safe="!#$%&'()*+,/:;=?@[]~", errors="replace")
    return _ESCAPE.sub(_escape, escaped)


def _escape(match: re.Match[str]) -> str:
    character = chr(int(match[1], 16))
    return character if character in _UNRESERVED else match[0].upper()


def _without_dots(path: str) -> str:
    """Return *path* without `.` and `..`. Source: RFC 3986, section 5.2.4."""
    segments = path.split("/")
    kept: list[str] = []
    for segment in segments:
        if segment == "..":
            # The first one is what stands before the root's slash.
            del kept[max(1, len(kept) - 1) :]
        elif segment != ".":
            kept.append(segment)
    if segments[-1] in {".", ".."}:
        kept.append("")
    return "/".join(kept)
