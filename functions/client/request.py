"""The events that the client room takes: one operation on one connection."""

from typing import Annotated, Any, Literal

from mcpclient import MCPClientConfigurationError
from mcpclient.arguments import BAD_REQUEST
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError


class _Request(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    connection: str = Field(min_length=1, max_length=32)

    @property
    def is_idempotent(self) -> bool:
        """Whether doing it twice is like doing it once."""
        return True


class Discover(_Request):
    """What does the server offer?"""

    operation: Literal["discover"]


class CallTool(_Request):
    """Call one of its tools."""

    operation: Literal["call_tool"]
    tool: str = Field(min_length=1, max_length=256)
    arguments: dict[str, Any] = Field(default_factory=dict)
    idempotent: bool = Field(default=False, description="The caller knows that the tool may run twice.")

    @property
    def is_idempotent(self) -> bool:
        """Whether the caller says so: a tool's own claim is not enough to run it twice."""
        return self.idempotent


class ReadResource(_Request):
    """Read one of its resources."""

    operation: Literal["read_resource"]
    uri: str = Field(min_length=1, max_length=2048)


type Request = Discover | CallTool | ReadResource

_ADAPTER: TypeAdapter[Request] = TypeAdapter(Annotated[Request, Field(discriminator="operation")])


def read_request(event: Any) -> Request:
    """Return the request that *event* holds.

    Raises:
        MCPClientConfigurationError: names the wrong members, not their values.
    """
    try:
        return _ADAPTER.validate_python(event)
    except ValidationError as error:
        wrong = sorted({".".join(map(str, problem["loc"])) or "event" for problem in error.errors(include_input=False)})
    raise MCPClientConfigurationError(
        f"The event is not valid ({', '.join(wrong)}): it needs an operation (discover, call_tool or read_resource), "
        "a connection, and a tool or a uri.",
        code=BAD_REQUEST,
    )
