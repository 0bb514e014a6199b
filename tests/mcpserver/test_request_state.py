"""The sealed state of a call that asks: rotation, expiry, and everything that must not pass."""

import base64
import json
from typing import Any

import pytest

from mcpserver.errors import InvalidParamsError
from mcpserver.request_state import (
    MAX_STATE_CHARACTERS,
    TTL_S,
    KeyRing,
    KeyRingError,
    binding_of,
    open_answers,
    seal_answers,
)

OLD = KeyRing({"old": bytes(32)})
NEW = KeyRing({"new": bytes(range(32)), "old": bytes(32)})
CALL: dict[str, Any] = {
    "principal_id": "key-1",
    "server": "fixture",
    "method": "tools/call",
    "params": {"name": "order", "arguments": {"n": 1}},
}
ANSWERS = {"amount": {"action": "accept", "content": {"n": 3}}}
NOW_S = 1_000_000


def sealed(ring: KeyRing = OLD) -> str:
    """Return a state of `CALL`."""
    return seal_answers(ring, ANSWERS, binding_of(**CALL), now_s=NOW_S)


def opened(token: Any, *, ring: KeyRing = OLD, now_s: float = NOW_S, **changed: Any) -> dict[str, Any]:
    """Open *token* for `CALL`, or for a call that differs in *changed*."""
    return open_answers(ring, token, binding_of(**CALL | changed), now_s=now_s)


def test_a_state_brings_its_answers_back() -> None:
    """MCP 2026-07-28: the client passes the state back verbatim."""
    assert opened(sealed()) == ANSWERS


def test_a_state_shows_nothing_of_its_answers() -> None:
    """Our own choice: what the user said is nobody's business on the way."""
    assert b"amount" not in base64.urlsafe_b64decode(sealed().rpartition(".")[2])


def test_an_old_key_opens_while_a_new_one_seals() -> None:
    """Our own choice: rotation loses no call that is under way."""
    assert opened(sealed(OLD), ring=NEW) == ANSWERS
    assert sealed(NEW).startswith("s1.new.")


@pytest.mark.parametrize(
    "changed",
    [
        {"principal_id": "key-2"},
        {"principal_id": ""},
        {"server": "other"},
        {"method": "prompts/get"},
        {"params": {"name": "order", "arguments": {"n": 2}}},
        {"params": {"name": "refund", "arguments": {"n": 1}}},
    ],
)
def test_a_state_of_another_call_or_caller_is_refused(changed: dict[str, Any]) -> None:
    """MCP 2026-07-28: a state must not be usable by anyone else, or for anything else."""
    with pytest.raises(InvalidParamsError):
        opened(sealed(), **changed)


def test_meta_and_new_answers_do_not_change_the_call() -> None:
    """The retry has a new envelope, and brings answers and the state with it."""
    params = CALL["params"] | {"_meta": {"progressToken": 2}, "inputResponses": {"a": {}}, "requestState": "x"}
    assert opened(sealed(), params=params) == ANSWERS


def test_a_state_expires() -> None:
    """Our own choice: ten minutes."""
    assert opened(sealed(), now_s=NOW_S + TTL_S) == ANSWERS
    with pytest.raises(InvalidParamsError):
        opened(sealed(), now_s=NOW_S + TTL_S + 1)


@pytest.mark.parametrize("place", range(0, 120, 7))
def test_a_changed_character_is_refused(place: int) -> None:
    """Integrity: any change, wherever it is."""
    token = sealed()
    place %= len(token)
    changed = token[:place] + ("A" if token[place] != "A" else "B") + token[place + 1 :]
    with pytest.raises(InvalidParamsError):
        opened(changed)


@pytest.mark.parametrize("token", [None, 5, "", "s1", "s1.old", "s1.old.", "s1.old.!!", "s1.other.AAAA", "x" * 70_000])
def test_what_is_no_state_is_refused(token: Any) -> None:
    """Hostile input gets the same clean error."""
    with pytest.raises(InvalidParamsError):
        opened(token)


def test_answers_that_are_too_large_to_travel_are_refused() -> None:
    """Our own choice: a state travels with each round."""
    with pytest.raises(InvalidParamsError):
        seal_answers(OLD, {"a": "x" * MAX_STATE_CHARACTERS}, b"", now_s=NOW_S)


def test_two_states_of_one_call_differ() -> None:
    """A nonce for each: libsodium's XChaCha20-Poly1305 draws it."""
    assert sealed() != sealed()


def key_entry(name: str = "a", size: int = 32) -> dict[str, str]:
    """Return an entry of a ring's secret."""
    return {"id": name, "key": base64.b64encode(bytes(size)).decode()}


def test_a_ring_is_read_in_order() -> None:
    """The first key seals."""
    ring = KeyRing.from_json(json.dumps({"keys": [key_entry("new"), key_entry("old")]}))
    assert list(ring.keys) == ["new", "old"]


@pytest.mark.parametrize(
    "secret",
    [
        "",
        "{}",
        "[]",
        "null",
        '{"keys": []}',
        '{"keys": [{}]}',
        '{"keys": 5}',
        '{"keys": [{"id": "a", "key": "!"}]}',
        json.dumps({"keys": [key_entry(size=16)]}),
        json.dumps({"keys": [key_entry("a.b")]}),
    ],
)
def test_a_secret_that_is_no_ring_is_refused_without_being_repeated(secret: str) -> None:
    """Our own choice: the error shows what a ring looks like."""
    with pytest.raises(KeyRingError) as caught:
        KeyRing.from_json(secret)
    assert "32 bytes in base64" in str(caught.value)
