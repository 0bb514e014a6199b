"""URI templates of one level: `test://template/{id}/data`.

Source: RFC 6570, level 1 (simple string expansion); matching backwards is our own choice: a variable has no slash.
"""

import re
from collections.abc import Mapping
from typing import Final
from urllib.parse import unquote

_VARIABLE = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)\}")


MAX_URI_CHARACTERS: Final = 8_192


def _pattern_of(indexed: tuple[int, str], following: str) -> str:
    """Return a piece's pattern; a variable ends where the text after it begins, so that matching takes linear time."""
    index, piece = indexed
    return f"(?P<{piece}>[^/?#{re.escape(following[:1])}]++)" if index % 2 else re.escape(piece)


class UriTemplate:
    """A template, compiled."""

    def __init__(self, template: str) -> None:
        """Compile *template*.

        Raises:
            ValueError: it has no variable, or braces that are none.
        """
        self.variables: tuple[str, ...] = tuple(_VARIABLE.findall(template))
        pieces = _VARIABLE.split(template)
        if not self.variables or any("{" in piece or "}" in piece for piece in pieces[::2]):
            raise ValueError("A URI template has variables such as {id}, and no other braces.")
        if "" in pieces[2:-1:2]:
            raise ValueError("Two variables of a URI template need a text between them.")
        self._pattern = re.compile("".join(map(_pattern_of, enumerate(pieces), [*pieces[1:], ""])))

    def match(self, uri: str) -> Mapping[str, str] | None:
        """Return the variables' values in *uri*, percent-decoded (one may hold `../`).

        None where it is no instance of the template.
        """
        found = self._pattern.fullmatch(uri) if len(uri) <= MAX_URI_CHARACTERS else None
        return None if found is None else {name: unquote(value) for name, value in found.groupdict().items()}
