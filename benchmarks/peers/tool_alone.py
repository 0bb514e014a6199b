"""No protocol at all: what `2 ** 10 + 5` costs by itself. Every other row's tools/call contains this."""

from typing import Any

from functions.lab.arithmetic import evaluate, format_number


def lambda_handler(_event: Any, _context: Any) -> str:
    """Return the tool's text."""
    return format_number(evaluate("2 ** 10 + 5"))
