"""`ConnectionSettings`: all that is known of a connection to another server, validated on construction."""

import re
from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, Self
from urllib.parse import parse_qsl, urlsplit

from guardedhttp import NotPublicURLError, read_public_url
from guardedhttp.loopback import LoopbackPorts
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, ValidationInfo, field_validator

from mcpclient.auth import Auth, NoAuth, check_header_name
from mcpclient.errors import MCPClientConfigurationError
from mcpclient.text import read_object

SECRET_PREFIX: Final = "samcp/connections/"  # noqa: S105 -- the names' prefix, no secret
"""Every connection's secret lies under it, and the functions' policy ends there."""

STDIO_REFUSED: Final = (
    "stdio is refused: it would run a command inside the function, with its permissions. "
    "Use streamable-http, or sse for an older server."
)

_SECRET_HEADER: Final = re.compile(r"auth|cookie|token|secret|password|api[-_]?key", re.IGNORECASE)
"""Headers, and parameters of a URL, that carry secrets belong into Secrets Manager, not into a table."""

_VALUE: Final = re.compile(r"[\x20-\x7e]{0,1024}")


def _refuse_stdio(value: Any) -> Any:
    if value == "stdio":
        raise ValueError(STDIO_REFUSED)
    return value


class ConnectionLimits(BaseModel):
    """How much one call may take."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    bytes_per_answer: int = Field(4 * 1024 * 1024, ge=1024, le=16 * 1024 * 1024)
    values_per_answer: int = Field(
        50_000, ge=100, le=200_000, description="Of its JSON; each costs far more than a byte."
    )
    requests: int = Field(64, ge=1, le=256)
    pages: int = Field(20, ge=1, le=100)
    tools: int = Field(500, ge=1, le=2000)
    result_characters: int = Field(20_000, ge=100, le=1_000_000)
    instructions_characters: int = Field(4_000, ge=0, le=100_000)


class ConnectionSettings(BaseModel):
    """A connection to another server. `Settings(...)` is the check; it is made again whenever one is read."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    name: str = Field(pattern=r"^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$", description="Part of its tools' names.")
    url: str
    transport: Annotated[Literal["streamable-http", "sse"], BeforeValidator(_refuse_stdio)] = "streamable-http"
    auth: Auth = Field(default_factory=NoAuth, discriminator="scheme")
    headers: dict[str, str] = Field(default_factory=dict, max_length=20)
    timeout_s: float = Field(20, gt=0, le=300, description="One whole call, retries and all.")
    allowed_tools: tuple[str, ...] = Field((), description="Glob patterns; empty: all.")
    allowed_resources: tuple[str, ...] = Field((), description="Glob patterns; empty: none.")
    limits: ConnectionLimits = Field(default_factory=ConnectionLimits)
    owner: str = Field("", max_length=128)
    enabled: bool = True

    @classmethod
    def parse(cls, stored: Mapping[str, Any], *, loopback_ports: LoopbackPorts = frozenset()) -> Self:
        """Return the connection that *stored* describes.

        Raises:
            MCPClientConfigurationError: names each wrong field and what is allowed, never its value.
        """
        try:
            return cls.model_validate(dict(stored), context={"loopback_ports": loopback_ports})
        except ValidationError as error:
            problems = "; ".join(
                f"{'.'.join(map(str, problem['loc']))}: {_sentence(problem['type'], problem['msg'])}"
                for problem in error.errors(include_url=False, include_input=False, include_context=False)
            )
        raise MCPClientConfigurationError(f"The connection is not valid: {problems}")

    @classmethod
    def parse_json(cls, stored: str, *, loopback_ports: LoopbackPorts = frozenset()) -> Self:
        """Return the connection that the JSON text *stored* describes.

        Raises:
            MCPClientConfigurationError: see `parse`; or it is no JSON object.
        """
        members = read_object(stored)
        if members is None:
            raise MCPClientConfigurationError("The connection is not valid: it must be a JSON object.")
        return cls.parse(members, loopback_ports=loopback_ports)

    @field_validator("url")
    @classmethod
    def _check_url(cls, url: str, info: ValidationInfo) -> str:
        ports = (info.context or {}).get("loopback_ports", frozenset())
        try:
            read = read_public_url(url, loopback_ports=ports).url
        except NotPublicURLError as error:
            raise ValueError(str(error)) from None
        if any(_SECRET_HEADER.search(name) for name, _ in parse_qsl(urlsplit(read).query, keep_blank_values=True)):
            raise ValueError("a secret in the URL would be stored and shown: it is sent by auth, from Secrets Manager")
        return read

    @field_validator("headers")
    @classmethod
    def _check_headers(cls, headers: dict[str, str]) -> dict[str, str]:
        for name, value in headers.items():
            check_header_name(name)
            if _SECRET_HEADER.search(name):
                raise ValueError("a header that carries a secret is set by auth, from Secrets Manager")
            if not _VALUE.fullmatch(value):
                raise ValueError("a header's value must be printable ASCII of at most 1,024 characters")
        return headers

    @property
    def secret_name(self) -> str:
        """The connection's own secret: derived from its name, so that no connection can name another's."""
        return SECRET_PREFIX + self.name


def _sentence(kind: str, message: str) -> str:
    # Pydantic's own words for a wrong tag repeat it.
    if kind == "union_tag_invalid":
        return "scheme must be none, bearer, header, basic or oauth"
    return message.removeprefix("Value error, ")
