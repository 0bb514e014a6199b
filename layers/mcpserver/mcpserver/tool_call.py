"""One tool call: mend the arguments, check the scope, run the tool in its time, say how it went."""

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from mcp_types import CallToolResult

from mcpserver.asking import InputRequiredError
from mcpserver.content import ToolAnswer, answer_of, error_answer
from mcpserver.context import CallContext, current_context
from mcpserver.envelope import check_param_headers
from mcpserver.errors import MCPServerToolError, OutOfTimeError
from mcpserver.quirks import Quirk
from mcpserver.repair import MAX_VALUES, has_too_many_values
from mcpserver.signals import mcpserver_tool_called, send
from mcpserver.tool import MCPToolBase

if TYPE_CHECKING:
    from mcpserver.server import MCPServerBase


def run_tool(server: "MCPServerBase", tool: MCPToolBase[Any], arguments: Mapping[str, Any]) -> ToolAnswer:
    """Run *tool* and return its answer; what the tool reports, and running out of time, is one with `isError`.

    Raises:
        HeaderMismatchError: an `Mcp-Param-*` header says something else than the argument.
    """
    context = current_context()
    context.tool = tool.name
    if context.is_modern:
        check_param_headers(context.transport.headers, tool.param_headers, arguments)
    if has_too_many_values(arguments):
        context.outcome = "tool_error"
        return error_answer(f"the arguments hold more than {MAX_VALUES} values: send fewer in one call.")
    if Quirk.ARGUMENT not in server.disabled_quirks:
        arguments, repaired = tool.repair(arguments)
        if repaired:
            context.changes = [*context.changes, *(("tools/call", f"{Quirk.ARGUMENT}: {name}") for name in repaired)]
    started_s = time.perf_counter()
    context.outcome = "crash"
    try:
        answer = _run(tool, arguments, context)
        context.outcome = "tool_error" if answer.is_error else "ok"
        return answer
    finally:
        if mcpserver_tool_called.receivers:
            duration_s = time.perf_counter() - started_s
            outcome = context.outcome
            send(mcpserver_tool_called, server, context=context, tool=tool.name, outcome=outcome, duration_s=duration_s)


def _run(tool: MCPToolBase[Any], arguments: Mapping[str, Any], context: CallContext) -> ToolAnswer:
    if not _is_allowed(tool, context):
        return error_answer(f"this tool needs the scope {tool.required_scope}, which the caller does not have.")
    try:
        output = tool.call(arguments)
        if tool.output_model is not None and not isinstance(output, tool.output_model | CallToolResult):
            raise TypeError(f"{tool.name} says that it returns {tool.output_model.__name__}, and did not.")
        return answer_of(output)
    except MCPServerToolError as error:
        return error_answer(str(error))
    except InputRequiredError:
        context.outcome = "input_required"
        raise
    except OutOfTimeError:
        return error_answer("the tool ran out of time: ask for less in one call.")


def _is_allowed(tool: MCPToolBase[Any], context: CallContext) -> bool:
    if tool.required_scope is None:
        return True
    return context.principal is not None and tool.required_scope in context.principal.scopes
