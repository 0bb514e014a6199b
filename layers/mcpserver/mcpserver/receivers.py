"""The default receivers: each call is logged, counted and, where X-Ray is on, traced.

Never an argument, a header or a secret: ids, names, counts and durations.
"""

import logging
import time
from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from aws_lambda_powertools import Logger
from aws_lambda_powertools.logging.utils import copy_config_to_registered_loggers
from pydantic_core import to_json

from mcpserver.context import CallContext
from mcpserver.embedded_metrics import write_metrics
from mcpserver.receiver_settings import ReceiverSettings
from mcpserver.server import MCPServerBase
from mcpserver.signals import mcpserver_called, mcpserver_tool_called

LIBRARY_LOGGERS: Final = frozenset({"mcpserver", "functions", "governance"})
"""Loggers of the modules below a room's `app.py`: they write through its Powertools logger."""


def connect_default_receivers(server: MCPServerBase, environ: Mapping[str, str]) -> None:
    """Log, count and trace the calls of *server*, as *environ* says."""
    settings = ReceiverSettings.model_validate(dict(environ))
    # Powertools' own serializer takes half of a line's time.
    logger = Logger(service=settings.service, json_serializer=_to_json)
    for name in LIBRARY_LOGGERS:
        logging.getLogger(name)
    copy_config_to_registered_loggers(source_logger=logger, include=set(LIBRARY_LOGGERS))
    mcpserver_called.connect(CallLog(logger), sender=server, weak=False)
    mcpserver_called.connect(QuirkMetrics(settings), sender=server, weak=False)
    mcpserver_tool_called.connect(ToolMetrics(settings), sender=server, weak=False)
    if settings.tracing == "Active":
        mcpserver_tool_called.connect(ToolTrace(), sender=server, weak=False)


def _to_json(record: dict[str, Any]) -> str:
    return to_json(record, fallback=str, inf_nan_mode="null").decode()


class CallLog:
    """Writes one line for each request and notification."""

    def __init__(self, logger: Logger) -> None:
        self._logger = logger

    def __call__(self, server: MCPServerBase, *, context: CallContext, outcome: str, duration_s: float) -> None:
        """Log who called what, how it ended and how long it took."""
        principal = context.principal
        client_name, client_version = context.client
        self._logger.info(
            "mcp call",
            extra={
                "request_id": context.request_id,
                "trace_id": context.trace_id or None,
                "server": server.name,
                "method": context.method,
                "tool": context.tool or None,
                "outcome": outcome,
                "duration_ms": round(duration_s * 1000, 3),
                "protocol_version": context.protocol_version,
                "client": client_name,
                "client_version": client_version,
                "principal": None if principal is None else principal.principal_id,
                "normalised": [f"{method} {kind}".strip() for method, kind in context.all_changes()] or None,
            },
        )


class ToolMetrics:
    """Counts tool calls and errors and times them: `ToolCalls`, `ToolErrors`, `ToolDuration` by server and tool."""

    def __init__(self, settings: ReceiverSettings) -> None:
        self._settings = settings

    def __call__(
        self,
        server: MCPServerBase,
        *,
        context: CallContext,  # noqa: ARG002 -- a receiver's shape
        tool: str,
        outcome: str,
        duration_s: float,
    ) -> None:
        """Write one record."""
        values = {"ToolCalls": 1, "ToolErrors": int(outcome != "ok"), "ToolDuration": round(duration_s * 1000, 3)}
        write_metrics(self._settings, {"server": server.name, "tool": tool}, values)


class QuirkMetrics:
    """Counts what was put right for hosts: `Normalised` by server and quirk."""

    def __init__(self, settings: ReceiverSettings) -> None:
        self._settings = settings

    def __call__(
        self,
        server: MCPServerBase,
        *,
        context: CallContext,
        outcome: str,  # noqa: ARG002 -- a receiver's shape
        duration_s: float,  # noqa: ARG002 -- a receiver's shape
    ) -> None:
        """Write one record for each quirk."""
        if not context.changes and not context.transport.changes:
            return
        for kind, count in Counter(kind.partition(":")[0] for _, kind in context.all_changes()).items():
            write_metrics(self._settings, {"server": server.name, "quirk": kind}, {"Normalised": count})


class ToolTrace:
    """Adds a subsegment for each tool call to the function's X-Ray trace."""

    def __init__(self) -> None:
        # The X-Ray SDK and its botocore come in a layer that is attached only where tracing is on.
        from aws_lambda_powertools import Tracer  # noqa: PLC0415

        self._recorder: Any = Tracer(auto_patch=False).provider

    def __call__(
        self, server: MCPServerBase, *, context: CallContext, tool: str, outcome: str, duration_s: float
    ) -> None:
        """Record the call as having begun *duration_s* ago."""
        now_s = time.time()
        subsegment = self._recorder.begin_subsegment(f"tool {tool}")
        if subsegment is None:
            return
        subsegment.start_time = now_s - duration_s
        subsegment.put_annotation("server", server.name)
        subsegment.put_annotation("outcome", outcome)
        subsegment.put_annotation("request_id", context.request_id)
        if context.trace_id:
            subsegment.put_annotation("w3c_trace_id", context.trace_id)
        self._recorder.end_subsegment(now_s)
