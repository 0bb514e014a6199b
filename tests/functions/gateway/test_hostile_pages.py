"""Pages that no honest server has: each ends in bounded time, in a page or a sentence, and never in a crash."""

import asyncio
import gzip
from collections.abc import Callable

import anyio
import pytest

from functions.gateway.web_page import MAX_BYTES, MAX_REDIRECTS
from tests.functions.gateway.pages import URL, fetch, page_of, text_of
from tests.hostile.answers import sending
from tests.hostile.server import Answer, Request, always, respond

HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nconnection: close\r\n\r\n"

REFUSED = "this is not the https URL of a public host that can be found"


async def endless(_request: Request, writer: asyncio.StreamWriter) -> None:
    """Send paragraphs for ever."""
    writer.write(HEAD)
    while not writer.is_closing():
        writer.write(b"<p>And so it went on, and on.</p>" * 1000)
        await writer.drain()
        # `drain` alone gives no turn to the others while the buffer is not full.
        await anyio.sleep(0)


async def dripping(_request: Request, writer: asyncio.StreamWriter) -> None:
    """Send a byte now and then, so that no time-out per read ends it."""
    writer.write(HEAD)
    while not writer.is_closing():
        writer.write(b"x")
        await writer.drain()
        await anyio.sleep(0.05)


def redirecting(location: str, status: int = 302) -> Answer:
    """Return a server that only points elsewhere."""
    return always(status, b"SECRET", location=location)


@pytest.mark.anyio
async def test_an_endless_page_is_read_to_the_limit_and_cut() -> None:
    """At most 2 MB; the result says that there was more."""
    page = page_of((await fetch(endless))[0])
    assert page["truncated"] is True
    assert page["tokens_in"] <= MAX_BYTES
    assert page["tokens_out"] <= 20_000


@pytest.mark.anyio
async def test_a_page_that_drips_is_ended_by_the_deadline() -> None:
    """A whole-operation deadline: `timeout`, in seconds."""
    result, _ = await fetch(dripping, timeout=1)
    assert result["isError"] is True
    assert "in time" in text_of(result)


@pytest.mark.anyio
async def test_a_compressed_page_is_not_unpacked() -> None:
    """Identity is all that is accepted: 2 MB of zeros fit 2 KB of gzip."""
    bomb = gzip.compress(b"\0" * 10_000_000)
    result, _ = await fetch(always(200, bomb, content_type="text/html", content_encoding="gzip"))
    assert result["isError"] is True
    assert "compressed" in text_of(result)


@pytest.mark.anyio
async def test_redirects_that_lead_nowhere_end() -> None:
    """A limit of hops."""
    result, server = await fetch(redirecting("/again"))
    assert result["isError"] is True
    assert len(server.requests) == MAX_REDIRECTS + 1


@pytest.mark.anyio
@pytest.mark.parametrize(
    "location",
    [
        "http://page.example.com/",
        "https://127.0.0.1/",
        "https://169.254.169.254/latest/meta-data/",
        "https://[::1]/",
        "https://page.example.com:8443/",
        "https://user@page.example.com/",
        "https://metadata.google.internal/",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "gopher://page.example.com/",
    ],
)
async def test_a_redirect_inside_is_refused_before_a_packet_is_sent(location: str) -> None:
    """Every hop is checked like the first."""
    result, server = await fetch(redirecting(location))
    assert text_of(result).removeprefix("Error: ").startswith(REFUSED)
    assert (len(server.requests), len(server.dialled)) == (1, 1)


@pytest.mark.anyio
@pytest.mark.parametrize(
    "url",
    [
        "http://page.example.com/",
        "https://127.0.0.1/",
        "https://10.0.0.8/",
        "https://2130706433/",
        "https://localhost/",
        "https://page.example.com:8443/",
        "https://a:b@page.example.com/",
        "ftp://page.example.com/",
        "page.example.com",
        "",
        "https://" + "a" * 3000,
        "https://page.example.com/\ud800",
    ],
)
async def test_what_is_not_public_is_refused_with_one_sentence_and_without_a_packet(url: str) -> None:
    """The caller cannot use the tool to find out which hosts exist inside."""
    result, server = await fetch(always(200), url)
    assert text_of(result).removeprefix("Error: ").startswith(REFUSED)
    assert (server.dialled, server.connections) == ([], 0)


@pytest.mark.anyio
@pytest.mark.parametrize("answers", [["10.0.0.8"], ["93.184.215.14", "10.0.0.8"], ["::ffff:127.0.0.1"], []])
async def test_a_host_whose_address_is_inside_reads_like_any_other_refusal(answers: list[str]) -> None:
    """No packet goes out, and the sentence does not say why: SPEC 4."""
    result, server = await fetch(always(200), addresses=answers)
    assert text_of(result).removeprefix("Error: ").startswith(REFUSED)
    assert (server.dialled, server.connections) == ([], 0)


@pytest.mark.anyio
@pytest.mark.parametrize(
    "data",
    [b"", b"HTTP/1.1 200\r\n\r\n", b"\x00\xff" * 100, b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nshort"],
)
async def test_a_server_that_breaks_http_is_a_sentence(data: bytes) -> None:
    """And never what it sent."""
    result, _ = await fetch(sending(data))
    if result["isError"]:
        assert "did not answer" in text_of(result)


HOSTILE_HTML: dict[str, Callable[[], str]] = {
    "100k nested tags": lambda: "<div>" * 100_000 + "deep" + "</div>" * 100_000,
    "nested lists": lambda: "<ul><li>x" * 100_000,
    "nested formatting": lambda: "<b><i>" * 100_000 + "deep",
    "nested tables": lambda: "<table><tr><td>" * 60_000 + "x",
    "a huge attribute": lambda: f'<p class="{"a " * 900_000}">text</p>',
    "many attributes": lambda: "<p " + " ".join(f'a{number}="x"' for number in range(150_000)) + ">text",
    "a hundred thousand links": lambda: "<a href=/x>y</a> " * 110_000,
    "wrong nesting": lambda: "<a><p>x</b><table>" * 100_000,
    "only opening brackets": lambda: "<" * 1_900_000,
    "one long word": lambda: "<p>" + "a" * 1_900_000,
    "a style without end": lambda: '<p style="' + "opacity:" * 200_000 + '">text</p>',
}


@pytest.mark.anyio
@pytest.mark.parametrize("name", HOSTILE_HTML)
async def test_pathological_html_ends_in_bounded_time(name: str) -> None:
    """Some nestings take any parser minutes: the process that reads is given 2 s of CPU."""
    body = HOSTILE_HTML[name]().encode()
    result, _ = await fetch(always(200, body, content_type="text/html"), timeout=25)
    if result["isError"]:
        assert "cannot be read" in text_of(result)
    else:
        assert page_of(result)["tokens_out"] <= 20_000


@pytest.mark.anyio
@pytest.mark.parametrize("body", [b"", b" ", b"<html>", b"<title></title>", b"<!-- x -->", b"\x00\x00"])
async def test_a_page_of_nothing_is_an_empty_page(body: bytes) -> None:
    """No title, no text: still a page."""
    page = page_of((await fetch(always(200, body, content_type="text/html")))[0])
    assert (page["title"], page["markdown"].strip("\ufffd")) == ("", "")


@pytest.mark.anyio
async def test_a_hop_to_another_public_host_is_followed() -> None:
    """And the result says where the page was found."""

    async def answer(request: Request, writer: asyncio.StreamWriter) -> None:
        if request.headers["host"] == "page.example.com":
            writer.write(respond(301, location="https://other.example.com/b", set_cookie="a=b; Domain=example.com"))
        else:
            writer.write(respond(200, b"found", content_type="text/plain"))

    result, server = await fetch(answer)
    page = page_of(result)
    assert (page["url"], page["final_url"], page["markdown"]) == (URL, "https://other.example.com/b", "found")
    assert "cookie" not in server.requests[1].headers
