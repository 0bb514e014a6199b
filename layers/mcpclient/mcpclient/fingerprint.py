"""Fingerprints of what a server says: equal texts have equal ones, whatever the order of their members."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any, Final

_NOT_PART: Final = "_meta"
"""A tool's `_meta` may change with each answer (a trace, a time), and no model reads it."""


def fingerprint(value: Any) -> str:
    """Return the SHA-256 of *value*'s canonical JSON: sorted members, no spaces, ASCII.

    Source: our own choice, after RFC 8785; numbers are written as Python writes them, which is the same on each run.
    """
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def tool_fingerprint(tool: Mapping[str, Any]) -> str:
    """Return the fingerprint of a tool as its server describes it: all that a model or a host reads of it."""
    return fingerprint(pinned_part(tool))


def pinned_part(tool: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the fingerprint of *tool* covers: only that may be passed on as approved."""
    return {name: value for name, value in tool.items() if name != _NOT_PART}
