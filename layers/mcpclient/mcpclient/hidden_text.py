"""Text that a person does not see and a model reads, or that rewrites a terminal: found, never removed.

Removing it would leave the operator with a text that looks honest. Source: CVE-2021-42574 (Trojan Source); Unicode tag
characters as invisible prompts ("ASCII smuggling"); ECMA-48, escape sequences.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

_KINDS: Final[Mapping[str, re.Pattern[str]]] = {
    "ansi_escape": re.compile(r"[\x1b\x9b]"),
    "bidi": re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"),
    "control": re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9a\x9c-\x9f]"),
    "format": re.compile("[\u2028\u2029\ufff9-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a]"),
    "tag": re.compile("[\U000e0000-\U000e00ff\U000e01f0-\U000e0fff]"),
    "variation_selector": re.compile("[\u180b-\u180d\u180f\ufe00-\ufe0e\U000e0100-\U000e01ef]"),
    "zero_width": re.compile(
        "[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200d\u2060-\u2065\u206a-\u206f\u3164\ufeff\uffa0\ufff0-\ufff8]"
    ),
}
"""Source: Unicode, `Default_Ignorable_Code_Point`, and format characters that nothing shows in their place.

U+FE0F is left out: it makes an emoji of a sign, and stands in many honest descriptions.
"""


def hidden_kinds(text: str) -> list[str]:
    """Return which kinds of hidden text *text* holds, in alphabetical order."""
    return [kind for kind, pattern in _KINDS.items() if pattern.search(text)]


def hidden_kinds_within(value: Any) -> list[str]:
    """Return the same of all text in *value*, the names of its members included: a schema's descriptions, say."""
    found: set[str] = set()
    waiting = [value]
    # A list of what is left, not recursion: the value is a stranger's, and may be deep.
    while waiting:
        part = waiting.pop()
        if isinstance(part, str):
            found.update(hidden_kinds(part))
        elif isinstance(part, Mapping):
            waiting += [*part.keys(), *part.values()]
        elif isinstance(part, list | tuple):
            waiting += part
    return sorted(found)
