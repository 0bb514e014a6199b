"""The fixture gateway as a function: seven tools, a principal for every call, a limit for the free plan."""

from collections.abc import Collection

from mcpserver import CallContext, MCPServerBase, Quirk, RateLimitedError, http_handler
from tests.quirks.limiter import CALLS_PER_MINUTE, WINDOW_S, Limiter
from tests.quirks.smart_tools import SMART_TOOLS

ALLOWED_ORIGIN = "https://app.example.com"
ALLOWED_HOSTS = ("127.0.0.1", "gateway.internal")


class SmartGateway(MCPServerBase):
    """Everything that the corpus asks a gateway for."""

    def __init__(self, disabled_quirks: Collection[Quirk] = ()) -> None:
        super().__init__(SMART_TOOLS, disabled_quirks=disabled_quirks)
        self.limiter = Limiter()

    @property
    def name(self) -> str:
        """The server's name."""
        return "smart-gateway"

    def admit(self, context: CallContext) -> None:
        """Count the request against its key's minute.

        Raises:
            RateLimitedError: the minute is used up.
        """
        principal = context.principal
        if principal is None or principal.attributes.get("plan") != "free":
            return
        if not self.limiter.take(principal.principal_id):
            raise RateLimitedError(
                "This key's requests of this minute are used up.",
                retry_after_s=WINDOW_S,
                data={"wall": "requests per minute and key", "limit": CALLS_PER_MINUTE, "window_s": WINDOW_S},
            )


server = SmartGateway()
lambda_handler = http_handler(
    server, allowed_origins=[ALLOWED_ORIGIN], allowed_hosts=ALLOWED_HOSTS, needs_principal=True
)
