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
