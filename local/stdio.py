"""`make stdio SERVER=<room>`: one server over stdin and stdout, which carries nothing but the protocol."""

import importlib
import os
import sys
from pathlib import Path
from typing import Any

from local.errors import ToolError
from local.local_variables import ACCOUNT_VARIABLES


def serve_room(room: str, functions: Path) -> None:
    """Serve `functions.<room>.app.server` until standard input ends.

    Raises:
        ToolError: there is no such server; says which there are.
    """
    rooms = sorted(path.parent.name for path in functions.glob("*/app.py"))
    if room not in rooms:
        raise ToolError(f"There is no server {room!r}. Choose one of {', '.join(rooms)}: make stdio SERVER=lab.")
    os.environ.update({**ACCOUNT_VARIABLES, "POWERTOOLS_SERVICE_NAME": room})
    protocol = sys.stdout
    # Whatever a tool or a logger prints must not reach the host, which reads stdout as JSON-RPC.
    sys.stdout = sys.stderr
    server: Any = getattr(importlib.import_module(f"functions.{room}.app"), "server", None)
    if server is None:
        raise ToolError(f"functions/{room}/app.py has no server: it does not speak MCP.")
    from mcpserver import serve_stdio  # noqa: PLC0415 - after the redirection: it sets up loggers

    sys.stdout = protocol
    serve_stdio(server)
