"""`run` as a user has it: a process that starts again when the code changes, and leaves nothing behind."""

import http.client
import os
import queue
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from local.reload import Restarts

PROJECT = Path(__file__).parents[2]

TEMPLATE = """
Transform: AWS::Serverless-2016-10-31
Parameters: {Stage: {Type: String, Default: prod}}
Resources:
  HelloFunction:
    Type: AWS::Serverless::Function
    Metadata: {BuildProperties: {ParentPackageMode: explicit, ParentPackages: functions.hello}}
    Properties:
      Runtime: python3.13
      CodeUri: functions/hello/
      Handler: functions.hello.app.lambda_handler
      Events:
        Post: {Type: Api, Properties: {RestApiId: !Ref Api, Path: /hello/mcp, Method: post}}
  Api: {Type: AWS::Serverless::Api, Properties: {StageName: !Ref Stage}}
"""

GUARDED_TEMPLATE = TEMPLATE.replace(
    "StageName: !Ref Stage",
    "StageName: !Ref Stage, "
    "Auth: {DefaultAuthorizer: Guard, Authorizers: {Guard: {FunctionArn: !GetAtt GuardFunction.Arn}}}",
)
GUARDED_TEMPLATE += """
  GuardFunction:
    Type: AWS::Serverless::Function
    Metadata: {BuildProperties: {ParentPackageMode: explicit, ParentPackages: functions.guard}}
    Properties: {Runtime: python3.13, CodeUri: functions/guard/, Handler: functions.guard.app.lambda_handler}
"""

HANDLER = """
def lambda_handler(event, context):
    print("a line of the function")
    return {"statusCode": 200, "body": "%s"}
"""


@dataclass
class Run:
    """A running `python -m local run`."""

    process: subprocess.Popen[str]
    port: int
    lines: "queue.Queue[str]" = field(default_factory=queue.Queue)
    reader: threading.Thread = field(init=False)
    """Ends when no process holds stderr open any more."""

    def __post_init__(self) -> None:
        self.reader = threading.Thread(target=self._read)
        self.reader.start()

    def _read(self) -> None:
        for line in self.process.stderr or ():
            self.lines.put(line)

    def wait_for(self, text: str) -> str:
        """Return the next line on stderr that holds *text*."""
        while True:
            line = self.lines.get(timeout=20)
            if text in line:
                return line

    def post(self, path: str = "/hello/mcp") -> tuple[int, str]:
        """Return status and body of one request."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        connection.request("POST", path, b"{}")
        response = connection.getresponse()
        found = response.status, response.read().decode()
        connection.close()
        return found


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with one function."""
    room = tmp_path / "functions" / "hello"
    room.mkdir(parents=True)
    (tmp_path / "functions" / "__init__.py").touch()
    (tmp_path / "template.yaml").write_text(TEMPLATE)
    (room / "app.py").write_text(HANDLER % "one")
    return tmp_path


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def running(project: Path) -> Iterator[Run]:
    """Run the local gateway of *project* until the block ends."""
    port = free_port()
    command = [sys.executable, "-m", "local", "run", "--port", str(port), "--template", str(project / "template.yaml")]
    with subprocess.Popen(command, cwd=PROJECT, stderr=subprocess.PIPE, text=True) as process:
        run = Run(process, port)
        try:
            yield run
        finally:
            process.terminate()
            process.wait(20)
            run.reader.join(20)


def test_run_says_how_to_connect_and_what_it_does_meanwhile(project: Path) -> None:
    """SPEC 6: one command, and a host can be connected."""
    with running(project) as run:
        run.wait_for("Reading template.yaml")
        run.wait_for(f"Serving template.yaml on http://127.0.0.1:{run.port}")
        run.wait_for(f"claude mcp add --transport http samcp-hello http://127.0.0.1:{run.port}/hello/mcp")
        assert run.post() == (200, "one")
        run.wait_for("a line of the function")
        run.wait_for("POST /hello/mcp 200")


def test_edited_code_is_served_and_a_mistake_is_shown_until_it_is_mended(project: Path) -> None:
    """The issue, 5: reloads on change."""
    code = project / "functions" / "hello" / "app.py"
    with running(project) as run:
        run.wait_for("Serving")
        code.write_text(HANDLER % "two")
        run.wait_for("app.py changed: starting again")
        run.wait_for("Serving again")
        assert run.post() == (200, "two")
        code.write_text("def lambda_handler(:\n")
        run.wait_for("SyntaxError")
        run.wait_for("Serving again")
        assert run.post()[0] == 502
        code.write_text(HANDLER % "three")
        run.wait_for("Serving again")
        assert run.post() == (200, "three")


def test_an_authorizer_that_cannot_be_imported_shows_at_the_start(project: Path) -> None:
    """Like a route's function: not at the first request."""
    guard = project / "functions" / "guard"
    guard.mkdir()
    (guard / "app.py").write_text("def lambda_handler(:\n")
    (project / "template.yaml").write_text(GUARDED_TEMPLATE)
    with running(project) as run:
        run.wait_for("functions.guard.app.lambda_handler cannot be imported")
        run.wait_for("GuardFunction: its routes answer 5xx until that is mended.")
        run.wait_for("Serving")


def test_a_template_that_breaks_waits_for_the_next_edit(project: Path) -> None:
    """While nothing can be served, callers wait: the socket stays open."""
    template = project / "template.yaml"
    with running(project) as run:
        run.wait_for("Serving")
        template.write_text("Resources: [")
        run.wait_for("is not YAML")
        run.wait_for("Not serving")
        template.write_text(TEMPLATE.replace("/hello/mcp", "/moved/mcp"))
        run.wait_for("Serving again")
        assert run.post("/moved/mcp") == (200, "one")


def test_a_serving_process_that_dies_is_started_again(project: Path) -> None:
    """A crash of the interpreter, or the kernel's out-of-memory killer, takes it away: three times, then no more."""
    dying = "import os\n\n\ndef lambda_handler(event, context):\n    os._exit(1)\n"
    code = project / "functions" / "hello" / "app.py"
    with running(project) as run:
        run.wait_for("Serving")
        code.write_text(dying)
        run.wait_for("Serving again")
        for wait_s in ("0.5", "1", "2"):
            with pytest.raises(ConnectionError):
                run.post()
            run.wait_for(f"starting again in {wait_s} s")
            run.wait_for("Serving again")
        with pytest.raises(ConnectionError):
            run.post()
        run.wait_for("Not serving: it has ended 4 times within 30 s, the next change starts it again.")
        code.write_text(HANDLER % "mended")
        run.wait_for("Serving again")
        assert run.post() == (200, "mended")


def test_restarts_are_counted_within_half_a_minute() -> None:
    """A process that dies now and then is always started again."""
    restarts = Restarts()
    assert [restarts.take(now_s) for now_s in (0, 10, 20, 29)] == [0.5, 1, 2, None]
    assert restarts.take(31) == 2
    assert [restarts.is_due(now_s) for now_s in (32.9, 33, 34)] == [False, True, False]


def test_a_template_that_cannot_be_served_ends_the_first_start(project: Path) -> None:
    """A clear sentence and an exit code, not a traceback."""
    (project / "template.yaml").write_text(
        TEMPLATE.replace("Type: AWS::Serverless::Api,", "Type: AWS::Serverless::HttpApi,")
    )
    with running(project) as run:
        assert run.process.wait(20) == 2


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_both_processes_cleanly(project: Path, number: signal.Signals) -> None:
    """Ctrl-C and `kill`: exit code 0, and the port is free again."""
    with running(project) as run:
        run.wait_for("Serving")
        run.process.send_signal(number)
        assert run.process.wait(20) == 0
        with socket.create_server(("127.0.0.1", run.port)):
            pass


def test_a_killed_parent_leaves_no_orphan(project: Path) -> None:
    """The serving process ends when its standard input closes, however that came about."""
    with running(project) as run:
        run.wait_for("Serving")
        os.kill(run.process.pid, signal.SIGKILL)
        run.reader.join(20)
        assert not run.reader.is_alive()


def test_a_taken_port_is_a_sentence(project: Path) -> None:
    """And says how to choose another."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        command = [
            sys.executable,
            "-m",
            "local",
            "run",
            "--port",
            str(port),
            "--template",
            str(project / "template.yaml"),
        ]
        result = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, timeout=20, check=False)
    assert result.returncode == 2
    assert f"Port {port} is taken" in result.stderr
    assert "Traceback" not in result.stderr
