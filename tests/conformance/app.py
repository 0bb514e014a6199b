"""The fixture server as a function, so that the local gateway serves it like any other."""

from mcpserver import MCPServerBase, http_handler
from mcpserver.request_state import KeyRing
from tests.conformance.asking_tools import ASKING_TOOLS, AskingPrompt
from tests.conformance.content_tools import CONTENT_TOOLS
from tests.conformance.offers import PROMPTS, RESOURCES


class ConformanceServer(MCPServerBase):
    """Everything that the suite asks for."""

    @property
    def name(self) -> str:
        """The server's name."""
        return "conformance"


server = ConformanceServer(
    tools=[*CONTENT_TOOLS, *ASKING_TOOLS],
    resources=RESOURCES,
    prompts=[*PROMPTS, AskingPrompt()],
    key_ring=lambda: KeyRing({"test": bytes(range(32))}),
)
lambda_handler = http_handler(server)
