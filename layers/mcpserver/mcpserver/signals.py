"""What a server tells about its work: blinker signals, and how they are sent.

Receivers log, count, trace and audit; the default ones are in `receivers.py`. A receiver that fails is logged and
never breaks an answer.
"""

import logging
from collections.abc import Callable
from typing import Any

from blinker import NamedSignal

from mcpserver.containment import Crash, contain

logger = logging.getLogger(__name__)

mcpserver_called = NamedSignal("mcpserver_called", doc="A valid notification or request was answered.")
"""Sent with `context` (`CallContext`), `duration_s` and `outcome`: `ok`, `tool_error`, `rpc_error`, `input_required` or
`crash`."""

mcpserver_tool_called = NamedSignal("mcpserver_tool_called", doc="A tool call ended, well or not.")
"""Sent with `context` (`CallContext`), `tool` (its name), `outcome` and `duration_s`."""


def send(signal: NamedSignal, sender: object, **payload: Any) -> None:
    """Send *signal* to each receiver of *sender*; one that fails does not keep the others from it."""
    if not signal.receivers:
        return
    for receiver in signal.receivers_for(sender):
        _deliver(receiver, sender, payload)


def _deliver(receiver: Callable[..., Any], sender: object, payload: dict[str, Any]) -> None:
    outcome = contain(lambda: receiver(sender, **payload))
    if isinstance(outcome, Crash):
        outcome.log(logger, "a receiver failed")
