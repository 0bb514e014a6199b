"""Two small MCP servers on loopback, in the place of other people's, for `make run SAMPLES=1` and the tests.

Functions may call them because this machine says so (`SAMCP_LOOPBACK_PORTS`), which no deployed function reads.
What they say of their tools can be changed while they run, in a file: that is how a user sees a quarantine.
"""

import json
import os
import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final

from guardedhttp import loopback_ports_of
from mcp_types import ListToolsResult

from local.embedded_aws import EmbeddedAws
from local.local_variables import LOCAL_VARIABLES
from local.template import Template
from mcpserver import MCPServerBase, MCPToolBase, http_handler, image, tool

TABLE: Final = "ConnectionsTable"

DESCRIPTIONS: Final = Path(__file__).parent.parent / ".cache" / "samples.json"
"""What the samples say of their tools instead, by name; it need not be there."""


class SampleServer(MCPServerBase):
    """A server whose tools may change while it runs."""

    keeps_lists = False

    def __init__(self, name: str, *tools: MCPToolBase[Any], descriptions: Path = DESCRIPTIONS) -> None:
        super().__init__(tools)
        self._name = name
        self._descriptions = descriptions

    @property
    def name(self) -> str:
        """The server's name."""
        return self._name

    def instructions(self) -> str:
        """Return what it says to models."""
        return f"A sample server: {self._name}."

    def list_tools(self, params: Mapping[str, Any]) -> ListToolsResult:
        """Return its tools, described as the file says now."""
        said = _read_descriptions(self._descriptions)
        listed = super().list_tools(params)
        tools = [
            found.model_copy(update={"description": said.get(found.name, found.description)}) for found in listed.tools
        ]
        return listed.model_copy(update={"tools": tools})

    def change(self, changed: MCPToolBase[Any]) -> None:
        """Say something else of a tool, or add one: what discovery must notice."""
        self.tools = {**self.tools, changed.name: changed}


@tool
def add_note(text: str) -> str:
    """Keep a note. Use it when the user wants something remembered."""
    return f"Kept {len(text)} characters."


@tool
def find_note(word: str) -> str:
    """Find a note by a word in it."""
    return f"No note has the word {word}."


@tool
def forecast(city: str, days: int = 1) -> str:
    """Forecast the weather of a city. Use it for the coming days only."""
    return f"{city}: sun for {days} days."


@tool
def radar(city: str) -> Any:
    """Return the rain radar of a city as an image."""
    return [f"Radar of {city}:", image(b"\x89PNG\r\n\x1a\n")]


class Samples:
    """The running servers."""

    def __init__(self, *, descriptions: Path = DESCRIPTIONS) -> None:
        """Start them; *descriptions* is a file of what they say of their tools."""
        self.servers = {
            "notes": SampleServer("notes", add_note, find_note, descriptions=descriptions),
            "weather": SampleServer("weather", forecast, radar, descriptions=descriptions),
        }
        self._opened_already = loopback_ports_of(os.environ)
        self._listeners = {name: _listen(server) for name, server in self.servers.items()}

    @property
    def ports(self) -> dict[str, int]:
        """Where each listens."""
        return {name: listener.server_address[1] for name, listener in self._listeners.items()}

    @property
    def variables(self) -> dict[str, str]:
        """What functions on this machine are told: these ports, and those that the developer has opened."""
        ports = sorted({*self.ports.values(), *self._opened_already})
        return {"SAMCP_LOOPBACK_PORTS": ",".join(map(str, ports))}

    def connect(self, aws: EmbeddedAws, template: Template) -> str:
        """Store a connection to each, and say so."""
        # Only whoever wants the samples pays for these.
        import boto3  # noqa: PLC0415
        from mcpclient import ConnectionSettings  # noqa: PLC0415
        from mcpclient.connections import ConnectionTable  # noqa: PLC0415

        credentials = {
            "aws_access_key_id": LOCAL_VARIABLES["AWS_ACCESS_KEY_ID"],
            "aws_secret_access_key": LOCAL_VARIABLES["AWS_SECRET_ACCESS_KEY"],
            "region_name": LOCAL_VARIABLES["AWS_REGION"],
        }
        dynamodb: Any = boto3.resource("dynamodb", endpoint_url=aws.url, **credentials)
        ports = frozenset(self.ports.values())
        table = ConnectionTable(dynamodb.Table(template.ids.ref(TABLE)), loopback_ports=ports)
        for name, port in self.ports.items():
            stored = {"name": name, "url": f"http://127.0.0.1:{port}/mcp", "owner": "sample"}
            table.put(ConnectionSettings.parse(stored, loopback_ports=ports))
        return f"Sample servers: {', '.join(self.ports)}. Next: make connection ARGS='approve notes'"

    def close(self) -> None:
        """Stop them."""
        for listener in self._listeners.values():
            listener.shutdown()
            listener.server_close()


def _read_descriptions(path: Path) -> dict[str, str]:
    """Return descriptions by tool; none where there is no such file, or somebody is still writing it."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, RecursionError, ValueError):
        return {}
    return {name: said for name, said in found.items() if isinstance(said, str)} if isinstance(found, dict) else {}


def _listen(server: SampleServer) -> ThreadingHTTPServer:
    handler = http_handler(server, allowed_hosts=("127.0.0.1",), default_receivers=False)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            """Answer as API Gateway would have it answered."""
            body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
            event = {"httpMethod": "POST", "path": self.path, "headers": dict(self.headers), "body": body.decode()}
            answer = handler(event, None)
            content = str(answer.get("body") or "").encode()
            self.send_response(answer["statusCode"])
            for name, value in answer.get("headers", {}).items():
                self.send_header(name, str(value))
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 -- the base's name
            """Say nothing."""

    listener = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    listener.daemon_threads = True
    threading.Thread(target=listener.serve_forever, daemon=True, name="sample").start()
    return listener
