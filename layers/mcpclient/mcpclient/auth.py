"""How a connection authenticates: a scheme, and the name of a secret. Never the secret."""

import re
from typing import Annotated, Final, Literal

from guardedhttp import NotPublicURLError, read_public_url
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

HEADER_NAME: Final = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}")
"""Source: RFC 9110, section 5.1: a token."""

RESERVED_HEADERS: Final = frozenset(
    {
        "accept",
        "accept-encoding",
        "connection",
        "content-encoding",
        "content-length",
        "content-type",
        "cookie",
        "expect",
        "host",
        "last-event-id",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    }
)
"""Set by HTTP or by the transport: a connection must not change what a request means."""


def check_header_name(name: str) -> str:
    """Return *name* if a connection may set this header.

    Raises:
        ValueError: it is no token, or reserved.
    """
    lowered = name.lower()
    if not HEADER_NAME.fullmatch(name) or lowered in RESERVED_HEADERS or lowered.startswith(("mcp-", "proxy-")):
        raise ValueError("must be a header's name that neither HTTP nor MCP uses")
    return name


def check_issuer(issuer: str) -> str:
    """Return *issuer* if it is a public URL without query and fragment. Source: RFC 8414, section 2.

    Raises:
        ValueError: it is not.
    """
    try:
        read_public_url(issuer)
    except NotPublicURLError:
        raise ValueError("must be a public https URL") from None
    if "?" in issuer or "#" in issuer:
        raise ValueError("must have no query and no fragment")
    return issuer


class _Auth(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class NoAuth(_Auth):
    """Nothing is sent."""

    scheme: Literal["none"] = "none"


class BearerAuth(_Auth):
    """`Authorization: Bearer <secret>`. The secret is the token."""

    scheme: Literal["bearer"] = "bearer"


class HeaderAuth(_Auth):
    """A header of the server's choice. The secret is its value."""

    scheme: Literal["header"] = "header"
    header: Annotated[str, AfterValidator(check_header_name)] = "X-API-Key"


class BasicAuth(_Auth):
    """`Authorization: Basic ...`. The secret is JSON: `{"username": ..., "password": ...}`."""

    scheme: Literal["basic"] = "basic"


class OAuthAuth(_Auth):
    """OAuth 2.1 client credentials. The secret is JSON: `{"client_id": ..., "client_secret": ...}`.

    The issuer is pinned here. What the MCP server says of authorization servers is never followed: it could name one
    of its own and be given the secret.
    """

    scheme: Literal["oauth"] = "oauth"
    issuer: Annotated[str, AfterValidator(check_issuer)]
    scope: str = Field("", pattern=r"^[\x21\x23-\x5b\x5d-\x7e ]*$", max_length=512)


type Auth = NoAuth | BearerAuth | HeaderAuth | BasicAuth | OAuthAuth
