"""What is measured, and in which words the table and the picture say it."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Measure:
    """One figure that each round gives for each contestant; less is better."""

    key: str
    """Its name in the measuring process's answer."""
    title: str
    unit: str


IMPORT_CPU: Final = Measure("import_cpu_ms", "import, CPU", "ms")
IMPORT_WALL: Final = Measure("import_wall_ms", "import, wall", "ms")
FIRST_CPU: Final = Measure("first_cpu_ms", "import + first answer, CPU", "ms")
FIRST_WALL: Final = Measure("first_wall_ms", "import + first answer, wall", "ms")
RSS: Final = Measure("rss_mb", "RSS", "MB")
INITIALIZE: Final = Measure("initialize_us", "initialize", "µs")
TOOLS_LIST: Final = Measure("tools_list_us", "tools/list", "µs")
TOOLS_CALL: Final = Measure("tools_call_us", "tools/call", "µs")

START: Final = (IMPORT_CPU, IMPORT_WALL, FIRST_CPU, FIRST_WALL, RSS)
"""What a cold start costs."""
EVENTS: Final = (INITIALIZE, TOOLS_LIST, TOOLS_CALL)
"""What one event costs on a warm instance."""
