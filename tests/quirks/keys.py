"""The fixture's keys: one without limit, one of the free plan, and how a request carries one."""

from collections.abc import Mapping
from typing import Any, NamedTuple

UNLIMITED_KEY = "sg_test_key"
"""The key that the corpus sends."""
FREE_KEY = "sg_free_key"
"""What the harness sends in its place where a case repeats its request past the limit."""


class KeyHolder(NamedTuple):
    """Whose key it is."""

    key_id: str
    team: str
    plan: str


HOLDERS: Mapping[str, KeyHolder] = {
    UNLIMITED_KEY: KeyHolder("key-unlimited", "blue", "unlimited"),
    FREE_KEY: KeyHolder("key-free", "blue", "free"),
}


def key_in(headers: Mapping[str, Any]) -> str:
    """Return the key that *headers* carry, "" where there is none: `Authorization: Bearer` or `X-API-Key`.

    Source: HOSTS rule 15; RFC 9110, section 11.1: the scheme is case-insensitive. Never the query: URLs end in logs.
    """
    found = {name.lower(): str(value).strip() for name, value in headers.items()}
    scheme, _, token = found.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else found.get("x-api-key", "")
