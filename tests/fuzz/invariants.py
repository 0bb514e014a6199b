"""What holds for every answer, whatever was asked.

Source: issue 3, item 5; HOSTS rules 2 and 6; JSON-RPC 2.0, sections 5 and 6; MCP, every version's models.
"""

import json
import time
from collections.abc import Mapping
from typing import Any, Final

from mcp_types import methods
from mcp_types.jsonrpc import JSONRPCError
from pydantic import ValidationError

from tests.fuzz.expected import (
    BATCH_VERSIONS,
    MAX_BATCH,
    Question,
    body_of,
    header_of,
    method_of,
    payload_of,
    questions_in,
)
from tests.fuzz.servers import TOOL_NAMES, calls, handle
from tests.fuzz.values import CANARY
from tests.mcpserver.posts import nulls_in

STATUSES: Final = {200, 202, 204, 400, 401, 403, 404, 405, 406, 413, 415, 421}
CODES: Final = {-32700, -32600, -32601, -32602, -32001, -32002, -32020, -32021, -32022}
"""Every code that a client may see of these servers: -32603 would be a crash."""
REFUSED_UNREAD: Final = {401, 403, 404, 405, 406, 413, 415, 421}
"""Statuses of an answer that no message was read for (404 also carries a modern -32601)."""
MAX_CPU_S: Final = 0.1

MAY_REPEAT: Final = {-32602: "uri", -32002: "uri", -32022: "requested"}
"""Which member of an error's data repeats the request, by code: a resource that is not there, a version."""
RETURNED: Final = {"content", "contents", "inputRequests", "messages", "structuredContent"}
"""Members of a result that hold what a tool, a resource or a prompt made of its input: that is what they are for."""


class BrokenError(AssertionError):
    """An invariant that does not hold."""


def check(server: str, event: Any, *, times: bool = False) -> None:
    """Let *server* answer *event* and check the answer; *times*: its CPU time, too.

    Raises:
        BrokenError: says what does not hold. Any other exception is the handler's own.
    """
    started_s = time.process_time()
    response = handle(server, event)
    spent_s = time.process_time() - started_s
    if times and spent_s > MAX_CPU_S:
        spent_s = min(_seconds_for(server, event) for _ in range(3))
        _hold(spent_s <= MAX_CPU_S, f"{spent_s:.3f} s of CPU")
    check_answer(event, response)
    _check_log()


def check_answer(event: Any, response: Mapping[str, Any]) -> None:
    """Check *response*, the answer to *event*.

    Raises:
        BrokenError: says what does not hold.
    """
    answers = _read(response, is_head=method_of(event) == "HEAD")
    for answer in answers:
        _check_message(answer)
    _check_pairing(event, response, [answer for answer in answers if "method" not in answer])
    _check_canary(response, answers)


def _seconds_for(server: str, event: Any) -> float:
    started_s = time.process_time()
    handle(server, event)
    return time.process_time() - started_s


def _hold(claim: object, otherwise: str) -> None:
    if not claim:
        raise BrokenError(otherwise)


def _refuse_constant(name: str) -> Any:
    raise BrokenError(f"{name} in the answer")


def _read(response: Mapping[str, Any], *, is_head: bool) -> list[dict[str, Any]]:
    """Return every message of the answer; the HTTP side is checked on the way."""
    json.dumps(response)
    status, headers, body = response["statusCode"], response["headers"], response["body"]
    _hold(type(status) is int and status in STATUSES, f"status {status}")
    _hold(all(type(value) is str for value in headers.values()), "a header that is no text")
    _hold(not [value for value in headers.values() if "\n" in value or "\r" in value], "a line break in a header")
    _hold(response["isBase64Encoded"] is False, "base64")
    body.encode("utf-8")
    if status in (202, 204):
        _hold(body == "" and "Content-Type" not in headers, f"a {status} with a body")
        return []
    if body == "":
        _hold(is_head, f"a {status} without a body")
        return []
    content_type = headers["Content-Type"]
    if content_type == "text/event-stream":
        texts = [line.removeprefix("data: ") for line in body.split("\n") if line.startswith("data: ")]
        _hold(body == "".join(f"event: message\ndata: {text}\n\n" for text in texts), "a stream of something else")
    else:
        _hold(content_type == "application/json", f"Content-Type {content_type}")
        texts = [body]
    found: list[dict[str, Any]] = []
    for text in texts:
        value = json.loads(text, parse_constant=_refuse_constant)
        found += value if isinstance(value, list) else [value]
    return found


def _check_message(answer: dict[str, Any]) -> None:
    _hold(answer.get("jsonrpc") == "2.0", "no JSON-RPC 2.0")
    if "method" in answer:
        _hold(answer.keys() == {"jsonrpc", "method", "params"}, "a notification with other members")
        _hold(nulls_in(answer) == [], f"null at {nulls_in(answer)}")
        return
    _hold(answer.keys() in ({"jsonrpc", "id", "result"}, {"jsonrpc", "id", "error"}), f"members {sorted(answer)}")
    _hold(set(nulls_in(answer)) <= ({".id"} if "error" in answer else set()), f"null at {nulls_in(answer)}")
    if "error" in answer:
        try:
            JSONRPCError.model_validate(answer)
        except ValidationError as error:
            raise BrokenError(str(error)) from None
        _hold(answer["error"]["code"] in CODES, f"code {answer['error']['code']}")
        _hold(answer["error"]["message"], "an error without a message")


def _check_pairing(event: Any, response: Mapping[str, Any], answers: list[dict[str, Any]]) -> None:
    """Check one answer per request: as many, in order, each with its id, each a result of its method."""
    status = response["statusCode"]
    is_unread = status in REFUSED_UNREAD and not (status == 404 and any("result" in one for one in answers))
    codes = [one["error"]["code"] for one in answers if "error" in one]
    if status in (204, 405) or (is_unread and -32601 not in codes):
        _hold(len(answers) <= 1 and all(one["id"] is None for one in answers), "an answer to what was not read")
        return
    version = header_of(event, "mcp-protocol-version")
    try:
        payload = payload_of(body_of(event) or b"")
    except ValueError:
        # Python's parser and the layer's differ in depth and digits; an answer must be whole all the same.
        _hold(len(answers) <= 1 or status == 200, "several answers to no JSON")
        return
    if codes == [-32700]:
        _hold(answers[0]["id"] is None and status == 400, "a parse error with an id")
        return
    if isinstance(payload, list) and not _is_batch(payload, version):
        _hold((status, codes, answers[0]["id"]) == (400, [-32600], None), "a refused batch")
        return
    questions = questions_in(payload, version)
    _hold(len(answers) == len(questions), f"{len(answers)} answers to {len(questions)} messages")
    _hold(status != 202 or not questions, "202 to a request")
    for question, answer in zip(questions, answers, strict=True):
        _check_answer(question, answer)


def _is_batch(payload: list[Any], version: str) -> bool:
    return (version in BATCH_VERSIONS or version == "") and 1 <= len(payload) <= MAX_BATCH


def _check_answer(question: Question, answer: Mapping[str, Any]) -> None:
    """Check the id and, of a result, that it is one of the method's in the request's version, and no more."""
    sent, got = question.request_id, answer["id"]
    is_repaired = not question.is_modern and type(sent) is float and type(got) is int and sent == got
    is_same = is_repaired or (type(got) is type(sent) and got == sent)
    is_unreadable = got is None and type(sent) in (float, type(None))
    _hold(is_same or is_unreadable, f"the id {sent!r} became {got!r}")
    if "result" not in answer:
        return
    method, result = question.method, answer["result"]
    if method.startswith("notifications/"):
        _hold(set(result) <= {"resultType", "_meta"}, "a result of a notification")
        return
    if method in TOOL_NAMES:
        method = "tools/call"
    version = result["protocolVersion"] if method == "initialize" else question.version
    try:
        methods.validate_server_result(method, version, result)
        same = methods.serialize_server_result(method, version, result)
    except (KeyError, ValidationError) as error:
        raise BrokenError(f"{method} at {version}: {error}") from None
    _hold(same == result, f"{method} at {version} holds what that version has not")
    if method == "tools/call" and result.get("isError"):
        _hold(result["content"][0]["text"].startswith("Error"), "an error's text that does not say so")


def _check_canary(response: Mapping[str, Any], answers: list[dict[str, Any]]) -> None:
    """Check that nothing of the input comes back but what may: see `_without_what_may_be_said`."""
    is_preflight = response["statusCode"] == 204
    for name, value in response["headers"].items():
        _hold(CANARY not in value or (is_preflight and name == "Access-Control-Allow-Headers"), f"input in {name}")
    if CANARY not in response["body"]:
        return
    for answer in answers:
        said = json.dumps(_without_what_may_be_said(answer))
        _hold(CANARY not in said, f"input in the answer: {said[:300]}")


def _without_what_may_be_said(answer: Mapping[str, Any]) -> Any:
    """Return *answer* without its id, an error's `uri` or `requested`, a progress token, and what a call returns."""
    rest = {key: value for key, value in answer.items() if key != "id"}
    if "method" in rest:
        return {key: value for key, value in rest["params"].items() if key != "progressToken"}
    if "error" in rest:
        data = rest["error"].get("data", {})
        may = MAY_REPEAT.get(rest["error"]["code"])
        return {**rest["error"], "data": {key: value for key, value in data.items() if key != may}}
    result = rest["result"]
    if result.get("isError"):
        return result
    return {key: value for key, value in result.items() if key not in RETURNED}


def _check_log() -> None:
    """Check that what is logged of a call is ours; the client's name alone is its own, in harmless characters."""
    for context in calls():
        said = [context.method, context.tool, context.outcome, context.protocol_version, context.all_changes()]
        _hold(CANARY not in json.dumps(said), f"input in the log: {said}")
        _hold(context.outcome != "crash", "a crash")
        _hold("".join(context.client).isprintable(), "a client's name that breaks a line")
