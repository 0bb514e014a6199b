"""`docs/gateway.md` says what the tools take and return."""

import inspect
import re
from typing import Any

import pytest

from functions.gateway.smart_budget_guard import SmartBudgetGuard
from functions.gateway.smart_context_gate import SmartContextGate
from functions.gateway.smart_dedup import SmartDedup
from functions.gateway.smart_fetch import SmartFetch
from functions.gateway.smart_memory import SmartMemory
from functions.gateway.smart_pipe import SmartPipe
from functions.gateway.smart_search import SmartSearch
from functions.gateway.smart_tool import FACTS, SmartTool, Spent
from tests.governance.conftest import ROOT

TOOLS: list[type[SmartTool[Any]]] = [
    SmartFetch,
    SmartSearch,
    SmartContextGate,
    SmartDedup,
    SmartBudgetGuard,
    SmartMemory,
    SmartPipe,
]
ROWS = re.findall(
    r"^\| `(smart_\w+)` \| (.+) \| (.+) \|$", (ROOT / "docs" / "gateway.md").read_text("utf-8"), re.MULTILINE
)


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_each_argument_and_each_member_of_the_result_is_in_the_table(tool: type[SmartTool[Any]]) -> None:
    """A member that is nowhere explained is not used; one that is gone misleads."""
    [(arguments, returned)] = [row[1:] for row in ROWS if row[0] == tool.name]
    assert _outside_brackets(arguments) == set(tool.arguments_model.model_fields)
    returns: Any = inspect.signature(tool.run).return_annotation
    assert _outside_brackets(returned) == set(returns.model_fields) - set(Spent.model_fields) - {"action"}


def test_there_is_a_row_for_each_tool() -> None:
    """In the order of tools/list."""
    assert [row[0] for row in ROWS] == [*FACTS]


def _outside_brackets(cell: str) -> set[str]:
    return set(re.findall(r"`(\w+)`", re.sub(r"\([^)]*\)", "", cell)))
