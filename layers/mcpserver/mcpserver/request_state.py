"""`requestState`: what a call has learnt so far, sealed, so that any instance can go on with it.

AEAD with a ring of keys: the first seals, all of them open, so that a key can be changed while calls are under way. The
seal is bound to the principal, the server, the method and the parameters, and expires: whoever changes it, or uses it
for anything else, gets a clean error.
Source: MCP 2026-07-28, multi round-trip requests (integrity of requestState); XChaCha20-Poly1305 by libsodium.
"""

import base64
import binascii
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Self

from pydantic_core import from_json, to_json

from mcpserver.errors import InvalidParamsError, ServerSetupError

if TYPE_CHECKING:
    from nacl.secret import Aead

TTL_S: Final = 600
"""How long a user may think, in seconds."""

MAX_STATE_CHARACTERS: Final = 65_536
"""The largest state: it travels with each round."""

_KEY_BYTES: Final = 32
_FORMAT: Final = "s1"


class KeyRingError(ServerSetupError):
    """The key ring is none: says what a ring looks like, never what was given."""


@dataclass(frozen=True, slots=True)
class KeyRing:
    """Keys by id; the first seals."""

    keys: Mapping[str, bytes] = field(repr=False)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read `{"keys": [{"id": "a", "key": "<32 bytes in base64>"}, ...]}`, the newest first.

        Raises:
            KeyRingError: *text* is anything else.
        """
        try:
            keys = {
                str(entry["id"]): base64.b64decode(entry["key"], validate=True) for entry in from_json(text)["keys"]
            }
        except (KeyError, TypeError, ValueError):
            keys = {}
        if not keys or any(len(key) != _KEY_BYTES or "." in name for name, key in keys.items()):
            raise KeyRingError('A key ring is {"keys": [{"id": ..., "key": <32 bytes in base64>}]}, the newest first.')
        return cls(keys)

    def seal(self, plain: bytes, binding: bytes) -> str:
        """Return *plain* sealed for *binding*."""
        key_id, key = next(iter(self.keys.items()))
        sealed = _box(key).encrypt(plain, aad=binding)
        return f"{_FORMAT}.{key_id}.{base64.urlsafe_b64encode(bytes(sealed)).decode('ascii')}"

    def open(self, token: str, binding: bytes) -> bytes | None:
        """Return what *token* holds; None where it was not sealed by this ring for *binding*."""
        form, _, rest = token.partition(".")
        key_id, _, payload = rest.partition(".")
        key = self.keys.get(key_id)
        if form != _FORMAT or key is None:
            return None
        try:
            sealed = base64.b64decode(payload, altchars=b"-_", validate=True)
        except (binascii.Error, ValueError):
            return None
        return _decrypt(key, sealed, binding)


def _box(key: bytes) -> "Aead":
    # Loaded by the first call that asks something: most servers never do, and start without it.
    from nacl.secret import Aead  # noqa: PLC0415

    return Aead(key)


def _decrypt(key: bytes, sealed: bytes, binding: bytes) -> bytes | None:
    from nacl.exceptions import CryptoError  # noqa: PLC0415

    try:
        return bytes(_box(key).decrypt(sealed, aad=binding))
    except (CryptoError, ValueError):
        return None


def binding_of(*, principal_id: str, server: str, method: str, params: Mapping[str, Any]) -> bytes:
    """Return what a state is bound to: all of the call but its `_meta` and the answers that come with it."""
    call = {name: value for name, value in params.items() if name not in ("_meta", "inputResponses", "requestState")}
    text = json.dumps([principal_id, server, method, call], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def seal_answers(ring: KeyRing, answers: Mapping[str, Any], binding: bytes, *, now_s: float) -> str:
    """Return a state that holds the answers so far.

    Raises:
        InvalidParamsError: they are too many to travel.
    """
    token = ring.seal(to_json({"expires_s": int(now_s) + TTL_S, "answers": dict(answers)}), binding)
    if len(token) > MAX_STATE_CHARACTERS:
        raise InvalidParamsError("The answers of this call have grown too large: start it again with less.")
    return token


def open_answers(ring: KeyRing, token: Any, binding: bytes, *, now_s: float) -> dict[str, Any]:
    """Return the answers that a state holds.

    Raises:
        InvalidParamsError: the state was changed, belongs to another call or caller, or is too old.
    """
    plain = ring.open(token, binding) if type(token) is str and len(token) <= MAX_STATE_CHARACTERS else None
    state = None if plain is None else from_json(plain)
    if state is None or state["expires_s"] < now_s:
        raise InvalidParamsError("The requestState is not valid for this call, or has expired: start the call again.")
    answers: dict[str, Any] = state["answers"]
    return answers
