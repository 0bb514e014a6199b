"""What a client saw at each step, and whether that is right.

A driver prints one JSON line for each step: `{"step": "list", "saw": [...]}`, or `"raised": "text"` in place of `saw`.
It saw: connect `true`; list the tools' names; call and error `{"text": ..., "is_error": true | false | null}`, null
where the client does not tell; progress the numbers reported, or null where the client has no way to show them.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

STEPS: Final = ("connect", "list", "call", "error", "progress")
TOOLS: Final = ("calculator", "wiki_search", "get_current_time", "countdown")
VALUE: Final = "1029"
"""`calculator` of `2 ** 10 + 5`."""
REFUSAL: Final = "use only numbers"
"""What `calculator` says to `two plus two`, before the alternatives."""

type Observations = Mapping[str, Mapping[str, Any]]
"""step -> `{"saw": ...}` or `{"raised": text}`."""


class Verdict(StrEnum):
    """What a cell of the table says."""

    OK = "ok"
    NOT_APPLICABLE = "n/a"
    WRONG = "WRONG"
    TIMED_OUT = "timed out"
    NOT_REACHED = "-"


_GREEN: Final = frozenset({Verdict.OK, Verdict.NOT_APPLICABLE})


@dataclass(frozen=True, slots=True)
class Cell:
    """One step of one client."""

    verdict: Verdict
    note: str = ""
    """What was seen instead of the right answer."""


def read_observations(output: str) -> dict[str, dict[str, Any]]:
    """Return the observations among the lines of a driver's output."""
    observations = {}
    for line in output.splitlines():
        if line.startswith('{"step"'):
            observation = json.loads(line)
            observations[observation.pop("step")] = observation
    return observations


def judge(observations: Observations, *, is_out_of_time: bool) -> dict[str, Cell]:
    """Return the verdict on each step.

    The first step that was not reported ran out of time, or its client ended before it; no later one was reached.
    """
    cells: dict[str, Cell] = {}
    for step in STEPS:
        if step in observations:
            cells[step] = _judge_step(step, observations[step])
        elif any(cell.verdict not in _GREEN for cell in cells.values()):
            cells[step] = Cell(Verdict.NOT_REACHED)
        else:
            cells[step] = (
                Cell(Verdict.TIMED_OUT) if is_out_of_time else Cell(Verdict.WRONG, "it ended before this step")
            )
    return cells


def _judge_step(step: str, observation: Mapping[str, Any]) -> Cell:
    raised = observation.get("raised")
    if step == "error" and raised and REFUSAL in raised:
        return Cell(Verdict.OK)
    if raised is not None:
        is_slow = re.search(r"time-?d? ?out|TimeoutError", raised, re.IGNORECASE)
        return Cell(Verdict.TIMED_OUT if is_slow else Verdict.WRONG, raised)
    saw = observation["saw"]
    if step == "progress" and saw is None:
        return Cell(Verdict.NOT_APPLICABLE)
    return Cell(Verdict.OK) if _RIGHT[step](saw) else Cell(Verdict.WRONG, f"saw {json.dumps(saw)}")


def _is_every_tool(names: Sequence[str]) -> bool:
    """Hosts put the server's name in front of a tool's."""
    return all(sum(name.endswith(tool) for name in names) == 1 for tool in TOOLS)


def _is_told_of_error(saw: Mapping[str, Any]) -> bool:
    """A client that shows no `isError` (null) must be able to tell from the text."""
    return bool(saw["is_error"]) or (saw["is_error"] is None and re.search(r"\bError: ", saw["text"]) is not None)


_RIGHT: Final[Mapping[str, Callable[[Any], bool]]] = {
    "connect": bool,
    "list": _is_every_tool,
    "call": lambda saw: bool(re.search(rf"\b{VALUE}\b", saw["text"])) and not saw["is_error"],
    "error": lambda saw: REFUSAL in saw["text"] and _is_told_of_error(saw),
    "progress": lambda progress: progress == [1, 2],
}
