"""`make stdio SERVER=<room>`: one server over stdin and stdout, which carries nothing but the protocol.

A server whose function needs tables has the embedded AWS for as long as its host keeps it running. No key comes over
stdio: whoever starts the command is the caller, under the plan `unlimited`.
"""

import ast
import importlib
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from local.embedded_aws import EmbeddedAws, function_needs_aws
from local.errors import ToolError
from local.function import functions_of, room_of
from local.local_variables import ACCOUNT_VARIABLES, LOCAL_VARIABLES
from local.template import Template, load_template

if TYPE_CHECKING:
    from mcpserver import Principal
    from mcpserver.context import TransportContext

CALLER: Final = "stdio"
"""The principal's id: what stands in the place of a key's in the audit rows."""

TEAM: Final = "local"
"""As of the key of `make run`."""


class KnownCaller:
    """A server as `serve_stdio` uses it, told who calls."""

    def __init__(self, server: Any, principal: "Principal") -> None:
        self._server = server
        self._principal = principal
        self.disabled_quirks = server.disabled_quirks

    def exchange(self, payload: Any, transport: "TransportContext") -> Any:
        """Answer *payload* in the caller's name."""
        transport.principal = self._principal
        return self._server.exchange(payload, transport)


def serve_room(room: str, template_path: Path) -> None:
    """Serve `functions.<room>.app.server` until standard input ends.

    Raises:
        ToolError: there is no such server; says which there are.
        TemplateError: template.yaml cannot be read.
    """
    rooms = servers(template_path.parent / "functions")
    if room not in rooms:
        raise ToolError(
            f"No server {room!r} speaks over stdio. Choose one of {', '.join(rooms)}: make stdio SERVER=lab."
        )
    template = load_template(template_path, cache=template_path.parent / ".cache" / "template")
    logical_id = _function_with_state(room, template)
    if not logical_id:
        _serve(room, {})
        return
    aws = EmbeddedAws()
    try:
        aws.seed(template)
        # After the seeding: its environment names what was made.
        function = next(found for found in functions_of(template).values() if found.logical_id == logical_id)
        _serve(room, {**function.environment, **LOCAL_VARIABLES, **aws.variables}, principal=_caller(room))
    finally:
        aws.close()


def servers(functions: Path) -> list[str]:
    """Return the rooms whose `app.py` makes a `server`, in order, without importing any."""
    return sorted(path.parent.name for path in functions.glob("*/app.py") if "server" in _assigned(path))


def _assigned(path: Path) -> set[str]:
    """Return the names that a module's own statements assign."""
    statements = ast.parse(path.read_text(encoding="utf-8")).body
    targets = [target for statement in statements if isinstance(statement, ast.Assign) for target in statement.targets]
    targets += [statement.target for statement in statements if isinstance(statement, ast.AnnAssign)]
    return {target.id for target in targets if isinstance(target, ast.Name)}


def _function_with_state(room: str, template: Template) -> str:
    """Return the logical id of the room's function if it needs the embedded AWS; else ""."""
    found = (function.logical_id for function in functions_of(template).values() if room_of(function) == room)
    return next((logical_id for logical_id in found if function_needs_aws(template, logical_id)), "")


def _caller(room: str) -> "Principal":
    from governance.policies import Plan, TeamPolicy, principal_limits  # noqa: PLC0415 -- for a server with state only
    from mcpserver import Principal  # noqa: PLC0415 -- the same

    limits = principal_limits(Plan(), TeamPolicy())
    return Principal(CALLER, frozenset({room}), {"key_id": CALLER, "team": TEAM, "plan": "unlimited", **limits})


def _serve(room: str, variables: Mapping[str, str], *, principal: "Principal | None" = None) -> None:
    os.environ.update({**ACCOUNT_VARIABLES, "POWERTOOLS_SERVICE_NAME": room, **variables})
    protocol = sys.stdout
    # Whatever a tool or a logger prints must not reach the host, which reads stdout as JSON-RPC.
    sys.stdout = sys.stderr
    server: Any = importlib.import_module(f"functions.{room}.app").server
    from mcpserver import serve_stdio  # noqa: PLC0415 - after the redirection: it sets up loggers

    sys.stdout = protocol
    served: Any = KnownCaller(server, principal) if principal else server
    serve_stdio(served)
