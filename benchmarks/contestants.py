"""Who takes part: each with its program under `peers/`, its environment and what it shows."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
OUR_SOURCE: Final = ("layers/mcpserver",)


@dataclass(frozen=True, slots=True)
class Contestant:
    """One row of the table."""

    name: str
    """The module under `benchmarks/peers/`."""
    title: str
    """`{package}` stands for the version that the lock names."""
    environment: str
    """The end of `.venv-bench-...`; contestants may share one."""
    lock: str
    """The file under `requirements/`."""
    source: Sequence[str] = ()
    """Folders of ours that are on its path and count as its size."""
    serves: bool = True
    """False: no server, only the tool; its cost stands in the tools/call column."""

    def full_title(self) -> str:
        """Return the title with the locked versions filled in."""
        versions = locked_versions((ROOT / "requirements" / self.lock).read_text(encoding="utf-8"))
        return re.sub(r"\{([a-z-]+)\}", lambda match: versions[match[1]], self.title)


def locked_versions(lock: str) -> dict[str, str]:
    """Return package -> version of the text of a lock."""
    return dict(re.findall(r"^([A-Za-z0-9._-]+)==([^ ;\\]+)", lock, re.MULTILINE))


SAMCP_OFF: Final = Contestant(
    "samcp_receivers_off", "samcp, receivers off", "samcp", "layer-mcpserver.txt", source=OUR_SOURCE
)
SAMCP: Final = Contestant("samcp", "samcp, as deployed", "samcp", "layer-mcpserver.txt", source=OUR_SOURCE)
TOOL_ALONE: Final = Contestant("tool_alone", "the tool alone", "floor", "bench-floor.txt", serves=False)
FLOOR: Final = Contestant("floor", "floor: bare Pydantic {pydantic}", "floor", "bench-floor.txt")
AWSLABS: Final = Contestant(
    "awslabs", "awslabs-mcp-lambda-handler {awslabs-mcp-lambda-handler}", "awslabs", "bench-awslabs.txt"
)
MCP_MANGUM: Final = Contestant("mcp_mangum", "mcp {mcp} + Mangum {mangum}", "mcp_mangum", "bench-mcp_mangum.txt")
FASTMCP_MANGUM: Final = Contestant(
    "fastmcp_mangum", "fastmcp {fastmcp} + Mangum {mangum}", "fastmcp_mangum", "bench-fastmcp_mangum.txt"
)
RUN_MCP_SERVERS: Final = Contestant(
    "run_mcp_servers",
    "run-mcp-servers-with-aws-lambda {run-mcp-servers-with-aws-lambda}",
    "run_mcp_servers",
    "bench-run_mcp_servers.txt",
)

CONTESTANTS: Final = (SAMCP_OFF, SAMCP, TOOL_ALONE, FLOOR, AWSLABS, MCP_MANGUM, FASTMCP_MANGUM, RUN_MCP_SERVERS)
