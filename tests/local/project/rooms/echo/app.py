"""Does what the body says: `{"answer": ...}` verbatim, `{"raise": text}`, `{"exit": 3}`, `{"wait": true}`."""

import asyncio
import json
import os
import sys
import threading
from typing import Any

release = threading.Event()
"""Ends the waiting that `{"wait": true}` asked for."""

GREETING = os.environ.get("GREETING")


def lambda_handler(event: dict[str, Any], context: Any) -> Any:
    """Do what the body says."""
    order = _order(event)
    if "raise" in order:
        raise ValueError(order["raise"])
    if "exit" in order:
        sys.exit(order["exit"])
    if "cancel" in order:
        raise asyncio.CancelledError
    if "wait" in order:
        release.wait(10)
    if "answer" in order:
        return order["answer"]
    if "size" in order:
        return {"statusCode": 200, "body": order.get("of", "x") * order["size"]}
    return {"statusCode": 200, "body": json.dumps({"event": event, "context": _context(context), "greeting": GREETING})}


def _order(event: dict[str, Any]) -> dict[str, Any]:
    try:
        order = json.loads(event["body"] or "{}")
    except ValueError:
        return {}
    return order if isinstance(order, dict) else {}


def _context(context: Any) -> dict[str, Any]:
    return {
        "arn": context.invoked_function_arn,
        "function": context.function_name,
        "memory": context.memory_limit_in_mb,
        "request_id": context.aws_request_id,
        "remaining_ms": context.get_remaining_time_in_millis(),
    }
