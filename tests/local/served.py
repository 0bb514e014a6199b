"""Serves a template on a loopback port for the length of a test, and calls it over a real socket."""

import http.client
import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from local.gateway import INTEGRATION_TIMEOUT_S
from local.reload import listen
from local.runtime import InProcessRuntime
from local.samples import Samples
from local.serve import RuntimeMaker, Served, prepare, run_until
from local.template import load_template

PROJECT = Path(__file__).parent / "project"


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back over the socket."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes

    def json(self) -> Any:
        """Return the body's JSON."""
        return json.loads(self.body)


@dataclass(frozen=True, slots=True)
class Server:
    """A served template."""

    port: int
    served: Served

    def call(self, method: str, path: str, body: Any = None, headers: Mapping[str, str] | None = None) -> Answer:
        """Send one request on a connection of its own; a body that is not bytes goes as JSON."""
        content = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            connection.request(method, path, content, dict(headers or {}))
            response = connection.getresponse()
            return Answer(response.status, response.headers, response.read())
        finally:
            connection.close()

    def post(self, path: str, body: Any = None, headers: Mapping[str, str] | None = None) -> Answer:
        """POST JSON."""
        return self.call("POST", path, body, {"Content-Type": "application/json", **(headers or {})})

    def event(
        self, method: str, path: str, body: Any = None, headers: Mapping[str, str] | None = None
    ) -> dict[str, Any]:
        """Return the event that the echo function was given."""
        found: dict[str, Any] = self.call(method, path, body, headers).json()["event"]
        return found


@contextmanager
def serving(
    template: Path = PROJECT / "template.yaml",
    *,
    parameters: Mapping[str, str] | None = None,
    make_runtime: RuntimeMaker = InProcessRuntime,
    integration_timeout_s: float = INTEGRATION_TIMEOUT_S,
    samples: Samples | None = None,
    principal: str = "",
) -> Iterator[Server]:
    """Serve *template* in this process until the block ends."""
    loaded = load_template(template, parameters)
    served = prepare(
        loaded,
        make_runtime=make_runtime,
        integration_timeout_s=integration_timeout_s,
        samples=samples,
        principal=principal,
    )
    stop = threading.Event()
    with listen(0) as listener:
        thread = threading.Thread(target=run_until, args=(served.app, listener, stop.wait))
        thread.start()
        try:
            yield Server(listener.getsockname()[1], served)
        finally:
            stop.set()
            thread.join()
            served.close()
