"""Which client is calling, in words that may stand in a log."""

import re
from collections.abc import Mapping
from typing import Any, Final

from mcp_types import CLIENT_INFO_META_KEY

_UNSAFE: Final = re.compile(r"[^A-Za-z0-9 ._/@()+-]")
_MAX_CHARACTERS: Final = 64


def describe_client(params: Mapping[str, Any], headers: Mapping[str, str] | None) -> tuple[str, str]:
    """Return the client's name and version, "" where it does not say.

    Taken from the modern envelope, from `initialize`, or else from the User-Agent: a handshake-era client names itself
    once, and the next POST may meet another instance.
    """
    meta = params.get("_meta")
    info = meta.get(CLIENT_INFO_META_KEY) if type(meta) is dict else None
    if type(info) is not dict:
        info = params.get("clientInfo")
    if type(info) is dict:
        return _plain(info.get("name")), _plain(info.get("version"))
    product = (headers or {}).get("user-agent", "").partition(" ")[0]
    name, _, version = product.partition("/")
    return _plain(name), _plain(version)


def _plain(text: Any) -> str:
    """Return at most 64 harmless characters of what a client calls itself: no line breaks, no escapes."""
    return _UNSAFE.sub("", text[:_MAX_CHARACTERS]) if type(text) is str else ""
