"""The serving process: template.yaml and its functions behind one socket, until its standard input closes."""

import logging
import os
import socket
import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import uvicorn

from local.api import Api, api_of
from local.asgi import Application, application
from local.banner import welcome
from local.errors import FunctionError
from local.function import Function, functions_of
from local.function_output import redirect_stdout
from local.gateway import INTEGRATION_TIMEOUT_S, Gateway
from local.intrinsics import REGION
from local.routes import LambdaTarget
from local.runtime import InProcessRuntime, Runtime, function_variables
from local.template import Template, load_template

LOCAL_VARIABLES: Mapping[str, str] = {
    "AWS_ACCESS_KEY_ID": "local",
    "AWS_SECRET_ACCESS_KEY": "local",
    "AWS_DEFAULT_REGION": REGION,
    "AWS_REGION": REGION,
    "AWS_EC2_METADATA_DISABLED": "true",
    "POWERTOOLS_TRACE_DISABLED": "true",
    "SAMCP_ALLOWED_HOSTS": "127.0.0.1,localhost,::1",
    "SAMCP_ALLOWED_ORIGINS": "http://127.0.0.1,http://localhost",
}
"""What every function gets here, whatever the template says: no real account, and no web page but a local one."""


@dataclass(frozen=True, slots=True)
class Served:
    """A template that is ready to be served."""

    app: Application
    api: Api
    runtime: Runtime
    notes: list[str]
    """What the banner should add."""

    def close(self) -> None:
        """Stop what was started for it."""
        self.runtime.close()


def prepare(template: Template, *, integration_timeout_s: float = INTEGRATION_TIMEOUT_S) -> Served:
    """Make the application of *template*, its functions called in this process.

    Raises:
        TemplateError: the template holds what cannot be served here.
    """
    api = api_of(template)
    functions = functions_of(template)
    runtime = InProcessRuntime(LOCAL_VARIABLES)
    app = application(Gateway(api, functions, runtime, integration_timeout_s=integration_timeout_s))
    return Served(app, api, runtime, [])


def serve(template_path: Path, listener: socket.socket, *, is_first: bool) -> None:
    """Serve *template_path* on *listener* until standard input closes.

    Raises:
        TemplateError: the template holds what cannot be served here.
    """
    _set_up_logs()
    redirect_stdout()
    url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    template = load_template(template_path, {"PublicUrl": url}, cache=template_path.parent / ".cache" / "template")
    os.environ.update(LOCAL_VARIABLES)
    served = prepare(template)
    try:
        _import_functions(served, functions_of(template))
        print(welcome(served.api, url, served.notes) if is_first else "Serving again.", file=sys.stderr, flush=True)
        _run(served.app, listener)
    finally:
        served.close()


def _import_functions(served: Served, functions: Mapping[str, Function]) -> None:
    """Import the handlers now, so that a mistake shows at once and not at the first request."""
    if not isinstance(served.runtime, InProcessRuntime):
        return
    os.environ.update(_agreed_variables(functions))
    for name in sorted(
        {route.target.function_name for route in served.api.routes.all if isinstance(route.target, LambdaTarget)}
    ):
        try:
            served.runtime.load(functions[name])
        except FunctionError as error:
            print(f"{error} Its routes answer 502 until that is mended.", file=sys.stderr, flush=True)


def _agreed_variables(functions: Mapping[str, Function]) -> dict[str, str]:
    """Return the variables that have one value in all functions: those can stay set after the imports."""
    every = [function_variables(function) for function in functions.values()]
    names = {name for variables in every for name in variables} - LOCAL_VARIABLES.keys()
    values = {name: {variables.get(name) for variables in every} for name in names}
    return {name: value for name, found in values.items() if len(found) == 1 and (value := found.pop()) is not None}


def _run(app: Application, listener: socket.socket) -> None:
    config = uvicorn.Config(
        app,
        http="h11",
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=1,
    )
    server = uvicorn.Server(config)

    def stop_with_parent() -> None:
        sys.stdin.buffer.read()
        server.should_exit = True

    threading.Thread(target=stop_with_parent, daemon=True, name="parent").start()
    server.run(sockets=[listener])


def _set_up_logs() -> None:
    """One line a record on stderr; the gateway speaks from INFO, libraries from WARNING."""
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(message)s")
    logging.getLogger("local").setLevel(logging.INFO)
    # It warns of each `Upgrade: h2c`, which API Gateway ignores in silence.
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)
