"""Asking the client while a call runs: the user (elicitation), its model (sampling), its folders (roots).

The server keeps nothing, so a question ends the call with an `input_required` result; the client answers it and calls
again, and the tool runs anew from its first line, this time with the answer. Code before a question therefore runs more
than once: keep it free of effects.
Source: MCP 2026-07-28, multi round-trip requests (SEP-2322).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mcp_types import (
    CreateMessageRequest,
    CreateMessageRequestParams,
    CreateMessageResult,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitRequestURLParams,
    InputRequest,
    ListRootsRequest,
    ListRootsResult,
    RequestParams,
    SamplingMessage,
    TextContent,
)
from pydantic import BaseModel, ValidationError

from mcpserver.errors import InvalidParamsError, ToolStoppedError
from mcpserver.schema import simplify_schema


class InputRequiredError(ToolStoppedError):
    """The call cannot go on without the client's answers: key -> question."""

    def __init__(self, questions: Mapping[str, "Question"]) -> None:
        super().__init__()
        self.questions = questions


@dataclass(frozen=True, slots=True)
class Question:
    """One thing to ask, and how its answer reads."""

    request: InputRequest
    capability: Mapping[str, Any]
    """What the client must have declared: `{"elicitation": {"form": {}}}`."""
    answer_model: type[BaseModel] | None = None
    """A form's fields."""

    def read(self, answer: Any) -> Any:
        """Return the client's *answer* as the asking tool reads it.

        Raises:
            InvalidParamsError: it is no answer to this question.
        """
        if type(answer) is not dict:
            raise InvalidParamsError("Each of the inputResponses must be an object.")
        try:
            if isinstance(self.request, ElicitRequest):
                return self._read_elicitation(answer)
            if isinstance(self.request, ListRootsRequest):
                return [str(root.uri) for root in ListRootsResult.model_validate(answer).roots]
            return CreateMessageResult.model_validate(answer)
        except ValidationError:
            raise InvalidParamsError("One of the inputResponses does not fit what was asked.") from None

    def _read_elicitation(self, answer: Mapping[str, Any]) -> Any:
        action = answer.get("action")
        if action not in ("accept", "decline", "cancel"):
            raise InvalidParamsError("An answer to an elicitation has an action: accept, decline or cancel.")
        if action != "accept":
            return None
        return True if self.answer_model is None else self.answer_model.model_validate(answer.get("content"))


def form(message: str, model: type[BaseModel]) -> Question:
    """Ask the user to fill in *model*'s fields: text, numbers, booleans and choices, not nested.

    The answer is the model, or None where the user declines.
    """
    schema = simplify_schema(model.model_json_schema())
    params = ElicitRequestFormParams(message=message, requested_schema=schema)
    return Question(ElicitRequest(params=params), {"elicitation": {"form": {}}}, model)


def visit(message: str, url: str) -> Question:
    """Ask the user to open *url*, for what must not pass through the client: a log-in, a payment.

    The answer is True where the user agrees, None otherwise; whether the visit succeeded is for the server to find out.
    """
    params = ElicitRequestURLParams(message=message, url=url)
    return Question(ElicitRequest(params=params), {"elicitation": {"url": {}}})


def sampling(prompt: str | Sequence[SamplingMessage], *, max_tokens: int, system_prompt: str | None = None) -> Question:
    """Ask the client's model. The answer is a `CreateMessageResult`."""
    messages = [SamplingMessage(role="user", content=TextContent(text=prompt))] if isinstance(prompt, str) else prompt
    params = CreateMessageRequestParams(messages=[*messages], max_tokens=max_tokens, system_prompt=system_prompt)
    return Question(CreateMessageRequest(params=params), {"sampling": {}})


def roots() -> Question:
    """Ask for the folders that the client works in. The answer is a list of URIs."""
    return Question(ListRootsRequest(params=RequestParams()), {"roots": {}})


def missing_capability(question: Question, declared: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return what *question* needs and the client did not declare; None where it has all.

    An empty `elicitation` means forms. Source: MCP 2025-11-25, elicitation, capabilities.
    """
    for name, modes in question.capability.items():
        have = declared.get(name)
        if type(have) is not dict:
            return question.capability
        offered = have or {"form": {}} if name == "elicitation" else have
        if any(mode not in offered for mode in modes):
            return question.capability
    return None
