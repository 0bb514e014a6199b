"""A case's `should`, compared with an answer.

Source: HOSTS.md, first paragraph. `json` is a subset: "*list:7" is a list of 7, "*list" any list, "*obj" an object,
"*any" anything that is there, "*contains:x" a text with x in it.
"""

from collections.abc import Mapping
from typing import Any

from tests.quirks.replies import Reply

type Should = Mapping[str, Any]
"""A case's `should`."""

KNOWN = {
    "status",
    "status_last",
    "json",
    "not",
    "contains",
    "headers",
    "not_headers",
    "body",
    "schema",
    "note",
}
"""Members that this module or a check of `sentences` reads: another one would go unread."""


def mismatches(should: Should, reply: Reply) -> list[str]:
    """Return what *reply* has otherwise than *should* says; the sentences (`schema`, `note`) are not read here."""
    found = [f"unknown member {name}" for name in should.keys() - KNOWN]
    statuses = should.get("status", should.get("status_last", []))
    if reply.status not in statuses:
        found.append(f"status {reply.status}, not of {statuses}")
    if "json" in should:
        found += differences(should["json"], reply.json(), "json")
    found += [f"holds {text!r}" for text in should.get("not", ()) if text in reply.body]
    found += [f"lacks {text!r}" for text in should.get("contains", ()) if text not in reply.body]
    found += [f"has the header {name}" for name in should.get("not_headers", ()) if name.lower() in reply.headers]
    for name, value in should.get("headers", {}).items():
        found += differences(value, reply.headers.get(name.lower()), name)
    if "body" in should and reply.body != should["body"]:
        found.append(f"body {reply.body[:80]!r}")
    return found


def differences(expected: Any, actual: Any, path: str) -> list[str]:
    """Return where *actual* does not hold *expected*."""
    if isinstance(expected, str) and expected.startswith("*"):
        return [] if _matches(expected, actual) else [f"{path}: {actual!r} is not {expected}"]
    if isinstance(expected, dict):
        if not isinstance(actual, dict):
            return [f"{path}: {actual!r} is no object"]
        missing = [f"{path}.{name}: not there" for name in expected if name not in actual]
        parts = [differences(expected[name], actual[name], f"{path}.{name}") for name in expected if name in actual]
        return missing + [one for part in parts for one in part]
    # True is 1 to Python, and not to JSON.
    return [] if type(expected) is type(actual) and expected == actual else [f"{path}: {actual!r} is not {expected!r}"]


def _matches(pattern: str, actual: Any) -> bool:
    kind, _, detail = pattern[1:].partition(":")
    if kind == "list":
        return isinstance(actual, list) and (not detail or len(actual) == int(detail))
    if kind == "obj":
        return isinstance(actual, dict)
    if kind == "contains":
        return isinstance(actual, str) and detail in actual
    assert kind == "any", f"an unknown pattern: {pattern}"
    return actual is not None
