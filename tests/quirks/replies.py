"""One raw HTTP request of the corpus over a real socket, and what came back.

Source: HOSTS.md, first paragraph: what the members of `sends` mean.
"""

import base64
import http.client
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from tests.quirks.keys import FREE_KEY, UNLIMITED_KEY

type Sends = Mapping[str, Any]
"""A case's `sends`."""

CHUNK_BYTES = 65_536


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer, as it came over the socket."""

    status: int
    headers: Mapping[str, str]
    """Names in lower case."""
    body: str

    def json(self) -> Any:
        """Return the body's JSON, of its last event where it is a stream."""
        if self.headers.get("content-type", "").startswith("text/event-stream"):
            return self.events()[-1]
        return json.loads(self.body)

    def events(self) -> list[Any]:
        """Return the JSON of each event."""
        data = [line.removeprefix("data: ") for line in self.body.splitlines() if line.startswith("data:")]
        return [json.loads(text) for text in data]


type AnswerTo = Callable[[Mapping[str, Any]], Reply]
"""Takes a case of the corpus and gives its answer."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where the requests of the corpus go."""

    port: int
    path: str = "/mcp"
    """What the corpus's `/mcp` is here."""
    key: str = UNLIMITED_KEY
    """What its key is here: one without limit."""
    limited_key: str = FREE_KEY
    """For a case that repeats its request past the limit."""

    def send(self, sends: Sends) -> Reply:
        """Send the request that *sends* is, as often as it says, on one connection; return the last answer."""
        *_, last = self.send_all(sends)
        return last

    def send_all(self, sends: Sends) -> Iterator[Reply]:
        """Yield the answer to each repetition."""
        count = sends.get("repeat", 1)
        key = self.key if count == 1 else self.limited_key
        with closing(_Connection("127.0.0.1", self.port, timeout=20)) as connection:
            for _ in range(count):
                _write(connection, sends, self._here(sends["path"]), key)
                response = connection.getresponse()
                headers = {name.lower(): value for name, value in response.getheaders()}
                yield Reply(response.status, headers, response.read().decode())

    def _here(self, path: str) -> str:
        head, found, tail = path.partition("/mcp")
        # `/.well-known/.../mcp` and the like are not the endpoint.
        return f"{self.path}{tail}" if found and not head and tail[:1] in ("", "/", "?") else path

    def post(self, message: Any, **headers: str | None) -> Reply:
        """POST *message* as the corpus's hosts do; *headers* add to the usual ones, `_` for `-`, None removes."""
        usual = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        usual["Authorization"] = f"Bearer {UNLIMITED_KEY}"
        more = {name.replace("_", "-").title(): value for name, value in headers.items()}
        sent = {name: value for name, value in {**usual, **more}.items() if value is not None}
        return self.send({"method": "POST", "path": "/mcp", "headers": sent, "body": json.dumps(message)})

    def call(self, tool: str, arguments: Any, **headers: str | None) -> Any:
        """Call *tool* and return the result."""
        params = {"name": tool, "arguments": arguments}
        reply = self.post({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}, **headers)
        return reply.json()["result"]


def body_of(sends: Sends) -> bytes | None:
    """Return the body, None where the request has none."""
    if "body_b64" in sends:
        return base64.b64decode(sends["body_b64"])
    if "body_repeat" in sends:
        before, unit, count, after = sends["body_repeat"]
        return f"{before}{unit * count}{after}".encode()
    if "chunks" in sends:
        return "".join(sends["chunks"]).encode()
    return sends["body"].encode() if "body" in sends else None


class _Connection(http.client.HTTPConnection):
    """A connection that can speak HTTP/1.0, where a case says so."""

    def speak(self, version: str) -> None:
        """Say *version*, "1.1" or "1.0", in the requests that follow."""
        self._http_vsn_str = f"HTTP/{version}"


def _write(connection: _Connection, sends: Sends, path: str, key: str) -> None:
    headers: Mapping[str, Any] = sends["headers"]
    connection.speak(str(sends.get("http", "1.1")).removeprefix("HTTP/"))
    names = {name.lower() for name in headers}
    connection.putrequest(
        sends["method"], path.replace(UNLIMITED_KEY, key), skip_host="host" in names, skip_accept_encoding=True
    )
    for name, value in headers.items():
        for one in value if isinstance(value, list) else [value]:
            connection.putheader(name, one.replace(UNLIMITED_KEY, key))
    body = body_of(sends)
    if body is not None and not names & {"content-length", "transfer-encoding"}:
        connection.putheader("Content-Length", str(len(body)))
    connection.endheaders()
    if "chunks" in sends:
        for chunk in [*sends["chunks"], ""]:
            content = chunk.encode()
            connection.send(b"%x\r\n%b\r\n" % (len(content), content))
    elif body:
        # A server that has seen enough may stop reading a large body: its answer is there all the same.
        for start in range(0, len(body), CHUNK_BYTES):
            connection.send(body[start : start + CHUNK_BYTES])
