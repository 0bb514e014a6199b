"""The three tools as plain functions, for contestants that take functions: the lab's own arithmetic inside.

Only `calculator` is called in the benchmark, so its cost is the same in every row; the others are listed.
"""

from datetime import UTC, datetime

from functions.lab.arithmetic import evaluate, format_number

FACTS = {"capital of france": "Paris", "speed of light": "299,792,458 m/s", "tallest mountain": "Mount Everest"}
"""The lab's table lives in a module that imports our layer, which no other contestant may load."""


def calculator(expression: str) -> str:
    """Calculate an arithmetic expression exactly (math, sum, product, power, division, remainder).

    Args:
        expression: Numbers, + - * / // % **, signs and parentheses. For example 2 ** 10 + 5.
    """
    return format_number(evaluate(expression))


def wiki_search(query: str) -> str:
    """Look up a general fact (capital of a country, tallest mountain, speed of light).

    Args:
        query: A short phrase, such as: capital of France.
    """
    return FACTS.get(query.lower().strip(), "no match")


def get_current_time(timezone: str = "UTC") -> str:
    """Tell the current date and time in a time zone (what day is it, clock, now).

    Args:
        timezone: An IANA time zone; this stand-in knows UTC.
    """
    return f"{datetime.now(UTC).isoformat(timespec='seconds')} {timezone}"
