"""`countdown`: slow on purpose, with a sleep that the test holds. Source: SPEC 3, lab."""

from typing import Any

import pytest

from functions.lab.countdown import Countdown
from mcpserver import http_handler
from tests.fixture_servers import serving
from tests.mcpserver.posts import call_tool, post, read_all, request, text_of


class Naps:
    """A sleep that takes no time and remembers how long it was to be."""

    def __init__(self) -> None:
        self.taken_s: list[float] = []

    async def __call__(self, seconds: float) -> None:
        """Remember it."""
        self.taken_s.append(seconds)


def test_it_sleeps_each_second_and_reports_it() -> None:
    """SPEC 3: `countdown(seconds)` (progress)."""
    naps = Naps()
    handler = http_handler(serving(Countdown(naps)), default_receivers=False)
    params = {"name": "countdown", "arguments": {"seconds": 3}, "_meta": {"progressToken": "t"}}
    *notes, answer = read_all(post(handler, request("tools/call", params)))
    assert naps.taken_s == [1, 1, 1]
    assert [(note["params"]["progress"], note["params"]["total"]) for note in notes] == [(1, 3), (2, 3), (3, 3)]
    assert [note["params"]["message"] for note in notes] == ["2 s left", "1 s left", "0 s left"]
    assert text_of(answer) == "Counted 3 s."


@pytest.mark.parametrize("seconds", [1, 20, "5", 5.0])
def test_one_to_twenty_seconds_are_counted(seconds: Any) -> None:
    """Below the 29 s after which API Gateway gives up."""
    result = call_tool(Countdown(Naps()), {"seconds": seconds})
    assert result["content"][0]["text"] == f"Counted {int(seconds)} s."


@pytest.mark.parametrize("seconds", [0, -1, 21, 10**9, "soon", 1.5, True, None])
def test_anything_else_is_refused_before_the_first_second(seconds: Any) -> None:
    """The schema says 1 to 20."""
    naps = Naps()
    result = call_tool(Countdown(naps), {"seconds": seconds})
    assert (result["isError"], naps.taken_s) == (True, [])
    assert "seconds" in result["content"][0]["text"]
