"""The gateway over a real socket: routes, stages, limits, time-outs, the connection itself."""

import asyncio
import http.client
import json
import logging
import socket
from collections.abc import Iterator
from typing import Any

import pytest

from local.gateway import MAX_REQUEST_BYTES
from local.runtime import MAX_PAYLOAD_BYTES
from tests.local.served import Server, serving


@pytest.fixture(scope="module")
def impatient() -> Iterator[Server]:
    """A gateway that waits a fifth of a second for its functions."""
    with serving(integration_timeout_s=0.2) as found:
        yield found


def exchange(server: Server, sent: bytes) -> tuple[int, bytes]:
    """Send bytes as they are, and return status and body of the answer."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as connection:
        connection.sendall(sent)
        response = http.client.HTTPResponse(connection)
        response.begin()
        return response.status, response.read()


def test_a_route_is_served_with_and_without_the_stage(server: Server) -> None:
    """API Gateway: the default domain has the stage first, a custom domain has none."""
    bare, staged = server.event("POST", "/echo"), server.event("POST", "/live/echo")
    assert (bare["path"], bare["requestContext"]["path"]) == ("/echo", "/echo")
    assert (staged["path"], staged["requestContext"]["path"]) == ("/echo", "/live/echo")
    assert bare["resource"] == staged["resource"] == "/echo"


def test_a_trailing_slash_reaches_the_same_route(server: Server) -> None:
    """SPEC 2.3: hosts add one."""
    assert server.call("POST", "/echo/").status == 200


def test_a_literal_path_wins_over_a_parameter(server: Server) -> None:
    """API Gateway, proxy resources."""
    assert server.event("GET", "/items/latest")["resource"] == "/items/latest"
    assert server.event("GET", "/items/a%20b")["pathParameters"] == {"id": "a b"}
    assert server.event("PATCH", "/files/a/b.txt")["pathParameters"] == {"path": "a/b.txt"}


@pytest.mark.parametrize(
    "path", ["/.well-known/oauth-protected-resource", "/register", "/", "/live", "/nowhere", "/files/"]
)
def test_an_unknown_path_is_the_templates_404(server: Server, path: str) -> None:
    """API Gateway calls it MISSING_AUTHENTICATION_TOKEN; the template makes it a 404 with JSON."""
    answer = server.call("GET", path)
    assert (answer.status, answer.headers["Content-Type"]) == (404, "application/json")
    assert answer.json() == {"url": "https://example.com"}


def test_a_method_that_a_path_lacks_is_the_same_404(server: Server) -> None:
    """API Gateway: without an any-method, an unknown method is an unknown route."""
    assert server.call("DELETE", "/items/1").status == 404


def test_a_request_over_10_mb_is_413(server: Server) -> None:
    """API Gateway quotas, payload size."""
    assert server.call("POST", "/echo", b"x" * (MAX_REQUEST_BYTES + 1)).status == 413


def test_an_event_over_6_mb_is_413_and_an_answer_over_6_mb_is_502(server: Server) -> None:
    """Lambda quotas, invocation payload."""
    assert server.call("POST", "/echo", b"x" * (MAX_PAYLOAD_BYTES + 1)).status == 413
    assert server.post("/echo", {"size": MAX_PAYLOAD_BYTES + 1}).status == 502


def test_text_that_is_not_ascii_counts_in_utf8_bytes(server: Server) -> None:
    """Lambda's runtime writes UTF-8: 3.7 MB of CJK fit, though their escapes would take 7.4 MB."""
    characters = 3_700_000 // 3
    answer = server.post("/echo", {"size": characters, "of": "語"})
    assert (answer.status, len(answer.body)) == (200, 3 * characters)
    event = json.dumps({"size": 1, "padding": "語" * characters}, ensure_ascii=False).encode()
    assert server.call("POST", "/echo", event).status == 200
    assert server.call("POST", "/echo", "語".encode() * (MAX_PAYLOAD_BYTES // 3)).status == 413


@pytest.mark.parametrize(
    ("path", "order", "why"),
    [
        ("/echo", {"raise": "a secret"}, "EchoFunction failed: FunctionError: ValueError"),
        ("/echo", {"exit": 3}, "EchoFunction failed: FunctionError: SystemExit"),
        ("/echo", {"cancel": True}, "EchoFunction failed: FunctionError: CancelledError"),
        ("/echo", {"answer": "text"}, "EchoFunction failed: MalformedResponseError: "),
        ("/echo", {"answer": {"status": 200}}, "EchoFunction failed: MalformedResponseError: "),
        ("/echo", {"size": MAX_PAYLOAD_BYTES}, "EchoFunction failed: FunctionError: The answer is over 6 MB."),
        ("/hasty", {"wait": True}, "HastyFunction failed: FunctionTimeoutError: Task timed out after 1 seconds"),
        ("/broken", {}, "BrokenFunction failed: FunctionError: RuntimeError"),
    ],
)
def test_a_function_that_fails_is_502_and_only_the_log_says_why(
    server: Server, caplog: pytest.LogCaptureFixture, path: str, order: object, why: str
) -> None:
    """API Gateway: Internal server error, shaped by DEFAULT_5XX. One line: the class, never what was raised."""
    answer = server.post(path, order)
    assert (answer.status, answer.json()) == (502, {"default": 5})
    (line,) = [record.getMessage() for record in caplog.records if " failed: " in record.getMessage()]
    assert line.startswith(why)
    assert "secret" not in line


@pytest.mark.parametrize("order", [{"exit": 0}, {"cancel": True}])
def test_a_function_cannot_end_the_gateway(server: Server, order: object) -> None:
    """Our own choice: on Lambda `sys.exit()` ends one instance, and the next request finds another."""
    assert server.post("/echo", order).status == 502
    assert server.post("/echo", {}).status == 200


def test_a_function_slower_than_the_gateway_waits_is_504(impatient: Server) -> None:
    """API Gateway quotas, integration timeout: 29 s; here a fifth of one."""
    answer = impatient.post("/echo", {"wait": True})
    assert (answer.status, answer.json()) == (504, {"default": 5})


@pytest.mark.anyio
async def test_a_request_that_the_end_cuts_short_is_answered_with_json(server: Server) -> None:
    """Uvicorn cancels what runs a second after SIGTERM, and would say a bare 500 itself."""
    is_read = asyncio.Event()
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        is_read.set()
        return {"type": "http.request", "body": b'{"wait": true}'}

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {"method": "POST", "raw_path": b"/echo", "query_string": b"", "headers": []}
    task = asyncio.ensure_future(server.served.app(scope, receive, send))
    await is_read.wait()
    task.cancel()
    await task
    assert (sent[0]["status"], json.loads(sent[1]["body"])) == (503, {"default": 5})


def test_a_slow_request_does_not_hold_up_another(server: Server) -> None:
    """Lambda runs as many instances as there are requests."""
    with socket.create_connection(("127.0.0.1", server.port)) as slow:
        slow.sendall(b'POST /hasty HTTP/1.1\r\nHost: x\r\nContent-Length: 14\r\n\r\n{"wait": true}')
        assert server.post("/echo", {}).status == 200


def test_a_caller_that_leaves_midway_calls_no_function(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    """Half a body is no request."""
    with caplog.at_level(logging.INFO, "local.access"):
        with socket.create_connection(("127.0.0.1", server.port)) as connection:
            connection.sendall(b"POST /echo?half HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\n{}")
        assert server.post("/echo", {}).status == 200
    assert [record.getMessage().split()[2] for record in caplog.records if record.name == "local.access"] == ["200"]


def test_head_has_headers_and_no_body(server: Server) -> None:
    """RFC 9110, 9.3.2."""
    answer = server.call("HEAD", "/echo")
    assert (answer.status, answer.headers["Allow"], answer.body) == (405, "POST", b"")


def test_a_chunked_body_arrives_whole(server: Server) -> None:
    """RFC 9112, 7.1: some clients do not say how long their body is."""
    sent = b"POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"
    _, body = exchange(server, sent)
    event = json.loads(body)["event"]
    assert event["body"] == "{}"
    assert "transfer-encoding" not in event["headers"]


def test_a_caller_that_waits_for_100_continue_gets_it(server: Server) -> None:
    """RFC 9110, 10.1.1: curl asks for it before a large body."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as connection:
        connection.sendall(b"POST /echo HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
        assert connection.recv(64).startswith(b"HTTP/1.1 100")
        connection.sendall(b"{}")
        assert b"200 OK" in connection.recv(64)


def test_an_offer_to_upgrade_is_ignored(server: Server) -> None:
    """Java's HTTP client offers h2c on its first request."""
    offer = b"Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n"
    status, _ = exchange(server, b"POST /echo HTTP/1.1\r\nHost: x\r\n" + offer + b"Content-Length: 2\r\n\r\n{}")
    assert status == 200


def test_a_connection_is_kept_for_the_next_request(server: Server) -> None:
    """RFC 9112, 9.3."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port)
    ports = set()
    for _ in range(3):
        connection.request("POST", "/echo", b"{}")
        connection.getresponse().read()
        ports.add(connection.sock.getsockname()[1])
    connection.close()
    assert len(ports) == 1


def test_each_answer_names_its_request(server: Server) -> None:
    """AWS: support asks for these two."""
    answer = server.post("/echo", {})
    assert answer.headers["x-amzn-RequestId"] == answer.json()["event"]["requestContext"]["requestId"]
    assert answer.headers["x-amz-apigw-id"] == answer.json()["event"]["requestContext"]["extendedRequestId"]


def test_a_request_is_one_log_line_without_its_secrets(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    """STYLE, logs: keys travel in queries, headers and bodies."""
    with caplog.at_level(logging.INFO, "local.access"):
        server.post("/echo?key=secret1", {"key": "secret2"}, {"X-Key": "secret3"})
    line = next(record.getMessage() for record in caplog.records if record.name == "local.access")
    assert line.startswith("POST /echo 200 ")
    assert "secret" not in caplog.text


def test_the_context_is_lambdas(server: Server) -> None:
    """AWS Lambda Developer Guide, the context object."""
    context = server.post("/echo", {}).json()["context"]
    assert context["arn"] == "arn:aws:lambda:us-east-1:123456789012:function:EchoFunction:live"
    assert (context["function"], context["memory"]) == ("EchoFunction", "256")
    assert 28_000 < context["remaining_ms"] <= 29_000


def test_a_function_has_its_environment_from_the_template(server: Server) -> None:
    """The template's intrinsics are resolved."""
    assert server.post("/echo", {}).json()["greeting"] == "hello, us-east-1"
