"""Whether a function's answer says that the function itself went wrong: what `make invoke` makes an exit code of."""

import json
from collections.abc import Iterator
from typing import Any, Final

INTERNAL_ERROR: Final = -32603
"""Source: JSON-RPC 2.0, section 5.1."""

_DATA: Final = "data:"


def is_failure(answer: Any) -> bool:
    """Tell whether *answer* is HTTP 5xx, carries JSON-RPC's internal error, or names messages that failed.

    A refusal, a tool's error and an unknown tool are answers like others: the caller was told what to change.
    """
    if not isinstance(answer, dict):
        return False
    if answer.get("batchItemFailures"):
        return True
    status = answer.get("statusCode")
    if isinstance(status, int) and status >= 500:
        return True
    return any(_is_internal(message) for message in _messages(answer.get("body")))


def _messages(body: Any) -> Iterator[Any]:
    """Yield the JSON-RPC messages of a body: one, a batch, or a stream of events."""
    if not isinstance(body, str):
        return
    lines = [line.removeprefix(_DATA) for line in body.splitlines() if line.startswith(_DATA)]
    for text in lines or [body]:
        try:
            found = json.loads(text)
        except ValueError:
            continue
        yield from found if isinstance(found, list) else [found]


def _is_internal(message: Any) -> bool:
    error = message.get("error") if isinstance(message, dict) else None
    return isinstance(error, dict) and error.get("code") == INTERNAL_ERROR
