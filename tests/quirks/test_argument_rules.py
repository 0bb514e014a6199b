"""HOSTS.md's rule on arguments, in its variants: each repaired call is the right one."""

import json
from typing import Any

import pytest

from tests.quirks.every_answer import ask


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        ({"texts": ["a", "b"], "wait_for_previous": True}, {"texts": ["a", "b"]}),
        ({"texts": ["a", "b"], "threshold": None}, {"texts": ["a", "b"]}),
        ({"texts": ["a", "b"], "threshold": ""}, {"texts": ["a", "b"]}),
        ({"texts": ["a", "b"], "threshold": "null"}, {"texts": ["a", "b"]}),
        ({"texts": ["a", "b"], "threshold": "None"}, {"texts": ["a", "b"]}),
        ({"texts": ["a", "b"], "threshold": "undefined"}, {"texts": ["a", "b"]}),
        ({"texts": ["a", "b"], "threshold": "0.5"}, {"texts": ["a", "b"], "threshold": 0.5}),
        ({"texts": ["a", "b"], "threshold": "1"}, {"texts": ["a", "b"], "threshold": 1}),
        ({"texts": '["a", "b"]'}, {"texts": ["a", "b"]}),
    ],
)
def test_11_a_repaired_call_is_answered_like_the_right_one(arguments: Any, meant: Any) -> None:
    """Rule 11, before validation: what models and hosts get wrong."""
    repaired = ask("gateway", "2025-11-25", "tools/call", {"name": "smart_dedup", "arguments": arguments})
    right = ask("gateway", "2025-11-25", "tools/call", {"name": "smart_dedup", "arguments": meant})
    assert repaired.answer == right.answer
    assert right.answer["result"]["isError"] is False


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        ({"query": "a", "max_results": "2"}, 2),
        ({"query": "a", "max_results": 2.0}, 2),
        ({"query": "a", "max_results": "2.0"}, 2),
        ({"query": "a", "max_results": None}, 10),
        ({"query": "a", "max_results": "none"}, 10),
    ],
)
def test_11_a_whole_number_is_read_in_each_spelling(arguments: Any, meant: int) -> None:
    """Rule 11: "2" -> 2, 3.0 -> 3, nothing -> the default."""
    sent = ask("gateway", "2025-11-25", "tools/call", {"name": "smart_search", "arguments": arguments})
    assert len(sent.answer["result"]["structuredContent"]["results"]) == meant


def test_11_a_nested_argument_is_repaired_too() -> None:
    """Rule 11: members of items of an array that came as text."""
    steps = json.dumps([{"tool": "budget_guard", "params": json.dumps({"action": "count", "text": "a b"}), "id": "1"}])
    sent = ask("gateway", "2025-11-25", "tools/call", {"name": "smart_pipe", "arguments": {"steps": steps}})
    assert sent.answer["result"]["structuredContent"]["steps"][0]["result"]["estimate"] == 2
