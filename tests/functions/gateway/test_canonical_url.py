"""One spelling for each URL. Source: RFC 3986, section 6."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from functions.gateway.canonical_url import canonical_url


@pytest.mark.parametrize(
    ("url", "canonical"),
    [
        ("HTTPS://A.Example.COM:443", "https://a.example.com/"),
        ("http://a.example.com:80/", "http://a.example.com/"),
        ("https://a.example.com:8443/", "https://a.example.com:8443/"),
        ("https://a.example.com./x", "https://a.example.com/x"),
        ("https://[2001:DB8::1]/", "https://[2001:db8::1]/"),
        ("https://a.example.com/a/./b/../c", "https://a.example.com/a/c"),
        ("https://a.example.com/../../c/..", "https://a.example.com/"),
        ("https://a.example.com/a/b/.", "https://a.example.com/a/b/"),
        ("https://a.example.com/a//b", "https://a.example.com/a//b"),
        ("https://a.example.com/%7e%41%2f%c3%a9", "https://a.example.com/~A%2F%C3%A9"),
        ("https://a.example.com/é b", "https://a.example.com/%C3%A9%20b"),
        ("https://a.example.com/100%", "https://a.example.com/100%"),
        ("https://a.example.com/x?b=2&a=1&utm_source=x", "https://a.example.com/x?b=2&a=1&utm_source=x"),
        ("https://a.example.com/x?#part", "https://a.example.com/x?"),
        ("https://a.example.com/x#part?", "https://a.example.com/x"),
        ("docs/a.md", "docs/a.md"),
        ("https://[::1", "https://[::1"),
        ("https://a:99999/", "https://a:99999/"),
    ],
)
def test_equivalent_urls_have_one_form(url: str, canonical: str) -> None:
    """Case, default port, dot segments, escapes; the query keeps its order and all of its members."""
    assert canonical_url(url) == canonical


@given(st.text(max_size=40))
def test_the_form_is_stable_for_any_text(text: str) -> None:
    """Twice is once, and nothing raises."""
    for url in (text, f"https://a.example.com/{text}", f"https://{text}/"):
        once = canonical_url(url)
        assert canonical_url(once) == once
