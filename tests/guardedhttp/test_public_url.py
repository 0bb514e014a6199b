"""`validate_public_url` against the corpus, and what its caller learns."""

import json
import sys
from collections.abc import Sequence
from functools import cache
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest
from guardedhttp import (
    BlockedAddressError,
    BlockedURLError,
    NotPublicURLError,
    UnresolvedHostError,
    system_resolver,
    validate_public_url,
)

CORPUS = Path(__file__).parent.parent / "corpus" / "ssrf.jsonl"
CASES = [json.loads(line) for line in CORPUS.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_corpus(case: dict[str, Any]) -> None:
    """Attacks and their harmless neighbours, from CVEs, registries and parsers' disagreements."""
    answers = [ip_address(text) for text in case["resolves_to"] or ()]
    try:
        validate_public_url(case["url"], resolver=lambda _host: answers)
    except NotPublicURLError:
        assert not case["allow"], case["why"]
    else:
        assert case["allow"], case["why"]


def test_one_private_address_among_public_ones_blocks_the_url() -> None:
    """Our own choice, stricter than OWASP: the HTTP client could pick either address."""
    answers = [ip_address("93.184.215.14"), ip_address("10.0.0.8")]
    with pytest.raises(BlockedAddressError):
        validate_public_url("https://mixed.example/mcp", resolver=lambda _host: answers)
    with pytest.raises(BlockedAddressError):
        validate_public_url("https://mixed.example.com/mcp", resolver=lambda _host: answers)


def test_what_was_checked_is_returned() -> None:
    """The backend dials one of these."""
    answers = [ip_address("93.184.215.14"), ip_address("2606:4700:4700::1111")]
    checked = validate_public_url("HTTPS://Mcp.Example.COM.:443/mcp?x=1", resolver=lambda _host: answers)
    assert (checked.url, checked.host, checked.port) == ("https://mcp.example.com/mcp?x=1", "mcp.example.com", 443)
    assert checked.addresses == tuple(answers)


def test_the_name_that_is_resolved_is_the_one_that_is_connected_to() -> None:
    """IDNA 2008 keeps sharp s, IDNA 2003 makes it ss: two names, two servers."""
    asked: list[str] = []

    def resolve(host: str) -> Sequence[Any]:
        asked.append(host)
        return [ip_address("93.184.215.14")]

    assert validate_public_url("https://fa\u00df.example.com/", resolver=resolve).host == "xn--fa-hia.example.com"
    assert asked == ["xn--fa-hia.example.com"]


def test_every_refusal_says_the_same() -> None:
    """No oracle: whether a host exists inside, and where, stays inside."""
    answers = {"inside.example.com": [ip_address("10.0.0.1")]}
    refused: dict[str, type[Exception]] = {
        "https://10.0.0.1/": BlockedAddressError,
        "https://inside.example.com/": BlockedAddressError,
        "https://nowhere.example.com/": UnresolvedHostError,
        "http://mcp.example.com/": BlockedURLError,
    }
    messages = set()
    for url, error in refused.items():
        with pytest.raises(error) as caught:
            validate_public_url(url, resolver=lambda host: answers.get(host, ()))
        messages.add(str(caught.value))
    assert messages == {"not a public URL"}


def test_too_many_answers_are_refused() -> None:
    """Our own choice: checking must stay cheap."""
    answers = [ip_address("93.184.215.14")] * 65
    with pytest.raises(BlockedAddressError):
        validate_public_url("https://many.example.com/", resolver=lambda _host: answers)


def test_a_refused_text_is_never_looked_up(looked_up: list[Any]) -> None:
    """A look-up is a packet too, and tells the attacker's DNS server that we tried."""
    for case in CASES:
        if case["resolves_to"] is None and not case["allow"]:
            with pytest.raises(NotPublicURLError):
                validate_public_url(case["url"])
    assert looked_up == []


def test_the_system_resolver_knows_this_machine(looked_up: list[Any]) -> None:
    """The real look-up, of the one name that needs no network."""
    assert ip_address("127.0.0.1") in system_resolver("localhost")
    assert system_resolver("a" * 70 + ".example.com") == ()
    assert looked_up == ["localhost"]


@cache
def _recorder() -> list[Any]:
    """Record every look-up of this process from now on; an audit hook cannot be taken off again."""
    seen: list[Any] = []
    sys.addaudithook(lambda event, args: seen.append(args[0]) if event == "socket.getaddrinfo" else None)
    return seen


@pytest.fixture
def looked_up() -> list[Any]:
    """Every host that the test has looked up."""
    seen = _recorder()
    seen.clear()
    return seen
