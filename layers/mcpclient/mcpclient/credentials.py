"""From a secret to the header that carries it."""

import base64
import binascii
import json
import re
from collections.abc import Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import Any, Final

from pydantic_core import to_json

from mcpclient.auth import Auth, BasicAuth, BearerAuth, HeaderAuth
from mcpclient.errors import MCPClientConfigurationError
from mcpclient.text import read_object

_PRINTABLE: Final = re.compile(r"[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?")
"""What a header's value may be; a line break would start another header."""

_SURROGATE: Final = re.compile(r"[\ud800-\udfff]")
"""JSON can name one, and no UTF-8 can hold it."""

MAX_SECRET_CHARACTERS: Final = 8192

MIN_SECRET_CHARACTERS: Final = 8
"""Of a secret that is looked for in answers."""


def header_of(auth: Auth, secret: str) -> dict[str, str]:
    """Return the header that *auth* sends *secret* in; none for schemes that send no fixed header.

    Raises:
        MCPClientConfigurationError: the secret has not the form that the scheme needs.
    """
    match auth:
        case BearerAuth():
            return {"Authorization": f"Bearer {check_value(secret)}"}
        case HeaderAuth():
            return {auth.header: check_value(secret)}
        case BasicAuth():
            return {"Authorization": basic(*pair_of(secret, "username", "password"))}
        case _:
            return {}


def basic(user: str, password: str) -> str:
    """Return the value of a Basic `Authorization` header. Source: RFC 7617."""
    return "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode("ascii")


def pair_of(secret: str, first: str, second: str) -> tuple[str, str]:
    """Return the two members of a secret that is a JSON object.

    Raises:
        MCPClientConfigurationError: it is none, or lacks one of them.
    """
    members = read_object(secret) or {}
    one, other = members.get(first), members.get(second)
    if not isinstance(one, str) or not isinstance(other, str) or _SURROGATE.search(one + other):
        raise MCPClientConfigurationError(f"The secret must be JSON: an object with {first} and {second}, both text.")
    return one, other


def check_value(value: str) -> str:
    """Return *value* if a header can carry it.

    Raises:
        MCPClientConfigurationError: it cannot.
    """
    if len(value) > MAX_SECRET_CHARACTERS or not _PRINTABLE.fullmatch(value):
        raise MCPClientConfigurationError("The secret must be printable ASCII on one line.")
    return value


def repeats_secret(result: Any, headers: Mapping[str, str], *, but: Mapping[str, str] = MappingProxyType({})) -> bool:
    """Tell whether a server's *result* holds what it was sent in *headers*, *but* these.

    A server that echoes its caller's headers into a description or a result would have us store the credential, and
    show it to models.
    """
    secrets = {secret for name, value in headers.items() if but.get(name) != value for secret in _secrets_in(value)}
    if not secrets:
        return False
    text = to_json(result, fallback=str).decode()
    return any(json.dumps(secret)[1:-1] in text for secret in secrets)


def _secrets_in(value: str) -> list[str]:
    scheme, _, rest = value.partition(" ")
    found = [value, rest]
    if scheme == "Basic":
        with suppress(binascii.Error, UnicodeDecodeError):
            found.append(base64.b64decode(rest).decode().partition(":")[2])
    # What is shorter may stand in any honest text.
    return [secret for secret in found if len(secret) >= MIN_SECRET_CHARACTERS]
