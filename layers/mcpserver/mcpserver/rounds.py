"""The rounds of one call that asks: what came back with this request, what must be asked next.

Source: MCP 2026-07-28, multi round-trip requests (SEP-2322).
"""

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from mcp_types import InputRequiredResult

from mcpserver.asking import InputRequiredError
from mcpserver.context import CallContext
from mcpserver.errors import InvalidParamsError
from mcpserver.request_state import binding_of, open_answers, seal_answers

if TYPE_CHECKING:
    from mcpserver.server import MCPServerBase

ASKING_METHODS: Final = frozenset({"tools/call", "prompts/get", "resources/read"})
"""The requests that may be answered with a question."""


def received_answers(
    server: "MCPServerBase", method: str, params: Mapping[str, Any], context: CallContext
) -> Mapping[str, Any]:
    """Return the client's answers to this call's questions, of earlier rounds and of this one.

    Raises:
        InvalidParamsError: the state does not belong to this call, or an answer is none.
    """
    if method not in ASKING_METHODS:
        return {}
    answers = params.get("inputResponses", {})
    if type(answers) is not dict:
        raise InvalidParamsError("The inputResponses must be an object.")
    if "requestState" not in params:
        return answers
    if not server.has_key_ring:
        raise InvalidParamsError("This server has given no requestState.")
    binding = _binding(server, method, params, context)
    return open_answers(server.key_ring(), params["requestState"], binding, now_s=time.time()) | answers


def require_input(
    server: "MCPServerBase", method: str, params: Mapping[str, Any], context: CallContext, stop: InputRequiredError
) -> InputRequiredResult:
    """Return the questions that the client must answer before it calls again, and the state that it brings back."""
    context.outcome = "input_required"
    binding = _binding(server, method, params, context)
    state = seal_answers(server.key_ring(), context.answers, binding, now_s=time.time())
    requests = {key: question.request for key, question in stop.questions.items()}
    return InputRequiredResult(input_requests=requests, request_state=state)


def _binding(server: "MCPServerBase", method: str, params: Mapping[str, Any], context: CallContext) -> bytes:
    principal_id = "" if context.principal is None else context.principal.principal_id
    return binding_of(principal_id=principal_id, server=server.name, method=method, params=params)
