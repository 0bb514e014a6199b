"""`smart_pipe`: several tools in order, each step recorded, the answer short."""

import json
from typing import Any

import pytest

from functions.gateway.smart_pipe import SmartPipe
from functions.gateway.smart_tool import SmartTool
from governance.audit_table import AuditQuery
from tests.functions.gateway.conftest import Caller, caller_of
from tests.functions.gateway.pipe.fakes import LONG, FakeGate, FakeSearch, step, tools_of
from tests.governance.conftest import Clock

TOOL = "smart_pipe"


@pytest.fixture
def tools(memory: Any, clock: Clock) -> list[SmartTool[Any]]:
    """Fakes that need no network, and the real ones that need none either."""
    return tools_of(memory, clock)


@pytest.fixture
def caller(tools: list[SmartTool[Any]], counters: Any, audit: Any, clock: Clock) -> Caller:
    """A key with a budget."""
    return caller_of(tools, counters, audit, clock, tokens_per_month="100000")


def test_a_step_takes_what_an_earlier_one_returned(caller: Caller) -> None:
    """The page passes from step to step and costs the caller nothing."""
    piped = caller.answer(TOOL, template="read", url="https://example.com/", query="sentences")
    assert [(done["tool"], done["ok"]) for done in piped["steps"]] == [
        ("smart_fetch", True),
        ("smart_context_gate", True),
    ]
    assert piped["steps"][1]["result"]["text"] == LONG[: int(len(LONG) * 0.1)]
    assert piped["steps"][0]["truncated"] is True
    assert piped["completed"] is True


def test_the_answer_is_one_result_however_long_the_steps_are(caller: Caller) -> None:
    """HOSTS rule 14: 20,000 tokens; the last step has most of them."""
    piped = caller.answer(TOOL, steps=[step("smart_fetch", url=f"https://example.com/{n}") for n in range(8)])
    assert 5_000 < piped["tokens_out"] <= 20_000
    assert piped["tokens_in"] > piped["tokens_out"]
    lengths = [len(done["result"]["markdown"]) for done in piped["steps"]]
    assert max(lengths[:-1]) < lengths[-1]


def test_an_answer_of_spaces_is_one_result_too(caller: Caller) -> None:
    """They cost few tokens and many characters; the text block would lose its structure."""
    result = caller.result(
        TOOL,
        {
            "steps": [step("memory", action="add", text=f"a{' ' * 15_000}b")]
            + [step("memory", action="list", limit=50)] * 5
        },
    )
    assert len(result["content"][0]["text"]) <= 80_000
    assert json.loads(result["content"][0]["text"]) == result["structuredContent"]


def test_it_stops_at_the_first_step_that_fails_and_returns_the_earlier_ones(caller: Caller) -> None:
    """GATEWAY.md: a failed step is a result that says so, since what came before was done and paid for."""
    steps = [
        step("memory", action="add", text="Kept."),
        step("fetch", url="https://example.com/missing"),
        step("memory", action="add", text="Never kept."),
    ]
    piped = caller.answer(TOOL, steps=steps)
    assert [done["ok"] for done in piped["steps"]] == [True, False]
    assert (piped["completed"], piped["steps"][1]["problem"]) == (False, "the page answered 404.")
    assert [note["text"] for note in caller.answer("smart_memory", action="list")["memories"]] == ["Kept."]


def test_each_step_has_an_audit_row_under_the_pipe_s(caller: Caller) -> None:
    """GATEWAY.md: one row a step, with parent_id; only the pipe's answer is paid for."""
    piped = caller.answer(TOOL, template="read", url="https://example.com/")
    rows = {row.tool: row for row in caller.audit.find(AuditQuery(team="blue"))}
    assert {*rows} == {"smart_pipe", "smart_fetch", "smart_context_gate"}
    parent = rows["smart_pipe"]
    assert {row.parent_id for row in rows.values() if row is not parent} == {parent.row_id}
    assert [rows[name].step for name in ("smart_pipe", "smart_fetch", "smart_context_gate")] == [0, 1, 2]
    assert (parent.parent_id, parent.tokens_charged) == ("", piped["tokens_out"])
    assert (rows["smart_fetch"].cache, rows["smart_fetch"].tokens_charged) == ("miss", 0)
    assert rows["smart_fetch"].argument_digest != parent.argument_digest


@pytest.mark.parametrize(
    ("steps", "word"),
    [
        ([step("smart_pipe", template="read")], "Step 1 names none of"),
        ([step("no_such_tool")], "Step 1 names none of"),
        ([step("fetch")], "url"),
        ([step("memory", action="add", text="$1.text")], "step 1"),
        ([step("budget_guard", action="check"), step("memory", action="add", text="$1.none.0")], "leads to nothing"),
        ([step("fetch", url="x" * 101)], "url"),
    ],
)
def test_a_step_that_cannot_run_says_why(caller: Caller, steps: list[Any], word: str) -> None:
    """A pipe never runs a pipe; a reference leads to an earlier step's member, or the step fails."""
    piped = caller.answer(TOOL, steps=steps)
    assert word in piped["steps"][-1]["problem"]
    assert piped["completed"] is False
    rows = [*caller.audit.find(AuditQuery(team="blue"))]
    assert len(rows) == 1 + len(steps)
    assert [row.tool for row in rows if row.outcome == "tool_error" and not row.parent_id] == ["smart_pipe"]
    assert sum(row.outcome == "tool_error" for row in rows) == 2


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"steps": []},
        {"template": "read"},
        {"template": "research"},
        {"template": "remember"},
        {"template": "remember", "url": "https://example.com/", "text": "a"},
        {"template": "research", "url": "https://example.com/", "query": "a"},
        {"template": "read", "url": "https://example.com/", "steps": [{"tool": "fetch"}]},
        {"steps": [{"tool": "fetch"}] * 9},
    ],
)
def test_what_is_missing_or_too_much_is_an_error(caller: Caller, arguments: dict[str, Any]) -> None:
    """A template says what it needs; eight steps at most, and one of the two forms."""
    assert caller.problem(TOOL, **arguments).startswith("Error")


def test_tokens_booked_in_a_step_are_the_month_s(caller: Caller) -> None:
    """What the steps book is reserved with the pipe, text or number; a reference could not be and is refused."""
    piped = caller.answer(TOOL, steps=[step("budget_guard", action="record", tokens="500")])
    left = caller.answer("budget_guard", action="check")["allowance"]
    assert left == 100_000 - 500 - piped["tokens_out"]
    refused = caller.answer(
        TOOL,
        steps=[
            step("budget_guard", action="check", tokens=7),
            step("budget_guard", action="record", tokens="$1.estimate"),
        ],
    )
    assert "no references" in refused["steps"][1]["problem"]


def test_a_step_s_parameters_may_be_called_arguments(caller: Caller) -> None:
    """As tools/call has them; what they book is reserved too."""
    piped = caller.answer(TOOL, steps=[{"tool": "budget_guard", "arguments": {"action": "record", "tokens": 500}}])
    assert piped["steps"][0]["result"]["estimate"] == 500


def test_a_list_of_texts_is_one_text_where_one_is_wanted(counters: Any, audit: Any, clock: Clock) -> None:
    """Every snippet of a search, shortened together."""
    single: list[SmartTool[Any]] = [FakeSearch("a", "b"), FakeGate()]
    caller = caller_of([*single, SmartPipe(single)], counters, audit, clock)
    gate = step("smart_context_gate", text="$1.results.*.snippet", ratio=5)
    piped = caller.answer(TOOL, steps=[step("smart_search", query="a"), gate])
    assert piped["steps"][1]["result"]["text"] == "What 0 says.\n\nWhat 1 says."


@pytest.mark.parametrize(
    "steps",
    [
        '[{"tool": "budget_guard", "params": {"action": "record", "tokens": 500}}]',
        [{"tool": "budget_guard", "params": '{"action": "record", "tokens": 500}'}],
    ],
)
def test_steps_that_come_as_json_text_book_as_well(caller: Caller, steps: Any) -> None:
    """HOSTS rule 11: what is reserved is what the mended arguments say."""
    assert caller.answer(TOOL, steps=steps)["steps"][0]["result"]["estimate"] == 500


def test_a_step_s_scope_is_asked_for(tools: list[SmartTool[Any]], counters: Any, audit: Any, clock: Clock) -> None:
    """A key for pipes alone reads no page through one."""
    caller = caller_of(tools, counters, audit, clock, scopes="gateway:smart_pipe")
    piped = caller.answer(TOOL, steps=[step("fetch", url="https://example.com/")])
    assert "gateway:smart_fetch" in piped["steps"][0]["problem"]
    refused = next(row for row in caller.audit.find(AuditQuery(team="blue")) if row.tool == "smart_fetch")
    assert (refused.outcome, refused.wall) == ("refused", "scope")


def test_a_step_that_crashes_costs_the_earlier_ones_nothing(caller: Caller, caplog: pytest.LogCaptureFixture) -> None:
    """GATEWAY.md: it stops there and returns them; the crash is logged without its text, and has its row."""
    steps = [step("memory", action="add", text="Kept."), step("fetch", url="https://example.com/bug")]
    piped = caller.answer(TOOL, steps=steps)
    assert [done["ok"] for done in piped["steps"]] == [True, False]
    assert "example.com/bug" not in piped["steps"][1]["problem"] + caplog.text
    assert [row.outcome for row in caller.audit.find(AuditQuery(team="blue", outcome="rpc_error"))] == ["rpc_error"]
