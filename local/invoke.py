"""`make invoke EVENT=events/<room>/<case>.json`: one event under the real runtime, from the built function.

A function whose variables name a table, a queue or a secret gets the embedded AWS, made and seeded as `make run` does.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

from local.authorization import UNAUTHORIZED, is_authorizer_event
from local.embedded_aws import EmbeddedAws, function_needs_aws
from local.errors import FunctionError, ToolError
from local.function import Function, functions_of, room_of
from local.invoked_answer import is_failure
from local.local_variables import ACCOUNT_VARIABLES, SEARCH_VARIABLES
from local.placeholder_key import with_key
from local.runtime import Runtime
from local.template import Template


class ReportingRuntime(Runtime, Protocol):
    """Runs functions, and keeps what the platform says of each run."""

    @property
    def reports(self) -> Iterable[str]:
        """The platform's INIT REPORT and REPORT lines."""


REQUEST_ID: Final = "00000000-0000-0000-0000-000000000001"

type RuntimeMaker = Callable[[Mapping[str, str]], ReportingRuntime]
"""Makes a runtime from the variables that every function gets."""


@dataclass(frozen=True, slots=True)
class Invocation:
    """What came of one event."""

    answer: str
    """Indented JSON, or the error's text."""
    is_answered: bool
    """False after a crash, and where the answer says that the function itself went wrong."""
    reports: list[str]
    """The platform's INIT REPORT and REPORT lines."""


def invoke(path: Path, template: Template, make_runtime: RuntimeMaker) -> Invocation:
    """Run the function of the folder that the event at *path* is in; the runtime is made once all else is right.

    Raises:
        ToolError: no such event, or no function of that room.
    """
    event = read_event(path)
    logical_id = function_for(path.resolve().parent.name, event, template).logical_id
    with _surroundings(template, logical_id) as (variables, key):
        # After the seeding: its environment names what was made.
        function = next(found for found in functions_of(template).values() if found.logical_id == logical_id)
        runtime = make_runtime({**ACCOUNT_VARIABLES, **SEARCH_VARIABLES, **variables})
        try:
            answer, is_answered = _answer(runtime, function, with_key(event, key))
        finally:
            runtime.close()
    # Read once it is closed: the platform prints its report after the answer has left.
    return Invocation(answer, is_answered, list(runtime.reports))


def function_for(room: str, event: Any, template: Template) -> Function:
    """Return the function whose handler is in `functions/<room>`; of two, the one that takes such an event.

    Raises:
        ToolError: there is none; says which rooms there are.
    """
    rooms: dict[str, list[Function]] = {}
    for function in functions_of(template).values():
        if name := room_of(function):
            rooms.setdefault(name, []).append(function)
    if room not in rooms:
        raise ToolError(f"There is no room {room}: an event's folder is one of {', '.join(sorted(rooms))}.")
    is_batch = isinstance(event, dict) and "Records" in event
    fitting = [function for function in rooms[room] if _has_queue(function, template) == is_batch]
    return (fitting or rooms[room])[0]


def read_event(path: Path) -> Any:
    """Return an event file's JSON.

    Raises:
        ToolError: it is not there, or not JSON.
    """
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ToolError(f"{path} cannot be read: {error.strerror}.") from error
    except ValueError as error:
        raise ToolError(f"{path} is not JSON: {error}.") from error


def _has_queue(function: Function, template: Template) -> bool:
    """Tell whether a queue's messages go to *function*."""
    mappings = template.resources("AWS::Lambda::EventSourceMapping")
    called = (str(template.resolver.resolve(mapping["Properties"]["FunctionName"])) for _, mapping in mappings)
    return any(f":function:{function.name}:" in f"{arn}:" for arn in called)


@contextmanager
def _surroundings(template: Template, logical_id: str) -> Iterator[tuple[Mapping[str, str], str]]:
    """Give the variables of an embedded AWS and the key that it knows; nothing to a function that needs none."""
    if not function_needs_aws(template, logical_id):
        yield {}, ""
        return
    from local.run_key import seed_run_key  # noqa: PLC0415 -- only a function with state pays for it

    aws = EmbeddedAws()
    try:
        aws.seed(template)
        yield aws.variables, seed_run_key(aws, template)
    finally:
        aws.close()


def _answer(runtime: Runtime, function: Function, event: Any) -> tuple[str, bool]:
    try:
        answer = runtime.invoke(function, event, invoked_arn="", request_id=REQUEST_ID)
    except FunctionError as error:
        if is_authorizer_event(event) and str(error) == UNAUTHORIZED:
            return f"{UNAUTHORIZED}: API Gateway answers 401 to this.", True
        return f"{type(error).__name__}: {error}", False
    return json.dumps(answer, indent=2, ensure_ascii=False), not is_failure(answer)
