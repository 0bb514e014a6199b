"""Runs the built functions under the real Lambda Runtime Interface Emulator (RIE), without Docker.

SAM ships the emulator; the runtime client is AWS's (awslambdaric). An emulator takes one request at a time: two at once
crash it. So each function has a small pool, filled when it is needed.
"""

import http.client
import queue
import socket
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from local.errors import FunctionError, FunctionTimeoutError, ToolError
from local.function import Function
from local.function_output import readable
from local.ports import Ports
from local.runtime import answer_from, event_payload, function_variables

MAX_INSTANCES = 4
"""Of one function, side by side: as many as two cores bear."""

_START_WITHIN_S = 10.0
_PATH = "/2015-03-31/functions/function/invocations"
_STARTS = 3
"""Another program may take a port between its choice and its use: then others are tried."""

_ports = Ports()


@dataclass(frozen=True, slots=True)
class Build:
    """Where the built functions, the runtime's packages and the emulator are."""

    artefacts: Path
    runtime_packages: Path
    emulator: Path
    variables: Mapping[str, str]
    """What every function gets besides its own environment."""


def find_emulator(sam_environment: Path, architecture: str) -> Path:
    """Return the emulator that SAM ships.

    Raises:
        ToolError: it is not there.
    """
    name = f"lib/python3.13/site-packages/samcli/local/rapid/aws-lambda-rie-{architecture}"
    emulator = sam_environment / name
    if not emulator.exists():
        raise ToolError("SAM's Runtime Interface Emulator is missing: remove .venv-sam and try again.")
    return emulator


class Instance:
    """One emulator with one function in it: what a Lambda instance is."""

    def __init__(self, function: Function, build: Build, reports: deque[str]) -> None:
        """Start it.

        Raises:
            FunctionError: it did not start.
        """
        self._timeout_s = function.timeout_s + 5
        self._reports = reports
        self.port, self._runtime_port = _ports.take(), _ports.take()
        command = [str(build.emulator), "--log-level", "info"]
        command += ["--runtime-interface-emulator-address", f"127.0.0.1:{self.port}"]
        # Named too: by default it listens on every interface of the machine.
        command += ["--runtime-api-address", f"127.0.0.1:{self._runtime_port}"]
        command += [sys.executable, "-S", "-m", "awslambdaric", function.handler]
        root = build.artefacts / function.logical_id
        try:
            self.process = subprocess.Popen(
                command,
                cwd=root,
                env=_environment(function, build, root),
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
        except OSError as error:
            self._give_ports_back()
            raise FunctionError(f"The emulator of {function.logical_id} cannot be started.") from error
        self._reader = threading.Thread(target=self._read_output, args=(self.process.stdout,), daemon=True)
        self._reader.start()
        self._wait_until_it_listens()

    def invoke(self, payload: bytes) -> Any:
        """Hand one event in and return the answer; an instance that gives none is at its end.

        Raises:
            FunctionError: the function crashed, or its answer is too large or not JSON.
            FunctionTimeoutError: it did not end in time.
        """
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=self._timeout_s)
        try:
            connection.request("POST", _PATH, payload, {"Content-Type": "application/json"})
            response = connection.getresponse()
            return _answer(response.status, response.read())
        except (OSError, http.client.HTTPException) as error:
            self.close()
            raise FunctionError("The emulator ended.") from error
        finally:
            connection.close()

    def is_running(self) -> bool:
        """Tell whether the emulator can take another event."""
        return self.process.poll() is None

    def close(self) -> None:
        """End the emulator, and with it the function's process."""
        self.process.terminate()
        try:
            self.process.wait(3)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self._reader.join(3)
        if self.process.stdout:
            self.process.stdout.close()
        self._give_ports_back()

    def _give_ports_back(self) -> None:
        _ports.give_back(self.port)
        _ports.give_back(self._runtime_port)

    def _read_output(self, output: IO[str]) -> None:
        """Pass on what the function prints; keep the platform's reports."""
        for line in output:
            text = line.rstrip("\n")
            if text.startswith("REPORT ") or "(rapid) INIT REPORT(" in text:
                self._reports.append(text.partition("(rapid) ")[2] or text)
            elif "(rapid)" not in text and not text.startswith(("START RequestId", "END RequestId")):
                shown = readable(text)
                if shown:
                    print(shown, file=sys.stderr, flush=True)

    def _wait_until_it_listens(self) -> None:
        deadline_s = time.monotonic() + _START_WITHIN_S
        while time.monotonic() < deadline_s and self.is_running():
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.01)
        has_ended = not self.is_running()
        self.close()
        raise _EndedAtStartError if has_ended else FunctionError("The emulator did not start.")


class _EndedAtStartError(FunctionError):
    """The emulator ended before it listened: another program may have taken its port."""

    def __init__(self) -> None:
        super().__init__("The emulator ended at its start.")


@dataclass
class _Pool:
    """The instances of one function."""

    places: threading.BoundedSemaphore = field(default_factory=lambda: threading.BoundedSemaphore(MAX_INSTANCES))
    idle: "queue.LifoQueue[Instance]" = field(default_factory=queue.LifoQueue)


class EmulatorRuntime:
    """Calls functions through emulators, each of which is started when no other is free."""

    def __init__(self, build: Build) -> None:
        self._build = build
        self._pools: dict[str, _Pool] = {}
        self.instances: list[Instance] = []
        self._lock = threading.Lock()
        self.reports: deque[str] = deque(maxlen=100)
        """The platform's latest REPORT and INIT REPORT lines, in order."""

    def invoke(self, function: Function, event: Mapping[str, Any], *, invoked_arn: str, request_id: str) -> Any:  # noqa: ARG002 - the emulator makes its own
        """Hand the event to a free instance."""
        return self.invoke_payload(function, event_payload(event))

    def invoke_payload(self, function: Function, payload: bytes) -> Any:
        """Hand the bytes of an event to a free instance."""
        with self._lock:
            pool = self._pools.setdefault(function.name, _Pool())
        with pool.places:
            instance = self._take(pool, function)
            try:
                return instance.invoke(payload)
            finally:
                if instance.is_running():
                    pool.idle.put(instance)
                else:
                    self._forget(instance)

    def close(self) -> None:
        """End every emulator."""
        for instance in [*self.instances]:
            self._forget(instance)

    def _take(self, pool: _Pool, function: Function) -> Instance:
        while not pool.idle.empty():
            instance = pool.idle.get()
            if instance.is_running():
                return instance
            self._forget(instance)
        instance = self._start(function)
        with self._lock:
            self.instances.append(instance)
        return instance

    def _start(self, function: Function) -> Instance:
        for _ in range(_STARTS - 1):
            with suppress(_EndedAtStartError):
                return Instance(function, self._build, self.reports)
        return Instance(function, self._build, self.reports)

    def _forget(self, instance: Instance) -> None:
        with self._lock:
            if instance in self.instances:
                self.instances.remove(instance)
        instance.close()


def _answer(status: int, payload: bytes) -> Any:
    text = payload[:200].decode("utf-8", "replace")
    if text.startswith("Task timed out after"):
        raise FunctionTimeoutError(text)
    answer = answer_from(payload)
    said = answer if isinstance(answer, dict) else {}
    if status != 200 or ("errorType" in said and "statusCode" not in said):
        raise FunctionError(str(said.get("errorMessage", text)), kind=str(said.get("errorType", f"status {status}")))
    return answer


def _environment(function: Function, build: Build, root: Path) -> dict[str, str]:
    """Only what Lambda would set: nothing of this process's environment."""
    layers = [build.artefacts / layer / "python" for layer in function.layer_ids]
    return {
        "PATH": "/usr/bin:/bin",
        "LANG": "en_US.UTF-8",
        **function_variables(function),
        **build.variables,
        "AWS_LAMBDA_FUNCTION_TIMEOUT": str(function.timeout_s),
        "LAMBDA_TASK_ROOT": str(root),
        "PYTHONPATH": ":".join(map(str, [root, *layers, build.runtime_packages])),
    }
