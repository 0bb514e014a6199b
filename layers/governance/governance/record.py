"""The audit rows of one tool call: its own, and one for each step of a pipeline."""

import uuid
from collections.abc import Mapping
from typing import Any, NamedTuple

from governance.audit import UNKNOWN_TOOL, AuditRow, Outcome, digest_of, time_text
from governance.call import GovernedCall, Step
from mcpserver import CallContext
from mcpserver.http_status import status_of


class Ending(NamedTuple):
    """How a call ended, beside its answer."""

    charged: int
    """Tokens that the month was charged."""
    now_s: float


def structured_of(answer: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the structured content of a successful result; empty where there is none."""
    result = answer.get("result", {})
    structured = {} if result.get("isError") else result.get("structuredContent", {})
    return structured if isinstance(structured, Mapping) else {}


def rows_of(context: CallContext, call: GovernedCall, answer: Mapping[str, Any], ending: Ending) -> list[AuditRow]:
    """Return the rows of the call that *answer* answers, the call's own first."""
    own = _own_row(context, call, answer, ending)
    return [own, *(_step_row(own, number, step) for number, step in enumerate(call.steps, 1))]


def _own_row(context: CallContext, call: GovernedCall, answer: Mapping[str, Any], ending: Ending) -> AuditRow:
    principal = context.principal
    if principal is None:
        raise ValueError("A governed call has a principal.")
    client_name, client_version = context.client
    digest, size = digest_of(context.params.get("arguments", {}))
    code = answer.get("error", {}).get("code")
    return AuditRow(
        row_id=call.row_id,
        time=time_text(call.started_s),
        request_id=context.request_id,
        key_id=principal.principal_id,
        team=principal.attributes.get("team", ""),
        client_name=client_name,
        client_version=client_version,
        protocol_version=context.protocol_version,
        tool=call.tool or UNKNOWN_TOOL,
        argument_digest=digest,
        argument_bytes=size,
        normalisations=tuple(f"{method} {kind}".strip() for method, kind in context.all_changes()),
        outcome=_outcome(call, answer),
        wall=call.wall,
        latency_ms=round((ending.now_s - call.started_s) * 1000, 1),
        **_spent(structured_of(answer)),
        tokens_charged=ending.charged,
        budget_left=call.tokens_left() if call.is_counted else None,
        http_status=200 if code is None else status_of(code, is_modern=context.is_modern),
    )


def _step_row(own: AuditRow, number: int, step: Step) -> AuditRow:
    digest, size = digest_of(dict(step.arguments))
    return own.model_copy(
        update={
            "row_id": uuid.uuid4().hex,
            "parent_id": own.row_id,
            "step": number,
            "time": time_text(step.started_s),
            "tool": step.tool,
            "argument_digest": digest,
            "argument_bytes": size,
            "normalisations": (),
            "outcome": step.outcome,
            "wall": step.wall,
            "latency_ms": round(step.duration_s * 1000, 1),
            "tokens_charged": 0,
            "cache": "",
            "tokens_in": 0,
            "tokens_out": 0,
            "tokens_saved": 0,
            **_spent(step.structured),
        }
    )


def _outcome(call: GovernedCall, answer: Mapping[str, Any]) -> Outcome:
    if call.wall:
        return "refused"
    if "error" in answer:
        return "rpc_error"
    # A pipeline that stopped is a result with what it found until then, and no success.
    has_stopped = any(step.outcome != "ok" for step in call.steps)
    return "tool_error" if has_stopped or answer["result"].get("isError") else "ok"


def _spent(structured: Mapping[str, Any]) -> dict[str, Any]:
    """The columns that a tool's result fills."""
    counts = {name: structured.get(name) for name in ("tokens_in", "tokens_out", "tokens_saved")}
    found: dict[str, Any] = {name: count for name, count in counts.items() if type(count) is int}
    return {**found, "cache": structured["cache"]} if structured.get("cache") in ("hit", "miss") else found
