"""What we promised of our own figures, and whether a run keeps it."""

from dataclasses import dataclass

from benchmarks.contestants import AWSLABS, FLOOR, MCP_MANGUM, SAMCP, SAMCP_OFF, TOOL_ALONE
from benchmarks.measures import FIRST_CPU, RSS, TOOLS_CALL, Measure
from benchmarks.results import Results, Row, ratio


@dataclass(frozen=True, slots=True)
class Target:
    """One promise and what came of it."""

    text: str
    found: str
    is_met: bool | None
    """None: not measured, or no promise."""


def targets_of(results: Results) -> list[Target]:
    """Return every target with what *results* says of it."""
    off, on = results.row(SAMCP_OFF.name), results.row(SAMCP.name)
    return [
        _at_most("tools/call, receivers off: at most 2 x the floor", 2, off, results.row(FLOOR.name), TOOLS_CALL),
        _without_tool(results),
        _at_most("tools/call, receivers off: below awslabs", 1, off, results.row(AWSLABS.name), TOOLS_CALL),
        _at_most(
            "import + first answer: at most half of mcp + Mangum", 0.5, on, results.row(MCP_MANGUM.name), FIRST_CPU
        ),
        _below("RSS below 60 MB", 60, on.median(RSS) if on.has(RSS) else None),
        _below("packages and layer below 45 MB", 45, on.size_mb),
    ]


def _at_most(text: str, limit: float, row: Row, other: Row, measure: Measure) -> Target:
    if not (row.has(measure) and other.has(measure)):
        return Target(text, "not measured", None)
    found = ratio(row, other, measure)
    values = f"{row.median(measure):.1f} against {other.median(measure):.1f} {measure.unit}"
    return Target(text, f"{found:.2f} x ({values})", found <= limit)


def _without_tool(results: Results) -> Target:
    """Return the first target once more without the tool's own cost, which flatters a ratio."""
    text = "the same, the tool's own cost taken off both (no promise)"
    rows = [results.row(contestant.name) for contestant in (SAMCP_OFF, FLOOR, TOOL_ALONE)]
    if not all(row.has(TOOLS_CALL) for row in rows):
        return Target(text, "not measured", None)
    off, floor, tool = (row.median(TOOLS_CALL) for row in rows)
    values = f"{off - tool:.1f} against {floor - tool:.1f} {TOOLS_CALL.unit}"
    return Target(text, f"{(off - tool) / (floor - tool):.2f} x ({values})", None)


def _below(text: str, limit_mb: float, found_mb: float | None) -> Target:
    if found_mb is None:
        return Target(text, "not measured", None)
    return Target(text, f"{found_mb:.0f} MB", found_mb < limit_mb)
