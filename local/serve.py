"""The serving process: template.yaml and its functions behind one socket, until its standard input closes."""

import logging
import os
import socket
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import uvicorn

from local.api import Api, api_of
from local.asgi import Application, application
from local.banner import welcome
from local.embedded_aws import EmbeddedAws, needs_aws
from local.errors import FunctionError, TemplateError
from local.event_sources import EventSources
from local.function import Function, functions_of
from local.function_output import redirect_stdout
from local.gateway import INTEGRATION_TIMEOUT_S, Gateway
from local.kept_state import forget, keep, restore
from local.local_variables import LOCAL_VARIABLES
from local.routes import Route
from local.running import remember
from local.runtime import InProcessRuntime, Runtime, function_variables
from local.template import Template, load_template

if TYPE_CHECKING:
    from local.samples import Samples

LOCAL_DISCOVERY_RATE = "rate(1 minute)"
"""Instead of the deployed template's hour: a developer waits for it."""

type RuntimeMaker = Callable[[Mapping[str, str]], Runtime]
"""Makes a runtime from the variables that every function gets."""


@dataclass(frozen=True, slots=True)
class Served:
    """A template that is ready to be served."""

    app: Application
    api: Api
    functions: Mapping[str, Function]
    runtime: Runtime
    aws: EmbeddedAws | None
    sources: EventSources
    samples: "Samples | None"
    key: str
    """What opens the servers that want a key; "" where the template has none."""
    notes: list[str]
    """What the banner should add."""

    def close(self) -> None:
        """Stop what was started for it."""
        self.sources.close()
        self.runtime.close()
        if self.samples:
            self.samples.close()
        if self.aws:
            self.aws.close()


def prepare(
    template: Template,
    *,
    make_runtime: RuntimeMaker = InProcessRuntime,
    integration_timeout_s: float = INTEGRATION_TIMEOUT_S,
    samples: "Samples | None" = None,
    principal: str = "",
) -> Served:
    """Make the application of *template*, the embedded AWS included if it has anything to hold.

    Args:
        template: what is served.
        make_runtime: makes what runs the functions.
        integration_timeout_s: how long a request waits for a function.
        samples: servers on loopback that functions may call.
        principal: who calls a route without an authorizer; "" is nobody.

    Raises:
        TemplateError: the template holds what cannot be served here.
    """
    api = api_of(template)
    aws = EmbeddedAws() if needs_aws(template) else None
    try:
        made, key = _seed(aws, template)
        # After the seeding: their environments name what was made.
        functions = functions_of(template)
        _check_targets(api, functions)
        runtime = make_runtime(_variables(aws, samples))
        sources = EventSources(template, functions, runtime, lambda: aws.client("sqs") if aws else None)
    except BaseException:
        if aws:
            aws.close()
        raise
    gateway = Gateway(api, functions, runtime, integration_timeout_s=integration_timeout_s, principal=principal)
    notes = [*_aws_notes(aws, made, template, samples)]
    notes += [f"Whoever calls a route without an authorizer is taken for {principal}."] if principal else []
    return Served(application(gateway), api, functions, runtime, aws, sources, samples, key, notes)


@dataclass(frozen=True, slots=True)
class Options:
    """How the serving process runs, as `make run` was told."""

    make_runtime: RuntimeMaker = InProcessRuntime
    is_first: bool = True
    """Greet."""
    has_samples: bool = False
    principal: str = ""


def serve(template_path: Path, listener: socket.socket, options: Options) -> None:
    """Serve *template_path* on *listener* until standard input closes.

    Raises:
        TemplateError: the template holds what cannot be served here.
    """
    _set_up_logs()
    redirect_stdout()
    url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    parameters = {"PublicUrl": url, "DiscoveryRate": LOCAL_DISCOVERY_RATE}
    template = load_template(template_path, parameters, cache=template_path.parent / ".cache" / "template")
    samples = _samples() if options.has_samples else None
    served = prepare(template, make_runtime=options.make_runtime, samples=samples, principal=options.principal)
    is_first = options.is_first
    try:
        if isinstance(served.runtime, InProcessRuntime):
            _import_functions(served, served.runtime)
        if served.aws:
            remember(served.aws, template, samples)
            _begin_with_state(served.aws, template, samples, is_first=is_first)
        served.sources.start()
        print(
            welcome(served.api, url, served.key, served.notes) if is_first else "Serving again.",
            file=sys.stderr,
            flush=True,
        )
        run_until(served.app, listener, sys.stdin.buffer.read)
    finally:
        try:
            if served.aws:
                keep(served.aws, template)
        finally:
            served.close()


def _begin_with_state(aws: EmbeddedAws, template: Template, samples: "Samples | None", *, is_first: bool) -> None:
    if is_first:
        # One that is killed keeps nothing: the next must not begin with what another run has left.
        forget()
        return
    restore(aws, template)
    if samples:
        # They listen elsewhere now.
        samples.connect(aws, template)


def _seed(aws: EmbeddedAws | None, template: Template) -> tuple[list[str], str]:
    """Make what the template declares, and return its logical ids and the key that opens the servers with keys."""
    if aws is None:
        return [], ""
    from local.run_key import seed_run_key  # noqa: PLC0415 -- only a template with state pays for it

    return aws.seed(template), seed_run_key(aws, template)


def _variables(aws: EmbeddedAws | None, samples: "Samples | None") -> dict[str, str]:
    """Return what every function gets here."""
    return {**LOCAL_VARIABLES, **(aws.variables if aws else {}), **(samples.variables if samples else {})}


def _aws_notes(
    aws: EmbeddedAws | None, made: list[str], template: Template, samples: "Samples | None"
) -> Iterator[str]:
    """Yield what the banner says of the embedded AWS; the samples' connections go into it now."""
    if aws is None:
        return
    yield f"Embedded AWS on {aws.url}: {', '.join(made)}."
    if samples:
        yield samples.connect(aws, template)


def _samples() -> "Samples":
    from local.samples import Samples  # noqa: PLC0415 -- the layer's import is for whoever wants them

    return Samples()


def run_until(app: Application, listener: socket.socket, wait: Callable[[], object]) -> None:
    """Serve *app* until *wait*, called in a thread, returns."""
    config = uvicorn.Config(
        app,
        http="h11",
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=1,
    )
    server = uvicorn.Server(config)

    def stop() -> None:
        wait()
        server.should_exit = True

    threading.Thread(target=stop, daemon=True, name="stop").start()
    server.run(sockets=[listener])


def _check_targets(api: Api, functions: Mapping[str, Function]) -> None:
    for route in api.routes.all:
        for name in _called_by(route, api):
            if name not in functions:
                raise TemplateError(
                    f"{route.method} {route.path} calls {name}, which is not a function of the template."
                )


def _called_by(route: Route, api: Api) -> Iterator[str]:
    """Yield the names of a route's function and of its authorizer's."""
    if route.function_name:
        yield route.function_name
    if route.authorizer:
        yield api.authorizers[route.authorizer].target.function_name


def _import_functions(served: Served, runtime: InProcessRuntime) -> None:
    """Import the handlers now, so that a mistake shows at once and not at the first request."""
    os.environ.update({**_agreed_variables(served.functions), **runtime.variables})
    routed = {name for route in served.api.routes.all for name in _called_by(route, served.api)}
    for name in sorted(routed | served.sources.function_names):
        try:
            runtime.load(served.functions[name])
        except FunctionError:
            what = "its routes answer 5xx" if name in routed else "its schedule or queue waits"
            print(f"{name}: {what} until that is mended.", file=sys.stderr, flush=True)


def _agreed_variables(functions: Mapping[str, Function]) -> dict[str, str]:
    """Return the variables that have one value in all functions: those can stay set after the imports."""
    every = [function_variables(function) for function in functions.values()]
    shared = set.intersection(*(set(variables.items()) for variables in every)) if every else set()
    return dict(shared)


def _set_up_logs() -> None:
    """One line a record on stderr; the gateway speaks from INFO, libraries from WARNING."""
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(message)s")
    logging.getLogger("local").setLevel(logging.INFO)
    # It warns of each `Upgrade: h2c`, which API Gateway ignores in silence.
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)
