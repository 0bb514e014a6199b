"""What one attempt of a call has met on the wire.

The SDK's transports swallow exceptions in background tasks and lose the HTTP status. So the transport below them notes
both here, and a refusal ends the attempt at once instead of leaving the SDK to wait for an answer.
"""

from dataclasses import dataclass, field

import anyio
import httpx2
from guardedhttp import GuardError, ResponseRefusedError


@dataclass(slots=True)
class Attempt:
    """The notes of one attempt, and the scope that ends it."""

    deadline_s: float
    """On the event loop's clock."""
    http_status: int | None = None
    """Of the last answer to a message."""
    refusal: GuardError | None = None
    is_given_up: bool = False
    """It was ended because no answer can come any more, not by the deadline."""
    lost: httpx2.TransportError | None = None
    """How the connection broke, where the SDK would not say."""
    scope: anyio.CancelScope = field(init=False)

    def __post_init__(self) -> None:
        self.scope = anyio.CancelScope(deadline=self.deadline_s)

    def refuse(self, error: GuardError) -> None:
        """Note the first refusal and end the attempt."""
        self.refusal = self.refusal or error
        if isinstance(error, ResponseRefusedError) and error.http_status is not None:
            self.http_status = error.http_status
        self.scope.cancel()

    def give_up(self, lost: httpx2.TransportError | None = None) -> None:
        """End the attempt: the server did not take a message, and the SDK would wait for its answer."""
        self.is_given_up = True
        self.lost = lost
        self.scope.cancel()

    @property
    def failed_status(self) -> int | None:
        """The HTTP status, if it was no success."""
        return self.http_status if self.http_status is not None and self.http_status >= 300 else None
