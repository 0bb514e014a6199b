"""Keys: made at random, stored as a hash, proved without telling why not."""

import re

import pytest

from governance.keys import NO_ID, KeyRecord, OldHash, hash_of, id_in, is_proved, make_key

NEW = make_key()


def record(**values: object) -> KeyRecord:
    """Return a stored key."""
    stored = {"key_id": NEW.key_id, "team": "blue", "secret_hash": NEW.secret_hash, "created_at": "2026"}
    return KeyRecord.model_validate({**stored, **values})


def test_a_key_names_its_id_and_has_256_random_bits() -> None:
    """GATEWAY.md: `samcp_<id>_<secret>`."""
    found = re.fullmatch(r"samcp_([a-z0-9]{12})_([A-Za-z0-9]{43})", NEW.key)
    assert found is not None
    assert found[1] == NEW.key_id == id_in(NEW.key)
    assert len({make_key().key for _ in range(100)}) == 100


def test_a_record_holds_no_part_of_the_secret() -> None:
    """GATEWAY.md: only a hash is stored."""
    assert NEW.key.rpartition("_")[2] not in record().model_dump_json()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "samcp",
        NEW.key + "x",
        NEW.key[:-1],
        NEW.key.upper(),
        f" {NEW.key}",
        f"{NEW.key}\n",
        NEW.key.replace("samcp_", "samcp-"),
        "samcp_" + "A" * 12 + "_" + "x" * 43,
        "samcp_" + "\u0661" * 12 + "_" + "x" * 43,
        f"Bearer {NEW.key}",
        "\ud800",
    ],
)
def test_what_is_no_key_names_nobody(text: str) -> None:
    """One id stands for all of it, and no key can have that id."""
    assert id_in(text) == NO_ID
    assert not is_proved(hash_of(text), record(), now_s=0)


def test_a_key_opens_its_record_and_no_other() -> None:
    """Nor one that is switched off, nor nothing."""
    assert is_proved(NEW.secret_hash, record(), now_s=0)
    assert not is_proved(make_key(NEW.key_id).secret_hash, record(), now_s=0)
    assert not is_proved(NEW.secret_hash, record(is_enabled=False), now_s=0)
    assert not is_proved(NEW.secret_hash, None, now_s=0)
    assert not is_proved(hash_of(""), None, now_s=0)


def test_a_former_secret_opens_until_its_time_is_over() -> None:
    """Rotation with a grace; without one it stops at once."""
    former = make_key(NEW.key_id)
    rotated = record(old=OldHash(secret_hash=former.secret_hash, until_s=100))
    assert is_proved(former.secret_hash, rotated, now_s=99.9)
    assert not is_proved(former.secret_hash, rotated, now_s=100)
