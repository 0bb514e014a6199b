"""The clients: each with its environment and the driver that takes the steps with it."""

import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.interop.environments import NODE, Environment, NodeEnvironment, PythonEnvironment
from tests.interop.observations import Observations, read_observations
from tests.interop.processes import RUN_WITHIN_S, Finished, empty_home, quiet_environ, run
from tests.interop.relay import Relay

DRIVERS: Final = Path(__file__).parent / "drivers"


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

    def observe(self, relay: Relay, path: str) -> tuple[Finished, Observations]:
        """Run the driver against the server at *path* behind *relay*."""
        environment = self.environment
        bins = [environment.bin, NODE.bin] if isinstance(environment, NodeEnvironment) else []
        home = empty_home(environment.name or "venv")
        command = [*self._program(), relay.url + path, *self.arguments]
        finished = run(command, cwd=home, environ=quiet_environ(home, *bins), timeout_s=RUN_WITHIN_S)
        return finished, read_observations(finished.output)

    def _program(self) -> list[str]:
        if isinstance(self.environment, PythonEnvironment):
            return [str(self.environment.folder / "bin" / "python"), str(DRIVERS / self.driver)]
        if self.driver.endswith(".py"):
            return [sys.executable, str(DRIVERS / self.driver)]
        # A JavaScript program finds packages beside its own file.
        for name in (self.driver, "report.mjs"):
            shutil.copy(DRIVERS / name, self.environment.folder / name)
        return [str(NODE.bin / "node"), str(self.environment.folder / self.driver)]


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
