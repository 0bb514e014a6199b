"""The same server over stdin and stdout, one JSON text a line, for hosts that start a command.

Source: MCP basic/transports, stdio.
"""

import sys
from typing import TextIO

from mcpserver.context import TransportContext
from mcpserver.errors import ParseError
from mcpserver.jsonrpc import parse_body, to_wire
from mcpserver.server import MCPServerBase


def serve_stdio(server: MCPServerBase, source: TextIO | None = None, sink: TextIO | None = None) -> None:
    """Answer each line of *source* on *sink* until it ends.

    Nothing but protocol goes to stdout: whatever a tool prints meanwhile goes to stderr.
    """
    lines, out = source or sys.stdin, sink or sys.stdout
    stdout, sys.stdout = sys.stdout, sys.stderr
    try:
        for line in lines:
            if line.strip():
                _answer(server, line, out)
    finally:
        sys.stdout = stdout


def _answer(server: MCPServerBase, line: str, out: TextIO) -> None:
    def write(message: object) -> None:
        out.write(to_wire(message) + "\n")
        out.flush()

    try:
        payload = parse_body(line.encode("utf-8", "surrogatepass"))
    except ParseError as error:
        write(server.dump(server.error(None, error.code, error.message)))
        return
    body = server.exchange(payload, TransportContext(notify=write)).body
    if body is not None:
        write(body)
