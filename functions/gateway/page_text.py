"""A page's bytes as text: which media types are text, and in which encoding they are."""

import codecs
import re
from typing import Final

HTML_TYPES: Final = frozenset({"text/html", "application/xhtml+xml"})

MARKDOWN_TYPES: Final = frozenset({"text/markdown", "text/x-markdown", "text/plain"})
"""Shown as they are."""

_FENCED_TYPES: Final = frozenset(
    {"application/json", "application/xml", "application/yaml", "application/x-yaml", "application/toml"}
)

ALLOWED: Final = "HTML, XHTML, plain text, Markdown, CSV, JSON, YAML, XML and feeds"
"""For the model."""

_META: Final = re.compile(rb"""<meta[^>]{0,400}?charset\s*=\s*["']?\s*([a-zA-Z0-9_:.-]{1,40})""", re.IGNORECASE)
_XML: Final = re.compile(rb"""<\?xml[^>]{0,200}?encoding\s*=\s*["']([a-zA-Z0-9_:.-]{1,40})""")
_CHARSET: Final = re.compile(r"""charset\s*=\s*["']?([a-zA-Z0-9_:.-]{1,40})""", re.IGNORECASE)

META_BYTES: Final = 1024
"""How far a declaration is looked for. Source: WHATWG HTML, prescan a byte stream to determine its encoding."""

_BOMS: Final = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))

_ENCODINGS: Final = frozenset(
    {
        *("utf-8", "utf-16-le", "utf-16-be", "cp866", "koi8-r", "koi8-u", "mac-roman", "mac-cyrillic"),
        *("gbk", "gb18030", "big5hkscs", "euc_jp", "iso2022_jp", "cp932", "cp949", "cp874"),
        *(f"cp{number}" for number in range(1250, 1259)),
        *(f"iso8859-{number}" for number in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)),
    }
)
"""Python's names of what browsers read. Never by any name that a page gives: there are codecs that are no encodings."""

_AS_BROWSERS_DO: Final = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "gb2312": "gbk",
    "big5": "big5hkscs",
    "euc_kr": "cp949",
    "shift_jis": "cp932",
    "iso8859-11": "cp874",
    "utf-16": "utf-16-le",
}
"""Source: WHATWG Encoding, names and labels."""


def media_type_of(content_type: str, body: bytes) -> str:
    """Return the media type, lower case; where the server says none, HTML or plain text by the first character."""
    declared = content_type.partition(";")[0].strip().lower()
    return declared or ("text/html" if body[:META_BYTES].lstrip()[:1] == b"<" else "text/plain")


def is_text(media_type: str) -> bool:
    """Tell whether a page of *media_type* is text."""
    return (
        media_type.startswith("text/")
        or media_type in HTML_TYPES | _FENCED_TYPES
        or (media_type.startswith("application/") and media_type.endswith(("+json", "+xml")))
    )


def language_of(media_type: str) -> str:
    """Return what a fenced block of *media_type* is marked with."""
    subtype = media_type.partition("/")[2]
    kind = subtype.rpartition("+")[2].removeprefix("x-")
    return kind if kind in {"json", "xml", "csv", "yaml", "toml", "css", "javascript"} else ""


def decode(body: bytes, content_type: str) -> str:
    """Return *body* as text; bytes that fit no character become U+FFFD.

    The order is a browser's: byte order mark, HTTP header, the page's own declaration, then UTF-8 if it is that, else
    windows-1252. Source: WHATWG HTML, determining the character encoding.
    """
    for mark, encoding in _BOMS:
        if body.startswith(mark):
            return body[len(mark) :].decode(encoding, "replace")
    header = _CHARSET.search(content_type)
    declared = (header and _known(header[1])) or _declared(body[:META_BYTES])
    if declared:
        return body.decode(declared, "replace")
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError as error:
        # Only the last character, where the 2 MB end, may be incomplete.
        encoding = "utf-8" if error.start >= len(body) - 3 else "cp1252"
        return body.decode(encoding, "replace")


def _declared(head: bytes) -> str | None:
    found = _META.search(head) or _XML.search(head)
    encoding = _known(found[1].decode("ascii")) if found else None
    # It was read as ASCII, so it cannot be UTF-16.
    return "utf-8" if encoding and encoding.startswith("utf-16") else encoding


def _known(label: str) -> str | None:
    try:
        name = codecs.lookup(label).name
    except (LookupError, UnicodeError, ValueError):
        return None
    name = _AS_BROWSERS_DO.get(name, name)
    return name if name in _ENCODINGS else None
