"""`make invoke EVENT=events/<room>/<case>.json`: one event under the real runtime, from the built function."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from local.emulator import EmulatorRuntime
from local.errors import FunctionError, ToolError
from local.function import Function, functions_of
from local.template import Template


@dataclass(frozen=True, slots=True)
class Invocation:
    """What came of one event."""

    answer: str
    """Indented JSON, or the error's text."""
    is_answered: bool
    reports: list[str]
    """The platform's INIT REPORT and REPORT lines."""


def invoke(event: Path, template: Template, make_runtime: Callable[[], EmulatorRuntime]) -> Invocation:
    """Run the function of the folder that *event* is in; the runtime is made once all else is right.

    Raises:
        ToolError: no such event, or no function of that room.
    """
    payload = event_bytes(event)
    function = function_of_room(event.resolve().parent.name, template)
    runtime = make_runtime()
    try:
        answer = json.dumps(runtime.invoke_payload(function, payload), indent=2, ensure_ascii=False)
        is_answered = True
    except FunctionError as error:
        answer, is_answered = f"{type(error).__name__}: {error}", False
    finally:
        runtime.close()
    # Read once it is closed: the platform prints its report after the answer has left.
    return Invocation(answer, is_answered, list(runtime.reports))


def function_of_room(room: str, template: Template) -> Function:
    """Return the function whose handler is in `functions/<room>`.

    Raises:
        ToolError: there is none; says which rooms there are.
    """
    rooms = {name: function for function in functions_of(template).values() if (name := _room(function))}
    if room not in rooms:
        raise ToolError(f"There is no room {room}: an event's folder is one of {', '.join(sorted(rooms))}.")
    return rooms[room]


def event_bytes(path: Path) -> bytes:
    """Return an event file's JSON, checked.

    Raises:
        ToolError: it is not there, or not JSON.
    """
    try:
        event: Any = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ToolError(f"{path} cannot be read: {error.strerror}.") from error
    except ValueError as error:
        raise ToolError(f"{path} is not JSON: {error}.") from error
    return json.dumps(event).encode()


def _room(function: Function) -> str:
    parts = function.handler.split(".")
    return parts[1] if len(parts) == 4 else ""
