"""`python -m tests.rehearsal`: deploy the whole template to an emulator, call it, and report; `make rehearse` calls it.

What the emulator does not do (MOCK methods, gateway responses, IAM) is proved by the local gateway and on the template;
what only AWS can show is on the list in docs/operating.md.
"""

import json
import os
import sys
import urllib.error
import urllib.request
from collections.abc import Mapping
from typing import Any, Final

import boto3

from local import activity, connection, key
from local.artefact import build_artefacts
from local.sam import machine_architecture
from tests.rehearsal.emulator import CREDENTIALS, ROOT, RehearsalError, deploy, emulator

STACK: Final = "samcp-rehearsal"
FOLDER: Final = ROOT / ".aws-sam" / "rehearsal"


class Deployed:
    """A deployed stack, and how it is called."""

    def __init__(self, url: str) -> None:
        apis = boto3.client("apigateway", endpoint_url=url).get_rest_apis()["items"]
        self._base = f"{url}/restapis/{apis[0]['id']}/prod/_user_request_"

    def post(self, path: str, message: Any, headers: Mapping[str, str] | None = None) -> tuple[int, Any]:
        """Return the status and the JSON of the answer."""
        sent = {"Content-Type": "application/json", **(headers or {})}
        request = urllib.request.Request(self._base + path, json.dumps(message).encode(), sent)  # noqa: S310 -- loopback
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310 -- loopback
                return answer.status, json.loads(answer.read())
        except urllib.error.HTTPError as refused:
            return refused.code, json.loads(refused.read() or b"null")


def call(tool: str, **arguments: Any) -> dict[str, Any]:
    """Return a tools/call."""
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}


def rehearse(url: str) -> None:
    """Deploy, and go through what a user does first.

    Raises:
        RehearsalError: something is not as it should be.
    """
    architecture = machine_architecture()
    build_artefacts(ROOT / "template.yaml", FOLDER, architecture)
    _step("built")
    deploy(url, FOLDER / "template.yaml", STACK, architecture)
    _step("deployed")
    os.environ.update({**CREDENTIALS, "AWS_ENDPOINT_URL": url})
    stack = Deployed(url)
    status, answer = stack.post("/lab/mcp", call("calculator", expression="2 ** 10 + 5"))
    _check("the lab calculates", (status, answer["result"]["content"][0]["text"]) == (200, "1029"))
    _check("nobody is let in without a key", stack.post("/gateway/mcp", call("smart_dedup", texts=[]))[0] == 401)
    _gateway(stack)
    _connections()


def _gateway(stack: Deployed) -> None:
    printed = key.run(["--stack", STACK, "create", "--team", "rehearsal"])[0]
    headers = {"Authorization": f"Bearer {printed}"}
    text = "The release is on Tuesday. It rained. The freeze begins on Friday."
    status, answer = stack.post("/gateway/mcp", call("smart_context_gate", text=text, purpose="release"), headers)
    _check("a key shortens a text", status == 200 and "Tuesday" in answer["result"]["structuredContent"]["text"])
    status, answer = stack.post("/gateway/mcp", call("smart_memory", action="add", text="Rehearsed."), headers)
    _check("a note is kept", status == 200 and not answer["result"]["isError"])
    status, answer = stack.post("/gateway/mcp", call("smart_memory", action="list"), headers)
    _check("and recalled", answer["result"]["structuredContent"]["total"] == 1)
    _check("the key has no scope of /remote/mcp", stack.post("/remote/mcp", call("x"), headers)[0] == 403)
    totals = activity.run(["--stack", STACK, "--team", "rehearsal", "--totals"])
    _check("three calls have three rows", totals[0].startswith("Calls: 3 (3 ok"))


def _connections() -> None:
    lines = connection.run(["--stack", STACK, "add", "docs", "https://mcp.example.com/mcp"])
    _check("a connection is stored", lines[0] == "Added docs.")
    _check("and listed", connection.run(["--stack", STACK, "list"])[0].startswith("docs  https://mcp.example.com/mcp"))


def _check(what: str, is_so: bool) -> None:  # noqa: FBT001 -- a claim and whether it holds
    if not is_so:
        raise RehearsalError(f"Not so: {what}.")
    _step(what)


def _step(what: str) -> None:
    print(f"ok  {what}", flush=True)


def main() -> int:
    """Rehearse, and return the exit code."""
    try:
        with emulator() as url:
            rehearse(url)
    except RehearsalError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
