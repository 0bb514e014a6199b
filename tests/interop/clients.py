"""The clients: each with its environment and the driver that takes the steps with it."""

import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tests.interop.environments import NODE, Environment, InstallError, NodeEnvironment, PythonEnvironment
from tests.interop.observations import STEPS, Cell, Verdict, judge, read_observations
from tests.interop.processes import CACHE, ROOT, Finished, quiet_environ, run
from tests.interop.relay import Relay

DRIVERS: Final = Path(__file__).parent / "drivers"
RUN_WITHIN_S: Final = 420


@dataclass(frozen=True, slots=True)
class Client:
    """One row of the table."""

    title: str
    environment: Environment
    driver: str
    """A file of `drivers/`, run in the environment with the server's URL."""
    arguments: tuple[str, ...] = ()
    is_quick: bool = False
    """Also run without ALL=1."""


_MCP: Final = "@modelcontextprotocol"
CLIENTS: Final = (
    Client("Python SDK 1", PythonEnvironment("mcp1", "mcp"), "mcp1.py", is_quick=True),
    Client("Python SDK 2, auto", PythonEnvironment("", "mcp"), "mcp2.py", ("auto",), is_quick=True),
    Client("Python SDK 2, legacy", PythonEnvironment("", "mcp"), "mcp2.py", ("legacy",), is_quick=True),
    Client(
        "TypeScript SDK 1",
        NodeEnvironment("typescript-sdk-1", f"{_MCP}/sdk"),
        "typescript_sdk_1.mjs",
        is_quick=True,
    ),
    Client(
        "TypeScript client 2, auto", NodeEnvironment("typescript-client-2", f"{_MCP}/client"), "typescript_client_2.mjs"
    ),
    Client("FastMCP 4", PythonEnvironment("fastmcp4", "fastmcp"), "fastmcp_2_and_4.py"),
    Client("FastMCP 2", PythonEnvironment("fastmcp2", "fastmcp"), "fastmcp_2_and_4.py"),
    Client("OpenAI Agents SDK", PythonEnvironment("openai_agents", "openai-agents"), "openai_agents.py"),
    Client("Pydantic AI", PythonEnvironment("pydantic_ai", "pydantic-ai-slim"), "pydantic_ai_toolset.py"),
    Client("LangChain MCP adapters", PythonEnvironment("langchain", "langchain-mcp-adapters"), "langchain_adapters.py"),
    Client("AI SDK", NodeEnvironment("ai-sdk", "@ai-sdk/mcp"), "ai_sdk.mjs"),
    Client("mcp-remote", NodeEnvironment("mcp-remote", "mcp-remote"), "mcp_remote.py"),
    Client("Inspector CLI", NodeEnvironment("inspector", f"{_MCP}/inspector"), "inspector_cli.py"),
)


@dataclass(frozen=True, slots=True)
class ClientResult:
    """What came of one client."""

    title: str
    package: str
    version: str
    install_s: float | None = None
    protocol_version: str = ""
    cells: dict[str, Cell] = field(default_factory=dict)
    """step -> verdict; empty where it did not run."""
    note: str = ""
    """Why it did not run."""

    @property
    def is_wrong(self) -> bool:
        """Whether it ran and saw a wrong answer."""
        return any(cell.verdict is Verdict.WRONG for cell in self.cells.values())

    @property
    def is_slow(self) -> bool:
        """Whether a step ran out of time."""
        return any(cell.verdict is Verdict.TIMED_OUT for cell in self.cells.values())


def drive_client(client: Client, address: str, path: str) -> ClientResult:
    """Take every step with *client* against the server at *address* + *path*, once more if it runs out of time."""
    package, version = client.environment.package, client.environment.version()
    try:
        install_s = client.environment.provide()
        program = _program(client)
    except InstallError as error:
        return ClientResult(client.title, package, version, note=str(error))
    result = ClientResult(client.title, package, version, install_s)
    for _ in range(2):
        with Relay(address) as relay:
            finished = _run(client, [*program, relay.url + path, *client.arguments])
            result = _result(result, finished, relay)
        if not result.is_slow:
            break
    return result


def _program(client: Client) -> list[str]:
    """Return the start of the command; a JavaScript driver must lie beside the packages that it imports."""
    if isinstance(client.environment, PythonEnvironment):
        return [str(client.environment.folder / "bin" / "python"), str(DRIVERS / client.driver)]
    if client.driver.endswith(".py"):
        return [str(ROOT / ".venv" / "bin" / "python"), str(DRIVERS / client.driver)]
    NODE.provide()
    for name in (client.driver, "report.mjs"):
        shutil.copy(DRIVERS / name, client.environment.folder / name)
    return [str(NODE.bin / "node"), str(client.environment.folder / client.driver)]


def _run(client: Client, command: list[str]) -> Finished:
    home = CACHE / "homes" / client.environment.name
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir(parents=True)
    bins = [client.environment.bin, NODE.bin] if isinstance(client.environment, NodeEnvironment) else []
    return run(command, cwd=home, environ=quiet_environ(home, *bins), timeout_s=RUN_WITHIN_S)


def _result(before: ClientResult, finished: Finished, relay: Relay) -> ClientResult:
    observations = read_observations(finished.output)
    title = before.title
    relay.save(CACHE / "exchanges" / f"{title}.txt")
    (CACHE / "exchanges" / f"{title}.output.txt").write_text(finished.output + finished.errors, "utf-8")
    common = (title, before.package, before.version, before.install_s)
    if not observations and finished.code:
        last = finished.errors.strip().splitlines()[-1:]
        return ClientResult(*common, note=f"it did not start: {''.join(last)[:160]}")
    cells = judge(observations, is_out_of_time=finished.code is None)
    return ClientResult(*common, relay.protocol_version(), {step: cells[step] for step in STEPS})
