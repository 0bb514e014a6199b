"""The ready-made pipelines: what each does, and what it does where something is missing."""

from typing import Any

import pytest

from functions.gateway.smart_pipe import SmartPipe
from functions.gateway.smart_tool import SmartTool
from tests.functions.gateway.conftest import caller_of
from tests.functions.gateway.pipe.fakes import LONG, FakeFetch, FakeGate, FakeSearch, tools_of
from tests.governance.conftest import Clock

TOOL = "smart_pipe"


def test_remember_keeps_the_short_form_of_a_page(memory: Any, counters: Any, audit: Any, clock: Clock) -> None:
    """GATEWAY.md, templates: the page is fetched, shortened and kept."""
    caller = caller_of(tools_of(memory, clock), counters, audit, clock)
    piped = caller.answer(TOOL, template="remember", url="https://example.com/")
    assert [done["ok"] for done in piped["steps"]] == [True, True, True]
    note = caller.answer("memory", action="list")["memories"][0]["text"]
    assert note == LONG[: int(len(LONG) * 0.1 * 0.2)].strip()


@pytest.mark.parametrize(
    ("urls", "tools"),
    [
        (["https://example.com/"], ["smart_search", "smart_fetch", "smart_context_gate"]),
        (["docs/a.md", "https://example.com/"], ["smart_search", "smart_fetch", "smart_context_gate"]),
        (["docs/a.md", "docs/b.md"], ["smart_search", "smart_context_gate"]),
    ],
)
def test_research_reads_the_best_page_or_shortens_what_the_hits_say(
    urls: list[str], tools: list[str], counters: Any, audit: Any, clock: Clock
) -> None:
    """An engine that searches files, as under `make run`, has no page to read: what it found is not lost."""
    single: list[SmartTool[Any]] = [FakeSearch(*urls), FakeFetch(), FakeGate()]
    piped = caller_of([*single, SmartPipe(single)], counters, audit, clock).answer(TOOL, template="research", query="a")
    assert [done["tool"] for done in piped["steps"]] == tools
    assert piped["completed"] is True


def test_a_stranger_s_text_that_looks_like_a_reference_is_text(counters: Any, audit: Any, clock: Clock) -> None:
    """A template hands on what it found and what the user wrote as it is."""
    single: list[SmartTool[Any]] = [FakeSearch("docs/$1.results"), FakeGate()]
    caller = caller_of([*single, SmartPipe(single)], counters, audit, clock)
    assert caller.answer(TOOL, template="research", query="$1.results and {{ more }}")["completed"] is True


def test_research_that_finds_nothing_says_so(counters: Any, audit: Any, clock: Clock) -> None:
    """It stops at the step that has nothing to read."""
    single: list[SmartTool[Any]] = [FakeSearch(), FakeFetch(), FakeGate()]
    piped = caller_of([*single, SmartPipe(single)], counters, audit, clock).answer(TOOL, template="research", query="a")
    assert (piped["completed"], "empty list" in piped["steps"][-1]["problem"]) == (False, True)
