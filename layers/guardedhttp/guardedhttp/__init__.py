"""The public-URL guard: HTTP to the public internet, and to nothing else.

    checked = validate_public_url("https://mcp.example.com/mcp")
    async with guarded_client(timeout_s=8) as client:
        response = await client.get(checked.url)

The client checks every request again: text, addresses, redirects, sizes. It connects to the very address it checked.
"""

from guardedhttp.addresses import is_public
from guardedhttp.backend import GuardedBackend
from guardedhttp.client import client_of, guarded_client
from guardedhttp.errors import (
    BlockedAddressError,
    BlockedURLError,
    BodyTooLargeError,
    EncodedBodyError,
    GuardError,
    GuardNotInstalledError,
    NotPublicURLError,
    RedirectRefusedError,
    ResponseRefusedError,
    TooManyRequestsError,
    UnresolvedHostError,
)
from guardedhttp.loopback import loopback_ports_of
from guardedhttp.public_url import CheckedURL, system_resolver, validate_public_url
from guardedhttp.redirects import RedirectPolicy, next_url
from guardedhttp.transport import GuardedTransport, Limits, Network
from guardedhttp.url import PublicURL, read_public_url

__all__ = [
    "BlockedAddressError",
    "BlockedURLError",
    "BodyTooLargeError",
    "CheckedURL",
    "EncodedBodyError",
    "GuardError",
    "GuardNotInstalledError",
    "GuardedBackend",
    "GuardedTransport",
    "Limits",
    "Network",
    "NotPublicURLError",
    "PublicURL",
    "RedirectPolicy",
    "RedirectRefusedError",
    "ResponseRefusedError",
    "TooManyRequestsError",
    "UnresolvedHostError",
    "client_of",
    "guarded_client",
    "is_public",
    "loopback_ports_of",
    "next_url",
    "read_public_url",
    "system_resolver",
    "validate_public_url",
]
