"""Whether a contestant answers rightly: only then is it timed."""

import json
from typing import Any

CASES = ("initialize", "tools_list", "tools_call")
"""The files of `events/lab/` that are timed."""

TOOLS = {"calculator", "wiki_search", "get_current_time"}


def problem_of(case: str, answer: Any) -> str:
    """Return what is wrong with *answer* to the event *case*, "" where it is right.

    Args:
        case: one of `CASES`.
        answer: a proxy response, or the bare text of the tool that stands alone.
    """
    if isinstance(answer, str):
        return "" if answer == "1029" else "the tool's value is wrong"
    if answer.get("statusCode") != 200:
        return f"HTTP status {int(answer.get('statusCode', 0))}"
    message = json.loads(answer["body"])
    if message.get("jsonrpc") != "2.0" or message.get("id") != 1:
        return "not the JSON-RPC answer to request 1"
    if "result" not in message:
        return f"error {message.get('error', {}).get('code')}"
    return _CHECKS[case](message["result"])


def _problem_of_initialize(result: Any) -> str:
    is_right = isinstance(result.get("protocolVersion"), str) and "tools" in result["capabilities"]
    return "" if is_right and result["serverInfo"]["name"] else "no version, tools or name"


def _problem_of_list(result: Any) -> str:
    tools = {tool["name"]: tool["inputSchema"] for tool in result["tools"]}
    missing = sorted(TOOLS - tools.keys())
    if missing:
        return f"lacks {', '.join(missing)}"
    return "" if "expression" in tools["calculator"]["properties"] else "calculator's schema lacks its argument"


def _problem_of_call(result: Any) -> str:
    return "" if result["content"][0]["text"] == "1029" and not result.get("isError") else "the value is wrong"


_CHECKS = {"initialize": _problem_of_initialize, "tools_list": _problem_of_list, "tools_call": _problem_of_call}
