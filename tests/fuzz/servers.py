"""What the fuzzer calls, as Lambda handlers: the conformance suite's fixture with the lab's tools, and the lab."""

from collections.abc import Mapping
from typing import Any, Final

from functions.lab.calculator import Calculator
from functions.lab.countdown import Countdown
from functions.lab.current_time import GetCurrentTime
from functions.lab.server import LabMCPServer
from functions.lab.wiki_search import WikiSearch
from mcpserver import CallContext, KeyRing, MCPServerBase, http_handler, mcpserver_called
from mcpserver.http_adapter import LambdaHandler
from tests.conformance.app import ConformanceServer
from tests.conformance.asking_tools import ASKING_TOOLS, AskingPrompt
from tests.conformance.content_tools import CONTENT_TOOLS
from tests.conformance.offers import PROMPTS, RESOURCES

ORIGIN: Final = "https://app.example.com"


class LambdaContext:
    """What the adapter reads of Lambda's context."""

    aws_request_id = "11111111-2222-3333-4444-555555555555"

    @staticmethod
    def get_remaining_time_in_millis() -> int:
        """Return all of the function's time."""
        return 29_000


async def _no_sleep(_seconds: float) -> None:
    """Wait for nothing."""


LAB_TOOLS: Final = (Calculator(), WikiSearch(), GetCurrentTime(), Countdown(_no_sleep))
CONFORMANCE: Final = ConformanceServer(
    tools=[*CONTENT_TOOLS, *ASKING_TOOLS, *LAB_TOOLS],
    resources=RESOURCES,
    prompts=[*PROMPTS, AskingPrompt()],
    key_ring=lambda: KeyRing({"test": bytes(range(32))}),
)
LAB: Final = LabMCPServer(tools=LAB_TOOLS)

HANDLERS: Final[Mapping[str, LambdaHandler]] = {
    "conformance": http_handler(CONFORMANCE, allowed_origins=[ORIGIN], allowed_hosts=[], default_receivers=False),
    "lab": http_handler(LAB, allowed_origins=[], allowed_hosts=[], default_receivers=False),
}
"""Two servers: one that offers everything, one with nothing but tools."""

_seen: Final[list[CallContext]] = []


def _note(_server: MCPServerBase, *, context: CallContext, **_rest: Any) -> None:
    _seen.append(context)


for _server in (CONFORMANCE, LAB):
    mcpserver_called.connect(_note, sender=_server)

TOOL_NAMES: Final = frozenset(CONFORMANCE.tools)


def handle(server: str, event: Any) -> dict[str, Any]:
    """Let the handler of *server* answer *event*."""
    _seen.clear()
    return HANDLERS[server](event, LambdaContext())


def calls() -> list[CallContext]:
    """Return the context of each call that the last answer's log would have a line for."""
    return [*_seen]
