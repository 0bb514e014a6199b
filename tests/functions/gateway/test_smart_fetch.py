"""`smart_fetch`: a public page as Markdown. Source: GATEWAY.md, "Tools"."""

import pytest

from tests.functions.gateway.pages import URL, fetch, page_of, text_of
from tests.hostile.server import always

ARTICLE = b"""<!doctype html><html><head><title>How tides work</title></head><body>
<nav><a href="/">Home</a></nav><main><article><h1>Tides</h1>
<p>The Moon pulls on the <a href="/oceans?x=1#top">oceans</a>, and that makes a bulge which follows it around.</p>
<table><tr><th>Kind</th><th>Range</th></tr><tr><td>Spring</td><td>4.2 m</td></tr></table>
<pre><code>h * 2</code></pre></article></main><footer>Privacy</footer><script>alert(1)</script></body></html>"""


@pytest.mark.anyio
async def test_a_page_becomes_markdown_without_boilerplate() -> None:
    """GATEWAY.md: public page -> Markdown; relative links are absolute."""
    result, server = await fetch(always(200, ARTICLE, content_type="text/html"))
    page = page_of(result)
    assert (page["url"], page["final_url"], page["status"], page["cache"]) == (URL, URL, 200, "miss")
    assert (page["title"], page["truncated"]) == ("How tides work", False)
    for part in ("# Tides", "[oceans](https://page.example.com/oceans?x=1#top)", "| Spring | 4.2 m |", "```\nh * 2"):
        assert part in page["markdown"]
    for part in ("Home", "Privacy", "alert"):
        assert part not in page["markdown"]
    assert page["tokens_in"] > page["tokens_out"] > 0
    assert page["tokens_saved"] == page["tokens_in"] - page["tokens_out"]
    assert server.requests[0].headers["accept-encoding"] == "identity"


@pytest.mark.anyio
@pytest.mark.parametrize("status", [204, 304, 400, 404, 500, 503])
async def test_a_page_that_is_none_is_an_error_with_its_status(status: int) -> None:
    """Our own choice: what a server says beside a 404 serves nobody, and remote text is never in an error."""
    result, _ = await fetch(always(status, b"" if status in {204, 304} else b"SECRET", content_type="text/html"))
    if status == 204:
        assert page_of(result)["markdown"] == ""
        return
    assert result["isError"] is True
    assert str(status) in text_of(result)
    assert "SECRET" not in text_of(result)
