"""10,000 keys that open nothing: nobody learns why, neither from the answer nor from the work that it takes."""

import logging
import sys
from collections import Counter
from types import FrameType
from typing import Any

import pytest

from functions.authorizer.authorizer import Authorizer, UnauthorizedError
from functions.authorizer.keyring import KeyRing
from governance.key_table import KeyTable
from governance.keys import KeyRecord, NewKey, hash_of, make_key
from tests.functions.authorizer.hostile import hostile

ATTEMPTS = 10_000
REAL = make_key()
DISABLED = make_key()

STEPS = {"openssl_sha256": 1, "compare_digest": 2}
"""What each attempt takes, besides one look-up. docs/security.md says so."""


class Rows:
    """A DynamoDB table of keys in this process, which counts its reads."""

    name = "keys"

    def __init__(self) -> None:
        self.items = {f"KEY#{new.key_id}": _item(new, is_enabled=new is REAL) for new in (REAL, DISABLED)}
        self.reads: list[str] = []

    @property
    def meta(self) -> Any:
        """No attempt gets as far as to the limits."""
        raise AssertionError

    def get_item(self, *, Key: dict[str, str], **_: Any) -> Any:  # noqa: N803 -- DynamoDB's name
        """Read one item."""
        self.reads.append(Key["pk"])
        found = self.items.get(Key["pk"])
        return {} if found is None else {"Item": found}

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(name)


class Steps(Counter[str]):
    """Counts the hashes and comparisons of a block, as the interpreter sees them."""

    def __enter__(self) -> "Steps":
        """Begin."""
        sys.setprofile(self._note)
        return self

    def __exit__(self, *_: object) -> None:
        """End."""
        sys.setprofile(None)

    def _note(self, _frame: FrameType, happening: str, what: Any) -> None:
        if happening == "c_call" and what.__name__ in STEPS:
            self[what.__name__] += 1


def _item(new: NewKey, *, is_enabled: bool) -> dict[str, Any]:
    return KeyRecord(
        key_id=new.key_id, team="blue", secret_hash=new.secret_hash, created_at="2026", is_enabled=is_enabled
    ).model_dump(exclude_none=True)


def test_ten_thousand_hostile_keys_are_told_apart_by_nothing(caplog: pytest.LogCaptureFixture) -> None:
    """Issue: unknown, disabled and malformed take the same steps and get the same answer, and none of it is kept."""
    rows = Rows()
    ring = KeyRing(KeyTable(rows), now_s=lambda: 0.0, clock=lambda: 0.0, max_age_s=60)  # type: ignore[arg-type]  # what is not there is not used
    authorize = Authorizer(ring)
    seen = set()
    with caplog.at_level(logging.DEBUG):
        for kind, headers in hostile(REAL, DISABLED, ATTEMPTS):
            rows.reads.clear()
            event = {"methodArn": "arn", "resource": "/gateway/mcp", "headers": {}, "multiValueHeaders": headers}
            with Steps() as steps, pytest.raises(UnauthorizedError) as caught:
                authorize(event, None)
            seen.add(kind)
            assert (steps, len(rows.reads), caught.value.args) == (STEPS, 1, ("Unauthorized",)), kind
    assert len(seen) == 22
    assert caplog.text == ""
    assert len(ring) == 0


def test_the_steps_of_a_good_key_would_be_seen() -> None:
    """The counter counts: the same key without its attacker."""
    with Steps() as steps:
        hash_of(REAL.key)
    assert steps == {"openssl_sha256": 1}
