"""One audit row: who called which tool, how it ended and what it cost. Never a key, an argument or a result.

Source: GATEWAY.md, "Governance" (the columns).
"""

import hashlib
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field
from pydantic_core import to_json

type Outcome = Literal["ok", "tool_error", "rpc_error", "refused"]

OUTCOMES: Final = ("ok", "tool_error", "rpc_error", "refused")

UNKNOWN_TOOL: Final = "unknown"
"""Stands for a name that is no tool's: it is the client's own text."""

_TIME: Final = re.compile(r"\d{4}-\d{2}-\d{2}(T\d{2}(:\d{2}(:\d{2}(\.\d{1,3})?)?)?)?Z?")


class AuditRow(BaseModel):
    """A tool call, or a step of a pipeline."""

    model_config = ConfigDict(frozen=True)

    row_id: str
    time: str = Field(description="UTC, to the millisecond, when the call came.")
    request_id: str = Field(description="Lambda's id of the invocation.")
    parent_id: str = Field("", description="The row of the pipeline that this was a step of.")
    step: int = Field(0, description="Which of its steps, from 1; 0: no step.")
    key_id: str = Field(description="Never the key.")
    team: str
    client_name: str = ""
    client_version: str = ""
    protocol_version: str = ""
    tool: str
    argument_digest: str = Field(description="SHA-256 of the arguments as canonical JSON, before any repair.")
    argument_bytes: int
    normalisations: tuple[str, ...] = ()
    outcome: Outcome
    wall: str = Field("", description="The limit that a refused call ran into, or what refused it.")
    latency_ms: float
    tokens_in: int = 0
    tokens_out: int = 0
    tokens_saved: int = 0
    tokens_charged: int = Field(0, description="What the month's budget was charged.")
    budget_left: int | None = Field(
        None, description="Tokens of the month after this call; none where there is no limit, or it is not known."
    )
    cache: str = Field("", description="`hit` or `miss`, where the tool has a cache.")
    http_status: int

    @classmethod
    def from_item(cls, item: Mapping[str, Any]) -> Self:
        """Return the row that `AuditTable` stored as *item*."""
        return cls.model_validate({name: value for name, value in item.items() if name in cls.model_fields})


def time_text(now_s: float) -> str:
    """Return the Unix time *now_s* as the rows have it: `2026-11-30T23:10:09.123Z`."""
    return datetime.fromtimestamp(now_s, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def check_time(text: str) -> str:
    """Return *text*, the beginning of a row's time, without its Z.

    Raises:
        ValueError: it is none.
    """
    if not _TIME.fullmatch(text):
        raise ValueError("A time is given in UTC, as 2026-11-30 or 2026-11-30T23:10.")
    return text.removesuffix("Z")


def digest_of(arguments: Any) -> tuple[str, int]:
    """Return the SHA-256 of *arguments* as canonical JSON, and its size in bytes. What is no JSON has neither."""
    text = to_json(_sorted(arguments), inf_nan_mode="constants", fallback=lambda _value: None)
    return hashlib.sha256(text).hexdigest(), len(text)


def _sorted(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(name): _sorted(value[name]) for name in sorted(value, key=str)}
    return [_sorted(item) for item in value] if isinstance(value, list) else value
