"""The floor: a bare Pydantic dispatcher, what the same answers cost with no feature at all.

It validates the request and the arguments and writes valid answers. It checks no header, method, media type, size or
version, knows one era, no notification, batch or time limit, and an error of any kind is a crash.
"""

import base64
from typing import Any, Literal

from pydantic import BaseModel, Field
from pydantic_core import from_json, to_json

from benchmarks.peers import tool_functions


class Request(BaseModel):
    """A JSON-RPC request."""

    jsonrpc: Literal["2.0"]
    id: int | str
    method: str
    params: dict[str, Any] = {}


class CallParams(BaseModel):
    """The params of tools/call."""

    name: str
    arguments: dict[str, Any] = {}


class CalculatorArguments(BaseModel):
    """What `calculator` takes."""

    expression: str = Field(description="Numbers, + - * / // % **, signs and parentheses. For example 2 ** 10 + 5.")


class WikiSearchArguments(BaseModel):
    """What `wiki_search` takes."""

    query: str = Field(description="A short phrase, such as: capital of France.")


class GetCurrentTimeArguments(BaseModel):
    """What `get_current_time` takes."""

    timezone: str = Field("UTC", description="An IANA time zone, such as Europe/Paris (default UTC).")


TOOLS: dict[str, tuple[type[BaseModel], Any]] = {
    "calculator": (CalculatorArguments, tool_functions.calculator),
    "wiki_search": (WikiSearchArguments, tool_functions.wiki_search),
    "get_current_time": (GetCurrentTimeArguments, tool_functions.get_current_time),
}

DEFINITIONS = [
    {"name": name, "description": (function.__doc__ or "").split("\n")[0], "inputSchema": model.model_json_schema()}
    for name, (model, function) in TOOLS.items()
]


def lambda_handler(event: dict[str, Any], _context: Any) -> dict[str, Any]:
    """Answer one REST event."""
    body = event["body"]
    payload = from_json(base64.b64decode(body) if event["isBase64Encoded"] else body)
    request = Request.model_validate(payload)
    answer = {"jsonrpc": "2.0", "id": request.id, "result": METHODS[request.method](request.params)}
    headers = {"Content-Type": "application/json"}
    return {"statusCode": 200, "headers": headers, "body": to_json(answer).decode(), "isBase64Encoded": False}


def initialize(params: dict[str, Any]) -> dict[str, Any]:
    """Agree to the client's version."""
    return {
        "protocolVersion": params["protocolVersion"],
        "capabilities": {"tools": {"listChanged": False}},
        "serverInfo": {"name": "floor", "version": "1.0.0"},
    }


def list_tools(_params: dict[str, Any]) -> dict[str, Any]:
    """List the tools."""
    return {"tools": DEFINITIONS}


def call_tool(params: dict[str, Any]) -> dict[str, Any]:
    """Run one tool."""
    call = CallParams.model_validate(params)
    model, function = TOOLS[call.name]
    arguments = model.model_validate(call.arguments)
    return {"content": [{"type": "text", "text": function(**dict(arguments))}]}


METHODS = {"initialize": initialize, "tools/list": list_tools, "tools/call": call_tool}
