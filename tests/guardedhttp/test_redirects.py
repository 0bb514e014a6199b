"""The redirect rule against the corpus, for both policies."""

import json
from pathlib import Path
from typing import Any

import pytest
from guardedhttp import RedirectPolicy, next_url

CORPUS = Path(__file__).parent.parent / "corpus" / "ssrf_redirects.jsonl"
CASES = [json.loads(line) for line in CORPUS.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_corpus(case: dict[str, Any]) -> None:
    """Where a redirect of an MCP connection may lead."""
    policy = RedirectPolicy.SAME_ORIGIN
    target = next_url(case["method"], case["from"], case["status"], case["location"], policy=policy)
    if case["second_request"] is None:
        assert target is None or target.startswith("https://mcp.example.com/"), case["why"]
    else:
        assert (target is not None) == case["second_request"], case["why"]


@pytest.mark.parametrize(
    ("location", "target"),
    [
        ("https://other.example.com/v2", "https://other.example.com/v2"),
        ("//other.example.com/v2", "https://other.example.com/v2"),
        ("/v2?x=http://127.0.0.1/", "https://mcp.example.com/v2?x=http://127.0.0.1/"),
        ("https://127.0.0.1/", None),
        ("http://other.example.com/", None),
        ("//localhost/", None),
        ("https:other.example.com", None),
        ("/\\other.example.com", None),
    ],
)
def test_a_page_may_lead_to_another_public_host(location: str, target: str | None) -> None:
    """For fetching without credentials; the addresses of the next host are checked when it is dialled."""
    policy = RedirectPolicy.ANY_PUBLIC_HOST
    assert next_url("GET", "https://mcp.example.com/mcp", 302, location, policy=policy) == target


@pytest.mark.parametrize("policy", RedirectPolicy)
@pytest.mark.parametrize("text", [*map(chr, (0xD800, 0xDC80, 0xDFFF)), "\x00", "\n", "\x7f", "\x85", " ", "\\"])
@pytest.mark.parametrize(
    "place", ["/a{}", "?{}", "#{}", "{}", "a{}:b", "//mcp.example.com/{}", "https://mcp.example.com/{}"]
)
def test_a_location_that_no_url_may_hold_leads_nowhere(place: str, text: str, policy: RedirectPolicy) -> None:
    """Wherever it stands: refused, and no codec's error."""
    url = "https://mcp.example.com/mcp"
    assert next_url("GET", url, 302, place.format(text), policy=policy) is None
