"""How many values an answer's JSON has, counted while it is read: its bytes do not say what reading it costs.

The SDK holds each answer against unions of models and notes every mismatch of every member: 4 MiB of
`{"content": [0, 0, ...]}` took 12 s, in which no deadline can fire, and 5 GB.
"""

import re
from typing import Final

from guardedhttp import ResponseRefusedError

_TOKEN: Final = re.compile(rb'"(?:[^"\\\r\n]++|\\[^\r\n])*+("|\\?\Z|)|[\[{,]')
"""A string, whole or up to where it must end, or what begins a value. Strings hold no line break, so an event stream's
comment with one quotation mark hides nothing of the next line."""


class TooManyValuesError(ResponseRefusedError):
    """The answer's JSON has more values than allowed."""

    def __init__(self, max_values: int) -> None:
        super().__init__(f"the answer has more than {max_values} values")


class ValueCount:
    """Counts the values of one answer: each `[`, `{` and `,` that is not in a string."""

    def __init__(self, max_values: int) -> None:
        self._max_values = max_values
        self._values = 0
        self._open_string = b""

    def add(self, part: bytes) -> None:
        """Count what the next *part* of the body brings.

        Raises:
            TooManyValuesError: it is too much.
        """
        text = self._open_string + part
        self._open_string = b""
        for token in _TOKEN.finditer(text):
            if token[1] is None:
                self._values += 1
            elif token[1] != b'"' and token.end() == len(text):
                # The next part goes on in this string, maybe in the middle of an escape.
                self._open_string = b'"' + token[1]
            if self._values > self._max_values:
                raise TooManyValuesError(self._max_values)
