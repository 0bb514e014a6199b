"""How a client's observations become the cells of the table."""

from typing import Any

import pytest

from tests.interop.dialects import Conversation, ToolResult
from tests.interop.hosts import observe_conversations
from tests.interop.observations import TOOLS, Observations, Verdict, judge, read_observations

RIGHT: dict[str, dict[str, Any]] = {
    "connect": {"saw": True},
    "list": {"saw": list(TOOLS)},
    "call": {"saw": {"text": "1029", "is_error": False}},
    "error": {"saw": {"text": "Error: calculator: use only numbers.", "is_error": True}},
    "progress": {"saw": [1.0, 2.0]},
}


def verdicts(observations: Observations, *, is_out_of_time: bool = False) -> list[Verdict]:
    return [cell.verdict for cell in judge(observations, is_out_of_time=is_out_of_time).values()]


def test_right_answers_are_green() -> None:
    assert verdicts(RIGHT) == [Verdict.OK] * 5


@pytest.mark.parametrize(
    ("step", "saw"),
    [
        ("list", ["calculator"]),
        ("call", {"text": "1028", "is_error": False}),
        ("call", {"text": "1029", "is_error": True}),
        ("error", {"text": "Error: calculator: use only numbers.", "is_error": False}),
        ("error", {"text": "1029", "is_error": True}),
        ("progress", [2]),
        ("progress", []),
    ],
)
def test_a_wrong_answer_is_wrong(step: str, saw: object) -> None:
    assert judge({**RIGHT, step: {"saw": saw}}, is_out_of_time=False)[step].verdict is Verdict.WRONG


def test_a_client_that_shows_no_flag_tells_an_error_from_its_text() -> None:
    """Our own choice: OpenCode, Codex and Continue drop `isError`."""
    seen = {"text": 'calculator says: "Error: calculator: use only numbers."', "is_error": None}
    assert judge({**RIGHT, "error": {"saw": seen}}, is_out_of_time=False)["error"].verdict is Verdict.OK


def test_a_client_that_raises_the_error_has_seen_it() -> None:
    raised = {"raised": "ToolError: Error: calculator: use only numbers."}
    assert judge({**RIGHT, "error": raised}, is_out_of_time=False)["error"].verdict is Verdict.OK


def test_a_slow_machine_is_never_a_wrong_answer() -> None:
    raised = {**RIGHT, "call": {"raised": "TimeoutError: "}}
    assert verdicts(raised)[2] is Verdict.TIMED_OUT
    unfinished = {step: RIGHT[step] for step in ("connect", "list")}
    assert verdicts(unfinished, is_out_of_time=True)[2:] == [Verdict.TIMED_OUT, *[Verdict.NOT_REACHED] * 2]


def test_a_client_that_ends_early_is_wrong() -> None:
    """A crash must not pass as a step that nobody took."""
    assert verdicts({"connect": {"saw": True}})[1:] == [Verdict.WRONG, *[Verdict.NOT_REACHED] * 3]


def test_other_output_of_a_driver_is_no_observation() -> None:
    assert read_observations('warning\n{"step": "connect", "saw": true}\nbye\n') == {"connect": {"saw": True}}


def test_a_host_is_seen_from_its_models_side() -> None:
    tools = tuple(f"mcp__lab__{tool}" for tool in TOOLS)
    refusal = RIGHT["error"]["saw"]["text"]
    results = (ToolResult("1029", None), ToolResult(refusal, None), ToolResult("Counted 2 s.", None))
    conversations = [Conversation(tools, results[:count]) for count in range(4)]
    assert verdicts(observe_conversations(conversations, 2)) == [Verdict.OK] * 5
    assert verdicts(observe_conversations(conversations, None))[4] is Verdict.NOT_APPLICABLE


def test_a_host_that_never_reached_its_model_has_not_started() -> None:
    assert observe_conversations([], None) == {}
