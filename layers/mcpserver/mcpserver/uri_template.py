"""URI templates of one level: `test://template/{id}/data`.

Source: RFC 6570, level 1 (simple string expansion); matching backwards is our own choice: a variable has no slash.
"""

import re
from collections.abc import Mapping
from urllib.parse import unquote

_VARIABLE = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)\}")


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
        pattern = "".join(
            f"(?P<{piece}>[^/?#]+)" if index % 2 else re.escape(piece) for index, piece in enumerate(pieces)
        )
        self._pattern = re.compile(pattern)

    def match(self, uri: str) -> Mapping[str, str] | None:
        """Return the variables' values in *uri*, percent-decoded; None where it is no instance of the template."""
        found = self._pattern.fullmatch(uri)
        return None if found is None else {name: unquote(value) for name, value in found.groupdict().items()}
