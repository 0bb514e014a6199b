"""What the fuzzer found once: each body again, so that it stays mended.

Source: `make fuzz`; the comment of a case says what went wrong.
"""

import json
from typing import Any

import pytest
from mcp_types import CLIENT_CAPABILITIES_META_KEY, PROTOCOL_VERSION_META_KEY

from tests.fuzz.events import http_event
from tests.fuzz.invariants import check
from tests.fuzz.messages import MODERN, headers_for
from tests.fuzz.values import CANARY

META = {PROTOCOL_VERSION_META_KEY: MODERN, CLIENT_CAPABILITIES_META_KEY: {}}

BAD_VERSIONS: list[Any] = [[MODERN], {}, 5, None]

FOUND: dict[str, Any] = {
    # A server without a key ring crashed on a state that it never gave.
    "state": {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "calculator", "arguments": {}, "requestState": CANARY, "_meta": META},
    },
    # The log named the caller's own method with what was put right about its message.
    "method": {"id": 1, "method": CANARY},
    # A notification's envelope is not checked: a version that cannot be hashed crashed.
    **{
        f"version {value}": {
            "jsonrpc": "2.0",
            "method": "notifications/initialized",
            "params": {"_meta": META | {PROTOCOL_VERSION_META_KEY: value}},
        }
        for value in BAD_VERSIONS
    },
}


@pytest.mark.parametrize("server", ["conformance", "lab"])
@pytest.mark.parametrize("message", FOUND.values(), ids=FOUND.keys())
def test_what_was_found_once_holds(message: dict[str, Any], server: str) -> None:
    """Issue 3, item 5: the invariants."""
    check(server, http_event(json.dumps(message), [*headers_for(message, "").items()], "POST", "/mcp"))
