"""API keys: `samcp_<id>_<secret>`. The id finds the key, the secret proves it, and only a hash is stored.

The secret has 256 random bits, so one SHA-256 is as good as a slow hash: there is nothing to guess from.
See docs/decisions/0030-keys.md.
"""

import hashlib
import hmac
import re
import secrets
import string
from dataclasses import dataclass
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field

_ID_CHARACTERS: Final = string.ascii_lowercase + string.digits
_SECRET_CHARACTERS: Final = string.ascii_letters + string.digits
_ID_LENGTH: Final = 12
_SECRET_LENGTH: Final = 43
"""43 of 62 characters: 256 bits."""

_KEY: Final = re.compile(rf"samcp_([a-z0-9]{{{_ID_LENGTH}}})_([A-Za-z0-9]{{{_SECRET_LENGTH}}})")

NO_ID: Final = "-" * _ID_LENGTH
"""An id that no key has: what is no key at all is looked up as this one, and takes as long."""

_NO_HASH: Final = "-" * 64
"""As long as a hash, and none: no text opens it."""

NAME: Final = r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}"
"""What teams and plans are called."""

SCOPE: Final = r"[a-z][a-z0-9_-]{0,31}(?::[A-Za-z0-9_-]{1,64})?"
"""A server, or one tool of it: `gateway`, `gateway:smart_fetch`."""

MAX_SCOPES: Final = 32
"""Of a key: the authorizer passes them on, and API Gateway takes 8 KB of what it says."""

type SecretHash = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
type Scope = Annotated[str, Field(pattern=f"^{SCOPE}$")]


class OldHash(BaseModel):
    """A secret that was replaced, and still opens for a while."""

    model_config = ConfigDict(frozen=True, hide_input_in_errors=True)

    secret_hash: SecretHash
    until_s: int = Field(description="Unix time from which it opens nothing.")


class KeyRecord(BaseModel):
    """A key as it is stored: never the key itself."""

    model_config = ConfigDict(frozen=True, hide_input_in_errors=True)

    key_id: str
    team: str = Field(pattern=f"^{NAME}$")
    plan: str = Field("free", pattern=f"^{NAME}$")
    scopes: tuple[Scope, ...] = Field(("gateway",), min_length=1, max_length=MAX_SCOPES)
    secret_hash: SecretHash
    old: OldHash | None = None
    is_enabled: bool = True
    created_at: str = Field(description="UTC.")
    note: str = Field("", max_length=200)


@dataclass(frozen=True, slots=True)
class NewKey:
    """A key that was just made. It is shown once."""

    key_id: str
    key: str
    secret_hash: str


def make_key(key_id: str = "") -> NewKey:
    """Return a new key, or a new secret for *key_id*."""
    key_id = key_id or "".join(secrets.choice(_ID_CHARACTERS) for _ in range(_ID_LENGTH))
    key = f"samcp_{key_id}_{''.join(secrets.choice(_SECRET_CHARACTERS) for _ in range(_SECRET_LENGTH))}"
    return NewKey(key_id, key, hash_of(key))


def hash_of(key: str) -> str:
    """Return what is stored of *key*."""
    return hashlib.sha256(key.encode(errors="surrogatepass")).hexdigest()


def id_in(key: str) -> str:
    """Return the id that *key* names; `NO_ID` where it is no key at all."""
    found = _KEY.fullmatch(key)
    return found[1] if found else NO_ID


def is_proved(presented_hash: str, record: KeyRecord | None, *, now_s: float) -> bool:
    """Tell whether *presented_hash* opens *record*: the same comparisons whether there is such a key or not."""
    current = _NO_HASH if record is None else record.secret_hash
    old = _NO_HASH if record is None or record.old is None or record.old.until_s <= now_s else record.old.secret_hash
    is_current = hmac.compare_digest(presented_hash, current)
    is_old = hmac.compare_digest(presented_hash, old)
    is_known = record is not None and record.is_enabled
    return is_known and (is_current or is_old)
