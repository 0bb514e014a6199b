"""The same server over stdin and stdout, one JSON text a line, for hosts that start a command.

Source: MCP basic/transports, stdio.
"""

import sys
from typing import BinaryIO

from mcpserver.body import read_body
from mcpserver.context import TransportContext
from mcpserver.errors import ParseError
from mcpserver.jsonrpc import to_wire
from mcpserver.server import MCPServerBase
from mcpserver.wire import error_to_wire


def serve_stdio(server: MCPServerBase, source: BinaryIO | None = None, sink: BinaryIO | None = None) -> None:
    """Answer each line of *source* on *sink* until it ends.

    Nothing but protocol goes to stdout: whatever a tool prints meanwhile goes to stderr.
    """
    lines, out = source or sys.stdin.buffer, sink or sys.stdout.buffer
    stdout, sys.stdout = sys.stdout, sys.stderr
    try:
        for line in lines:
            if line.strip():
                _answer(server, line, out)
    finally:
        sys.stdout = stdout


def _answer(server: MCPServerBase, line: bytes, out: BinaryIO) -> None:
    def write(message: object) -> None:
        out.write(to_wire(message).encode() + b"\n")
        out.flush()

    try:
        payload, changes = read_body(line, is_modern=False, disabled=server.disabled_quirks)
    except ParseError as error:
        write(error_to_wire(None, error))
        return
    body = server.exchange(payload, TransportContext(notify=write, changes=changes)).body
    if body is not None:
        write(body)
