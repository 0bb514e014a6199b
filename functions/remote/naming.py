"""What another server's tool is called here: `<connection>__<tool>`, in at most 64 characters that every host takes.

A name depends on its connection and tool only, so no other tool can change it, or take it over. A connection's name has
no underscore: the first `__` ends it.
"""

import hashlib
import re
from typing import Final

SEPARATOR: Final = "__"

MAX_CHARACTERS: Final = 64
"""Source: HOSTS rule 12."""

_HASH_CHARACTERS: Final = 10

_FOREIGN: Final = re.compile(r"[^a-zA-Z0-9_-]")
_LOOKS_HASHED: Final = re.compile(rf"_[0-9a-f]{{{_HASH_CHARACTERS}}}\Z")


def offered_name(connection: str, tool: str) -> str:
    """Return the name that *tool* of *connection* has here.

    One that is too long, has other characters or looks like a shortened one ends in ten digits of its own hash.
    """
    plain = f"{connection}{SEPARATOR}{tool}"
    if len(plain) <= MAX_CHARACTERS and not _FOREIGN.search(tool) and not _LOOKS_HASHED.search(tool):
        return plain
    digest = hashlib.sha256(plain.encode("utf-8", "surrogatepass")).hexdigest()[:_HASH_CHARACTERS]
    beginning = f"{connection}{SEPARATOR}{_FOREIGN.sub('_', tool)}"[: MAX_CHARACTERS - _HASH_CHARACTERS - 1]
    return f"{beginning}_{digest}"
