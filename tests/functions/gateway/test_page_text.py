"""Bytes to text: which types, in which encoding."""

import pytest

from functions.gateway.page_text import decode, is_text, media_type_of
from tests.functions.gateway.pages import fetch, page_of, text_of
from tests.hostile.server import always


@pytest.mark.parametrize(
    ("body", "content_type", "text"),
    [
        ("é€".encode(), "text/html", "é€"),
        ("é".encode(), "text/html; charset=UTF-8", "é"),
        ("é".encode("latin-1"), "text/html; charset=iso-8859-1", "é"),
        (b"\x93quoted\x94", "text/html", "“quoted”"),
        (b"\xef\xbb\xbf\xc3\xa9", "text/html; charset=iso-8859-1", "é"),
        ("é".encode("utf-16"), "text/html", "é"),
        ('<meta charset="shift_jis">日'.encode("shift_jis"), "text/html", '<meta charset="shift_jis">日'),
        ("<meta charset=utf-16>é".encode(), "text/html", "<meta charset=utf-16>é"),
        ('<?xml version="1.0" encoding="koi8-r"?>д'.encode("koi8-r"), "", '<?xml version="1.0" encoding="koi8-r"?>д'),
        ("é".encode(), 'text/html; charset="nonsense"', "é"),
        ("é".encode(), "text/html; charset=unicode_escape", "é"),
        ("é".encode(), "text/html; charset=idna", "é"),
        (b"ab\xc3", "text/html", "ab\ufffd"),
        (b"\xed\xa0\x80", "text/html; charset=utf-8", "\ufffd" * 3),
    ],
)
def test_the_encoding_is_what_a_browser_would_take(body: bytes, content_type: str, text: str) -> None:
    """WHATWG HTML: byte order mark, header, declaration; a name that is no encoding is none."""
    assert decode(body, content_type) == text


def test_which_types_are_text() -> None:
    """A type that is missing is guessed from the first character only."""
    for name in ("text/html", "text/csv", "application/json", "application/feed+json", "application/rss+xml"):
        assert is_text(name), name
    for name in ("application/pdf", "image/png", "image/svg+xml", "application/octet-stream", "video/mp4", "x"):
        assert not is_text(name), name
    assert media_type_of("", b" \n<p>") == "text/html"
    assert media_type_of("TEXT/HTML ;charset=x", b"") == "text/html"


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("content_type", "body", "markdown"),
    [
        ("text/plain", b"# a <b>\r\n b", "# a <b>\n b"),
        ("text/markdown; charset=utf-8", b"*a*", "*a*"),
        ("application/json", b'{"a": "\\ud800"}', '```json\n{"a": "\\ud800"}\n```'),
        ("text/csv", b"a,b\n1,2", "```csv\na,b\n1,2\n```"),
        ("application/atom+xml", b"<feed/>", "```xml\n<feed/>\n```"),
        ("text/plain", "a\u200b\x00b".encode(), "ab"),
    ],
)
async def test_other_text_is_shown_as_it_is(content_type: str, body: bytes, markdown: str) -> None:
    """Plain text and Markdown as they are, data in a block; hidden characters in neither."""
    assert page_of((await fetch(always(200, body, content_type=content_type)))[0])["markdown"] == markdown


@pytest.mark.anyio
async def test_what_is_no_text_is_refused_and_the_error_says_what_is_allowed() -> None:
    """The type that the server named is its own text: it is not repeated."""
    result, _ = await fetch(always(200, b"%PDF", content_type="application/x-SECRET"))
    assert result["isError"] is True
    assert "HTML" in text_of(result)
    assert "SECRET" not in text_of(result)
