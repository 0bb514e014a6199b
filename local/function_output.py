"""What functions print, made readable: a JSON log line becomes one short line, a metric none."""

import io
import json
import sys
import threading
from typing import Any, TextIO

_DULL = {
    *(
        "level",
        "location",
        "message",
        "name",
        "timestamp",
        "service",
        "cold_start",
        "function_name",
        "function_memory_size",
    ),
    *("function_arn", "function_request_id", "xray_trace_id", "exception_name", "stack_trace", "exception"),
}
"""Fields that say nothing on a laptop, or that have a place of their own in the line."""


class _Pending(threading.local):
    """The line that a thread has begun: requests run side by side, their lines must not run together."""

    text = ""


class FunctionOutput(io.TextIOBase):
    """Stands in for `sys.stdout` while functions run: what they print goes to *target*, whole lines only."""

    def __init__(self, target: TextIO) -> None:
        self._target = target
        self._pending = _Pending()

    def writable(self) -> bool:
        """Return True: this is where functions write."""
        return True

    def write(self, text: str) -> int:
        """Take *text*, and pass on each line that it ends."""
        *lines, self._pending.text = (self._pending.text + text).split("\n")
        for line in lines:
            shown = readable(line)
            if shown:
                self._target.write(shown + "\n")
        return len(text)

    def flush(self) -> None:
        """Flush what was passed on."""
        self._target.flush()


def readable(line: str) -> str:
    """Return a log line as a person reads it: Powertools' JSON shortened, metrics (EMF) dropped, the rest as it is."""
    try:
        entry = json.loads(line)
    except (RecursionError, ValueError):
        return line
    if not isinstance(entry, dict) or "message" not in entry:
        return "" if isinstance(entry, dict) and "_aws" in entry else line
    return "\n".join(_parts(entry))


def redirect_stdout() -> None:
    """From now on, what is printed in this process goes to stderr, shortened."""
    sys.stdout = FunctionOutput(sys.stderr)


def _parts(entry: dict[str, Any]) -> list[str]:
    fields = " ".join(f"{name}={value}" for name, value in entry.items() if name not in _DULL and value is not None)
    head = f"    {entry.get('level', 'INFO')} {entry.get('service', '')}: {entry['message']} {fields}".rstrip()
    trace = entry.get("exception")
    return [head, *([trace] if isinstance(trace, str) else [])]
