"""Every error of the guard, and what its reader may learn.

    Exception
    └── GuardError
        ├── NotPublicURLError           "not a public URL", and nothing else: the reader may be an attacker
        │   ├── BlockedURLError             the text is not that of a public HTTPS URL
        │   ├── BlockedAddressError         the host is reserved, or one of its addresses is not public
        │   └── UnresolvedHostError         the host has no address
        ├── ResponseRefusedError        the answer broke a limit or a rule
        │   ├── BodyTooLargeError           more bytes than one answer, or all of them, may have
        │   ├── EncodedBodyError            the answer is compressed
        │   └── RedirectRefusedError        it points to where this client does not go
        ├── TooManyRequestsError        this client has used up its requests
        └── GuardNotInstalledError      the guard would not have been asked: nothing was sent

The three kinds of `NotPublicURLError` are for the log's reader; their message is the same, so that a caller cannot
use the guard to find out which hosts exist inside.
"""

from typing import Final

NOT_PUBLIC: Final = "not a public URL"
"""All that a caller learns."""


class GuardError(Exception):
    """The guard refused to send, or to read on."""


class NotPublicURLError(GuardError):
    """The URL is not public, or cannot be shown to be."""

    def __init__(self) -> None:
        super().__init__(NOT_PUBLIC)


class BlockedURLError(NotPublicURLError):
    """The text is not that of a public HTTPS URL."""


class BlockedAddressError(NotPublicURLError):
    """The host is reserved, or one of its addresses is not public."""


class UnresolvedHostError(NotPublicURLError):
    """The host has no address."""


class ResponseRefusedError(GuardError):
    """The answer broke a limit or a rule."""

    http_status: int | None = None
    """The answer's status, where its head was refused."""


class BodyTooLargeError(ResponseRefusedError):
    """The answer has more bytes than allowed."""

    def __init__(self, max_bytes: int) -> None:
        super().__init__(f"the answer has more than {max_bytes} bytes")


class EncodedBodyError(ResponseRefusedError):
    """The answer is compressed, although that was not accepted: a small body could grow without end."""

    def __init__(self) -> None:
        super().__init__("the answer is compressed")


class RedirectRefusedError(ResponseRefusedError):
    """The answer is a redirect to where this client does not go, or in a way that would lose the message."""

    def __init__(self) -> None:
        super().__init__("the answer is a redirect that is not followed")


class TooManyRequestsError(GuardError):
    """The client has used up its requests."""

    def __init__(self, max_requests: int) -> None:
        super().__init__(f"more than {max_requests} requests would be needed")


class GuardNotInstalledError(GuardError):
    """A release of httpx2 was found that the guard was not written for: nothing was sent."""

    def __init__(self) -> None:
        super().__init__("the guard does not fit the installed httpx2")
