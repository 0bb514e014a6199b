"""OAuth 2.1 client credentials, from an issuer that the operator has pinned.

The SDK's provider starts from what the MCP server says in its 401. Here the server is not asked: its metadata could
name an authorization server of its own, or an address inside. Source: OAuth 2.1, section 4.2; RFC 8414; RFC 8707.
"""

import time
from collections.abc import Callable
from functools import cache
from typing import Any, Final, Protocol

import httpx2
from guardedhttp import GuardError, Limits, Network, guarded_client
from pydantic import BaseModel, Field, ValidationError

from mcpclient.auth import OAuthAuth
from mcpclient.credentials import basic, pair_of
from mcpclient.errors import MCPClientConnectionError
from mcpclient.secret_store import MAX_AGE_S

LIMITS: Final = Limits(requests=4, bytes_per_answer=256 * 1024, bytes_in_all=512 * 1024)
"""Two look-ups of metadata, one token."""

_EARLY_S: Final = 30.0
"""A token is renewed so long before it expires."""


_CLIENT_REFUSED: Final = frozenset({400, 401})
"""`invalid_client`. Source: RFC 6749, section 5.2."""


class ReadSecret(Protocol):
    """Reads the connection's secret."""

    async def __call__(self, *, anew: bool) -> str:
        """Return it, *anew* or from memory."""


class _Metadata(BaseModel):
    issuer: str
    token_endpoint: str
    token_endpoint_auth_methods_supported: list[str] = Field(default_factory=lambda: ["client_secret_basic"])


class _Token(BaseModel):
    access_token: str = Field(pattern=r"^[\x21-\x7e]+$", max_length=16_384)
    token_type: str
    expires_in: float = 60.0


class TokenStore:
    """Fetches access tokens and remembers them, in memory only."""

    def __init__(self, *, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._kept: dict[tuple[str, OAuthAuth, str], tuple[float, str]] = {}

    async def token(  # noqa: PLR0913 -- who asks, for what, and with what
        self,
        auth: OAuthAuth,
        *,
        secret: str,
        read: ReadSecret,
        resource: str,
        network: Network | None,
        timeout_s: float,
    ) -> str:
        """Return an access token for *resource*.

        Args:
            auth: issuer and scope.
            secret: client id and secret, as JSON.
            read: reads the secret anew, where the issuer refuses the client: it may have been rotated.
            resource: the MCP server's URL.
            network: what lies below the guard.
            timeout_s: for everything.

        Raises:
            MCPClientConfigurationError: the secret has not the right form.
            MCPClientConnectionError: the issuer gave no token.
        """
        try:
            return await self._token(auth, secret, resource, network, timeout_s)
        except MCPClientConnectionError as error:
            if error.http_status not in _CLIENT_REFUSED or (rotated := await read(anew=True)) == secret:
                raise
        return await self._token(auth, rotated, resource, network, timeout_s)

    async def _token(
        self, auth: OAuthAuth, secret: str, resource: str, network: Network | None, timeout_s: float
    ) -> str:
        # The secret is part of the key: a rotated one gets a new token. So is the scope: a connection that may only
        # read must not get the token of one that may write.
        key = (resource, auth, secret)
        kept = self._kept.get(key)
        if kept is not None and 0 < kept[0] - self._clock() <= MAX_AGE_S:
            return kept[1]
        client_id, client_secret = pair_of(secret, "client_id", "client_secret")
        try:
            async with guarded_client(timeout_s=timeout_s, network=network, limits=LIMITS) as client:
                metadata = await _metadata(client, auth.issuer)
                form = {"grant_type": "client_credentials", "resource": resource}
                if auth.scope:
                    form["scope"] = auth.scope
                token = await _fetch(client, metadata, form, client_id, client_secret)
        except (GuardError, httpx2.HTTPError, httpx2.InvalidURL, ValidationError, TimeoutError):
            raise MCPClientConnectionError("The issuer gave no token.", retryable=True) from None
        self._kept[key] = (self._clock() + min(token.expires_in - _EARLY_S, MAX_AGE_S), token.access_token)
        return token.access_token

    def forget(self, *, resource: str) -> None:
        """Forget the tokens for *resource*: the server has refused one."""
        self._kept = {key: kept for key, kept in self._kept.items() if key[0] != resource}


async def _metadata(client: httpx2.AsyncClient, issuer: str) -> _Metadata:
    for url in _metadata_urls(issuer):
        response = await client.get(url)
        if response.status_code == 200:
            metadata = _Metadata.model_validate_json(response.content)
            # Another issuer's metadata under this URL would send the secret there. Source: RFC 8414, section 3.3.
            if metadata.issuer == issuer:
                return metadata
    raise MCPClientConnectionError("The issuer has no metadata, or not its own.")


def _metadata_urls(issuer: str) -> tuple[str, str]:
    url = httpx2.URL(issuer)
    path = url.path.rstrip("/")
    oauth = url.copy_with(path=f"/.well-known/oauth-authorization-server{path}")
    return str(oauth), str(url.copy_with(path=f"{path}/.well-known/openid-configuration"))


async def _fetch(
    client: httpx2.AsyncClient, metadata: _Metadata, form: dict[str, str], client_id: str, client_secret: str
) -> _Token:
    headers: dict[str, Any] = {"Accept": "application/json"}
    if "client_secret_basic" in metadata.token_endpoint_auth_methods_supported:
        headers["Authorization"] = basic(client_id, client_secret)
    else:
        form = {**form, "client_id": client_id, "client_secret": client_secret}
    response = await client.post(metadata.token_endpoint, data=form, headers=headers)
    if response.status_code != 200:
        raise MCPClientConnectionError("The issuer refused the client.", http_status=response.status_code)
    token = _Token.model_validate_json(response.content)
    if token.token_type.lower() != "bearer":
        raise MCPClientConnectionError("The issuer gave a token of another type than Bearer.")
    return token


@cache
def shared_token_store() -> TokenStore:
    """Return the store of this process."""
    return TokenStore()
