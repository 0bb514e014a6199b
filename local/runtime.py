"""Calls functions: in this process, from their source, as the Lambda runtime would.

Differs from Lambda in one way that a handler can see: requests run side by side in threads of one process.
"""

import importlib
import json
import os
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Protocol

from local.authorization import UNAUTHORIZED, is_authorizer_event
from local.crashes import crash_as_function_error
from local.errors import FunctionError, MalformedResponseError, PayloadTooLargeError
from local.function import Function
from local.intrinsics import REGION
from local.lambda_context import context_for

MAX_PAYLOAD_BYTES = 6 * 1024 * 1024
"""Of an event and of an answer. Source: Lambda quotas, "Invocation payload, synchronous"."""

type Handler = Callable[[Any, Any], Any]


class Runtime(Protocol):
    """Runs functions."""

    def invoke(self, function: Function, event: Mapping[str, Any], *, invoked_arn: str, request_id: str) -> Any:
        """Return the function's answer, as JSON values.

        Raises:
            FunctionError: it crashed, timed out, or its event or answer is too large.
        """

    def close(self) -> None:
        """Release what the runtime holds."""


def event_payload(event: Mapping[str, Any]) -> bytes:
    """Return the bytes of an event.

    Raises:
        PayloadTooLargeError: Lambda would not take it.
    """
    payload = _json(event)
    if len(payload) > MAX_PAYLOAD_BYTES:
        raise PayloadTooLargeError("The event is over 6 MB.")
    return payload


def answer_from(payload: bytes) -> Any:
    """Return the JSON values of a function's answer.

    Raises:
        FunctionError: Lambda would not send it on.
    """
    if len(payload) > MAX_PAYLOAD_BYTES:
        raise FunctionError("The answer is over 6 MB.")
    try:
        return json.loads(payload)
    except ValueError as error:
        raise MalformedResponseError("The answer is not JSON.") from error


class InProcessRuntime:
    """Imports each function's handler once, and calls it in the caller's thread."""

    def __init__(self, variables: Mapping[str, str]) -> None:
        self.variables = dict(variables)
        self._handlers: dict[str, Handler] = {}
        self._importing = threading.Lock()

    def load(self, function: Function) -> Handler:
        """Return the function's handler, imported with the function's environment.

        A module that fails is tried again at the next call, as Lambda does with a failed INIT.

        Raises:
            FunctionError: the import failed; the traceback is in the log.
        """
        with self._importing:
            if function.name not in self._handlers:
                self._handlers[function.name] = self._import(function)
            return self._handlers[function.name]

    def invoke(self, function: Function, event: Mapping[str, Any], *, invoked_arn: str, request_id: str) -> Any:
        """Call the handler with a fresh copy of *event*."""
        payload = event_payload(event)
        handler = self.load(function)
        refusal = UNAUTHORIZED if is_authorizer_event(event) else None
        with crash_as_function_error(f"{function.logical_id} raised", refusal=refusal):
            answer = handler(json.loads(payload), context_for(function, invoked_arn, request_id))
        try:
            content = _json(answer)
        except (TypeError, ValueError) as error:
            raise MalformedResponseError(f"The answer is not JSON ({type(error).__name__}).") from error
        return answer_from(content)

    def close(self) -> None:
        """Nothing is held."""

    def _import(self, function: Function) -> Handler:
        module, _, name = function.handler.rpartition(".")
        for folder in (*function.layers, function.import_root):
            if str(folder) not in sys.path:
                sys.path.insert(0, str(folder))
        variables = {**function_variables(function), **self.variables}
        with _environment(variables), crash_as_function_error(f"{function.handler} cannot be imported"):
            handler: Handler = getattr(importlib.import_module(module), name)
        return handler


def function_variables(function: Function) -> dict[str, str]:
    """Return the environment that Lambda and the template give a function.

    Source: AWS Lambda Developer Guide, "Defined runtime environment variables".
    """
    return {
        "_HANDLER": function.handler,
        "AWS_DEFAULT_REGION": REGION,
        "AWS_EXECUTION_ENV": "AWS_Lambda_python3.13",
        "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": str(function.memory_mb),
        "AWS_LAMBDA_FUNCTION_NAME": function.name,
        "AWS_LAMBDA_FUNCTION_VERSION": "1",
        "AWS_REGION": REGION,
        "LAMBDA_TASK_ROOT": str(function.import_root),
        "TZ": ":UTC",
        **function.environment,
    }


@contextmanager
def _environment(variables: Mapping[str, str]) -> Iterator[None]:
    """Set environment variables while a function's modules are imported: that is when `Settings` are read.

    All others stay as they are throughout: handlers that run meanwhile in other threads read them.
    """
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _json(value: Any) -> bytes:
    """Return the bytes that Lambda counts: its runtime writes UTF-8, not the escapes of ASCII."""
    return json.dumps(value, ensure_ascii=False).encode()
