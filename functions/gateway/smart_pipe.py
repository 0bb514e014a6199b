"""The `smart_pipe` tool: several of the other tools in order, in one call.

A step's parameter can be an earlier step's output: see `pipe.references`. A step fails, and the pipe stops, where there
is no such thing.
"""

import logging
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from mcp_types import CallToolResult

from functions.gateway.pipe.models import MAX_STEPS, PipeArguments, Piped, StepResult
from functions.gateway.pipe.references import resolve
from functions.gateway.pipe.results import fit
from functions.gateway.pipe.templates import PipeTemplate, TemplateStep, steps_of
from functions.gateway.smart_tool import SERVER_NAME, SmartTool
from functions.gateway.tokens import MAX_RESULT_TOKENS, count_tokens, spent_of
from governance.audit import UNKNOWN_TOOL, Outcome
from governance.call import Step
from governance.scopes import may_call
from mcpserver import MCPServerToolError
from mcpserver.containment import Crash, contain
from mcpserver.content import answer_of
from mcpserver.deadline import run_before
from mcpserver.errors import OutOfTimeError

logger = logging.getLogger(__name__)

_PROBLEM: Final = 2_000
"""Characters: of what a failed step says."""

ENDING_S: Final = 1.0
"""Kept back from a step's time, to return what the steps before it found."""


class _Ending(NamedTuple):
    """How a step went."""

    outcome: Outcome
    structured: dict[str, Any] | None = None
    problem: str | None = None
    wall: str = ""


class SmartPipe(SmartTool[PipeArguments]):
    """Runs the other tools. It does not run itself."""

    name = "smart_pipe"
    description = (
        "Purpose: run several smart_ tools in order, in one call, so that what passes between them costs you nothing. "
        "When to use: search, read and shorten (template research); read and shorten (read); keep (remember). "
        "When not: for one tool, call that tool. "
        "Returns: each step's result, the last one whole; it stops at the first step that fails, says why "
        "(completed: false) and returns the earlier ones. Composes with: all other smart_ tools; a step takes what an "
        "earlier one returned by a reference such as $1.markdown."
    )
    arguments_model = PipeArguments

    def __init__(self, tools: Iterable[SmartTool[Any]]) -> None:
        self._tools = {name: tool for tool in tools for name in (tool.name, *tool.aliases)}

    def token_bound(self, arguments: Mapping[str, Any]) -> int:  # noqa: ARG002 -- every pipe's answer is fitted
        """The whole answer is fitted into one result."""
        return MAX_RESULT_TOKENS

    def booked_bound(self, arguments: Mapping[str, Any]) -> int:
        """Return what the steps would book, also where they came as JSON text."""
        repaired, _ = self.repair(arguments)
        steps = repaired.get("steps") if isinstance(repaired, dict) else None
        found = [step for step in steps if isinstance(step, dict)] if isinstance(steps, list) else []
        return sum(self._booked_by(step) for step in found[:MAX_STEPS])

    def _booked_by(self, step: Mapping[str, Any]) -> int:
        tool, params = self._tools.get(str(step.get("tool"))), step.get("params") or step.get("arguments")
        return tool.booked_bound(params) if tool is not None and isinstance(params, dict) else 0

    def run(self, arguments: PipeArguments) -> Piped:
        """Run each step until one fails.

        Raises:
            MCPServerToolError: there is nothing to run.
        """
        results: list[StepResult] = []
        found: list[Mapping[str, Any]] = []
        for number, step in enumerate(self._steps(arguments, found), 1):
            done = self._run_step(number, step, found)
            results.append(done)
            if not done.ok:
                break
            found.append(done.result or {})
        return _answer(results, sum(result.get("tokens_in", 0) for result in found))

    def _steps(self, arguments: PipeArguments, found: Sequence[Mapping[str, Any]]) -> Iterable[TemplateStep]:
        """Return the steps; a template makes each from what was *found* before it."""
        if (arguments.template is None) == (not arguments.steps):
            raise MCPServerToolError("give template (research, read, remember) or steps, one of the two.")
        if arguments.template is None:
            steps = arguments.steps or []
            return (TemplateStep(step.tool, step.params or step.arguments, has_references=True) for step in steps)
        template = PipeTemplate(arguments.template, arguments.url, arguments.query, arguments.text)
        return steps_of(template, found)

    def _run_step(self, number: int, step: TemplateStep, earlier: Sequence[Mapping[str, Any]]) -> StepResult:
        notes, started_s = self.call_notes, time.perf_counter()
        called_s = notes.now_s()
        tool = self._tools.get(step.tool)
        ending = self._no_tool(number) if tool is None else self._ending(tool, number, step, earlier)
        name = UNKNOWN_TOOL if tool is None else tool.name
        duration_s = time.perf_counter() - started_s
        found = ending.structured or {}
        notes.steps.append(Step(name, step.params, ending.outcome, called_s, duration_s, found, ending.wall))
        problem = ending.problem and ending.problem[:_PROBLEM]
        return StepResult(tool=name, ok=ending.outcome == "ok", result=ending.structured, problem=problem)

    def _no_tool(self, number: int) -> _Ending:
        names = ", ".join(dict.fromkeys(known.name for known in self._tools.values()))
        return _Ending("tool_error", problem=f"Step {number} names none of {names}.")

    def _ending(
        self, tool: SmartTool[Any], number: int, step: TemplateStep, earlier: Sequence[Mapping[str, Any]]
    ) -> _Ending:
        """Run *tool*, and return how it went."""
        principal = self.context.principal
        if principal is not None and not may_call(principal.scopes, SERVER_NAME, tool.name):
            problem = f"Step {number} needs the scope {SERVER_NAME}:{tool.name}, which the key does not have."
            return _Ending("refused", problem=problem, wall="scope")
        remaining_s = self.context.remaining_s()
        limit_s = None if remaining_s is None else remaining_s - ENDING_S
        try:
            attempt = contain(lambda: _answer_of(tool, _params_of(tool, step, earlier), limit_s))
        except OutOfTimeError:
            return _Ending("tool_error", problem=f"Step {number} ran out of time: ask for less in one call.")
        if not isinstance(attempt, Crash):
            return _Ending("ok", attempt)
        if isinstance(attempt.error, MCPServerToolError):
            return _Ending("tool_error", problem=str(attempt.error))
        # What the steps before it found is not lost with it.
        attempt.log(logger, "a step crashed", tool=tool.name)
        return _Ending("rpc_error", problem=f"Step {number} failed: internal error.")


def _params_of(tool: SmartTool[Any], step: TemplateStep, earlier: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    if not step.has_references:
        return step.params
    fields = tool.arguments_model.model_fields
    texts = {name for name, field in fields.items() if field.annotation in (str, str | None)}
    return resolve(step.params, earlier, names=fields, texts=texts)


def _answer_of(tool: SmartTool[Any], params: Any, limit_s: float | None) -> dict[str, Any]:
    """Return the structured content of what *tool* answers."""
    repaired, _ = tool.repair(params)
    validated = tool.validate(repaired)
    answer = answer_of(run_before(limit_s, lambda: tool.run(validated)))
    return (answer.structured_content or {}) if isinstance(answer, CallToolResult) else {}


def _answer(results: list[StepResult], naive: int) -> Piped:
    fitted = [fit(result.result or {}, is_last=number == len(results)) for number, result in enumerate(results, 1)]
    steps = [
        result.model_copy(update={"result": found.value if result.ok else None, "truncated": found.is_cut or None})
        for result, found in zip(results, fitted, strict=True)
    ]
    text = "\n".join(step.model_dump_json(exclude_none=True) for step in steps)
    return Piped(**spent_of(naive, count_tokens(text)), steps=steps, completed=results[-1].ok)
