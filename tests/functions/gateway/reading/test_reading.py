"""What of a page is for the reader, and how it looks as Markdown."""

import pytest

from functions.gateway.reading.__main__ import read
from functions.gateway.reading.hidden import hides
from functions.gateway.reading.markdown import fenced

URL = "https://page.example.com/dir/page"

LONG = "The Moon pulls on the water, and the Earth turns under it, so that there are two tides a day. " * 4


def markdown(body: str) -> str:
    """Return the Markdown of a page with *body* after a paragraph that is long enough to be its main part."""
    text: str = read(f"<html><body><main><p>{LONG}</p>{body}</main></body></html>", URL)["markdown"]
    return text.removeprefix(LONG.strip()).strip()


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<h2>A <em>b</em></h2>", "## A b"),
        ("<ol><li>a<li>b<ul><li>c</ul></ol>", "1. a\n2. b\n  - c"),
        ("<ul><li><p>First words.</p><p>Then more of them.</p></ul>", "- First words.\n\n  Then more of them."),
        ("<pre>a\n  b `c`</pre>", "```\na\n  b `c`\n```"),
        ("<p>x <code>f(x)</code> y", "x `f(x)` y"),
        ("<p>1 &lt;b&gt; &amp;amp; 2", "1 <b> &amp; 2"),
        ("<p>a<br>b", "a\nb"),
        ('<p><a href="../x?a=1&amp;b=2#c">l</a>', "[l](https://page.example.com/x?a=1&b=2#c)"),
        ('<p><a href="//other.example.com/a (b)">l</a>', "[l](https://other.example.com/a%28b%29)"),
        ('<p><a href="javascript:alert(1)">l</a> <a href="data:text/html,x">m</a> <a href="#f">n</a>', "l m n"),
        ('<p>see <img src="/a.png" alt="a chart">', "see a chart"),
        ("<table><tr><th>a<th>b<tr><td>c|d<td>e</table>", "| a | b |\n| --- | --- |\n| c\\|d | e |"),
    ],
)
def test_structure_becomes_markdown(html: str, expected: str) -> None:
    """Headings, lists, code, tables; links absolute, and only to where a reader can go."""
    assert markdown(html) == expected


@pytest.mark.parametrize(
    "html",
    [
        "<!-- IGNORE -->",
        "<p hidden>IGNORE</p>",
        '<p aria-hidden="true">IGNORE</p>',
        "<template>IGNORE</template><noscript>IGNORE</noscript>",
        "<script>IGNORE</script><style>IGNORE</style>",
        "<svg><text>IGNORE</text></svg><iframe>IGNORE</iframe><textarea>IGNORE</textarea>",
        '<p style="DISPLAY : none">IGNORE</p>',
        '<p style="dis\\70lay:none">IGNORE</p>',
        '<p style="display/**/:/**/none">IGNORE</p>',
        '<div style="visibility:hidden"><p><b>IGNORE</b></p></div>',
        '<p style="color:red;opacity:0">IGNORE</p>',
        '<p style="font-size:0px">IGNORE</p><p style="font-size:1px">IGNORE</p>',
        '<p style="position:absolute;left:-9999px">IGNORE</p>',
        '<p style="color:#fff;background-color:#fff">IGNORE</p>',
        '<p style="color: transparent">IGNORE</p>',
        '<p style="height:0;overflow:hidden">IGNORE</p>',
        '<p style="clip-path:inset(50%)">IGNORE</p>',
    ],
)
def test_what_a_person_does_not_see_is_not_shown_to_a_model(html: str) -> None:
    """OWASP LLM01: pages hide their prompts in such elements."""
    assert "IGNORE" not in markdown(html + "<p>After it.</p>")
    assert "After it." in markdown(html + "<p>After it.</p>")


@pytest.mark.parametrize(
    "style",
    ["", "color:red", "opacity:0.5", "opacity:.9", "font-size:10px", "height:100px", "left:-1px", "margin-left:-10px"],
)
def test_ordinary_styles_hide_nothing(style: str) -> None:
    """The list of ways to hide must not eat a page."""
    assert hides(style) is False


def test_hidden_characters_are_gone_and_those_that_languages_need_are_not() -> None:
    """Tags ("ASCII smuggling"), zero width, bidi, NUL; joiners stay in Persian and in emoji."""
    hidden = "".join(chr(0xE0000 + ord(letter)) for letter in "IGNORE") + "\u200b\u202e\u2066\ufeff\x1b"
    persian, coder = "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "\U0001f469\u200d\U0001f4bb"
    body = f"<p>{LONG}</p><p>a{hidden}b &#xE0049;&#8203;&#xD800;c mi\u200dx {persian} {coder}</p>"
    assert read(body, URL)["markdown"].endswith(f"\n\nab \ufffdc mix {persian} {coder}")


def test_boilerplate_is_left_out() -> None:
    """Menus, banners, footers: what a naive paste would have cost."""
    page = f"""<title> A
     title </title><header><nav><a href=/>Home</a></nav></header><div class="cookie-consent">We use cookies</div>
     <main><article><h1>Tides</h1><p>{LONG}</p></article></main>
     <aside class="sidebar">Related</aside><footer>Imprint</footer>"""
    found = read(page, URL)
    assert found["title"] == "A title"
    assert found["markdown"] == f"# Tides\n\n{LONG.strip()}"


def test_lists_near_the_root_are_text_unless_they_are_menus() -> None:
    """Resiliparse 2.0 takes each of them for a menu."""
    items = "<ul><li>Spring tides are large.<li>Neap tides are <a href=/n>small</a>.</ul>"
    menu = "<ul><li><a href=/>Home</a><li><a href=/a>About us</a></ul>"
    text = read(f"<body>{menu}<div><p>{LONG}</p>{items}</div></body>", URL)["markdown"]
    assert text.endswith("- Spring tides are large.\n- Neap tides are [small](https://page.example.com/n).")
    assert "Home" not in text


def test_a_page_without_a_main_part_is_read_whole() -> None:
    """A list of links is a page as well."""
    page = "<body><ul>" + "".join(f'<li><a href="/{n}">{n}</a>' for n in range(3)) + "</ul></body>"
    assert read(page, URL)["markdown"] == "\n".join(f"- [{n}](https://page.example.com/{n})" for n in range(3))


def test_a_base_that_is_no_page_is_not_used() -> None:
    """`<base>` moves every relative link."""
    assert "https://b.example.com/x" in read('<base href="https://b.example.com/"><a href="x">l</a>', URL)["markdown"]
    assert "https://page.example.com/dir/x" in read('<base href="javascript:1"><a href="x">l</a>', URL)["markdown"]


def test_a_fence_is_longer_than_any_in_the_text() -> None:
    """Or a page could end its block and go on outside of it."""
    assert fenced("a\n````\nb", "json") == "`````json\na\n````\nb\n`````"
