"""A scripted model on loopback: it calls the lab's tools one after the other, then says that it is done.

It keeps nothing between requests but what it saw: how many results a request holds tells which call comes next.
"""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final, Self

from tests.interop.dialects import Conversation, dialect_of

SCRIPT: Final = (
    ("calculator", {"expression": "2 ** 10 + 5"}),
    ("calculator", {"expression": "two plus two"}),
    ("countdown", {"seconds": 2}),
)


class ModelEndpoint:
    """One host's model; `url` is where it listens."""

    def __init__(self) -> None:
        self.conversations: list[Conversation] = []
        """What each request showed, in order."""
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True, name="model").start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def answer(self, path: str, request: dict[str, Any]) -> tuple[str, bytes] | None:
        """Return content type and body, None for a path that no model has."""
        dialect = dialect_of(path)
        if dialect is None or "count" in path:
            return None
        # Gemini alone says so in the path.
        request.setdefault("stream", "streamGenerateContent" in path)
        conversation = dialect.read(request)
        self.conversations.append(conversation)
        tool, arguments = _next_call(conversation)
        return dialect.answer(request, tool, arguments)


def _next_call(conversation: Conversation) -> tuple[str, dict[str, Any] | None]:
    done = len(conversation.results)
    if done >= len(SCRIPT):
        return "", None
    suffix, arguments = SCRIPT[done]
    # A request for a title or a summary offers no tools; a host puts its own prefix before a name.
    name = next((name for name in conversation.tools if name.endswith(suffix)), "")
    return (name, arguments) if name else ("", None)


def _handler(endpoint: ModelEndpoint) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            """Answer one request to the model."""
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            answer = endpoint.answer(self.path, json.loads(body)) if body else None
            self._send(*(answer or ("application/json", b'{"input_tokens": 1, "totalTokens": 1}')))

        def do_GET(self) -> None:
            """List the one model."""
            self._send("application/json", b'{"object": "list", "data": [{"id": "scripted", "object": "model"}]}')

        def _send(self, content_type: str, body: bytes) -> None:
            self.send_response(200)
            self.send_header("Content-Type", content_type)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    return Handler
